// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/RoleInstances.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilewright {

//===-- What may stand in such a role --------------------------------------------------------===//

LogicalResult verifyInstances(tile::KernelOp kernel, const RoleOwnership &ownership,
                              const RoleSlice &slice) {
  tile::RoleAttr role = kernel.findRole(slice.role());
  if (!role || role.instances() == 1)
    return success();
  auto fail = [&](Operation *op, const Twine &message) {
    return op->emitOpError() << message << "; state split = rows for role @" << role.getName();
  };
  for (tile::RingOp ring : kernel.getOps<tile::RingOp>())
    if (ring.getProducer() == role.getName() && !ring.isPrivate())
      return fail(ring, "is filled by role @" + role.getName() +
                            ", whose warpgroups take whole tiles each: which of them fills a "
                            "stage is not settled");
  tile::ForTilesOp tiles;
  WalkResult walk = kernel.walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
    if (auto loop = dyn_cast<tile::ForTilesOp>(op); loop && slice.contains(op)) {
      if (tiles)
        return fail(op, "is a second loop over tiles, at whose start the warpgroups stand at "
                        "stages that the first one's tiles decide");
      tiles = loop;
      return WalkResult::skip();
    }
    if (ownership.isWorkOf(op, role.getName()) && !isa<tile::PdlWaitOp, tile::PdlTriggerOp>(op))
      return fail(op, "stands outside of tile.for_tiles, where each of the role's warpgroups "
                      "would do it");
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

/// The ring that `op` waits for a stage of, as part of `slice`.
static tile::RingOp ringReadBy(Operation *op, const RoleSlice &slice) {
  auto load = dyn_cast<tile::LoadOp>(op);
  tile::RingOp ring = load ? ringOf(load) : tile::RingOp();
  return ring && slice.contains(op) && !slice.produces(load) ? ring : tile::RingOp();
}

SmallVector<tile::RingOp> ringsReadIn(Operation *op, const RoleSlice &slice) {
  llvm::DenseSet<Operation *> read;
  op->walk([&](Operation *inner) {
    if (tile::RingOp ring = ringReadBy(inner, slice))
      read.insert(ring);
  });
  return llvm::to_vector(llvm::make_filter_range(
      slice.ringsIn(op), [&](tile::RingOp ring) { return read.contains(ring); }));
}

//===-- Stages of a tile ---------------------------------------------------------------------===//

/// `loc` without the name of what stands there.
static Location unnamed(Location loc) {
  auto name = dyn_cast<NameLoc>(loc);
  return name ? unnamed(name.getChildLoc()) : loc;
}

FailureOr<Value> StageCount::of(tile::RingOp ring) {
  FailureOr<Value> count = stagesIn(tiles.getBody().front(), ring);
  Operation *op = succeeded(count) ? count->getDefiningOp() : nullptr;
  if (op && !isa<NameLoc>(op->getLoc())) {
    std::string name = (ring.getName() + "_per_tile").str();
    op->setLoc(NameLoc::get(StringAttr::get(op->getContext(), name), op->getLoc()));
  }
  return count;
}

/// Stages that one run of `block` takes.
FailureOr<Value> StageCount::stagesIn(Block &block, tile::RingOp ring) {
  Location loc = unnamed(ring.getLoc());
  auto loads = llvm::count_if(block, [&](Operation &op) { return ringReadBy(&op, slice) == ring; });
  int64_t here = loads / static_cast<int64_t>(ring.getType().getTiles().size());
  Value sum = arith::ConstantIntOp::create(builder, loc, here, 32);
  for (Operation &op : block) {
    if (!op.getNumRegions() || !llvm::is_contained(ringsReadIn(&op, slice), ring))
      continue;
    CountedLoop loop(&op);
    if (!loop)
      return op.emitOpError() << "takes stages of ring \"" << ring.getName()
                              << "\" for some tiles only; warpgroups of role @" << slice.role()
                              << " skip the stages of each other's tiles, so all tiles take "
                                 "equally many: state split = rows",
             failure();
    FailureOr<Value> inside = stagesIn(loop.body(), ring);
    FailureOr<Value> trips = failed(inside) ? inside : tripsOf(loop);
    if (failed(trips))
      return failure();
    Value product = builder.createOrFold<arith::MulIOp>(loc, *trips, *inside);
    sum = builder.createOrFold<arith::AddIOp>(loc, sum, product);
  }
  return sum;
}

/// Whether `value` is an extent of a view, which is never negative.
static bool isExtent(Value value) {
  return llvm::any_of(value.getUses(), [](OpOperand &use) {
    auto view = dyn_cast<tile::ViewOp>(use.getOwner());
    return view && llvm::is_contained(view.getSizes(), use.get());
  });
}

FailureOr<Value> StageCount::tripsOf(CountedLoop loop) {
  FailureOr<Value> lower = outside(loop.lower(), loop), upper = outside(loop.upper(), loop),
                   step = outside(loop.step(), loop);
  if (failed(lower) || failed(upper) || failed(step))
    return failure();
  Location loc = unnamed(loop->getLoc());
  Value length = builder.createOrFold<arith::SubIOp>(loc, *upper, *lower);
  Value trips = builder.createOrFold<arith::CeilDivSIOp>(loc, length, *step);
  if (isExtent(loop.upper()) && matchPattern(*lower, m_Zero()))
    return trips;
  Value zero = arith::ConstantIntOp::create(builder, loc, 0, 32);
  return builder.createOrFold<arith::MaxSIOp>(loc, trips, zero);
}

/// What `value`, a bound of `loop`, is in front of the loop over tiles.
FailureOr<Value> StageCount::outside(Value value, CountedLoop loop) {
  if (!tiles.getBody().isAncestor(value.getParentRegion()))
    return map.lookupOrDefault(value);
  if (copies.contains(value))
    return copies.lookup(value);
  Operation *op = value.getDefiningOp();
  bool repeatable = op && !op->getNumRegions() && isMemoryEffectFree(op);
  for (Value operand : repeatable ? op->getOperands() : OperandRange(nullptr, 0)) {
    FailureOr<Value> copy = outside(operand, loop);
    if (failed(copy))
      return failure();
    copies.map(operand, *copy);
  }
  if (repeatable) {
    builder.clone(*op, copies);
    return copies.lookup(value);
  }
  InFlightDiagnostic diagnostic = loop->emitOpError();
  diagnostic << "takes a number of stages that its tile decides; warpgroups of role @"
             << slice.role()
             << " skip the stages of each other's tiles, so all tiles take equally many: state "
                "split = rows";
  diagnostic.attachNote(value.getLoc()) << "differs from tile to tile";
  return diagnostic;
}

} // namespace tilewright
