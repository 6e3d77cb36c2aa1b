// SPDX-License-Identifier: Apache-2.0

#include "compiler/mutation/Matches.h"

using namespace mlir;

namespace tilewright::mutation {

static bool isStore(Operation *op) { return isa<sm90::TmaStoreOp>(op); }

static bool isGuardedStore(Operation *op) { return isStore(op) && branchOf(op); }

static void setCondition(Operation *op, llvm::function_ref<Value(Build &)> condition) {
  scf::IfOp branch = branchOf(op);
  Build build = Build::before(branch);
  branch.getConditionMutable().assign(condition(build));
}

static bool writesStaging(Operation *op) {
  return isa<sm90::StmatrixOp, sm90::StSharedV2Op, sm90::StSharedV4Op, sm90::StSharedOp>(op);
}

static void addToCoordinate(Operation *op, unsigned dimension, int32_t by) {
  OpOperand &coordinate = cast<sm90::TmaStoreOp>(op).getCoordinatesMutable()[dimension];
  coordinate.set(Build::before(op).add(coordinate.get(), by));
}

/// How many of a pair lie inside: the operand of pairs that go to or come from global memory.
static OpOperand *countOf(Operation *op) {
  if (auto load = dyn_cast<sm90::LdGlobalPairOp>(op))
    return &load.getCountMutable();
  if (auto store = dyn_cast<sm90::StGlobalPairOp>(op))
    return &store.getCountMutable();
  return nullptr;
}

static bool isPairLoad(Operation *op) {
  return isa<sm90::LdGlobalPairOp>(op) && constantOf(countOf(op)->get()) < 0;
}

static bool isPairStore(Operation *op) {
  return isa<sm90::StGlobalPairOp>(op) && constantOf(countOf(op)->get()) < 0;
}

static void setCount(Operation *op, llvm::function_ref<Value(Build &, Value)> count) {
  OpOperand *operand = countOf(op);
  Build build = Build::before(op);
  operand->set(count(build, operand->get()));
}

static void inside(Operation *op) {
  setCount(op, [](Build &build, Value) { return build.number(2); });
}

static bool hasRowGuard(Operation *op) {
  OpOperand *count = countOf(op);
  return count && count->get().getDefiningOp<arith::SelectOp>();
}

static bool isOwnStaging(Operation *op) {
  auto sum = dyn_cast<arith::AddIOp>(op);
  return sum && sum.getRhs().getDefiningOp<arith::MulIOp>() && consumers(op) > 1 &&
         llvm::all_of(op->getUsers(), llvm::IsaPred<sm90::SlotAtOp>) && !op->use_empty();
}

static const Kind kKinds[] = {
    {"store-by-another-thread", FaultClass::failsOnCard,
     "One thread stores, another waits for the stores.",
     "Bulk groups belong to a thread: the wait passes at once.",
     "race-war write-in-flight pending-at-exit", isGuardedStore,
     [](Operation *op) {
       setCondition(op, [](Build &build) {
         return build.compare(arith::CmpIPredicate::eq, build.groupThread(), 64);
       });
     }},
    {"store-by-a-warp", FaultClass::failsOnCard, "All lanes of a warp store what one should.",
     "31 of them wait for nothing: the staging is written while they read it.",
     "race-war write-in-flight pending-at-exit global-race", isGuardedStore,
     [](Operation *op) { setCondition(op, [](Build &build) { return build.groupWarpIs(0); }); }},
    {"store-before-barrier", FaultClass::failsOnCard,
     "The store is issued before the warpgroup has met.", "It may read a half-written tile.",
     "race-raw proxy-fence uninitialised-read write-in-flight race-war",
     [](Operation *op) {
       return isGuardedStore(op) && previousOf<sm90::BarrierSyncOp>(branchOf(op));
     },
     [](Operation *op) {
       scf::IfOp branch = branchOf(op);
       branch->moveBefore(previousOf<sm90::BarrierSyncOp>(branch));
     }},
    {"drop-store", FaultClass::failsOnCard, "A tile is not stored.",
     "The result lacks it; a reduction reads what nobody wrote.", "output uninitialised-read",
     isStore, drop},
    {"store-column-off", FaultClass::failsOnCard, "A tile is stored 8 columns too far.",
     "It overlaps its neighbour, unordered, and leaves columns unwritten.",
     "output global-race uninitialised-read", isStore,
     [](Operation *op) { addToCoordinate(op, 0, 8); }},
    {"store-row-off", FaultClass::failsOnCard, "A tile is stored one row too low.",
     "It overlaps its neighbour, unordered, and leaves a row unwritten.",
     "output global-race uninitialised-read", isStore,
     [](Operation *op) { addToCoordinate(op, 1, 1); }},
    {"store-of-next-buffer", FaultClass::failsOnCard,
     "The store reads 2048 bytes too far into the staging.",
     "It sends rows of another warp, another buffer or another warpgroup.",
     "output race-raw proxy-fence uninitialised-read barrier-overwritten", isStore,
     [](Operation *op) {
       auto store = cast<sm90::TmaStoreOp>(op);
       rewriteOperand(op, store.getSource(),
                      [](Build &build, Value source) { return build.add(source, 2048); });
     }},
    {"slice-ignored", FaultClass::failsOnCard,
     "All slices of K store their partial result at the first one's place.",
     "They overwrite each other, unordered; the others' places are never written.",
     "global-race output uninitialised-read",
     [](Operation *op) {
       return isStore(op) && cast<sm90::TmaStoreOp>(op).getCoordinates().size() == 3;
     },
     [](Operation *op) {
       OpOperand &slice = cast<sm90::TmaStoreOp>(op).getCoordinatesMutable()[2];
       slice.set(Build::before(op).number(0));
     }},
    {"slice-left-out", FaultClass::failsOnCard, "The reduction does not add the last slice of K.",
     "A part of K is missing.", "output", isSliceLoop,
     [](Operation *op) {
       auto loop = cast<scf::ForOp>(op);
       loop.getUpperBoundMutable().assign(Build::before(op).add(loop.getUpperBound(), -1));
     }},
    {"staging-shared-by-warpgroups", FaultClass::failsOnCard,
     "Warpgroups that alternate write their tiles to the same staging.",
     "Nothing orders one's writes and the other's store.",
     "race-waw race-war race-raw write-in-flight proxy-fence", isOwnStaging,
     [](Operation *op) {
       op->getResult(0).replaceAllUsesWith(op->getOperand(0));
       op->erase();
     }},
    {"staging-swizzle", FaultClass::failsOnCard,
     "The staging is written with a swizzle of 64 bytes, the map's is 128.",
     "Chunks of the rows are permuted.", "output uninitialised-read",
     [](Operation *op) {
       auto swizzle = dyn_cast<sm90::SwizzleOp>(op);
       return swizzle && swizzle.getMode().getValue() == 128;
     },
     [](Operation *op) { cast<sm90::SwizzleOp>(op).setModeAttr(number(op, 64)); }},
    {"staging-row-missing", FaultClass::failsOnCard,
     "Warp 3 of each warpgroup does not write its rows.",
     "The store sends what was there: nothing, or the tile before.", "output uninitialised-read",
     writesStaging, [](Operation *op) { guard(op, Build::before(op).groupWarpIsNot(3)); }},
    {"staging-written-twice", FaultClass::failsOnCard,
     "Warps write the first rows of their warpgroup's tile: all the same.",
     "Four warps write the same bytes, unordered; the other rows are never written.",
     "race-waw output uninitialised-read",
     [](Operation *op) {
       auto product = dyn_cast<arith::MulIOp>(op);
       auto warp = product ? product.getLhs().getDefiningOp<arith::RemSIOp>() : nullptr;
       return warp && warp.getLhs().getDefiningOp<sm90::WarpIdOp>() &&
              constantOf(product.getRhs()) == 16 && previousOf<sm90::BarrierSyncOp>(op) &&
              nextOf<sm90::FenceProxyAsyncSharedOp>(op);
     },
     [](Operation *op) {
       op->getResult(0).replaceAllUsesWith(Build::before(op).number(0));
       op->erase();
     }},
    // flash-attention PR 2497 has the same for tails: whole vectors past the end of a tensor.
    {"load-guard-dropped", FaultClass::failsOnCard,
     "A bias or residual is read without looking whether it is there.",
     "Ragged tiles read past its end.", "global-out-of-bounds", isPairLoad, inside},
    {"load-guard-one-more", FaultClass::failsOnCard,
     "The guard of a bias or residual lets one element more through.",
     "The last tile reads past its end.", "global-out-of-bounds", isPairLoad,
     [](Operation *op) {
       setCount(op, [](Build &build, Value count) { return build.add(count, 1); });
     }},
    {"load-guard-one-less", FaultClass::failsOnCard,
     "The guard of a bias or residual stops one element early.",
     "The last column gets nothing added.", "output", isPairLoad,
     [](Operation *op) {
       setCount(op, [](Build &build, Value count) { return build.add(count, -1); });
     }},
    {"load-index-off", FaultClass::failsOnCard, "A bias or residual is read two elements too far.",
     "Every column gets its neighbour's.", "output global-out-of-bounds",
     [](Operation *op) { return isa<sm90::LdGlobalPairOp>(op); },
     [](Operation *op) {
       auto load = cast<sm90::LdGlobalPairOp>(op);
       Build build = Build::before(op);
       auto two = build.make<arith::ConstantIntOp>(build.getI64Type(), 2);
       load.getIndexMutable().assign(build.make<arith::AddIOp>(load.getIndex(), two));
     }},
    {"store-guard-dropped", FaultClass::failsOnCard,
     "A direct store writes without looking whether the element is there.",
     "Ragged tiles write past the row or the matrix.", "global-out-of-bounds global-race output",
     isPairStore, inside},
    {"row-guard-dropped", FaultClass::failsOnCard,
     "A direct access looks at its column but not at its row.",
     "Ragged tiles go past the end of the matrix.", "global-out-of-bounds", hasRowGuard,
     [](Operation *op) {
       setCount(op, [](Build &, Value count) {
         return count.getDefiningOp<arith::SelectOp>().getTrueValue();
       });
     }},
    {"store-index-off", FaultClass::failsOnCard, "A direct store writes two elements too far.",
     "Every column holds its neighbour's.", "output global-out-of-bounds global-race",
     [](Operation *op) { return isa<sm90::StGlobalPairOp>(op); },
     [](Operation *op) {
       auto store = cast<sm90::StGlobalPairOp>(op);
       Build build = Build::before(op);
       auto two = build.make<arith::ConstantIntOp>(build.getI64Type(), 2);
       store.getIndexMutable().assign(build.make<arith::AddIOp>(store.getIndex(), two));
     }},
    {"empty-sum-not-filled", FaultClass::failsOnCard,
     "The accumulator is not set to zero where K is 0.", "Its registers hold nothing.",
     "output poison uninitialised-read",
     [](Operation *op) {
       return isa<sm90::FragFillOp>(op) && branchOf(op) && !holds<scf::ForOp>(branchOf(op)) &&
              findInKernel(op, llvm::IsaPred<sm90::WgmmaCommitOp>);
     },
     drop},
};

ArrayRef<Kind> epilogueKinds() { return kKinds; }

} // namespace tilewright::mutation
