// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/Elementwise.h"
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

/// Whether `value` is a zero that gives each of its users registers of its own.
bool isSharedZero(Value value) { return value.getDefiningOp<tile::ZeroOp>() && !value.hasOneUse(); }

/// The value whose registers a loop carries from `init` on: its own, or those of `init` if nothing
/// else needs them.
Value carriedStorage(scf::ForOp loop, unsigned index, Value init) {
  bool takesOver = isa<tile::PendingType>(init.getType())
                       ? !isSharedZero(init)
                       : init.hasOneUse() && !isFreeTile(init.getDefiningOp());
  return takesOver ? Value() : loop.getRegionIterArg(index);
}

/// The value that stands for the registers of `value`: a dot accumulates in place, a loop carries,
/// an extract shows those of another one.
Value storageOf(Value value) {
  while (true) {
    auto argument = dyn_cast<BlockArgument>(value);
    auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                         : value.getDefiningOp<scf::ForOp>();
    if (loop && value != loop.getInductionVar()) {
      unsigned index =
          argument ? argument.getArgNumber() - 1 : cast<OpResult>(value).getResultNumber();
      Value init = loop.getInits()[index];
      if (Value own = carriedStorage(loop, index, init))
        return own;
      value = init;
      continue;
    }
    if (argument)
      return value;
    Operation *op = value.getDefiningOp();
    if (auto dot = dyn_cast<tile::DotStartOp>(op)) {
      Value acc = dot.getAcc();
      bool inPlace = isa<tile::PendingType>(acc.getType())
                         ? !isSharedZero(acc)
                         : acc.hasOneUse() && acc.getParentBlock() == op->getBlock();
      if (!inPlace)
        return value;
      value = acc;
    } else if (auto wait = dyn_cast<tile::DotWaitOp>(op)) {
      value = wait.getPending();
    } else if (auto retire = dyn_cast<tile::DotRetireOp>(op)) {
      value = retire.getPending();
    } else if (auto extract = dyn_cast<tile::ExtractOp>(op)) {
      value = extract.getValue();
    } else {
      return value;
    }
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
      if (op == role || op->getNumRegions() || isa<tile::MapOp>(op->getParentOp()))
        return;
      llvm::SmallDenseSet<Value> storage;
      for (Value value : liveness.getLiveness(op->getBlock())->currentlyLiveValues(op))
        storage.insert(storageOf(value));
      // What lives across the loops and branches around the op lives here as well.
      for (Operation *around = op->getParentOp(); around != role; around = around->getParentOp())
        for (Value value : liveness.getLiveness(around->getBlock())->currentlyLiveValues(around))
          if (value.getDefiningOp() != around && isUsedAfter(value, around))
            storage.insert(storageOf(value));
      int64_t sum = 0;
      for (Value value : storage)
        sum += registersOf(value);
      most = std::max(most, sum);
    });
    return most;
  }

  /// Whether `value`, of the block of `around`, is used by a later op of that block.
  static bool isUsedAfter(Value value, Operation *around) {
    return llvm::any_of(value.getUsers(), [&](Operation *user) {
      Operation *here = around->getBlock()->findAncestorOpInBlock(*user);
      return here && around->isBeforeInBlock(here);
    });
  }
};

} // namespace

} // namespace tilewright
