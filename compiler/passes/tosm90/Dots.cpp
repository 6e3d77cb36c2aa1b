// SPDX-License-Identifier: Apache-2.0
//
// Dots on the tensor cores. One dot_start is one commit group: fence, the k steps of 16, commit.

#include "compiler/passes/tosm90/KernelLowering.h"

using namespace mlir;

namespace tilewright::tosm90 {

namespace {

/// How wgmma finds an operand in a slot. Panels hold `swizzle` bytes of each row.
struct OperandWalk {
  tile::SharedLayout layout;
  bool transposed; ///< MN-major: the slot's rows run along k
  int64_t mode;    ///< swizzle in bytes

  /// Byte offset of k step `step` (16 deep) as constants of (panel, rest): K-major steps move 32
  /// bytes inside a panel's row, then to the next panel; MN-major ones move 16 rows.
  int64_t stepsPerPanel() const { return transposed ? layout.rows / 16 : layout.panelCols() / 16; }
  int64_t stepBytes() const {
    return transposed ? 16 * layout.rowBytes() : 16 * layout.elementBytes;
  }
  int64_t panelStride() const { return transposed ? 0 : layout.panelBytes(); }
};

} // namespace

/// An accumulator where something takes it up: the start of its registers if it is a zero that
/// others start from, too.
Pending KernelLowering::pendingOf(Value value) {
  Pending pending = pendings.lookup(value);
  if (!pending.frag)
    pending.frag = newFrag(fragRegisters(pending.type), b.getF32Type(), "acc");
  return pending;
}

LogicalResult KernelLowering::lowerDotStart(tile::DotStartOp op) {
  if (failed(checkHolds(op, op.getType().getTile())))
    return failure();
  Pending pending;
  if (isa<tile::PendingType>(op.getAcc().getType())) {
    pending = pendingOf(op.getAcc());
  } else {
    const RegisterTile &tile = tileOf(op.getAcc());
    if (tile.columnOffset)
      return op.emitOpError() << "accumulates in a whole tile, found columns of one";
    pending = {tile.type, tile.frag, arith::ConstantIntOp::create(b, loc, b.getI1Type(), 1)};
    // The dot writes its accumulator in place: a tile that is needed afterwards, or by the next
    // iteration of a loop, keeps its registers.
    if (!op.getAcc().hasOneUse() || op.getAcc().getParentBlock() != op->getBlock()) {
      pending.frag = newFrag(fragRegisters(tile.type), b.getF32Type(), "acc");
      emit<sm90::FragCopyOp>(pending.frag, tile.frag);
    }
  }
  auto accLayout = cast<tile::AccAttr>(pending.type.getEncoding());
  int64_t n = pending.type.getDimSize(1) / accLayout.getWgsN();
  int64_t waves = accLayout.getWaves();
  if (n > 256 || n % 8)
    return op.emitOpError() << "a warpgroup multiplies 8 to 256 columns in steps of 8, found " << n;

  auto walkOf = [&](RankedTensorType tile, bool transposed) -> OperandWalk {
    tile::SharedLayout layout = tile::sharedLayoutOf(tile);
    return {layout, transposed, layout.swizzleMode().value_or(-1)};
  };
  bool registersA = !isa<tile::SlotType>(op.getA().getType());
  if (registersA) {
    auto layoutA = dyn_cast<tile::AccAttr>(tile::tileOf(op.getA().getType()).getEncoding());
    if (!layoutA || layoutA.getWgsM() != accLayout.getWgsM() || layoutA.getWgsN() != 1 ||
        accLayout.getWgsN() != 1 || layoutA.getWaves() != waves)
      return op.emitOpError() << "takes a from registers that hold the accumulator's rows, found "
                              << op.getA().getType() << " for " << pending.type;
    if (tileOf(op.getA()).columnOffset)
      return op.emitOpError() << "takes a from a whole tile, found columns of one";
  }
  Slot slotB = slots.lookup(op.getB());
  // b is N x K (trans_b) where it is K-major.
  OperandWalk walkB = walkOf(slotB.type, !op.getTransB());
  std::optional<OperandWalk> walkA;
  if (!registersA)
    walkA = walkOf(slots.lookup(op.getA()).type, op.getTransA());
  for (const OperandWalk *walk : {&walkB, walkA ? &*walkA : nullptr}) {
    if (!walk)
      continue;
    if (walk->mode <= 0 || walk->layout.panelCols() * walk->layout.elementBytes != walk->mode)
      return op.emitOpError() << "operands lie in panels of one swizzle row of 32, 64 or 128 bytes";
    if (walk->transposed && walk->mode != 128)
      return op.emitOpError() << "MN-major operands lie in 128-byte panels";
  }

  if (walkB.transposed && accLayout.getWgsN() > 1 && n % walkB.layout.panelCols())
    return op.emitOpError() << "the " << n << " columns of a warpgroup do not begin at a panel of "
                            << walkB.layout.panelCols() << " columns";

  auto descriptor = [&](const OperandWalk &walk, Value address, StringRef name) {
    if (!walk.transposed)
      return as(name, emit<sm90::SmemDescriptorOp>(address, constant(walk.mode)));
    Value leading = i32(walk.layout.panelBytes()), stride = i32(8 * walk.layout.rowBytes());
    return as(name, emit<sm90::SmemDescriptorOp>(address, leading, stride, constant(walk.mode)));
  };
  // Where this warpgroup's rows of A (and columns of B) begin.
  auto shifted = [&](const OperandWalk &walk, Value address, Value group, int64_t perGroup) {
    if (!group)
      return address;
    if (!walk.transposed)
      return add(address, mul(group, perGroup * walk.layout.rowBytes()));
    return add(address, mul(group, perGroup / walk.layout.panelCols() * walk.layout.panelBytes()));
  };
  Value groupM =
      accLayout.getWgsM() > 1
          ? (accLayout.getWgsN() > 1 ? rem(role.warpgroup, accLayout.getWgsM()) : role.warpgroup)
          : Value();
  Value groupN = accLayout.getWgsN() > 1 ? div(role.warpgroup, accLayout.getWgsM()) : Value();

  Value packedA;
  int64_t steps = walkB.transposed ? walkB.layout.rows / 16 : walkB.layout.cols / 16;
  if (registersA) {
    packedA = packedOf(tileOf(op.getA()));
    emit<sm90::WgmmaFenceOp>(pending.frag, packedA);
  } else {
    emit<sm90::WgmmaFenceOp>(pending.frag, Value());
  }
  Value descB = descriptor(walkB, shifted(walkB, slotB.address, groupN, n), "b_desc");
  Value descA =
      walkA
          ? descriptor(*walkA, shifted(*walkA, slots.lookup(op.getA()).address, groupM, 64 * waves),
                       "a_desc")
          : Value();

  Type element = slotB.type.getElementType();
  auto step = [&](Value k, int64_t constantK) {
    auto at = [&](const OperandWalk &walk, Value desc, int64_t extra) {
      int64_t perPanel = walk.transposed ? steps : walk.stepsPerPanel();
      Value offset = perPanel >= steps ? mul(k, walk.stepBytes())
                                       : add(mul(div(k, perPanel), walk.panelStride()),
                                             mul(rem(k, perPanel), walk.stepBytes()));
      offset = add(offset, extra);
      if (!offset.getDefiningOp<arith::ConstantOp>())
        offset = as("k_offset", offset);
      return isa_and_nonnull<arith::ConstantOp>(offset.getDefiningOp()) &&
                     matchPattern(offset, m_Zero())
                 ? desc
                 : emit<sm90::DescriptorAdvanceOp>(desc, offset).getResult();
    };
    // The first step of the first dot overwrites the accumulator.
    Value more = pending.accumulate;
    Value later =
        constantK >= 0
            ? arith::ConstantIntOp::create(b, loc, b.getI1Type(), constantK > 0).getResult()
            : compare(arith::CmpIPredicate::sgt, k, i32(0));
    Value scale = !more ? later : b.createOrFold<arith::OrIOp>(loc, more, later);
    for (int64_t wave = 0; wave < waves; ++wave) {
      sm90::ConstAttr waveAttr = wave ? constant(wave) : sm90::ConstAttr();
      Value bAt = at(walkB, descB, 0);
      if (registersA) {
        int64_t kIndex = wave * steps + constantK;
        emit<sm90::WgmmaRsOp>(pending.frag, packedA, bAt, scale, constant(n),
                              TypeAttr::get(element),
                              walkB.transposed ? b.getUnitAttr() : UnitAttr(), waveAttr,
                              kIndex ? constant(kIndex) : sm90::ConstAttr());
        continue;
      }
      int64_t waveBytes = walkA->transposed
                              ? 64 / walkA->layout.panelCols() * walkA->layout.panelBytes()
                              : 64 * walkA->layout.rowBytes();
      emit<sm90::WgmmaSsOp>(pending.frag, at(*walkA, descA, wave * waveBytes), bAt, scale,
                            constant(n), TypeAttr::get(element),
                            walkA->transposed ? b.getUnitAttr() : UnitAttr(),
                            walkB.transposed ? b.getUnitAttr() : UnitAttr(), waveAttr);
    }
  };
  // Register fragments are picked by template arguments, so those steps are written out.
  if (registersA)
    for (int64_t k = 0; k < steps; ++k)
      step(i32(k), k);
  else
    emitUnrolled(steps, "kk", [&](Value k) { step(k, steps == 1 ? 0 : -1); });
  emit<sm90::WgmmaCommitOp>();
  pendings[op.getResult()] = {pending.type, pending.frag,
                              arith::ConstantIntOp::create(b, loc, b.getI1Type(), 1)};
  return success();
}

LogicalResult KernelLowering::lowerDotWait(tile::DotWaitOp op) {
  Pending pending = pendingOf(op.getPending());
  emit<sm90::WgmmaWaitOp>(pending.frag, constant(op.getOutstanding()));
  // A loop that made no trip leaves the accumulator unwritten: its value is zero.
  APInt known;
  if (!pending.accumulate)
    emit<sm90::FragFillOp>(pending.frag, f32(0));
  else if (!matchPattern(pending.accumulate, m_ConstantInt(&known))) {
    Value never = b.createOrFold<arith::XOrIOp>(
        loc, pending.accumulate, arith::ConstantIntOp::create(b, loc, b.getI1Type(), 1));
    emitIf(never, [&] { emit<sm90::FragFillOp>(pending.frag, f32(0)); });
  }
  bindTile(op.getResult(), pending.frag);
  return success();
}

LogicalResult KernelLowering::lowerDotRetire(tile::DotRetireOp op) {
  Pending pending = pendings.lookup(op.getPending());
  // With nothing outstanding the accumulator is complete as well: tie it, so that nothing reads it
  // before.
  emit<sm90::WgmmaWaitOp>(op.getOutstanding() == 0 ? pending.frag : Value(),
                          constant(op.getOutstanding()));
  pendings[op.getResult()] = pending;
  return success();
}

} // namespace tilewright::tosm90
