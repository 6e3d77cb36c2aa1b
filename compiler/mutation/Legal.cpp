// SPDX-License-Identifier: Apache-2.0

#include "compiler/mutation/Matches.h"

using namespace mlir;

namespace tilewright::mutation {

static void twice(Operation *op) { Build::after(op).clone(*op); }

static bool isLoad(Operation *op) { return isa<sm90::TmaLoadOp, sm90::TmaLoadMulticastOp>(op); }

static Operation *nextLoad(Operation *op) {
  return nextOf<sm90::TmaLoadOp, sm90::TmaLoadMulticastOp>(op);
}

static bool isTop(Operation *op) { return isa<sm90::KernelOp>(op->getParentOp()); }

static bool isRingAdvance(Operation *op) {
  auto advance = dyn_cast<sm90::AdvanceOp>(op);
  return advance && !previousOf<sm90::FenceProxyAsyncSharedOp>(op);
}

/// The branch in which one lane of a warp fills the ring.
static bool isElectedProducer(Operation *op) {
  auto branch = dyn_cast<scf::IfOp>(op);
  return branch && branch.getCondition().getDefiningOp<sm90::ElectOneOp>() &&
         holds<sm90::MbarrierArriveExpectTxOp>(op);
}

static bool isReleaseOfOne(Operation *op) {
  scf::IfOp branch = branchOf(op);
  auto both = branch ? branch.getCondition().getDefiningOp<arith::AndIOp>() : nullptr;
  return isa<sm90::MbarrierArriveOp>(op) && isRelease(op) && both &&
         both.getRhs().getDefiningOp<arith::CmpIOp>();
}

static const Kind kKinds[] = {
    {"extra-proxy-fence", FaultClass::legal, "A second proxy fence stands behind the first.",
     "It orders nothing new.", "",
     [](Operation *op) { return isa<sm90::FenceProxyAsyncSharedOp>(op); }, twice},
    {"full-wait-twice", FaultClass::legal, "A consumer waits twice for the same phase.",
     "The second wait passes: the phase cannot be overtaken before the release.", "", isFullWait,
     twice},
    {"wgmma-wait-stronger", FaultClass::legal,
     "The wait in the loop over steps waits for all groups.", "It waits for more.", "",
     [](Operation *op) {
       return isGroupWait(op) && cast<sm90::WgmmaWaitOp>(op).getOutstanding().getValue() > 0;
     },
     [](Operation *op) { cast<sm90::WgmmaWaitOp>(op).setOutstandingAttr(number(op, 0)); }},
    {"bulk-wait-full", FaultClass::legal,
     "A wait for the writes of the stores stands in place of one for their reads.",
     "A store writes after it has read.", "",
     [](Operation *op) { return isa<sm90::BulkWaitReadOp>(op); },
     [](Operation *op) {
       Build::before(op).make<sm90::BulkWaitOp>(
           cast<sm90::BulkWaitReadOp>(op).getOutstandingAttr());
       op->erase();
     }},
    {"bulk-wait-stronger", FaultClass::legal, "The wait for the staging waits for all stores.",
     "It waits for more.", "",
     [](Operation *op) {
       auto wait = dyn_cast<sm90::BulkWaitReadOp>(op);
       return wait && wait.getOutstanding().getValue() > 0;
     },
     [](Operation *op) { cast<sm90::BulkWaitReadOp>(op).setOutstandingAttr(number(op, 0)); }},
    // PTX, mbarrier: the tx-count may be negative while an arrival is missing.
    {"expect-after-loads", FaultClass::legal,
     "The producer announces the bytes after it has issued the loads.",
     "The missing arrival keeps the phase open.", "",
     [](Operation *op) { return isa<sm90::MbarrierArriveExpectTxOp>(op) && nextLoad(op); },
     [](Operation *op) {
       Operation *last = op;
       while (Operation *next = nextLoad(last))
         last = next;
       op->moveAfter(last);
     }},
    {"loads-swapped", FaultClass::legal, "B is loaded before A.", "Their order has no meaning.", "",
     [](Operation *op) { return isLoad(op) && nextLoad(op); },
     [](Operation *op) { op->moveAfter(nextLoad(op)); }},
    {"another-lane-produces", FaultClass::legal, "Lane 7 fills the ring, not the elected one.",
     "Any one thread may.", "", isElectedProducer,
     [](Operation *op) {
       auto branch = cast<scf::IfOp>(op);
       Build build = Build::before(op);
       branch.getConditionMutable().assign(
           build.compare(arith::CmpIPredicate::eq, build.make<sm90::LaneIdOp>(), 7));
     }},
    {"another-thread-stores", FaultClass::legal,
     "Thread 70 of a warpgroup stores, and waits for its stores.",
     "Any one thread may, if the same waits.", "",
     [](Operation *op) {
       return isa<sm90::TmaStoreOp>(op) && branchOf(op) &&
              branchOf(op).getCondition().getDefiningOp<arith::AndIOp>();
     },
     [](Operation *op) {
       Operation *leader = branchOf(op).getCondition().getDefiningOp();
       Build build = Build::after(leader);
       leader->getResult(0).replaceAllUsesWith(
           build.compare(arith::CmpIPredicate::eq, build.groupThread(), 70));
     }},
    // The group's reads end as a whole, so any of its threads may say so after its own wait.
    {"another-thread-releases", FaultClass::legal, "Thread 77 of a warpgroup gives the stage back.",
     "It has waited like all others.", "", isReleaseOfOne,
     [](Operation *op) {
       Operation *one =
           branchOf(op).getCondition().getDefiningOp<arith::AndIOp>().getRhs().getDefiningOp();
       Build build = Build::after(one);
       one->getResult(0).replaceAllUsesWith(
           build.compare(arith::CmpIPredicate::eq, build.groupThread(), 77));
     }},
    {"extra-warp-sync", FaultClass::legal, "The lanes meet ahead of the wgmmas.",
     "It orders nothing that is not ordered.", "",
     [](Operation *op) { return isa<sm90::WgmmaFenceOp>(op); },
     [](Operation *op) { Build::before(op).make<sm90::WarpSyncOp>(); }},
    {"extra-cta-sync", FaultClass::legal, "All threads meet once more ahead of the roles.",
     "It orders nothing that is not ordered.", "",
     [](Operation *op) {
       return isTop(op) && isa<sm90::CtaSyncOp, sm90::ClusterWaitOp>(op) &&
              !previousOf<sm90::CtaSyncOp, sm90::ClusterWaitOp>(op);
     },
     [](Operation *op) { Build::after(op).make<sm90::CtaSyncOp>(); }},
    {"extra-named-barrier", FaultClass::legal, "The warpgroup meets once more.",
     "It orders nothing that is not ordered.", "", isStagingBarrier, twice},
    {"named-barrier-elsewhere", FaultClass::legal, "The warpgroups meet at other named barriers.",
     "Their numbers have no meaning.", "", [](Operation *op) { return isBarrierBeforeStaging(op); },
     [](Operation *op) {
       forAllInKernel(op, isStagingBarrier, [](Operation *each) {
         rewriteOperand(each, each->getOperand(0),
                        [](Build &build, Value id) { return build.add(id, 9); });
       });
     }},
    {"drop-prefetch", FaultClass::legal, "A tensor map is not prefetched.", "A prefetch is a hint.",
     "", [](Operation *op) { return isa<sm90::PrefetchTensormapOp>(op); }, drop},
    {"prefetch-by-all", FaultClass::legal, "All threads prefetch a tensor map.",
     "A prefetch is a hint.", "",
     [](Operation *op) {
       return isa<sm90::PrefetchTensormapOp>(op) && branchOf(op) && isTop(branchOf(op));
     },
     [](Operation *op) { op->moveBefore(branchOf(op)); }},
    {"load-evict-first", FaultClass::legal, "A load asks L2 to drop its lines first.",
     "A cache policy is a hint.", "", [](Operation *op) { return isa<sm90::TmaLoadOp>(op); },
     [](Operation *op) { cast<sm90::TmaLoadOp>(op).setCache(sm90::CachePolicy::evict_first); }},
    {"ring-one-stage-shorter", FaultClass::legal,
     "Everybody takes the ring for one stage shorter than its memory.",
     "The last stage is not used.", "",
     [](Operation *op) {
       return isRingAdvance(op) && previousOf<sm90::MbarrierArriveExpectTxOp>(op) &&
              cast<sm90::AdvanceOp>(op).getStages().getValue() > 2;
     },
     [](Operation *op) {
       const int64_t stages = cast<sm90::AdvanceOp>(op).getStages().getValue();
       auto ofRing = [&](Operation *each) {
         return isRingAdvance(each) && cast<sm90::AdvanceOp>(each).getStages().getValue() == stages;
       };
       forAllInKernel(op, ofRing, [&](Operation *each) {
         cast<sm90::AdvanceOp>(each).setStagesAttr(number(each, stages - 1));
       });
     }},
    {"shared-bytes-more", FaultClass::legal,
     "The launch gives 64 bytes of shared memory more than the kernel uses.", "Nobody looks there.",
     "",
     [](Operation *op) {
       auto kernel = dyn_cast<sm90::KernelOp>(op);
       int32_t bytes = kernel ? static_cast<int32_t>(kernel.getSharedBytes().value_or(0)) : 0;
       return bytes > 0 && bytes + 64 <= 232448;
     },
     [](Operation *op) {
       auto kernel = cast<sm90::KernelOp>(op);
       kernel.setSharedBytes(*kernel.getSharedBytes() + 64);
     }},
    {"two-arrivals-to-fill", FaultClass::legal,
     "Full barriers expect two arrivals: one with the bytes, one without.",
     "The phase completes with the later one.", "",
     [](Operation *op) {
       auto init = dyn_cast<sm90::MbarrierInitOp>(op);
       return init && isFull(init.getBarrier()) && constantOf(init.getCount()) == 1;
     },
     [](Operation *op) {
       rewriteOperand(op, cast<sm90::MbarrierInitOp>(op).getCount(),
                      [](Build &build, Value) { return build.number(2); });
       forAllInKernel(op, llvm::IsaPred<sm90::MbarrierArriveExpectTxOp>, [](Operation *each) {
         Build::after(each).make<sm90::MbarrierArriveOp>(each->getOperand(0));
       });
     }},
    {"init-fence-as-proxy-fence", FaultClass::legal,
     "fence.proxy.async stands beside fence.mbarrier_init.", "It orders more.", "",
     [](Operation *op) { return isa<sm90::FenceMbarrierInitOp>(op); },
     [](Operation *op) { Build::after(op).make<sm90::FenceProxyAsyncSharedOp>(); }},
    {"cta-barrier-as-cluster-barrier", FaultClass::legal,
     "In a kernel without clusters the cluster's barrier stands in place of the CTA's.",
     "Every CTA is a cluster of one.", "",
     [](Operation *op) { return isTop(op) && isa<sm90::CtaSyncOp>(op) && clusterSize(op) == 1; },
     [](Operation *op) {
       Build build = Build::before(op);
       build.make<sm90::ClusterArriveOp>();
       build.make<sm90::ClusterWaitOp>();
       op->erase();
     }},
    // PTX, mapa: the CTA's own rank is as good as any.
    {"release-at-home-as-remote", FaultClass::legal, "A release goes to the own CTA by its rank.",
     "It is the same barrier.", "",
     [](Operation *op) { return isa<sm90::MbarrierArriveOp>(op) && isRelease(op); },
     [](Operation *op) {
       Build build = Build::before(op);
       build.make<sm90::MbarrierArriveRemoteOp>(op->getOperand(0),
                                                build.make<sm90::ClusterRankOp>());
       op->erase();
     }},
    {"multicast-to-itself", FaultClass::legal, "A load for this CTA is a multicast to it alone.",
     "It is the same load.", "",
     [](Operation *op) { return isa<sm90::TmaLoadOp>(op) && clusterSize(op) > 1; },
     [](Operation *op) {
       auto load = cast<sm90::TmaLoadOp>(op);
       Build build = Build::before(op);
       Value own = build.make<arith::ShLIOp>(build.number(1), build.make<sm90::ClusterRankOp>());
       build.make<sm90::TmaLoadMulticastOp>(load.getMap(), load.getDestination(), load.getBarrier(),
                                            own, load.getCoordinates(), load.getCache());
       op->erase();
     }},
    // PTX, wgmma.fence; NVIDIA/Fuser PR 3139: further wgmmas of one shape need no fence between.
    {"wgmma-fence-in-first-step-only", FaultClass::legal,
     "wgmma.fence is run in the first step of a tile only.",
     "The later steps' wgmmas follow on the same registers (ptxas still prints C7519).", "",
     [](Operation *op) {
       return isa<sm90::WgmmaFenceOp>(op) && isa<scf::ForOp>(op->getParentOp()) &&
              isGroupWait(nextOf<sm90::WgmmaWaitOp>(op) ? nextOf<sm90::WgmmaWaitOp>(op) : op);
     },
     [](Operation *op) {
       auto loop = cast<scf::ForOp>(op->getParentOp());
       Build build = Build::before(op);
       guard(op, build.make<arith::CmpIOp>(arith::CmpIPredicate::eq, loop.getInductionVar(),
                                           loop.getLowerBound()));
     }},
    {"extra-wgmma-fence", FaultClass::legal, "wgmma.fence is run twice.", "It orders nothing new.",
     "", [](Operation *op) { return isa<sm90::WgmmaFenceOp>(op); }, twice},
    {"slice-too-many", FaultClass::legal,
     "The reduction runs over one slice of K more than there is.",
     "Its loads are guarded: what is no slice is 0.", "", isSliceLoop,
     [](Operation *op) {
       auto loop = cast<scf::ForOp>(op);
       loop.getUpperBoundMutable().assign(Build::before(op).add(loop.getUpperBound(), 1));
     }},
    // The loads of what lies past the end of K bring zeros.
    {"slice-end-unclamped", FaultClass::legal,
     "The last slice of K runs to its full length, past the end of K, in all roles.",
     "TMA fills with zeros what is out of bounds.", "",
     [](Operation *op) {
       return isa<arith::MinSIOp>(op) && llvm::any_of(op->getUsers(), llvm::IsaPred<scf::ForOp>) &&
              findInKernel(op, llvm::IsaPred<arith::MinSIOp>) == op;
     },
     [](Operation *op) {
       forAllInKernel(
           op,
           [](Operation *each) {
             return isa<arith::MinSIOp>(each) &&
                    llvm::any_of(each->getUsers(), llvm::IsaPred<scf::ForOp>);
           },
           [](Operation *each) {
             each->getResult(0).replaceAllUsesWith(each->getOperand(0));
             each->erase();
           });
     }},
};

ArrayRef<Kind> legalKinds() { return kKinds; }

} // namespace tilewright::mutation
