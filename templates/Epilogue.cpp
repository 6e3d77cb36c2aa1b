// SPDX-License-Identifier: Apache-2.0
#include "templates/Epilogue.h"

#include <numbers>

using namespace mlir;

namespace tilewright {
namespace {

/// An operand of the epilogue, brought to the tile: as f32, in the tile's shape.
class OperandReader {
public:
  OperandReader(const EpilogueOperands &operands, RankedTensorType tile, TileValue row,
                TileValue column)
      : operands_(operands), tile_(tile), row_(row), column_(column) {}

  TileValue read(llvm::StringRef role, EpilogueOperand kind) const {
    TileBuilder &builder = row_.builder();
    if (kind == EpilogueOperand::matrix) {
      TileValue view = viewOf(role);
      auto type = RankedTensorType::get(tile_.getShape(), elementOf(view), tile_.getEncoding());
      return convert(builder.loadDirect(view, {row_, column_}, type).named(role), DType::fp32);
    }
    int64_t dim = kind == EpilogueOperand::rowVector ? 0 : 1;
    auto held = held_.find(role);
    TileValue vector = held != held_.end() ? TileValue(builder, held->second)
                                           : readVector(role, dim, /*held=*/false);
    return builder.broadcast(vector, 1 - dim, tile_);
  }

  /// Reads a vector along the columns here and now.
  void hold(llvm::StringRef role) { held_[role] = readVector(role, 1, /*held=*/true); }

private:
  TileValue viewOf(llvm::StringRef role) const {
    return {row_.builder(), operands_.views.lookup(role)};
  }
  static Type elementOf(TileValue view) {
    return cast<tile::ViewType>(view.type()).getElementType();
  }
  TileValue readVector(llvm::StringRef role, int64_t dim, bool held) const {
    TileBuilder &builder = row_.builder();
    TileValue view = viewOf(role);
    RankedTensorType type = builder.vectorOf(tile_, dim, elementOf(view));
    TileValue at = dim == 0 ? row_ : column_;
    TileValue vector = builder.loadDirect(view, {at}, type, held).named(role);
    return convert(vector, DType::fp32).named(role);
  }

  const EpilogueOperands &operands_;
  RankedTensorType tile_;
  TileValue row_;
  TileValue column_;
  /// By role.
  llvm::StringMap<Value> held_;
};

TileValue applyOp(TileValue x, EpilogueKind kind, const OperandReader &reader) {
  const EpilogueInfo &info = epilogueInfo(kind);
  switch (kind) {
  case EpilogueKind::bias:
  case EpilogueKind::biasRow:
  case EpilogueKind::residual:
    return x + reader.read(info.name, info.operand);
  case EpilogueKind::scaleRow:
  case EpilogueKind::scaleCol:
    return x * reader.read(info.name, info.operand);
  case EpilogueKind::relu:
    return relu(x);
  case EpilogueKind::gelu:
    return gelu(x);
  case EpilogueKind::geluErf:
    return geluErf(x);
  case EpilogueKind::silu:
    return silu(x);
  case EpilogueKind::swiglu:
  case EpilogueKind::geglu:
  case EpilogueKind::gate:
  case EpilogueKind::accumulate:
    break;
  }
  llvm_unreachable("GemmProblem::checkSupported refuses this op");
}

} // namespace

TileValue relu(TileValue x) { return max(x, 0.0); }

TileValue gelu(TileValue x) {
  // -2u·log2(e) with u = sqrt(2/pi)·(x + 0.044715·x³).
  const double linear = -2 * std::sqrt(2 / std::numbers::pi) * std::numbers::log2e;
  TileValue exponent = x * fma(x * x, 0.044715 * linear, linear);
  return quickDivide(x, exp2(exponent) + 1.0);
}

TileValue geluErf(TileValue x) {
  TileValue half = x * 0.5;
  return fma(half, erf(x * (1 / std::numbers::sqrt2)), half);
}

TileValue silu(TileValue x) { return quickDivide(x, exp2(x * -std::numbers::log2e) + 1.0); }

TileValue applyEpilogue(TileValue x, const Epilogue &epilogue, const EpilogueOperands &operands,
                        TileValue row, TileValue column, DType type, int32_t heldVectors) {
  OperandReader reader(operands, x.tileType(), row, column);
  for (const EpilogueOp &op : epilogue.ops())
    if (epilogueInfo(op.kind).operand == EpilogueOperand::columnVector && heldVectors-- > 0)
      reader.hold(epilogueInfo(op.kind).name);
  TileBuilder &builder = x.builder();
  if (operands.alpha)
    x = x * TileValue(builder, operands.alpha);
  if (operands.beta)
    x = fma(reader.read("c", EpilogueOperand::matrix), TileValue(builder, operands.beta), x);
  for (const EpilogueOp &op : epilogue.ops())
    x = applyOp(x, op.kind, reader).named(op.name());
  return convert(x, type).named("result");
}

} // namespace tilewright
