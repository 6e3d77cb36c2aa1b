// SPDX-License-Identifier: Apache-2.0
//
// Where the elements of a register tile stand in the tile and in memory.

#include "compiler/passes/tosm90/KernelLowering.h"

using namespace mlir;

namespace tilewright::tosm90 {

/// Coordinates of register `reg` of a tile, and where row and column vectors keep its element. See
/// FragmentLayout for the formulas; everything but `reg` is known to the thread, so this folds to
/// constants once unrolled.
KernelLowering::ElementIndex KernelLowering::elementAt(RankedTensorType tile, Value reg) {
  ElementIndex at;
  at.reg = reg;
  Attribute layout = tile.getEncoding();
  if (auto slice = dyn_cast<tile::SliceAttr>(layout)) {
    auto acc = dyn_cast<tile::AccAttr>(slice.getParent());
    auto blocked = dyn_cast<tile::BlockedAttr>(slice.getParent());
    if (acc && slice.getDim() == 1) { // one per row: 2 · wave + upper half
      Value group = acc.getWgsM() > 1 ? rem(role.warpgroup, acc.getWgsM()) : i32(0);
      at.row = add(
          add(add(mul(group, 64 * acc.getWaves()), mul(role.warpInGroup, 16)), div(role.lane, 4)),
          add(mul(div(reg, 2), 64), mul(rem(reg, 2), 8)));
    } else if (acc) { // one per column: 2 · (c / 8) + c % 2
      at.row = add(add(mul(div(reg, 2), 8), mul(rem(role.lane, 4), 2)), rem(reg, 2));
      if (acc.getWgsN() > 1)
        at.row = add(at.row,
                     mul(div(role.warpgroup, acc.getWgsM()), tile.getDimSize(0) / acc.getWgsN()));
    } else if (slice.getDim() == 1) {
      at.row = add(mul(reg, blocked.getThreadRows()), div(role.thread, blocked.getThreadCols()));
    } else {
      int64_t vec = blocked.getVec();
      at.row = add(add(mul(rem(role.thread, blocked.getThreadCols()), vec),
                       mul(div(reg, vec), vec * blocked.getThreadCols())),
                   rem(reg, vec));
    }
    at.rowSlice = at.columnSlice = reg;
    return at;
  }
  if (auto acc = dyn_cast<tile::AccAttr>(layout)) {
    int64_t perWave = fragRegisters(tile) / acc.getWaves();
    Value wave = acc.getWaves() > 1 ? div(reg, perWave) : i32(0);
    Value inWave = acc.getWaves() > 1 ? rem(reg, perWave) : reg;
    Value upper = rem(div(inWave, 2), 2);
    Value groupM = acc.getWgsM() > 1
                       ? (acc.getWgsN() > 1 ? rem(role.warpgroup, acc.getWgsM()) : role.warpgroup)
                       : i32(0);
    Value threadRow =
        add(add(mul(groupM, 64 * acc.getWaves()), mul(role.warpInGroup, 16)), div(role.lane, 4));
    at.row = add(add(threadRow, mul(wave, 64)), mul(upper, 8));
    Value threadColumn = mul(rem(role.lane, 4), 2);
    if (acc.getWgsN() > 1)
      threadColumn = add(threadColumn, mul(div(role.warpgroup, acc.getWgsM()),
                                           tile.getDimSize(1) / acc.getWgsN()));
    at.column = add(add(threadColumn, mul(div(inWave, 4), 8)), rem(inWave, 2));
    at.rowSlice = add(mul(wave, 2), upper);
    at.columnSlice = add(mul(div(inWave, 4), 2), rem(inWave, 2));
    return at;
  }
  auto blocked = cast<tile::BlockedAttr>(layout);
  int64_t vec = blocked.getVec(), perRow = tile.getDimSize(1) / blocked.getThreadCols();
  at.rowSlice = div(reg, perRow);
  at.columnSlice = rem(reg, perRow);
  at.row =
      add(mul(at.rowSlice, blocked.getThreadRows()), div(role.thread, blocked.getThreadCols()));
  at.column = add(add(mul(rem(role.thread, blocked.getThreadCols()), vec),
                      mul(div(at.columnSlice, vec), vec * blocked.getThreadCols())),
                  rem(at.columnSlice, vec));
  return at;
}

/// The element of an input that stands at `at` of the result.
Value KernelLowering::readElement(const RegisterTile &tile, const ElementIndex &at,
                                  RankedTensorType shape) {
  Value index = at.reg;
  if (auto slice = dyn_cast<tile::SliceAttr>(tile.type.getEncoding());
      slice && shape.getRank() == 2) {
    index = slice.getDim() == 1 ? at.rowSlice : at.columnSlice;
    if (tile.columnOffset)
      index = add(index, tile.columnOffset);
  } else if (tile.columnOffset) {
    int64_t waves = wavesOf(tile.type), perWave = fragRegisters(tile.type) / waves;
    Value inWave = waves > 1 ? rem(at.reg, perWave) : at.reg;
    index = add(inWave, tile.columnOffset);
    if (waves > 1)
      index = add(index, mul(div(at.reg, perWave), tile.registersPerWave));
  }
  return emit<sm90::FragGetOp>(tile.frag, index);
}

Value KernelLowering::elementOffset(tile::ViewOp view, ValueRange coords) {
  Value offset = widen(coords.back());
  for (auto [coord, stride] : llvm::zip(coords.drop_back(), view.getStrides()))
    offset = add(mul(widen(coord), scalar(stride)), offset);
  return offset;
}

Value KernelLowering::inBounds(tile::ViewOp, ValueRange coords, ValueRange sizes) {
  Value inside;
  for (auto [coord, size] : llvm::zip(coords, sizes))
    inside = both(inside, compare(arith::CmpIPredicate::slt, coord, scalar(size)));
  return inside;
}

int64_t divisorOf(Value value) {
  constexpr int64_t kMost = 8;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (loop && argument == loop.getInductionVar())
      return std::min(divisorOf(loop.getLowerBound()), divisorOf(loop.getStep()));
    return 1;
  }
  Operation *op = value.getDefiningOp();
  if (APInt number; matchPattern(value, m_ConstantInt(&number)))
    return number.isZero() ? kMost : std::min<int64_t>(kMost, int64_t(1) << number.countr_zero());
  if (auto decode = dyn_cast<tile::DecodeOp>(op))
    if (auto raster = decode.getSchedule().getDefiningOp<tile::RasterOp>())
      return std::min<int64_t>(kMost,
                               raster.getTiles()[cast<OpResult>(value).getResultNumber()] &
                                   -raster.getTiles()[cast<OpResult>(value).getResultNumber()]);
  if (isa<arith::AddIOp, arith::SubIOp>(op))
    return std::min(divisorOf(op->getOperand(0)), divisorOf(op->getOperand(1)));
  if (isa<arith::MulIOp>(op))
    return std::min(kMost, divisorOf(op->getOperand(0)) * divisorOf(op->getOperand(1)));
  return 1;
}

bool holdsColumnPairs(RankedTensorType tile) {
  if (auto slice = dyn_cast<tile::SliceAttr>(tile.getEncoding()))
    return slice.getDim() == 0 && isa<tile::AccAttr>(slice.getParent());
  if (tile.getRank() != 2)
    return false;
  if (auto blocked = dyn_cast<tile::BlockedAttr>(tile.getEncoding()))
    return blocked.getVec() % 2 == 0;
  return isa<tile::AccAttr>(tile.getEncoding());
}

bool pairIsAligned(tile::ViewOp view, Value evenOffset) {
  return view.getType().getAlign() >= 2 * tile::elementBytes(view.getType().getElementType()) &&
         (!evenOffset || divisorOf(evenOffset) >= 2);
}

/// How many of the two elements from `coords` on lie inside the view.
Value KernelLowering::pairCount(tile::ViewOp view, ValueRange coords) {
  Value left = sub(scalar(view.getSizes().back()), coords.back());
  if (coords.size() == 1)
    return left;
  Value inside = inBounds(view, coords.drop_back(), view.getSizes().drop_back());
  return b.createOrFold<arith::SelectOp>(loc, inside, left, i32(0));
}

} // namespace tilewright::tosm90
