// SPDX-License-Identifier: Apache-2.0
//
// Elementwise regions: one unrolled loop over a thread's registers, with the element's coordinates
// where the region asks for them.

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
      slice && shape.getRank() == 2)
    index = slice.getDim() == 1 ? at.rowSlice : at.columnSlice;
  else if (tile.columnOffset) {
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

/// Largest power of two, up to 8, that is known to divide a coordinate: what tile sizes and
/// constants make of it.
static int64_t divisorOf(Value value) {
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

/// Whether registers 2i and 2i + 1 of a tile are neighbours in a row, the first in an even column.
static bool holdsColumnPairs(RankedTensorType tile) {
  if (tile.getRank() != 2)
    return false;
  if (auto blocked = dyn_cast<tile::BlockedAttr>(tile.getEncoding()))
    return blocked.getVec() % 2 == 0;
  return isa<tile::AccAttr>(tile.getEncoding());
}

/// Whether an access of two neighbours at `coords`, the last being `evenOffset` + an even column,
/// is aligned to its size.
static bool pairIsAligned(tile::ViewOp view, Value evenOffset) {
  return view.getType().getAlign() >= 2 * tile::elementBytes(view.getType().getElementType()) &&
         (!evenOffset || divisorOf(evenOffset) >= 2);
}

/// The rest of the last coordinate once the map's own column is taken out: null if it is the column
/// alone; nothing if it is not of the form column + offset.
static std::optional<Value> offsetOfColumn(Value coord, Value column) {
  if (coord == column)
    return Value();
  auto sum = coord.getDefiningOp<arith::AddIOp>();
  if (sum && sum.getLhs() == column)
    return sum.getRhs();
  if (sum && sum.getRhs() == column)
    return sum.getLhs();
  return std::nullopt;
}

/// How many of the two elements from `coords` on lie inside the view.
Value KernelLowering::pairCount(tile::ViewOp view, ValueRange coords) {
  Value left = sub(scalar(view.getSizes().back()), coords.back());
  if (coords.size() == 1)
    return left;
  Value inside = inBounds(view, coords.drop_back(), view.getSizes().drop_back());
  return b.createOrFold<arith::SelectOp>(loc, inside, left, i32(0));
}

LogicalResult KernelLowering::lowerMap(tile::MapOp op) {
  auto shape = cast<RankedTensorType>(op.getResultTypes().front());
  SmallVector<RegisterTile> inputs;
  for (Value input : op.getIns()) {
    if (isa<tile::SlotType>(input.getType())) {
      inputs.push_back({});
      continue;
    }
    unpackedOf(tileOf(input));
    inputs.push_back(tileOf(input));
  }
  SmallVector<Value> outputs;
  for (Type type : op.getResultTypes()) {
    auto tileType = cast<RankedTensorType>(type);
    Type element = tileType.getElementType();
    if (!element.isF32() && !element.isBF16() && !element.isF16())
      return op.emitOpError() << "has a lowering for float results, found " << type;
    outputs.push_back(newFrag(fragRegisters(tileType), b.getF32Type(), "out"));
  }

  Block &body = op.getBody().front();
  Value columnArgument = shape.getRank() == 2 ? body.getArguments().back() : Value();
  // Reads of neighbours become one access where the view promises the alignment.
  bool pairs =
      holdsColumnPairs(shape) && fragRegisters(shape) % 2 == 0 &&
      llvm::any_of(body.getOps<tile::ReadOp>(), [&](tile::ReadOp read) {
        std::optional<Value> offset = offsetOfColumn(read.getCoords().back(), columnArgument);
        return offset && pairIsAligned(read.getView().getDefiningOp<tile::ViewOp>(), *offset);
      });

  LogicalResult status = success();
  // Frags of two that the reads of a pair have filled, by read.
  DenseMap<Operation *, Value> pairFrags;
  auto element = [&](Value reg, int part) {
    ElementIndex at = elementAt(shape, reg);
    unsigned next = 0;
    for (auto [index, input] : llvm::enumerate(op.getIns())) {
      if (auto slotType = dyn_cast<tile::SlotType>(input.getType())) {
        Slot slot = slots.lookup(input);
        tile::SharedLayout layout = tile::sharedLayoutOf(slot.type);
        bool onePanel = layout.panelCols() == layout.cols;
        Value panel = onePanel ? i32(0) : div(at.column, layout.panelCols());
        Value inPanel = onePanel ? at.column : rem(at.column, layout.panelCols());
        Value offset = add(mul(at.row, layout.rowBytes()), mul(inPanel, layout.elementBytes));
        if (int mode = layout.swizzleMode().value_or(0))
          offset = emit<sm90::SwizzleOp>(offset, constant(mode));
        Value address = add(add(slot.address, mul(panel, layout.panelBytes())), offset);
        scalars.map(
            body.getArgument(next++),
            emit<sm90::LdSharedOp>(address, TypeAttr::get(slotType.getTile().getElementType())));
        continue;
      }
      scalars.map(body.getArgument(next++), readElement(inputs[index], at, shape));
    }
    scalars.map(body.getArgument(next++), at.row);
    if (columnArgument)
      scalars.map(columnArgument, at.column);

    for (Operation &inner : body.without_terminator()) {
      if (auto read = dyn_cast<tile::ReadOp>(inner)) {
        auto view = read.getView().getDefiningOp<tile::ViewOp>();
        if (Value pair = pairFrags.lookup(read); pair && part == 1) {
          scalars.map(read.getResult(), emit<sm90::FragGetOp>(pair, i32(1)));
          continue;
        }
        SmallVector<Value> coords;
        for (Value coord : read.getCoords())
          coords.push_back(scalar(coord));
        std::optional<Value> offset =
            pairs ? offsetOfColumn(read.getCoords().back(), columnArgument) : std::nullopt;
        if (offset && pairIsAligned(view, *offset)) {
          Value pair = newFrag(2, b.getF32Type(), nameOfView(view));
          emit<sm90::LdGlobalPairOp>(scalar(view.getBase()), elementOffset(view, coords),
                                     pairCount(view, coords), pair, i32(0));
          pairFrags[read] = pair;
          scalars.map(read.getResult(), emit<sm90::FragGetOp>(pair, i32(0)));
          continue;
        }
        scalars.map(read.getResult(),
                    emit<sm90::LdGlobalIfOp>(scalar(view.getBase()), elementOffset(view, coords),
                                             inBounds(view, coords, view.getSizes())));
        continue;
      }
      if (inner.getNumRegions())
        inner.emitOpError() << "has no lowering inside a tile.map";
      if (inner.getNumRegions() || failed(lowerScalar(&inner))) {
        status = failure();
        return;
      }
    }
    auto yield = cast<tile::YieldOp>(body.getTerminator());
    for (auto [value, output] : llvm::zip(yield.getValues(), outputs))
      emit<sm90::FragSetOp>(output, reg, scalar(value));
  };
  if (pairs)
    emitUnrolled(fragRegisters(shape) / 2, "pair", [&](Value pair) {
      pairFrags.clear();
      Value first = mul(pair, 2);
      element(first, 0);
      if (succeeded(status))
        element(add(first, 1), 1);
    });
  else
    emitUnrolled(fragRegisters(shape), "e", [&](Value reg) { element(reg, 0); });
  for (auto [value, output] : llvm::zip(op.getResults(), outputs)) {
    auto type = cast<RankedTensorType>(value.getType());
    tiles[value] = {type, output, {}, {}, fragRegisters(type) / wavesOf(type)};
  }
  return status;
}

/// Along the columns of an accumulator: within the thread, then over the four lanes of a quad.
LogicalResult KernelLowering::lowerReduce(tile::ReduceOp op) {
  RegisterTile &tile = tileOf(op.getValue());
  auto acc = dyn_cast<tile::AccAttr>(tile.type.getEncoding());
  if (!acc || acc.getWgsN() != 1 || op.getDim() != 1 || op.getKind() == tile::ReduceKind::Min ||
      tile.columnOffset)
    return op.emitOpError()
           << "has a lowering for max and add along the columns of a whole #tile.acc tile";
  bool maximum = op.getKind() == tile::ReduceKind::Max;
  unpackedOf(tile);
  Value rows = newFrag(2 * acc.getWaves(), b.getF32Type(), maximum ? "row_max" : "row_sum");
  emit<sm90::FragFillOp>(rows, maximum ? f32(-std::numeric_limits<double>::infinity()) : f32(0));
  emitUnrolled(fragRegisters(tile.type), "e", [&](Value reg) {
    ElementIndex at = elementAt(tile.type, reg);
    Value sofar = emit<sm90::FragGetOp>(rows, at.rowSlice),
          value = emit<sm90::FragGetOp>(tile.frag, reg);
    Value next = maximum ? arith::MaximumFOp::create(b, loc, sofar, value).getResult()
                         : arith::AddFOp::create(b, loc, sofar, value).getResult();
    emit<sm90::FragSetOp>(rows, at.rowSlice, next);
  });
  if (!op.getPartial()) {
    if (maximum)
      emit<sm90::QuadReduceMaxOp>(rows);
    else
      emit<sm90::QuadReduceAddOp>(rows);
  }
  auto type = op.getType();
  tiles[op.getResult()] = {type, rows, {}, {}, fragRegisters(type)};
  return success();
}

LogicalResult KernelLowering::lowerDirectStore(tile::StoreOp op) {
  RegisterTile &tile = tileOf(op.getValue());
  if (op.getVia() == tile::Via::Tma)
    return op.emitOpError() << "via tma is lowered from acquire, fragment_store and copy_out; run "
                               "tile-assign-roles first";
  auto view = op.getView().getDefiningOp<tile::ViewOp>();
  unpackedOf(tile);
  bool atomic = op.getVia() == tile::Via::ReduceAdd;
  if (atomic && !tile.type.getElementType().isF32())
    return op.emitOpError() << "via reduce_add adds f32, found " << tile.type;
  Value pointer = scalar(view.getBase());
  SmallVector<Value> coords;
  for (Value coord : op.getCoords())
    coords.push_back(scalar(coord));
  auto place = [&](Value reg) {
    ElementIndex at = elementAt(tile.type, reg);
    SmallVector<Value> here = coords;
    here.back() = add(here.back(), tile.type.getRank() == 2 ? at.column : at.row);
    if (tile.type.getRank() == 2)
      here[here.size() - 2] = add(here[here.size() - 2], at.row);
    return std::pair(at, here);
  };
  if (!atomic && holdsColumnPairs(tile.type) && pairIsAligned(view, op.getCoords().back())) {
    emitUnrolled(fragRegisters(tile.type) / 2, "pair", [&](Value pair) {
      Value first = mul(pair, 2);
      auto [at, here] = place(first);
      ElementIndex second = at;
      second.reg = add(first, 1);
      Value a = readElement(tile, at, tile.type), b2 = readElement(tile, second, tile.type);
      emit<sm90::StGlobalPairOp>(pointer, elementOffset(view, here), pairCount(view, here), a, b2);
    });
    return success();
  }
  emitUnrolled(fragRegisters(tile.type), "e", [&](Value reg) {
    auto [at, here] = place(reg);
    Value value = readElement(tile, at, tile.type);
    Value offset = elementOffset(view, here), inside = inBounds(view, here, view.getSizes());
    if (atomic)
      emit<sm90::RedAddIfOp>(pointer, offset, inside, value);
    else
      emit<sm90::StGlobalIfOp>(pointer, offset, inside, value);
  });
  return success();
}

} // namespace tilewright::tosm90
