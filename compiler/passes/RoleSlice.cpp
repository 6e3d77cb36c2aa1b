// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/RoleSlice.h"

#include "compiler/passes/CountedLoop.h"

using namespace mlir;

namespace tilewright {

FailureOr<RoleSlice> RoleSlice::of(tile::KernelOp kernel, const RoleOwnership &ownership,
                                   StringRef role) {
  RoleSlice slice(ownership, role);
  kernel.getBody().walk([&](Operation *op) {
    if (ownership.isWorkOf(op, role))
      slice.require(op, op);
  });
  while (!slice.pending.empty()) {
    auto [op, user] = slice.pending.pop_back_val();
    if (failed(slice.visit(op, user)))
      return failure();
  }
  return slice;
}

void RoleSlice::require(Operation *op, Operation *user) {
  if (!ownership.staysInKernel(op) && ops.insert(op).second)
    pending.push_back({op, user});
}

/// A value of control flow is needed together with what it may be equal to.
void RoleSlice::require(Value value, Operation *user) {
  if (!values.insert(value).second)
    return;
  auto argument = dyn_cast<BlockArgument>(value);
  Operation *op = argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
  if (isa<tile::KernelOp>(op))
    return;
  unsigned number = argument ? argument.getArgNumber() : cast<OpResult>(value).getResultNumber();
  require(op, user);
  if (CountedLoop loop{op}) {
    if (argument && number == 0)
      return;
    unsigned i = argument ? number - 1 : number;
    require(loop.argument(i), user);
    require(loop.result(i), user);
    require(loop.init(i).get(), user);
    require(loop.yielded(i).get(), user);
  } else if (isa<scf::IfOp, tile::SkippableOp>(op)) {
    for (Region &region : op->getRegions())
      require(region.front().getTerminator()->getOperand(number), user);
  }
}

LogicalResult RoleSlice::visitOperands(Operation *op) {
  if (auto load = dyn_cast<tile::LoadOp>(op); load && load.getRing() && !produces(load))
    return success(); // to the reader a load is a wait: where it came from does not matter
  if (CountedLoop loop{op}) {
    for (Value bound : {loop.lower(), loop.upper(), loop.step()})
      require(bound, op);
    if (auto tileLoop = dyn_cast<tile::ForOp>(op))
      for (Value bound : tileLoop.getRangeBounds())
        require(bound, op);
    return success();
  }
  if (op->getNumRegions() && !isa<tile::ForTilesOp, tile::SkippableOp, tile::MapOp, scf::IfOp>(op))
    return op->emitOpError() << "cannot be divided among roles; control flow around tiles is "
                                "tile.for_tiles, tile.for, scf.for and scf.if";
  for (Value operand : op->getOperands())
    require(operand, op);
  if (auto map = dyn_cast<tile::MapOp>(op))
    map.getBody().walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (!map.getBody().isAncestor(operand.getParentRegion()))
          require(operand, op);
    });
  return success();
}

LogicalResult RoleSlice::visit(Operation *op, Operation *user) {
  if (!ownership.mayRun(op, name)) {
    InFlightDiagnostic diagnostic = op->emitOpError();
    diagnostic
        << "belongs to role @" << ownership.ownerOf(op) << ", but role @" << name
        << " needs its result; only scalars that every role can compute and tiles in rings reach "
           "another role";
    diagnostic.attachNote(user->getLoc()) << "needed here";
    return diagnostic;
  }
  if (failed(visitOperands(op)))
    return failure();
  if (Operation *parent = op->getParentOp(); !isa<tile::KernelOp>(parent))
    require(parent, op);
  return success();
}

SmallVector<tile::RingOp> RoleSlice::ringsIn(Operation *op) const {
  llvm::DenseSet<Operation *> used;
  op->walk([&](Operation *inner) {
    if (tile::RingOp ring = ringOf(inner); ring && contains(inner))
      used.insert(ring);
  });
  SmallVector<tile::RingOp> rings;
  auto kernel = dyn_cast<tile::KernelOp>(op);
  if (!kernel)
    kernel = op->getParentOfType<tile::KernelOp>();
  for (tile::RingOp ring : kernel.getOps<tile::RingOp>())
    if (used.contains(ring))
      rings.push_back(ring);
  return rings;
}

} // namespace tilewright
