// SPDX-License-Identifier: Apache-2.0

#include "compiler/mutation/Matches.h"

using namespace mlir;

namespace tilewright::mutation {

static bool isProxyFence(Operation *op) { return isa<sm90::FenceProxyAsyncSharedOp>(op); }

static bool isWgmmaFence(Operation *op) { return isa<sm90::WgmmaFenceOp>(op); }

/// Adds 0 to a register of the accumulator at `build`: it is touched, its value stays.
static void touch(Build build, Value accumulator) {
  Value index = build.number(0);
  auto zero = build.make<arith::ConstantOp>(build.getF32FloatAttr(0));
  auto old = build.make<sm90::FragGetOp>(build.getF32Type(), accumulator, index);
  build.make<sm90::FragSetOp>(accumulator, index, build.make<arith::AddFOp>(old, zero));
}

static Value accumulatorOf(Operation *op) {
  for (Operation *fence = op; fence; fence = fence->getPrevNode())
    if (auto found = dyn_cast<sm90::WgmmaFenceOp>(fence))
      return found.getAccumulator();
  return {};
}

static const Kind kKinds[] = {
    // FlashKDA issue 24, part 2: barriers that TMA uses, initialised without a fence.
    {"drop-init-fence", FaultClass::failsOnCard,
     "The barriers are initialised without fence.mbarrier_init.",
     "PTX: the asynchronous units may not see the initialisation. Mostly luck on a card.",
     "mbarrier-init", [](Operation *op) { return isa<sm90::FenceMbarrierInitOp>(op); }, drop},
    {"init-fence-early", FaultClass::failsOnCard,
     "fence.mbarrier_init stands ahead of the initialisations.",
     "A fence orders what comes before it.", "mbarrier-init",
     [](Operation *op) {
       return isa<sm90::FenceMbarrierInitOp>(op) && previousOf<scf::ForOp>(op) &&
              holds<sm90::MbarrierInitOp>(previousOf<scf::ForOp>(op));
     },
     [](Operation *op) { op->moveBefore(&op->getBlock()->front()); }},
    // FlashKDA issue 24, part 1; Fuser PR 1967; TileOps PR 1574.
    {"drop-proxy-fence", FaultClass::failsOnCard,
     "The staging is handed to TMA without fence.proxy.async.",
     "The store may read what was there before.", "proxy-fence", isProxyFence, drop},
    {"proxy-fence-early", FaultClass::failsOnCard,
     "fence.proxy.async stands ahead of the writes that it should cover.",
     "A fence orders what comes before it.", "proxy-fence",
     [](Operation *op) { return isProxyFence(op) && previousOf<sm90::BarrierSyncOp>(op); },
     [](Operation *op) { op->moveAfter(previousOf<sm90::BarrierSyncOp>(op)); }},
    {"proxy-fence-by-one-warp", FaultClass::failsOnCard,
     "Only the warp that stores runs fence.proxy.async, ahead of the barrier.",
     "The writes of the other three warps are not fenced on any path.", "proxy-fence", isProxyFence,
     [](Operation *op) { guard(op, Build::before(op).groupWarpIs(0)); }},
    {"proxy-fence-but-one-lane", FaultClass::failsOnCard,
     "Lane 5 of each warp does not run fence.proxy.async.", "Its own writes are not fenced.",
     "proxy-fence divergent-warp", isProxyFence,
     [](Operation *op) { guard(op, Build::before(op).laneIsNot(5)); }},
    // NVIDIA/cutlass issue 2960 asks whether a barrier is not enough: it is for one proxy only.
    {"proxy-fence-as-memory-fence", FaultClass::failsOnCard,
     "fence.acq_rel.gpu stands in place of fence.proxy.async.", "It orders the generic proxy only.",
     "proxy-fence", isProxyFence,
     [](Operation *op) {
       Build::before(op).make<sm90::FenceAcqRelGpuOp>();
       op->erase();
     }},
    {"proxy-fence-of-global", FaultClass::failsOnCard,
     "fence.proxy.async.global stands in place of .shared::cta.", "It covers another state space.",
     "proxy-fence", isProxyFence,
     [](Operation *op) {
       Build::before(op).make<sm90::FenceProxyAsyncGlobalOp>();
       op->erase();
     }},
    // PTX, wgmma.fence: before the first wgmma, and after any other access to its registers.
    {"drop-wgmma-fence", FaultClass::repairedByPtxas,
     "No wgmma.fence stands ahead of a step's wgmmas.",
     "Required before the first. ptxas inserts it (C7519).", "wgmma-fence", isWgmmaFence, drop},
    {"wgmma-fence-late", FaultClass::repairedByPtxas,
     "wgmma.fence stands behind the wgmmas of its step.",
     "Required before the first. ptxas inserts it (C7519).", "wgmma-fence",
     [](Operation *op) { return isWgmmaFence(op) && nextOf<sm90::WgmmaCommitOp>(op); },
     [](Operation *op) { op->moveBefore(nextOf<sm90::WgmmaCommitOp>(op)); }},
    {"wgmma-fence-skipped-by-warp", FaultClass::repairedByPtxas,
     "Warp 2 of each warpgroup does not run wgmma.fence.",
     "PTX: all warps of the warpgroup run it.", "wgmma-fence accumulator-divergent", isWgmmaFence,
     [](Operation *op) { guard(op, Build::before(op).groupWarpIsNot(2)); }},
    {"accumulator-written-after-fence", FaultClass::repairedByPtxas,
     "An accumulator register is written between the fence and the wgmma.",
     "The fence covers what comes before it. ptxas mends it (C7517, C7519).",
     "wgmma-fence accumulator-in-flight poison", isWgmmaFence,
     [](Operation *op) { touch(Build::after(op), accumulatorOf(op)); }},
    {"accumulator-touched-in-flight", FaultClass::repairedByPtxas,
     "An accumulator register is read and written right behind the commit.",
     "PTX: undefined until a wait. ptxas inserts one (C7517).",
     "accumulator-in-flight wgmma-fence poison",
     [](Operation *op) { return isa<sm90::WgmmaCommitOp>(op) && accumulatorOf(op); },
     [](Operation *op) { touch(Build::after(op), accumulatorOf(op)); }},
    {"fragment-written-after-fence", FaultClass::repairedByPtxas,
     "A register of the A fragment is packed behind the fence.",
     "The fence has to cover fragments too. ptxas mends it (C7520).", "wgmma-fence",
     [](Operation *op) {
       auto fence = dyn_cast<sm90::WgmmaFenceOp>(op);
       return fence && fence.getA() && previousOf<sm90::FragPackOp>(op);
     },
     [](Operation *op) { previousOf<sm90::FragPackOp>(op)->moveAfter(op); }},
    {"fragment-not-in-fence", FaultClass::repairedByPtxas,
     "The fence does not name the A fragment.",
     "Nothing ties the packing to a place before the fence.", "wgmma-fence",
     [](Operation *op) {
       auto fence = dyn_cast<sm90::WgmmaFenceOp>(op);
       return fence && fence.getA();
     },
     [](Operation *op) { cast<sm90::WgmmaFenceOp>(op).getAMutable().clear(); }},
};

ArrayRef<Kind> fenceKinds() { return kKinds; }

} // namespace tilewright::mutation
