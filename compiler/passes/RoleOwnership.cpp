// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/RoleOwnership.h"

#include "compiler/passes/CountedLoop.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tilewright {

tile::RingOp ringOf(Operation *op) {
  Value ring;
  if (auto load = dyn_cast<tile::LoadOp>(op))
    ring = load.getRing();
  else if (auto store = dyn_cast<tile::StoreOp>(op))
    ring = store.getStaging();
  return ring ? ring.getDefiningOp<tile::RingOp>() : tile::RingOp();
}

static bool isLaunchControl(Operation *op) { return isa<tile::PdlWaitOp, tile::PdlTriggerOp>(op); }

/// An op that is more than its results, and is no control flow.
static bool hasEffect(Operation *op) {
  if (op->getNumRegions() || op->hasTrait<OpTrait::IsTerminator>() || isMemoryEffectFree(op))
    return false;
  return !(isa<MemoryEffectOpInterface>(op) && hasSingleEffect<MemoryEffects::Read>(op));
}

FailureOr<RoleOwnership> RoleOwnership::of(tile::KernelOp kernel) {
  RoleOwnership ownership(kernel);
  ownership.findKernelLevel();
  if (kernel.getRolesAttr() && failed(ownership.propagate()))
    return failure();
  return ownership;
}

void RoleOwnership::findKernelLevel() {
  bool workBegan = false;
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    bool known = llvm::all_of(op.getOperands(), [&](Value operand) {
      return isa<BlockArgument>(operand) || kernelLevel.contains(operand.getDefiningOp());
    });
    bool scalar = isMemoryEffectFree(&op) && !op.getNumRegions() &&
                  llvm::none_of(op.getResultTypes(), llvm::IsaPred<RankedTensorType>);
    bool handle = isa<tile::RingOp, tile::TurnOp>(op) || (isLaunchControl(&op) && !workBegan);
    if (known && (scalar || handle))
      kernelLevel.insert(&op);
    else
      workBegan = true;
  }
}

/// Where work goes that touches no ring: the only role that consumes one or stages stores.
StringRef RoleOwnership::computeRole() {
  llvm::SetVector<StringRef> roles;
  kernel.walk([&](Operation *op) {
    if (tile::RingOp ring = ringOf(op))
      roles.insert(isa<tile::LoadOp>(op) ? ring.getConsumer() : ring.getProducer());
  });
  if (roles.size() == 1)
    return roles.front();
  ArrayAttr all = kernel.getRolesAttr();
  return all.size() == 1 ? cast<tile::RoleAttr>(all[0]).getName() : StringRef();
}

/// A tile that every role can make for itself from constants and scalars.
bool RoleOwnership::isFree(Value tile) {
  auto [entry, isNew] = free.try_emplace(tile, false);
  Operation *op = tile.getDefiningOp();
  if (!isNew || !op || op->getNumRegions() || isa<tile::DotOp>(op) || !isMemoryEffectFree(op))
    return entry->second;
  bool result = llvm::all_of(op->getOperands(), [&](Value operand) {
    return !isa<RankedTensorType>(operand.getType()) || isFree(operand);
  });
  return free[tile] = result;
}

/// Calls `visit` for the values that are the same tile as `tile` in another place of control flow,
/// or that an op joins with it; for the latter, `join` gets the op.
static void forEachLinked(Value tile, function_ref<void(Value, Operation *)> visit,
                          function_ref<void(Operation *)> join) {
  auto visitCarried = [&](CountedLoop loop, unsigned i) {
    visit(loop.init(i).get(), loop.getOperation());
    visit(loop.argument(i), loop.getOperation());
    visit(loop.yielded(i).get(), loop.body().getTerminator());
    visit(loop.result(i), loop.getOperation());
  };
  auto visitYields = [&](Operation *op, unsigned i) {
    for (Region &region : op->getRegions())
      if (!region.empty())
        visit(region.front().getTerminator()->getOperand(i), region.front().getTerminator());
    if (auto skippable = dyn_cast<tile::SkippableOp>(op))
      visit(skippable.getFallback(), op);
    visit(op->getResult(i), op);
  };

  if (auto argument = dyn_cast<BlockArgument>(tile)) {
    if (CountedLoop loop{argument.getOwner()->getParentOp()})
      visitCarried(loop, argument.getArgNumber() - 1);
  } else {
    Operation *op = tile.getDefiningOp();
    unsigned number = cast<OpResult>(tile).getResultNumber();
    if (CountedLoop loop{op})
      visitCarried(loop, number);
    else if (isa<scf::IfOp, tile::SkippableOp>(op))
      visitYields(op, number);
    else if (!ringOf(op))
      join(op);
  }
  for (OpOperand &use : tile.getUses()) {
    Operation *user = use.getOwner();
    if (CountedLoop loop{user}) {
      for (unsigned i = 0; i < loop.carried(); ++i)
        if (&loop.init(i) == &use)
          visitCarried(loop, i);
    } else if (user->hasTrait<OpTrait::IsTerminator>()) {
      if (CountedLoop loop{user->getParentOp()})
        visitCarried(loop, use.getOperandNumber());
      else if (isa<scf::IfOp, tile::SkippableOp>(user->getParentOp()))
        visitYields(user->getParentOp(), use.getOperandNumber());
    } else if (isa<tile::SkippableOp>(user)) {
      visitYields(user, 0);
    } else {
      join(user);
    }
  }
}

LogicalResult RoleOwnership::own(Operation *op, StringRef role) {
  StringRef before = owners.try_emplace(op, role).first->second;
  if (before == role)
    return success();
  return op->emitOpError() << "belongs to role @" << before << " and to role @" << role
                           << ": its tiles and rings must be those of one role";
}

LogicalResult RoleOwnership::spreadFrom(Value tile, StringRef role, Operation *seed) {
  SmallVector<std::pair<Value, Operation *>> pending{{tile, seed}};
  LogicalResult result = success();
  while (!pending.empty() && succeeded(result)) {
    auto [value, via] = pending.pop_back_val();
    if (!isa<RankedTensorType>(value.getType()) || isFree(value))
      continue;
    auto load = value.getDefiningOp<tile::LoadOp>();
    StringRef owner = load && load.getRing() ? ringOf(load).getConsumer() : role;
    auto [entry, isNew] = tileOwners.try_emplace(value, owner);
    if (entry->second != role) {
      InFlightDiagnostic diagnostic = via->emitOpError();
      diagnostic << "takes " << value.getType() << " from role @" << entry->second << " to role @"
                 << role << "; a register tile stays in its role, pass it through a ring";
      diagnostic.attachNote(value.getLoc()) << "the tile comes from here";
      return diagnostic;
    }
    if (!isNew)
      continue;
    forEachLinked(
        value,
        [&](Value linked, Operation *at) {
          pending.push_back({linked, at});
        },
        [&](Operation *op) {
          if (failed(result) || failed(result = own(op, role)))
            return;
          for (Value linked : llvm::concat<Value>(llvm::to_vector(op->getOperands()),
                                                  llvm::to_vector(op->getResults())))
            pending.push_back({linked, op});
        });
  }
  return result;
}

LogicalResult RoleOwnership::propagate() {
  // What the rings say comes first; the rest goes to the role that computes.
  WalkResult walk = kernel.walk([&](Operation *op) -> WalkResult {
    tile::RingOp ring = ringOf(op);
    if (auto wait = dyn_cast<tile::TurnWaitOp>(op))
      return own(op, wait.getTurn().getDefiningOp<tile::TurnOp>().getAmong());
    if (auto pass = dyn_cast<tile::TurnPassOp>(op))
      return own(op, pass.getTurn().getDefiningOp<tile::TurnOp>().getAmong());
    if (!ring)
      return WalkResult::advance();
    if (auto load = dyn_cast<tile::LoadOp>(op))
      return spreadFrom(load.getResult(), ring.getConsumer(), op);
    if (failed(own(op, ring.getProducer())))
      return failure();
    return spreadFrom(cast<tile::StoreOp>(op).getValue(), ring.getProducer(), op);
  });
  if (walk.wasInterrupted())
    return failure();

  StringRef rest = computeRole();
  walk =
      kernel.walk([&](Operation *op) -> WalkResult {
        if (op == kernel || op->hasTrait<OpTrait::IsTerminator>() || kernelLevel.contains(op) ||
            ringOf(op) || isLaunchControl(op) || owners.contains(op) ||
            op->getParentOfType<tile::MapOp>() || isa<tile::ForTilesOp>(op))
          return WalkResult::advance();
        bool effect = hasEffect(op);
        bool tiles = llvm::any_of(op->getResults(), [&](Value value) {
          return isa<RankedTensorType>(value.getType()) && !isFree(value);
        });
        if (!effect && !tiles)
          return WalkResult::advance();
        if (rest.empty() && effect)
          return op->emitOpError()
                 << "no ring says which role runs this: its tiles come from none, and the "
                    "rings of the kernel have several roles as consumers";
        if (rest.empty())
          return WalkResult::advance();
        if (!op->getNumRegions() && failed(own(op, rest)))
          return failure();
        for (Value value : llvm::concat<Value>(llvm::to_vector(op->getOperands()),
                                               llvm::to_vector(op->getResults())))
          if (!tileOwners.contains(value) && failed(spreadFrom(value, rest, op)))
            return failure();
        return WalkResult::advance();
      });
  return failure(walk.wasInterrupted());
}

bool RoleOwnership::isWorkOf(Operation *op, StringRef role) const {
  if (kernelLevel.contains(op) || op->getParentOfType<tile::MapOp>())
    return false;
  if (auto load = dyn_cast<tile::LoadOp>(op); load && load.getRing())
    return ringOf(op).getProducer() == role || ringOf(op).getConsumer() == role;
  if (!hasEffect(op))
    return false;
  return role.empty() || isLaunchControl(op) || owners.lookup(op) == role;
}

bool RoleOwnership::mayRun(Operation *op, StringRef role) const {
  if (role.empty())
    return true;
  if (auto load = dyn_cast<tile::LoadOp>(op); load && load.getRing())
    return isWorkOf(op, role);
  auto owner = owners.find(op);
  return owner == owners.end() || owner->second == role;
}

} // namespace tilewright
