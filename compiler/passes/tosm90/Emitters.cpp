// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/tosm90/KernelLowering.h"

using namespace mlir;

namespace tilewright::tosm90 {

Value KernelLowering::i32(int64_t value) {
  return arith::ConstantIntOp::create(b, loc, b.getI32Type(), value);
}
Value KernelLowering::i64(int64_t value) {
  return arith::ConstantIntOp::create(b, loc, b.getI64Type(), value);
}
Value KernelLowering::f32(double value) {
  return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(static_cast<float>(value)));
}
Value KernelLowering::named(StringRef name, int64_t value) {
  if (!claimName(name, value))
    return i32(value);
  return emit<sm90::NamedConstantOp>(name, static_cast<int32_t>(value));
}
/// A name stands for one number in a kernel: whether `name` may stand for `value`.
bool KernelLowering::claimName(StringRef name, int64_t value) {
  return constantNames.try_emplace(name, value).first->second == value;
}
sm90::ConstAttr KernelLowering::constant(int64_t value) {
  return sm90::ConstAttr::get(b.getContext(), value);
}
sm90::ConstAttr KernelLowering::constant(StringRef name, int64_t value) {
  return claimName(name, value) ? sm90::ConstAttr::get(b.getContext(), name, value)
                                : constant(value);
}

// Folding as it goes keeps the text free of `0 * x` and `x + 0`.
Value KernelLowering::add(Value a, Value b2) { return b.createOrFold<arith::AddIOp>(loc, a, b2); }
Value KernelLowering::sub(Value a, Value b2) { return b.createOrFold<arith::SubIOp>(loc, a, b2); }
Value KernelLowering::mul(Value a, Value b2) { return b.createOrFold<arith::MulIOp>(loc, a, b2); }
Value KernelLowering::div(Value a, Value b2) { return b.createOrFold<arith::DivSIOp>(loc, a, b2); }
Value KernelLowering::rem(Value a, Value b2) { return b.createOrFold<arith::RemSIOp>(loc, a, b2); }
Value KernelLowering::ceilDiv(Value a, Value b2) {
  return b.createOrFold<arith::CeilDivSIOp>(loc, a, b2);
}
Value KernelLowering::compare(arith::CmpIPredicate predicate, Value a, Value b2) {
  return b.createOrFold<arith::CmpIOp>(loc, predicate, a, b2);
}
Value KernelLowering::both(Value a, Value b2) {
  return !a ? b2 : !b2 ? a : b.createOrFold<arith::AndIOp>(loc, a, b2);
}
Value KernelLowering::widen(Value value) {
  return value.getType().isInteger(64) ? value
                                       : b.createOrFold<arith::ExtSIOp>(loc, b.getI64Type(), value);
}

Value KernelLowering::as(StringRef name, Value value) {
  // What folding hands back may be an older value, which keeps its name.
  Operation *op = value.getDefiningOp();
  if (op && !isa<arith::ConstantOp, sm90::NamedConstantOp>(op) &&
      sm90::nameOf(op->getLoc()).empty())
    op->setLoc(sm90::withName(op->getLoc(), name));
  return value;
}

void KernelLowering::emitIf(Value condition, function_ref<void()> body) {
  auto branch = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  body();
}

void KernelLowering::emitUnrolled(int64_t count, StringRef name, function_ref<void(Value)> body) {
  if (count == 1)
    return body(i32(0));
  auto loop = scf::ForOp::create(b, loc, i32(0), i32(count), i32(1));
  loop->setAttr("tw.unroll", b.getUnitAttr());
  loop.getInductionVar().setLoc(sm90::withName(loc, name));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

} // namespace tilewright::tosm90
