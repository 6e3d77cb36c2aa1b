// SPDX-License-Identifier: Apache-2.0
// What the machine demands of numbers, types and sizes.
#include "compiler/sm90/Sm90Ops.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tilewright::sm90;

// `value` must be one of `allowed`.
static LogicalResult verifyOneOf(Operation *op, StringRef what, ConstAttr constant,
                                 ArrayRef<int64_t> allowed) {
  if (llvm::is_contained(allowed, constant.getValue()))
    return success();
  std::string list = llvm::join(
      llvm::map_range(allowed, [](int64_t value) { return std::to_string(value); }), ", ");
  return op->emitOpError() << "expected " << what << " to be one of " << list << ", found "
                           << constant.getValue();
}

// `value` must lie in first … last and be a multiple of `step`.
static LogicalResult verifyRange(Operation *op, StringRef what, int64_t value, int64_t first,
                                 int64_t last, int64_t step = 1) {
  if (value >= first && value <= last && value % step == 0)
    return success();
  InFlightDiagnostic error = op->emitOpError() << "expected " << what << " from " << first;
  error << " to " << last;
  if (step != 1)
    error << ", a multiple of " << step;
  return error << ", found " << value;
}

static LogicalResult verify16Bit(Operation *op, Type element) {
  if (element.isBF16() || element.isF16())
    return success();
  return op->emitOpError() << "expected element type bf16 or f16, found " << element;
}

// An element that one 16- or 32-bit access to shared memory moves.
static LogicalResult verifySharedElement(Operation *op, Type element) {
  if (element.isBF16() || element.isF16() || element.isF32() || element.isSignlessInteger(32))
    return success();
  return op->emitOpError() << "expected element type bf16, f16, f32 or i32, found " << element;
}

static LogicalResult verifyRank(Operation *op, OperandRange coordinates) {
  return verifyRange(op, "the number of coordinates", static_cast<int64_t>(coordinates.size()), 1,
                     5);
}

static LogicalResult verifyStages(Operation *op, int64_t stages) {
  return verifyRange(op, "stages", stages, 1, 64);
}

LogicalResult AdvanceOp::verify() { return verifyStages(*this, getStages().getValue()); }

LogicalResult SlotAtOp::verify() {
  return verifyRange(*this, "bytes", getBytes().getValue(), 16, 232448, 16);
}

LogicalResult BarrierSyncOp::verify() {
  return verifyRange(*this, "threads", getThreads().getValue(), 32, 1024, 32);
}

LogicalResult BarrierArriveOp::verify() {
  return verifyRange(*this, "threads", getThreads().getValue(), 32, 1024, 32);
}

LogicalResult TmaLoadOp::verify() { return verifyRank(*this, getCoordinates()); }

LogicalResult TmaLoadMulticastOp::verify() { return verifyRank(*this, getCoordinates()); }

LogicalResult TmaStoreOp::verify() { return verifyRank(*this, getCoordinates()); }

LogicalResult TmaReduceAddOp::verify() { return verifyRank(*this, getCoordinates()); }

LogicalResult TmaPrefetchOp::verify() { return verifyRank(*this, getCoordinates()); }

LogicalResult BulkWaitOp::verify() {
  return verifyRange(*this, "outstanding", getOutstanding().getValue(), 0, 63);
}

LogicalResult BulkWaitReadOp::verify() {
  return verifyRange(*this, "outstanding", getOutstanding().getValue(), 0, 63);
}

LogicalResult CpAsyncOp::verify() { return verifyOneOf(*this, "size", getSize(), {4, 8, 16}); }

LogicalResult CpAsyncWaitOp::verify() {
  return verifyRange(*this, "outstanding", getOutstanding().getValue(), 0, 63);
}

LogicalResult SwizzleOp::verify() {
  return verifyOneOf(*this, "mode", getMode(), {0, 32, 64, 128});
}

LogicalResult SmemDescriptorOp::verify() {
  if (failed(verifyOneOf(*this, "swizzle", getSwizzle(), {0, 32, 64, 128})))
    return failure();
  if (!getLeading() != !getStride())
    return emitOpError("expected both leading and stride or neither, found one");
  if (getSwizzle().getValue() == 0 && !getLeading())
    return emitOpError("expected leading and stride where nothing is swizzled, found neither");
  return success();
}

LogicalResult LdmatrixOp::verify() { return verifyOneOf(*this, "x", getX(), {1, 2, 4}); }

LogicalResult StmatrixOp::verify() { return verifyOneOf(*this, "x", getX(), {1, 2, 4}); }

LogicalResult LdSharedOp::verify() { return verifySharedElement(*this, getElement()); }

LogicalResult StSharedOp::verify() {
  if (failed(verifySharedElement(*this, getElement())))
    return failure();
  if (getValue().getType() != registerType(getElement()))
    return emitOpError() << "expected a value of type " << registerType(getElement())
                         << " for element " << getElement() << ", found " << getValue().getType();
  return success();
}

LogicalResult LdGlobalPairOp::verify() {
  Type held = cast<FragType>(getRegisters().getType()).getElementType();
  Type loaded = registerType(cast<PtrType>(getPointer().getType()).getElementType());
  if (held != loaded)
    return emitOpError() << "expected registers of " << loaded
                         << ", the loaded value's type, found " << held;
  return success();
}

LogicalResult FragPackOp::verify() {
  if (failed(verify16Bit(*this, getElement())))
    return failure();
  int64_t first = getFirst() ? getFirst()->getValue() : 0;
  int64_t needed = first + 2 * cast<FragType>(getDestination().getType()).getSize();
  int64_t found = cast<FragType>(getSource().getType()).getSize();
  if (first < 0 || needed > found)
    return emitOpError() << "expected at least " << needed << " source registers, found " << found;
  return success();
}

LogicalResult FragUnpackOp::verify() {
  if (failed(verify16Bit(*this, getElement())))
    return failure();
  int64_t expected = 2 * cast<FragType>(getSource().getType()).getSize();
  int64_t found = cast<FragType>(getDestination().getType()).getSize();
  if (expected != found)
    return emitOpError() << "expected " << expected
                         << " destination registers, two per source register, found " << found;
  return success();
}

LogicalResult SetmaxnregIncOp::verify() {
  return verifyRange(*this, "registers", getRegisters().getValue(), 24, 256, 8);
}

LogicalResult SetmaxnregDecOp::verify() {
  return verifyRange(*this, "registers", getRegisters().getValue(), 24, 256, 8);
}

LogicalResult RasterGroupedOp::verify() {
  return verifyRange(*this, "group", getGroup().getValue(), 1, 1024);
}

LogicalResult RasterSnakeOp::verify() {
  return verifyRange(*this, "group", getGroup().getValue(), 1, 1024);
}

// What wgmma_ss and wgmma_rs share: n, the element type, an accumulator that holds wave `wave`.
static LogicalResult verifyWgmma(Operation *op, ConstAttr n, Type element,
                                 std::optional<ConstAttr> wave, Type accumulator) {
  if (failed(verifyRange(op, "n", n.getValue(), 8, 256, 8)) || failed(verify16Bit(op, element)))
    return failure();
  int64_t index = wave ? wave->getValue() : 0;
  int64_t needed = (index + 1) * n.getValue() / 2;
  int64_t found = cast<FragType>(accumulator).getSize();
  if (index < 0 || found < needed)
    return op->emitOpError() << "expected an accumulator of at least " << needed
                             << " registers for n = " << n.getValue() << ", wave " << index
                             << ", found " << found;
  return success();
}

LogicalResult WgmmaSsOp::verify() {
  return verifyWgmma(*this, getN(), getElement(), getWave(), getAccumulator().getType());
}

LogicalResult WgmmaRsOp::verify() {
  if (failed(verifyWgmma(*this, getN(), getElement(), getWave(), getAccumulator().getType())))
    return failure();
  int64_t step = getK() ? getK()->getValue() : 0;
  int64_t found = cast<FragType>(getA().getType()).getSize();
  if (step < 0 || found < 4 * (step + 1))
    return emitOpError() << "expected at least " << 4 * (step + 1)
                         << " registers of A for k = " << step << ", found " << found;
  return success();
}

LogicalResult WgmmaWaitOp::verify() {
  return verifyRange(*this, "outstanding", getOutstanding().getValue(), 0, 7);
}
