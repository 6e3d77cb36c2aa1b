// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/Passes.h"

#include "mlir/Analysis/Liveness.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tilewright {

#define GEN_PASS_DEF_TILEPLANREGISTERS
#include "compiler/passes/Passes.h.inc"

namespace {

/// Addresses, cursors, coordinates and temporaries, from measured kernels: of a role that computes
/// on tiles, and of one that only waits and copies.
constexpr int64_t kComputeScalars = 40;
constexpr int64_t kCopyScalars = 24;

/// 32-bit registers that one thread spends on a value.
int64_t registersOf(Value value) {
  RankedTensorType tile =
      isa<tile::SlotType>(value.getType()) ? RankedTensorType() : tile::tileOf(value.getType());
  if (!tile || !tile::isRegisterTile(tile))
    return 0;
  std::optional<tile::FragmentLayout> layout = tile::fragmentLayoutOf(tile);
  int64_t registers = layout->registersPerThread();
  bool packed = layout->elementsPerRegister() == 1 && tile.getElementTypeBitWidth() == 16;
  return packed ? llvm::divideCeil(registers, 2) : registers;
}

/// Values that name registers of another one: what a dot accumulates in place, a loop carries, an
/// extract shows.
Value storageOf(Value value) {
  while (true) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (!loop || argument == loop.getInductionVar())
        return value;
      value = loop.getTiedLoopInit(argument)->get();
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (auto dot = dyn_cast<tile::DotStartOp>(op))
      value = dot.getAcc();
    else if (auto wait = dyn_cast<tile::DotWaitOp>(op))
      value = wait.getPending();
    else if (auto retire = dyn_cast<tile::DotRetireOp>(op))
      value = retire.getPending();
    else if (auto extract = dyn_cast<tile::ExtractOp>(op))
      value = extract.getValue();
    else if (auto loop = dyn_cast<scf::ForOp>(op))
      value = loop.getInits()[cast<OpResult>(value).getResultNumber()];
    else
      return value;
  }
}

struct PlanRegisters : impl::TilePlanRegistersBase<PlanRegisters> {
  void runOnOperation() override {
    tile::KernelOp kernel = getOperation();
    Builder builder(&getContext());
    WalkResult result = kernel.walk([&](tile::RoleOp role) -> WalkResult {
      int64_t tiles = peak(role), scalars = tiles ? kComputeScalars : kCopyScalars;
      int64_t estimate = scalars + tiles;
      role->setAttr("register_estimate", builder.getI64IntegerAttr(estimate));
      int64_t budget = kernel.findRole(role.getRole()).getRegs();
      // The estimate counts whole tiles; ptxas keeps parts of them, so a quarter over is let
      // through.
      if (budget && 4 * estimate > 5 * budget)
        return role.emitOpError() << "needs about " << estimate << " registers a thread ("
                                  << scalars << " for scalars), @" << role.getRole() << " has "
                                  << budget
                                  << "; use smaller tiles, more warpgroups or a narrower subtile";
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

  /// Most registers that the role's tiles hold at any op.
  static int64_t peak(tile::RoleOp role) {
    Liveness liveness(role);
    int64_t most = 0;
    role.walk([&](Operation *op) {
      if (op == role)
        return;
      if (isa<tile::MapOp>(op->getParentOp()))
        return;
      llvm::SmallDenseSet<Value> storage;
      const LivenessBlockInfo *block = liveness.getLiveness(op->getBlock());
      for (Value value : block->currentlyLiveValues(op))
        if (registersOf(value))
          storage.insert(storageOf(value));
      int64_t sum = 0;
      for (Value value : storage)
        sum += registersOf(value);
      most = std::max(most, sum);
    });
    return most;
  }
};

} // namespace

} // namespace tilewright
