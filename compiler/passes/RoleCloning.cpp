// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/RoleCloning.h"

using namespace mlir;

namespace tilewright {

Location RoleCloner::cursorLoc(tile::RingOp ring) {
  std::string name = (ring.getName() + "_cursor").str();
  return NameLoc::get(StringAttr::get(ring.getContext(), name), ring.getLoc());
}

static Type slotOf(Type tile) {
  return tile::SlotType::get(tile.getContext(), cast<RankedTensorType>(tile));
}

//===-- Cursors ------------------------------------------------------------------------------===//

void RoleCloner::advance(tile::RingOp ring) {
  Cursor &cursor = cursors[ring];
  cursor.at =
      tile::AdvanceOp::create(builder, cursorLoc(ring), ring.getResult(), cursor.at, Value());
  cursor.passed = false;
}

Value RoleCloner::cursorOf(tile::RingOp ring) {
  if (cursors[ring].passed)
    advance(ring);
  return cursors[ring].at;
}

SmallVector<Value> RoleCloner::cursorsFor(ArrayRef<tile::RingOp> rings) {
  SmallVector<Value> values;
  for (tile::RingOp ring : rings)
    values.push_back(cursorOf(ring));
  return values;
}

void RoleCloner::setCursors(ArrayRef<tile::RingOp> rings, ValueRange values) {
  for (auto [ring, value] : llvm::zip(rings, values))
    cursors[ring] = {value, false};
}

//===-- Loads and stores ---------------------------------------------------------------------===//

/// Divides the loads of `block` into stages, ring by ring.
LogicalResult RoleCloner::groupLoads(Block &block) {
  llvm::SmallMapVector<Operation *, SmallVector<tile::LoadOp>, 4> loads;
  for (auto load : block.getOps<tile::LoadOp>())
    if (tile::RingOp ring = ringOf(load); ring && slice.contains(load.getOperation()))
      loads[ring].push_back(load);
  for (auto &[op, ofRing] : loads) {
    auto ring = cast<tile::RingOp>(op);
    ArrayRef<Type> tiles = ring.getType().getTiles();
    for (auto [index, load] : llvm::enumerate(ofRing)) {
      Type expected = tiles[index % tiles.size()];
      if (load.getType() != expected)
        return load.emitOpError() << "is load " << index + 1 << " of ring \"" << ring.getName()
                                  << "\" in its body and fills slot " << index % tiles.size() + 1
                                  << " of a stage, which holds " << expected;
      if (index % tiles.size() == 0)
        stages[load] = {std::make_shared<Stage>(), 0};
      else
        stages[load] = {stages[ofRing[index - 1]].first, index % tiles.size()};
      stages[load].first->loads.push_back(load);
    }
    if (ofRing.size() % tiles.size())
      return ofRing.back().emitOpError()
             << "is the last load of ring \"" << ring.getName() << "\" in its body, which has "
             << ofRing.size() << "; a stage has " << tiles.size()
             << " slots and a body fills whole stages";
  }
  return success();
}

LogicalResult RoleCloner::cloneLoad(tile::LoadOp load) {
  tile::RingOp ring = ringOf(load);
  if (ring.isPrivate())
    return load.emitOpError() << "fills ring \"" << ring.getName() << "\", which is private to @"
                              << ring.getProducer() << "; a load goes from one role to another";
  if (load.getVia() != tile::Via::Tma || ring.getFull() != tile::FullBy::Tma)
    return load.emitOpError()
           << "rings are filled by TMA only; use via tma and a ring without `full "
              "threads`";
  auto &[stage, index] = stages[load];
  Value cursor = index ? cursors[ring].at : cursorOf(ring);
  if (!index) {
    SmallVector<Type> types;
    for (Type tile : ring.getType().getTiles())
      types.push_back(slotOf(tile));
    Operation *access;
    if (slice.produces(load))
      access = tile::AcquireOp::create(builder, load.getLoc(), types, ring.getResult(), cursor);
    else
      access = tile::WaitOp::create(builder, load.getLoc(), types, ring.getResult(), cursor);
    stage->slots.assign(access->result_begin(), access->result_end());
  }
  bool last = index + 1 == stage->slots.size();
  if (!slice.produces(load)) {
    map.map(load.getResult(), stage->slots[index]);
    cursors[ring].passed = last;
    return success();
  }
  SmallVector<Value> coords;
  for (Value coord : load.getCoords())
    coords.push_back(map.lookupOrDefault(coord));
  tile::CopyOp::create(builder, load.getLoc(), map.lookupOrDefault(load.getView()), coords,
                       stage->slots[index], ring.getResult(), cursor, load.getMulticastAttr(),
                       load.getHintAttr());
  if (last)
    advance(ring);
  return success();
}

/// The register tile that `op` takes as `value`.
FailureOr<Value> RoleCloner::inRegisters(Operation *op, Value value) {
  Value mapped = map.lookupOrDefault(value);
  if (!isa<tile::SlotType>(mapped.getType()))
    return mapped;
  return op->emitOpError()
         << "takes " << value.getType()
         << ", which lies in a slot of a ring; only tile.dot and tile.map read slots, "
            "bring it into registers with a tile.map";
}

LogicalResult RoleCloner::cloneStagedStore(tile::StoreOp store) {
  tile::RingOp ring = ringOf(store);
  if (!ring.isPrivate())
    return store.emitOpError() << "is staged in ring \"" << ring.getName() << "\" from @"
                               << ring.getProducer() << " to @" << ring.getConsumer()
                               << "; a staging ring is private to the role that stores";
  RankedTensorType value = store.getValue().getType();
  ArrayRef<Type> tiles = ring.getType().getTiles();
  auto slotTile = cast<RankedTensorType>(tiles.front());
  if (tiles.size() != 1 || slotTile.getShape() != value.getShape() ||
      slotTile.getElementType() != value.getElementType())
    return store.emitOpError() << "stages " << value << " in slots of " << ring.getType()
                               << "; they must be of one size, cut the tile with `subtile` and "
                                  "tile-split-epilogue";
  FailureOr<Value> tile = inRegisters(store, store.getValue());
  if (failed(tile))
    return failure();
  SmallVector<Value> coords;
  for (Value coord : store.getCoords())
    coords.push_back(map.lookupOrDefault(coord));
  Location loc = store.getLoc();
  Value cursor = cursorOf(ring);
  auto acquire =
      tile::AcquireOp::create(builder, loc, TypeRange(slotOf(slotTile)), ring.getResult(), cursor);
  Value slot = acquire.getSlots().front();
  tile::FragmentStoreOp::create(builder, loc, *tile, slot, /*transpose=*/false);
  tile::CopyOutOp::create(builder, loc, slot, map.lookupOrDefault(store.getView()), coords,
                          /*reduce=*/store.getVia() == tile::Via::ReduceAdd);
  advance(ring);
  return success();
}

//===-- Control flow -------------------------------------------------------------------------===//

/// What a loop or branch hands on for `value`.
FailureOr<Value> RoleCloner::carry(Operation *op, Value value) {
  Value mapped = map.lookupOrDefault(value);
  if (!isa<tile::SlotType>(mapped.getType()))
    return mapped;
  return op->emitOpError() << "hands on " << value.getType()
                           << ", which lies in a slot of a ring; use it "
                           << "in the body that loads it";
}

LogicalResult RoleCloner::cloneLoop(CountedLoop loop) {
  if (auto tileLoop = dyn_cast<tile::ForOp>(loop.getOperation()); tileLoop && tileLoop.getOrder())
    return loop->emitOpError() << "still states an order; run tile-rotate first";
  SmallVector<tile::RingOp> rings = slice.ringsIn(loop.getOperation());
  SmallVector<Value> inits = cursorsFor(rings);
  SmallVector<unsigned> kept;
  for (unsigned i = 0; i < loop.carried(); ++i) {
    if (!slice.contains(loop.argument(i)))
      continue;
    FailureOr<Value> init = carry(loop.getOperation(), loop.init(i).get());
    if (failed(init))
      return failure();
    kept.push_back(i);
    inits.push_back(*init);
  }
  CountedLoop created = createLoopLike(builder, loop, map, inits);
  map.map(loop.counter(), created.counter());
  for (auto [at, ring] : llvm::enumerate(rings))
    cursors[ring] = {created.argument(at), false};
  for (auto [at, i] : llvm::enumerate(kept)) {
    BlockArgument argument = created.argument(rings.size() + at);
    argument.setLoc(loop.argument(i).getLoc());
    map.map(loop.argument(i), argument);
  }
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&created.body());
    if (failed(cloneBlock(loop.body())))
      return failure();
    SmallVector<Value> values = cursorsFor(rings);
    for (unsigned i : kept) {
      FailureOr<Value> value = carry(loop.body().getTerminator(), loop.yielded(i).get());
      if (failed(value))
        return failure();
      values.push_back(*value);
    }
    createYield(builder, created, values);
  }
  for (auto [at, ring] : llvm::enumerate(rings))
    cursors[ring] = {created.result(at), false};
  for (auto [at, i] : llvm::enumerate(kept))
    map.map(loop.result(i), created.result(rings.size() + at));
  return success();
}

LogicalResult RoleCloner::cloneBranch(scf::IfOp branch, bool otherwise, scf::IfOp created,
                                      ArrayRef<unsigned> kept) {
  Region &from = otherwise ? branch.getElseRegion() : branch.getThenRegion();
  Region &to = otherwise ? created.getElseRegion() : created.getThenRegion();
  OpBuilder::InsertionGuard guard(builder);
  to.front().clear();
  builder.setInsertionPointToEnd(&to.front());
  if (!from.empty() && failed(cloneBlock(from.front())))
    return failure();
  SmallVector<Value> values = cursorsFor(slice.ringsIn(branch));
  for (unsigned i : kept) {
    Operation *yield = from.front().getTerminator();
    FailureOr<Value> value = carry(yield, yield->getOperand(i));
    if (failed(value))
      return failure();
    values.push_back(*value);
  }
  scf::YieldOp::create(builder, branch.getLoc(), values);
  return success();
}

LogicalResult RoleCloner::cloneIf(scf::IfOp branch) {
  SmallVector<tile::RingOp> rings = slice.ringsIn(branch);
  SmallVector<Value> before = cursorsFor(rings);
  SmallVector<Type> types(rings.size(), tile::CursorType::get(branch.getContext()));
  SmallVector<unsigned> kept;
  for (OpResult result : branch.getResults())
    if (slice.contains(result)) {
      kept.push_back(result.getResultNumber());
      types.push_back(result.getType());
    }
  bool withElse = !types.empty() || !branch.getElseRegion().empty();
  auto created =
      scf::IfOp::create(builder, branch.getLoc(), types, map.lookupOrDefault(branch.getCondition()),
                        /*addThenBlock=*/true,
                        /*addElseBlock=*/withElse);
  created->setDiscardableAttrs(branch->getDiscardableAttrDictionary());
  for (bool otherwise : {false, true}) {
    setCursors(rings, before);
    if ((!otherwise || withElse) && failed(cloneBranch(branch, otherwise, created, kept)))
      return failure();
  }
  setCursors(rings, created.getResults().take_front(rings.size()));
  for (auto [at, i] : llvm::enumerate(kept))
    map.map(branch.getResult(i), created.getResult(rings.size() + at));
  return success();
}

LogicalResult RoleCloner::cloneSkippable(tile::SkippableOp skippable) {
  if (!slice.ringsIn(skippable).empty())
    return skippable.emitOpError() << "walks a ring: what may be left out must not load or store";
  FailureOr<Value> fallback = carry(skippable, skippable.getFallback());
  if (failed(fallback))
    return failure();
  auto created =
      tile::SkippableOp::create(builder, skippable.getLoc(), skippable.getResult().getType(),
                                skippable.getRangesAttr(), *fallback);
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&created.getBody());
  if (failed(cloneBlock(skippable.getBody().front())))
    return failure();
  Operation *yield = skippable.getBody().front().getTerminator();
  FailureOr<Value> value = carry(yield, yield->getOperand(0));
  if (failed(value))
    return failure();
  tile::YieldOp::create(builder, yield->getLoc(), *value);
  map.map(skippable.getResult(), created.getResult());
  return success();
}

//===-- Ops ----------------------------------------------------------------------------------===//

/// Copies an op; dots and maps read slots, others do not.
LogicalResult RoleCloner::clonePlain(Operation *op) {
  SmallVector<Value> operands;
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    bool takesSlots = isa<tile::MapOp>(op) || (isa<tile::DotOp>(op) && index < 2);
    FailureOr<Value> value =
        takesSlots ? FailureOr<Value>(map.lookupOrDefault(operand)) : inRegisters(op, operand);
    if (failed(value))
      return failure();
    operands.push_back(*value);
  }
  builder.clone(*op, map)->setOperands(operands);
  return success();
}

LogicalResult RoleCloner::cloneOp(Operation *op) {
  if (auto load = dyn_cast<tile::LoadOp>(op); load && load.getRing())
    return cloneLoad(load);
  if (auto store = dyn_cast<tile::StoreOp>(op); store && store.getStaging())
    return cloneStagedStore(store);
  if (auto loop = dyn_cast<tile::ForTilesOp>(op))
    return cloneTiles(loop);
  if (CountedLoop loop{op})
    return cloneLoop(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return cloneIf(branch);
  if (auto skippable = dyn_cast<tile::SkippableOp>(op))
    return cloneSkippable(skippable);
  return clonePlain(op);
}

LogicalResult RoleCloner::cloneBlock(Block &block) {
  if (failed(groupLoads(block)))
    return failure();
  for (Operation &op : block.without_terminator()) {
    if (!slice.contains(&op))
      continue;
    if (&op == turn.first)
      tile::TurnWaitOp::create(builder, op.getLoc(), turn.token);
    if (failed(cloneOp(&op)))
      return failure();
    if (&op == turn.last)
      tile::TurnPassOp::create(builder, op.getLoc(), turn.token);
  }
  return success();
}

LogicalResult RoleCloner::run(tile::KernelOp kernel) {
  bool stages = false;
  for (tile::RingOp ring : slice.ringsIn(kernel)) {
    bool producer = ring.getProducer() == slice.role();
    stages |= ring.isPrivate();
    cursors[ring].at =
        tile::CursorOp::create(builder, cursorLoc(ring), ring.getResult(),
                               producer ? tile::CursorSide::Producer : tile::CursorSide::Consumer);
  }
  if (failed(cloneBlock(kernel.getBody().front())))
    return failure();
  for (auto &[ring, cursor] : cursors)
    if (cursor.passed)
      advance(cast<tile::RingOp>(ring));
  if (stages)
    tile::DrainOp::create(builder, kernel.getLoc());
  return success();
}

} // namespace tilewright
