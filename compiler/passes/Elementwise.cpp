// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/Elementwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilewright {

using namespace tile;

bool isElementwise(Operation *op) {
  return op && op->getNumResults() == 1 && op->getNumRegions() == 0 &&
         isa<RankedTensorType>(op->getResult(0).getType()) &&
         op->hasTrait<OpTrait::Elementwise>() && isMemoryEffectFree(op);
}

bool isCheapElementwise(Operation *op) {
  if (!isElementwise(op))
    return false;
  if (isa<math::AbsFOp, math::AbsIOp, math::FmaOp>(op))
    return true;
  return isa<arith::ArithDialect>(op->getDialect()) &&
         !isa<arith::DivFOp, arith::RemFOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp,
              arith::RemUIOp, arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op);
}

bool isFreeTile(Operation *op) {
  if (auto constant = dyn_cast_or_null<arith::ConstantOp>(op))
    return isa<SplatElementsAttr>(constant.getValue());
  return isa_and_nonnull<ZeroOp, SplatOp, CoordOp, BroadcastOp>(op) &&
         isa<RankedTensorType>(op->getResult(0).getType());
}

bool isDirectLoad(Operation *op) {
  auto load = dyn_cast_or_null<LoadOp>(op);
  return load && load.getVia() == Via::Direct;
}

bool isHeld(Operation *op) {
  if (auto load = dyn_cast_or_null<LoadOp>(op))
    return load.getHeld();
  return isElementwise(op) && llvm::all_of(op->getOperands(), [](Value operand) {
           return isHeld(operand.getDefiningOp());
         });
}

bool isLoop(Operation *op) { return isa<tile::ForOp, ForTilesOp, scf::ForOp, scf::WhileOp>(op); }

bool entersLoop(Operation *outer, Operation *inner) {
  for (Operation *at = inner; at->getBlock() != outer->getBlock(); at = at->getParentOp())
    if (isLoop(at->getParentOp()))
      return true;
  return false;
}

static bool isBarrier(Operation *op, Barrier barrier) {
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects = getEffectsRecursively(op);
  if (!effects)
    return true;
  return llvm::any_of(*effects, [&](const MemoryEffects::EffectInstance &effect) {
    if (!isa<MemoryEffects::Write>(effect.getEffect()))
      return false;
    return isa<GlobalMemoryResource>(effect.getResource()) ||
           (barrier == Barrier::AnyWrite && isa<SyncResource>(effect.getResource()));
  });
}

Operation *findBarrier(Operation *from, Operation *to, Barrier barrier,
                       function_ref<bool(Operation *)> passable) {
  for (Operation *at = to;; at = at->getParentOp()) {
    Block *block = at->getBlock();
    bool isHome = block == from->getBlock();
    auto begin = isHome ? std::next(from->getIterator()) : block->begin();
    bool repeats = !isHome && isLoop(block->getParentOp());
    auto end = repeats ? block->end() : at->getIterator();
    for (Operation &op : llvm::make_range(begin, end))
      if (isBarrier(&op, barrier) && !(passable && passable(&op)))
        return &op;
    if (isHome)
      return nullptr;
  }
}

void eraseDeadTiles(Operation *root) {
  root->walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>) &&
        isOpTriviallyDead(op))
      op->erase();
  });
}

} // namespace tilewright
