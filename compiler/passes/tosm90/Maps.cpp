// SPDX-License-Identifier: Apache-2.0
//
// Elementwise regions: one unrolled loop over a thread's registers, with the element's coordinates
// where the region asks for them.

#include "compiler/passes/tosm90/KernelLowering.h"

using namespace mlir;

namespace tilewright::tosm90 {

/// Whether a scalar of a map's region follows from the region's argument `argument`.
static bool dependsOn(Value value, Value argument) {
  if (value == argument)
    return true;
  Operation *op = value.getDefiningOp();
  return op && op->getBlock() == argument.getParentBlock() &&
         llvm::any_of(op->getOperands(),
                      [&](Value operand) { return dependsOn(operand, argument); });
}

/// Whether a read walks along its row as the map does: two neighbouring elements then are one
/// aligned access.
static bool readsPairs(tile::ReadOp read, Value column) {
  OperandRange coords = read.getCoords();
  if (llvm::any_of(coords.drop_back(), [&](Value coord) { return dependsOn(coord, column); }))
    return false;
  // The last coordinate is the column, or the column plus what the row or the tile says.
  Value offset;
  if (coords.back() != column) {
    auto sum = coords.back().getDefiningOp<arith::AddIOp>();
    if (!sum || (sum.getLhs() != column && sum.getRhs() != column))
      return false;
    offset = sum.getLhs() == column ? sum.getRhs() : sum.getLhs();
    if (dependsOn(offset, column))
      return false;
  }
  return pairIsAligned(read.getView().getDefiningOp<tile::ViewOp>(), offset);
}

/// Whether a read of pairs is the same for all rows that a thread holds: its coordinates follow
/// from the column and from what the tile says.
static bool readsColumns(tile::ReadOp read, Block &body) {
  return llvm::none_of(body.getArguments().drop_back(), [&](Value argument) {
    return llvm::any_of(read.getCoords(), [&](Value coord) { return dependsOn(coord, argument); });
  });
}

/// Whether a coordinate of `read` follows from `op`, an op beside it.
static bool isCoordinate(Operation &op, tile::ReadOp read) {
  return llvm::any_of(read.getCoords(), [&](Value coord) {
    return llvm::any_of(op.getResults(), [&](Value result) { return dependsOn(coord, result); });
  });
}

/// Whether inputs and results of a map are where its threads look for them.
LogicalResult KernelLowering::checkMap(tile::MapOp op) {
  auto shape = cast<RankedTensorType>(op.getResultTypes().front());
  for (Type type : op.getResultTypes()) {
    auto tile = cast<RankedTensorType>(type);
    if (failed(checkHolds(op, tile)))
      return failure();
    if (tile.getEncoding() != shape.getEncoding())
      return op.emitOpError() << "has results in two layouts, " << shape << " and " << tile;
    Type element = tile.getElementType();
    if (!element.isF32() && !element.isBF16() && !element.isF16())
      return op.emitOpError() << "has a lowering for float results, found " << tile;
  }
  for (Value input : op.getIns()) {
    RankedTensorType tile = tile::tileOf(input.getType());
    if (!isa<tile::SlotType>(input.getType())) {
      auto slice = dyn_cast<tile::SliceAttr>(tile.getEncoding());
      bool isVector = slice && slice.getParent() == shape.getEncoding() && shape.getRank() == 2;
      if (!isVector && tile.getEncoding() != shape.getEncoding())
        return op.emitOpError() << "reads " << tile << ", which other threads hold than those of "
                                << shape;
      continue;
    }
    tile::SharedLayout layout = tile::sharedLayoutOf(tile);
    if (tile.getShape() != shape.getShape() || (layout.xorBits && !layout.swizzleMode()))
      return op.emitOpError() << "reads slots of its results' shape in rows or in a TMA layout, "
                                 "found "
                              << tile;
  }
  return success();
}

LogicalResult KernelLowering::lowerMap(tile::MapOp op) {
  if (failed(checkMap(op)))
    return failure();
  auto shape = cast<RankedTensorType>(op.getResultTypes().front());
  SmallVector<RegisterTile> inputs;
  for (Value input : op.getIns()) {
    inputs.emplace_back();
    if (isa<tile::SlotType>(input.getType()))
      continue;
    RegisterTile &tile = tileOf(input);
    inputs.back() = tile;
    inputs.back().frag = roundedOf(tile);
  }
  SmallVector<Value> outputs;
  // What is read for its own sake keeps its name.
  StringRef name = shape.getRank() == 1 ? sm90::nameOf(op.getLoc()) : "";
  for (size_t result = 0; result < op.getNumResults(); ++result)
    outputs.push_back(newFrag(fragRegisters(shape), b.getF32Type(), name.empty() ? "out" : name));

  Block &body = op.getBody().front();
  // The coordinate along a row: a matrix has another one before it.
  Value inRow = body.getArguments().back();
  Value columnArgument = shape.getRank() == 2 ? inRow : Value();
  // Reads of neighbours become one access where the view promises the alignment.
  bool pairs = holdsColumnPairs(shape) && fragRegisters(shape) % 2 == 0 &&
               llvm::any_of(body.getOps<tile::ReadOp>(),
                            [&](tile::ReadOp read) { return readsPairs(read, inRow); });

  LogicalResult status = success();
  // Frags of two that the reads of a pair have filled, by read.
  DenseMap<Operation *, Value> pairFrags;
  auto readPair = [&](tile::ReadOp read) {
    auto view = read.getView().getDefiningOp<tile::ViewOp>();
    SmallVector<Value> coords;
    for (Value coord : read.getCoords())
      coords.push_back(scalar(coord));
    Value pair = newFrag(2, b.getF32Type(), nameOfView(view));
    emit<sm90::LdGlobalPairOp>(scalar(view.getBase()), elementOffset(view, coords),
                               pairCount(view, coords), pair, i32(0));
    pairFrags[read] = pair;
  };
  auto element = [&](Value reg, int part) {
    ElementIndex at = elementAt(shape, reg);
    unsigned next = 0;
    for (auto [index, input] : llvm::enumerate(op.getIns())) {
      if (auto slotType = dyn_cast<tile::SlotType>(input.getType())) {
        Slot slot = slots.lookup(input);
        tile::SharedLayout layout = tile::sharedLayoutOf(slot.type);
        bool onePanel = layout.panelCols() == layout.cols;
        Value row = columnArgument ? at.row : i32(0), column = columnArgument ? at.column : at.row;
        Value panel = onePanel ? i32(0) : div(column, layout.panelCols());
        Value inPanel = onePanel ? column : rem(column, layout.panelCols());
        Value offset = add(mul(row, layout.rowBytes()), mul(inPanel, layout.elementBytes));
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
        if (pairs && readsPairs(read, inRow)) {
          if (!pairFrags.contains(read))
            readPair(read);
          scalars.map(read.getResult(), emit<sm90::FragGetOp>(pairFrags.lookup(read), i32(part)));
          continue;
        }
        SmallVector<Value> coords;
        for (Value coord : read.getCoords())
          coords.push_back(scalar(coord));
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
  auto elements = [&](Value first) {
    element(first, 0);
    if (succeeded(status))
      element(add(first, 1), 1);
  };
  auto columnReads = llvm::make_filter_range(body.getOps<tile::ReadOp>(), [&](tile::ReadOp read) {
    return pairs && readsPairs(read, inRow) && readsColumns(read, body);
  });
  auto acc = dyn_cast<tile::AccAttr>(shape.getEncoding());
  if (acc && !columnReads.empty()) {
    // What is the same for all rows is read once for each pair of columns.
    int64_t perWave = fragRegisters(shape) / acc.getWaves();
    emitUnrolled(perWave / 4, "column_pair", [&](Value columnPair) {
      pairFrags.clear();
      scalars.map(columnArgument, elementAt(shape, mul(columnPair, 4)).column);
      for (tile::ReadOp read : columnReads) {
        for (Operation &inner : body.without_terminator())
          if (!isa<tile::ReadOp>(inner) && isCoordinate(inner, read) && failed(lowerScalar(&inner)))
            status = failure();
        readPair(read);
      }
      const DenseMap<Operation *, Value> ofColumns = pairFrags;
      emitUnrolled(acc.getWaves(), "wave", [&](Value wave) {
        emitUnrolled(2, "row", [&](Value row) {
          pairFrags = ofColumns;
          elements(add(add(mul(columnPair, 4), mul(row, 2)), mul(wave, perWave)));
        });
      });
    });
  } else if (pairs) {
    emitUnrolled(fragRegisters(shape) / 2, "pair", [&](Value pair) {
      pairFrags.clear();
      elements(mul(pair, 2));
    });
  } else {
    emitUnrolled(fragRegisters(shape), "e", [&](Value reg) { element(reg, 0); });
  }
  for (auto [value, output] : llvm::zip(op.getResults(), outputs))
    bindTile(value, output);
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
  if (failed(checkHolds(op, tile.type)))
    return failure();
  bool maximum = op.getKind() == tile::ReduceKind::Max;
  Value values = roundedOf(tile);
  Value rows = newFrag(2 * acc.getWaves(), b.getF32Type(), maximum ? "row_max" : "row_sum");
  emit<sm90::FragFillOp>(rows, maximum ? f32(-std::numeric_limits<double>::infinity()) : f32(0));
  emitUnrolled(fragRegisters(tile.type), "e", [&](Value reg) {
    ElementIndex at = elementAt(tile.type, reg);
    Value sofar = emit<sm90::FragGetOp>(rows, at.rowSlice),
          value = emit<sm90::FragGetOp>(values, reg);
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
  bindTile(op.getResult(), rows);
  return success();
}

LogicalResult KernelLowering::lowerDirectStore(tile::StoreOp op) {
  RegisterTile &tile = tileOf(op.getValue());
  if (op.getVia() == tile::Via::Tma)
    return op.emitOpError() << "via tma is lowered from acquire, fragment_store and copy_out; run "
                               "tile-assign-roles first";
  auto view = op.getView().getDefiningOp<tile::ViewOp>();
  if (failed(checkHolds(op, tile.type)))
    return failure();
  bool atomic = op.getVia() == tile::Via::ReduceAdd;
  if (atomic && !tile.type.getElementType().isF32())
    return op.emitOpError() << "via reduce_add adds f32, found " << tile.type;
  if (atomic && tile::fragmentLayoutOf(tile.type)->replication() > 1)
    return op.emitOpError() << "via reduce_add needs one thread for each element, found "
                            << tile.type;
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
