// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic on values of the IR.

#include "templates/TileBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tilewright {
namespace {

bool isFloat(TileValue value) { return isa<FloatType>(getElementTypeOrSelf(value.type())); }

template <typename FloatOp, typename IntOp>
TileValue binary(TileValue a, TileOperand operand) {
  TileValue b = operand.as(a);
  return isFloat(a) ? a.builder().make<FloatOp>(a, b) : a.builder().make<IntOp>(a, b);
}

} // namespace

TileValue TileValue::named(llvm::StringRef name) const {
  if (Operation *op = value_.getDefiningOp())
    op->setLoc(NameLoc::get(StringAttr::get(op->getContext(), name)));
  return *this;
}

TileValue TileOperand::as(TileValue like) const {
  TileBuilder &builder = like.builder();
  if (!builder_)
    return builder.constant(like.type(), number_);
  TileValue value(*builder_, value_);
  return like.isTile() && !value.isTile() ? builder.splat(value, like.tileType()) : value;
}

TileValue operator+(TileValue a, TileOperand b) {
  return binary<arith::AddFOp, arith::AddIOp>(a, b);
}
TileValue operator-(TileValue a, TileOperand b) {
  return binary<arith::SubFOp, arith::SubIOp>(a, b);
}
TileValue operator*(TileValue a, TileOperand b) {
  return binary<arith::MulFOp, arith::MulIOp>(a, b);
}
TileValue operator/(TileValue a, TileOperand b) {
  return binary<arith::DivFOp, arith::DivSIOp>(a, b);
}
TileValue operator%(TileValue a, TileOperand b) {
  return binary<arith::RemFOp, arith::RemSIOp>(a, b);
}

TileValue ceilDiv(TileValue a, TileOperand b) {
  assert(!isFloat(a) && "rounding division is for integers");
  return a.builder().make<arith::CeilDivSIOp>(a, b.as(a));
}

TileValue min(TileValue a, TileOperand b) {
  return binary<arith::MinimumFOp, arith::MinSIOp>(a, b);
}
TileValue max(TileValue a, TileOperand b) {
  return binary<arith::MaximumFOp, arith::MaxSIOp>(a, b);
}

TileValue fma(TileValue a, TileOperand b, TileOperand c) {
  return a.builder().make<math::FmaOp>(a, b.as(a), c.as(a));
}
TileValue exp2(TileValue a) { return a.builder().make<math::Exp2Op>(a); }
TileValue erf(TileValue a) { return a.builder().make<math::ErfOp>(a); }

TileValue quickDivide(TileValue a, TileOperand b) {
  return a.builder().make<arith::DivFOp>(a, b.as(a), arith::FastMathFlags::arcp);
}

TileValue widen(TileValue a) { return a.builder().make<arith::ExtSIOp>(a.builder().i64(), a); }

TileValue convert(TileValue tile, DType type) {
  RankedTensorType from = tile.tileType();
  Type element = tile.builder().element(type);
  if (from.getElementType() == element)
    return tile;
  RankedTensorType to = RankedTensorType::get(from.getShape(), element, from.getEncoding());
  if (from.getElementTypeBitWidth() < element.getIntOrFloatBitWidth())
    return tile.builder().make<arith::ExtFOp>(to, tile, arith::FastMathFlagsAttr());
  return tile.builder().make<arith::TruncFOp>(to, tile);
}

} // namespace tilewright
