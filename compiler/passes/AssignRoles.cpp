// SPDX-License-Identifier: Apache-2.0
//
// tile-assign-roles: program form to scheduled form. RoleOwnership says who runs what, RoleSlice
// what a role needs for it, RoleCloning writes it down.

#include "compiler/passes/Passes.h"
#include "compiler/passes/RoleCloning.h"
#include "compiler/passes/RoleInstances.h"

using namespace mlir;

namespace tilewright {

#define GEN_PASS_DEF_TILEASSIGNROLES
#include "compiler/passes/Passes.h.inc"

namespace {

struct AssignRoles : impl::TileAssignRolesBase<AssignRoles> {
  void runOnOperation() override {
    tile::KernelOp kernel = getOperation();
    if (kernel.getForm() == tile::Form::Program && failed(rewrite(kernel)))
      signalPassFailure();
  }

private:
  LogicalResult rewrite(tile::KernelOp kernel);
};

/// What no role can say in scheduled form.
LogicalResult checkKernel(tile::KernelOp kernel) {
  if (!kernel.getRolesAttr() && !kernel.getThreads())
    return kernel.emitOpError() << "has no roles and no threads; state one of them";
  WalkResult walk = kernel.walk<WalkOrder::PreOrder>([](Operation *op) -> WalkResult {
    if (auto loop = dyn_cast<tile::ForOp>(op); loop && loop.getOrder())
      return loop.emitOpError() << "still states an order; run tile-rotate first";
    if (isa<tile::StepOp>(op))
      return op->emitOpError() << "still stands in the loop; run tile-rotate first";
    if (isa<tile::GatherOp>(op))
      return op->emitOpError() << "has no scheduled form yet; load the rows with tile.load";
    if (auto store = dyn_cast<tile::StoreOp>(op);
        store && store.getSubtile() &&
        static_cast<int64_t>(*store.getSubtile()) != store.getValue().getType().getShape().back())
      return store.emitOpError() << "still states a subtile; run tile-split-epilogue first";
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult AssignRoles::rewrite(tile::KernelOp kernel) {
  if (failed(checkKernel(kernel)))
    return failure();
  FailureOr<RoleOwnership> ownership = RoleOwnership::of(kernel);
  if (failed(ownership))
    return failure();

  Block &body = kernel.getBody().front();
  SmallVector<Operation *> program;
  for (Operation &op : body.without_terminator())
    if (!ownership->staysInKernel(&op))
      program.push_back(&op);

  OpBuilder builder(body.getTerminator());
  auto writeRole = [&](StringRef role) -> LogicalResult {
    FailureOr<RoleSlice> slice = RoleSlice::of(kernel, *ownership, role);
    return failure(failed(slice) || failed(verifyInstances(kernel, *ownership, *slice)) ||
                   failed(RoleCloner(builder, *slice).run(kernel)));
  };
  if (ArrayAttr roles = kernel.getRolesAttr()) {
    // The roles are written apart from the kernel: what stands in it is still the program.
    OwningOpRef<tile::RolesOp> all = [&] {
      OpBuilder detached(kernel.getContext());
      return tile::RolesOp::create(detached, kernel.getLoc());
    }();
    Block &side = all->getBody().emplaceBlock();
    for (auto role : roles.getAsRange<tile::RoleAttr>()) {
      builder.setInsertionPointToEnd(&side);
      auto created = tile::RoleOp::create(builder, kernel.getLoc(), role.getName());
      builder.setInsertionPointToEnd(&created.getBody().emplaceBlock());
      if (failed(writeRole(role.getName())))
        return failure();
      tile::EndOp::create(builder, kernel.getLoc());
    }
    builder.setInsertionPointToEnd(&side);
    tile::EndOp::create(builder, kernel.getLoc());
    builder.setInsertionPoint(body.getTerminator());
    builder.insert(all.release());
  } else if (failed(writeRole({}))) {
    return failure();
  }
  for (Operation *op : llvm::reverse(program))
    op->erase();
  kernel.setForm(tile::Form::Scheduled);
  return success();
}

} // namespace

} // namespace tilewright
