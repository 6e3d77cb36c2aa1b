// SPDX-License-Identifier: Apache-2.0
//
// The loop over tiles. In a role whose instances take whole tiles each, instance i of n takes the
// units first + (i + n·t)·step; in the rings that the instances share it goes past the stages of
// the tiles between.

#include "compiler/passes/RoleCloning.h"
#include "compiler/passes/RoleInstances.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilewright {

LogicalResult RoleCloner::cloneTiles(tile::ForTilesOp loop) {
  SmallVector<tile::RingOp> rings = slice.ringsIn(loop);
  Location loc = loop.getLoc();
  auto range = tile::ScheduleRangeOp::create(builder, loc, loop.getSchedule());
  Value first = range.getFirst(), step = range.getStep();
  auto role = loop->getParentOfType<tile::KernelOp>().findRole(slice.role());
  if (role && role.instances() > 1 && failed(divideTiles(loop, role.instances(), first, step)))
    return failure();
  SmallVector<Value> inits = cursorsFor(rings);
  auto created = scf::ForOp::create(builder, loc, first, range.getEnd(), step, inits);
  Block &body = created.getRegion().front();
  if (!body.empty())
    body.getTerminator()->erase();
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&body);
    auto decode = tile::DecodeOp::create(builder, loc, loop.getBody().getArgumentTypes(),
                                         loop.getSchedule(), created.getInductionVar());
    map.map(loop.getBody().getArguments(), decode.getCoords());
    for (auto [argument, ring] : llvm::zip(created.getRegionIterArgs(), rings))
      argument.setLoc(cursorLoc(ring));
    setCursors(rings, created.getRegionIterArgs());
    if (failed(cloneBlock(loop.getBody().front())))
      return failure();
    for (auto &[ring, stages] : skipped)
      skip(cast<tile::RingOp>(ring), stages);
    scf::YieldOp::create(builder, loc, cursorsFor(rings));
  }
  setCursors(rings, created.getResults());
  return success();
}

/// Moves the start and the step of the loop over tiles to those of the instance at hand, and its
/// cursors past the tiles of the instances before it.
LogicalResult RoleCloner::divideTiles(tile::ForTilesOp loop, int64_t instances, Value &first,
                                      Value &step) {
  Location loc = loop.getLoc();
  Value instance = tile::InstanceOp::create(builder, loc);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, 32);
  };
  Value ahead = arith::MulIOp::create(builder, loc, instance, step);
  first = arith::AddIOp::create(builder, loc, first, ahead);
  step = arith::MulIOp::create(builder, loc, step, constant(instances));
  StageCount stages(builder, map, slice, loop);
  for (tile::RingOp ring : ringsReadIn(loop, slice)) {
    FailureOr<Value> perTile = stages.of(ring);
    if (failed(perTile))
      return failure();
    Value before = builder.createOrFold<arith::MulIOp>(loc, instance, *perTile);
    skip(ring, before);
    skipped[ring] = builder.createOrFold<arith::MulIOp>(loc, *perTile, constant(instances - 1));
  }
  takeTurns(loop);
  return success();
}

void RoleCloner::skip(tile::RingOp ring, Value stages) {
  Value at = cursorOf(ring);
  cursors[ring] = {tile::AdvanceOp::create(builder, cursorLoc(ring), ring.getResult(), at, stages),
                   false};
}

/// NOTE: a full barrier tells a round of the ring from the next one only: who waits several rounds
/// ahead would find an older one complete. So an instance waits for its stages after the one
/// before it has waited for all of its own, which is when it gets the turn.
void RoleCloner::takeTurns(tile::ForTilesOp loop) {
  for (Operation &op : loop.getBody().front())
    if (slice.contains(&op) && !ringsReadIn(&op, slice).empty()) {
      turn.first = turn.first ? turn.first : &op;
      turn.last = &op;
    }
  if (!turn.first)
    return;
  auto kernel = loop->getParentOfType<tile::KernelOp>();
  OpBuilder atKernel(kernel.getBody().front().getTerminator());
  turn.token = tile::TurnOp::create(atKernel, loop.getLoc(), slice.role());
}

} // namespace tilewright
