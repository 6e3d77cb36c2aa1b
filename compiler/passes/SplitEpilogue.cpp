// SPDX-License-Identifier: Apache-2.0
//
// `subtile S` on a store says: do the work behind this store S columns at a time, so that few
// registers hold it and one slice's store overlaps the next slice's arithmetic. Stores that follow
// each other with the same S share one loop, and what they have in common is computed once.

#include "compiler/passes/Elementwise.h"
#include "compiler/passes/Passes.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tilewright::tile;

namespace tilewright {

#define GEN_PASS_DEF_TILESPLITEPILOGUE
#include "compiler/passes/Passes.h.inc"

namespace {

/// Stores that become one loop, in program order.
using Group = SmallVector<StoreOp>;

bool contains(const Group &group, Operation *op) {
  auto store = dyn_cast<StoreOp>(op);
  return store && llvm::is_contained(group, store);
}

Location named(StringRef name, Location loc) {
  return NameLoc::get(StringAttr::get(loc.getContext(), name), loc);
}

/// The kernel argument that a view looks at; null if it is not known.
Value argumentOf(Value view) {
  auto made = view.getDefiningOp<ViewOp>();
  return made && isa<BlockArgument>(made.getBase()) ? made.getBase() : Value();
}

/// Whether slices of `view` at `coordinates` and slices of what `store` writes can be interleaved:
/// a slice of one meets no slice of the other but its own. NOTE: arguments may name one memory only
/// if each element is read and written at one place (an in-place residual), so slices of different
/// arguments never meet.
bool keepsToItsColumns(Value view, Value lastCoordinate, StoreOp store) {
  if (view == store.getView() && lastCoordinate == store.getCoords().back())
    return true;
  Value read = argumentOf(view), written = argumentOf(store.getView());
  return read && written && read != written;
}

/// Whether `op`, which reads memory, may be done slice by slice among the slices of `store`.
bool mayInterleave(Operation *op, StoreOp store) {
  if (auto load = dyn_cast<LoadOp>(op))
    return isDirectLoad(load) && keepsToItsColumns(load.getView(), load.getCoords().back(), store);
  WalkResult result = op->walk([&](Operation *inner) {
    auto read = dyn_cast<ReadOp>(inner);
    bool isSafe = read ? keepsToItsColumns(read.getView(), Value(), store)
                       : isMemoryEffectFree(inner) || inner == op;
    return isSafe ? WalkResult::advance() : WalkResult::interrupt();
  });
  return isa<MapOp>(op) && !result.wasInterrupted();
}

bool joins(const Group &group, StoreOp store) {
  StoreOp last = group.back();
  if (last->getBlock() != store->getBlock() || last.getSubtile() != store.getSubtile() ||
      last.getValue().getType().getShape() != store.getValue().getType().getShape())
    return false;
  for (StoreOp earlier : group)
    if (!keepsToItsColumns(store.getView(), store.getCoords().back(), earlier))
      return false;
  for (Operation *op = last->getNextNode(); op != store; op = op->getNextNode())
    for (StoreOp earlier : group)
      if (!isMemoryEffectFree(op) && !mayInterleave(op, earlier))
        return false;
  return true;
}

/// Rebuilds values on the columns [column, column + width) at the end of a loop's body.
class Slicer {
public:
  Slicer(scf::ForOp loop, Value column, int64_t width, Group &group)
      : builder(loop.getBody()->getTerminator()), loop(loop), coordinate(column.getDefiningOp()),
        column(column), width(width), group(group) {}

  LogicalResult sliceStore(StoreOp store);

private:
  FailureOr<Value> slice(Value value);
  FailureOr<Value> sliceMatrix(Value value);
  FailureOr<Value> sliceVector(Value value);
  FailureOr<Value> sliceOp(Operation *op);
  FailureOr<Value> sliceLoad(LoadOp load);
  FailureOr<Value> sliceMap(MapOp map);
  LogicalResult checkReads(Operation *op);
  Value move(Value offset, Location loc);
  SmallVector<Value> moveCoordinates(OperandRange coordinates);

  /// Whether repeating `op` in the loop repeats it no more often than the text does.
  bool isAtHand(Operation *op) { return op && !entersLoop(op, loop); }
  RankedTensorType sliced(RankedTensorType tile) {
    SmallVector<int64_t> shape(tile.getShape());
    shape.back() = width;
    return RankedTensorType::get(shape, tile.getElementType(), tile.getEncoding());
  }
  InFlightDiagnostic cannot(Operation *op) {
    InFlightDiagnostic error = op->emitOpError();
    error.attachNote(group.front().getLoc()) << "needed by this store with subtile " << width;
    return error;
  }

  OpBuilder builder;
  scf::ForOp loop;
  /// The last op of those at the top of the loop that compute coordinates of the slice.
  Operation *coordinate;
  Value column;
  int64_t width;
  Group &group;
  DenseMap<Value, Value> slices;
  DenseMap<Value, Value> moved;
  DenseMap<Operation *, Operation *> stores;
};

LogicalResult Slicer::sliceStore(StoreOp store) {
  FailureOr<Value> value = slice(store.getValue());
  if (failed(value))
    return failure();
  auto clone = cast<StoreOp>(builder.clone(*store));
  clone.getValueMutable().assign(*value);
  clone.getCoordsMutable().assign(moveCoordinates(store.getCoords()));
  clone.removeSubtileAttr();
  stores[store] = clone;
  return success();
}

/// `offset + column`.
Value Slicer::move(Value offset, Location loc) {
  Value &result = moved[offset];
  if (!result) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfter(coordinate);
    coordinate = arith::AddIOp::create(builder, named("column", loc), offset, column);
    result = coordinate->getResult(0);
  }
  return result;
}

SmallVector<Value> Slicer::moveCoordinates(OperandRange coordinates) {
  SmallVector<Value> result(coordinates);
  result.back() = move(result.back(), result.back().getLoc());
  return result;
}

FailureOr<Value> Slicer::slice(Value value) {
  if (Value known = slices.lookup(value))
    return known;
  bool isMatrix = cast<RankedTensorType>(value.getType()).getRank() == 2;
  FailureOr<Value> result = isMatrix ? sliceMatrix(value) : sliceVector(value);
  if (succeeded(result))
    slices[value] = *result;
  return result;
}

/// A matrix is computed on its columns where that is elementwise work, else cut.
FailureOr<Value> Slicer::sliceMatrix(Value value) {
  Operation *op = value.getDefiningOp();
  auto tile = cast<RankedTensorType>(value.getType());
  if (isFreeTile(op) || (isElementwise(op) && isAtHand(op)))
    return sliceOp(op);
  if (isDirectLoad(op) && isAtHand(op))
    return sliceLoad(cast<LoadOp>(op));
  if (auto map = dyn_cast_or_null<MapOp>(op); map && map.getNumResults() == 1 && isAtHand(op))
    return sliceMap(map);
  Operation *maker = op ? op : value.getParentBlock()->getParentOp();
  if (isa_and_nonnull<SmemAttr>(tile.getEncoding()))
    return cannot(maker) << "holds whole tiles in shared memory, which a store with subtile cannot "
                            "take slice by slice; load via direct";
  if (auto acc = dyn_cast_or_null<AccAttr>(tile.getEncoding()); acc && acc.getWgsN() != 1)
    return cannot(maker) << "spreads columns over " << acc.getWgsN() << " warpgroups by " << acc
                         << ", so a slice of columns is not theirs to share; store without subtile";
  return ExtractOp::create(builder, value.getLoc(), sliced(tile), value, column).getResult();
}

/// A vector along the columns is cut if the text says that it is held; else it is computed on its
/// slice, or not at all.
FailureOr<Value> Slicer::sliceVector(Value value) {
  Operation *op = value.getDefiningOp();
  if (isHeld(op))
    return ExtractOp::create(builder, value.getLoc(),
                             sliced(cast<RankedTensorType>(value.getType())), value, column)
        .getResult();
  if (isFreeTile(op) || (isElementwise(op) && isAtHand(op)))
    return sliceOp(op);
  if (isDirectLoad(op) && isAtHand(op))
    return sliceLoad(cast<LoadOp>(op));
  if (auto reduce = dyn_cast_or_null<ReduceOp>(op)) {
    if (reduce.getDim() == 1)
      return cannot(op) << "reduces along columns, and its result is wanted column by column: a "
                           "slice would need all of it; store without subtile";
    if (isAtHand(op))
      return sliceOp(op);
  }
  return cannot(op ? op : value.getParentBlock()->getParentOp())
         << "holds a vector along the columns in registers, which cannot be cut; load it via "
            "direct, or store without subtile";
}

/// Clones an op of one result on the slices of its tiles.
FailureOr<Value> Slicer::sliceOp(Operation *op) {
  auto broadcast = dyn_cast<BroadcastOp>(op);
  bool keepsOperands = broadcast && broadcast.getDim() == 1;
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    if (keepsOperands || !isa<RankedTensorType>(operand.getType()))
      continue;
    FailureOr<Value> part = slice(operand);
    if (failed(part))
      return failure();
    mapping.map(operand, *part);
  }
  auto coordinate = dyn_cast<CoordOp>(op);
  RankedTensorType tile = sliced(cast<RankedTensorType>(op->getResult(0).getType()));
  if (coordinate && static_cast<int64_t>(coordinate.getDim()) == tile.getRank() - 1) {
    Value offset = coordinate.getOffset() ? move(coordinate.getOffset(), op->getLoc()) : column;
    return CoordOp::create(builder, op->getLoc(), tile, coordinate.getDim(), offset).getResult();
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto value = cast<SplatElementsAttr>(constant.getValue()).resizeSplat(tile);
    return arith::ConstantOp::create(builder, op->getLoc(), value).getResult();
  }
  Operation *clone = builder.clone(*op, mapping);
  clone->getResult(0).setType(tile);
  return clone->getResult(0);
}

/// What reads memory is read slice by slice where the loop stands.
LogicalResult Slicer::checkReads(Operation *op) {
  if (isMemoryEffectFree(op))
    return success();
  auto passable = [&](Operation *other) { return contains(group, other); };
  Operation *writer = findBarrier(op, loop, Barrier::GlobalWrite, passable);
  for (StoreOp store : group)
    if (!writer && !mayInterleave(op, store))
      writer = store;
  if (!writer)
    return success();
  InFlightDiagnostic error =
      cannot(op) << "is read slice by slice next to the store, but '" << writer->getName()
                 << "' may write its memory before that; move the load behind it, or store "
                    "without subtile";
  error.attachNote(writer->getLoc()) << "writes here";
  return error;
}

FailureOr<Value> Slicer::sliceLoad(LoadOp load) {
  if (failed(checkReads(load)))
    return failure();
  // A load that comes before a store of the group comes before that store's slice.
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Value> coordinates = moveCoordinates(load.getCoords());
  Operation *inGroupBlock = group.front()->getBlock()->findAncestorOpInBlock(*load);
  for (StoreOp store : group)
    if (Operation *clone = stores.lookup(store);
        clone && (!inGroupBlock || inGroupBlock->isBeforeInBlock(store))) {
      builder.setInsertionPoint(clone);
      break;
    }
  auto clone = cast<LoadOp>(builder.clone(*load));
  clone.getCoordsMutable().assign(coordinates);
  clone.getResult().setType(sliced(load.getType()));
  return clone.getResult();
}

FailureOr<Value> Slicer::sliceMap(MapOp map) {
  if (failed(checkReads(map)))
    return failure();
  auto tile = cast<RankedTensorType>(map.getResultTypes().front());
  IRMapping mapping;
  for (Value input : map.getIns()) {
    auto part = dyn_cast<RankedTensorType>(input.getType());
    if (!part)
      return cannot(map) << "reads " << input.getType()
                         << ", which cannot be taken slice by slice; store without subtile";
    auto kept = dyn_cast_or_null<SliceAttr>(part.getEncoding());
    if (part.getRank() < tile.getRank() && !kept)
      return cannot(map) << "reads a vector without a layout; run tile-infer-layouts first";
    if (kept && kept.getDim() == 1)
      continue;
    FailureOr<Value> result = slice(input);
    if (failed(result))
      return failure();
    mapping.map(input, *result);
  }
  auto clone = cast<MapOp>(builder.clone(*map, mapping));
  clone.getResults().front().setType(sliced(tile));
  Block &body = clone.getBody().front();
  BlockArgument last = body.getArguments().back();
  if (!last.use_empty()) {
    auto inBody = OpBuilder::atBlockBegin(&body);
    auto shifted = arith::AddIOp::create(inBody, last.getLoc(), last, column);
    last.replaceAllUsesExcept(shifted, shifted);
  }
  return clone.getResults().front();
}

//===-- The loop
//---------------------------------------------------------------------------------===//

LogicalResult split(Group &group) {
  StoreOp last = group.back();
  RankedTensorType tile = last.getValue().getType();
  int64_t width = *last.getSubtile(), columns = tile.getDimSize(1);
  if (width == columns) {
    for (StoreOp store : group)
      store.removeSubtileAttr();
    return success();
  }
  for (StoreOp store : group) {
    auto layout =
        dyn_cast_or_null<VerifiableTensorEncoding>(store.getValue().getType().getEncoding());
    auto emitError = [&] {
      return store.emitOpError() << "cannot be cut with subtile " << width << ": ";
    };
    if (layout && failed(layout.verifyEncoding({tile.getDimSize(0), width}, tile.getElementType(),
                                               emitError)))
      return failure();
  }

  OpBuilder builder(last);
  Location loc = last.getLoc();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, 32);
  };
  Value zero = constant(0), one = constant(1), count = constant(columns / width),
        step = constant(width);
  auto loop = scf::ForOp::create(builder, loc, zero, count, one);
  loop->setAttr("tw.unroll", builder.getUnitAttr());
  loop.getInductionVar().setLoc(named("subtile", loc));
  builder.setInsertionPointToStart(loop.getBody());
  Value column = arith::MulIOp::create(builder, named("column", loc), loop.getInductionVar(), step);

  Slicer slicer(loop, column, width, group);
  for (StoreOp store : group)
    if (failed(slicer.sliceStore(store)))
      return failure();
  for (StoreOp store : group)
    store.erase();
  return success();
}

struct SplitEpilogue : impl::TileSplitEpilogueBase<SplitEpilogue> {
  void runOnOperation() override {
    SmallVector<Group> groups;
    getOperation().walk([&](StoreOp store) {
      if (!store.getSubtile())
        return;
      if (!groups.empty() && joins(groups.back(), store))
        groups.back().push_back(store);
      else
        groups.push_back({store});
    });
    for (Group &group : groups)
      if (failed(split(group)))
        return signalPassFailure();
    eraseDeadTiles(getOperation());
  }
};

} // namespace

} // namespace tilewright
