// SPDX-License-Identifier: Apache-2.0

#include "compiler/mutation/Matches.h"

using namespace mlir;

namespace tilewright::mutation {

static bool isTop(Operation *op) { return isa<sm90::KernelOp>(op->getParentOp()); }

/// The barrier after the initialisations: of the CTA, or the arrival at that of the cluster.
static bool isInitBarrier(Operation *op) {
  return isa<sm90::CtaSyncOp, sm90::ClusterArriveOp>(op) && isTop(op) &&
         !previousOf<sm90::CtaSyncOp, sm90::ClusterArriveOp>(op) &&
         findInKernel(op, llvm::IsaPred<sm90::MbarrierInitOp>);
}

static bool isClusterInit(Operation *op) {
  return isInitBarrier(op) && isa<sm90::ClusterArriveOp>(op);
}

/// The arrival at the barrier with which a cluster ends.
static bool isFinalArrive(Operation *op) {
  return isa<sm90::ClusterArriveOp>(op) && isTop(op) && !isInitBarrier(op) &&
         !nextOf<sm90::ClusterArriveOp>(op);
}

static void dropWithWait(Operation *op) {
  if (Operation *wait = nextOf<sm90::ClusterWaitOp>(op); wait && isa<sm90::ClusterArriveOp>(op))
    wait->erase();
  op->erase();
}

/// The branch in which one thread initialises the barriers.
static bool isInitBranch(Operation *op) {
  auto branch = dyn_cast<scf::IfOp>(op);
  return branch && isTop(op) && holds<sm90::MbarrierInitOp>(op) &&
         branch.getCondition().getDefiningOp<arith::CmpIOp>();
}

static void addThreads(Operation *op, int64_t by) {
  auto sync = cast<sm90::BarrierSyncOp>(op);
  sync.setThreadsAttr(number(op, sync.getThreads().getValue() + by));
}

static void setId(Operation *op, int32_t id) {
  rewriteOperand(op, op->getOperand(0), [&](Build &build, Value) { return build.number(id); });
}

static const Kind kKinds[] = {
    {"drop-init-barrier", FaultClass::failsOnCard,
     "No barrier stands between the initialisation of the mbarriers and their use.",
     "Threads and peers may use barriers that are not there yet.",
     "mbarrier-init barrier-overwritten", isInitBarrier, dropWithWait},
    // tilelang issue 2644 reports a cluster whose set-up is ordered by a CTA barrier only.
    {"init-barrier-of-cta-only", FaultClass::failsOnCard,
     "A barrier of the CTA stands where the cluster's is needed.",
     "A peer's arrival or multicast may come before this CTA has initialised.",
     "mbarrier-init scope barrier-overwritten", isClusterInit,
     [](Operation *op) {
       Build::before(op).make<sm90::CtaSyncOp>();
       dropWithWait(op);
     }},
    {"init-barrier-without-wait", FaultClass::failsOnCard,
     "After the initialisation the CTAs arrive at the cluster's barrier but do not wait.",
     "The wait is what orders. The kernel's last barrier then is one phase off.",
     "mbarrier-init scope barrier-overwritten barrier-count cluster-exit deadlock", isClusterInit,
     [](Operation *op) { nextOf<sm90::ClusterWaitOp>(op)->erase(); }},
    // Fuser PR 1990: the initialisation is not predicated, all threads run it.
    {"init-by-a-warp", FaultClass::failsOnCard, "32 threads initialise the same barriers.",
     "PTX: an mbarrier that is in use may not be initialised again; the writes race.",
     "mbarrier-init barrier-overwritten race-waw", isInitBranch,
     [](Operation *op) {
       auto branch = cast<scf::IfOp>(op);
       Build build = Build::before(op);
       branch.getConditionMutable().assign(
           build.compare(arith::CmpIPredicate::slt, build.make<sm90::ThreadIdOp>(), 32));
     }},
    {"init-after-barrier", FaultClass::failsOnCard,
     "The mbarriers are initialised after the barrier that should publish them.",
     "Other threads may use them first.", "mbarrier-init barrier-overwritten",
     [](Operation *op) {
       return isInitBranch(op) && nextOf<sm90::CtaSyncOp, sm90::ClusterWaitOp>(op);
     },
     [](Operation *op) { op->moveAfter(nextOf<sm90::CtaSyncOp, sm90::ClusterWaitOp>(op)); }},
    // facebookexperimental/triton PR 1105, triton-lang/triton PR 10656.
    {"drop-final-cluster-barrier", FaultClass::failsOnCard,
     "The CTAs of a cluster end without waiting for each other.",
     "A peer's arrival may come to a CTA that is gone.", "cluster-exit", isFinalArrive,
     dropWithWait},
    {"drop-final-cluster-wait", FaultClass::failsOnCard,
     "The CTAs of a cluster arrive at the last barrier but do not wait.",
     "A peer's arrival may come to a CTA that is gone.", "cluster-exit barrier-count",
     isFinalArrive, [](Operation *op) { nextOf<sm90::ClusterWaitOp>(op)->erase(); }},
    {"final-barrier-of-cta-only", FaultClass::failsOnCard,
     "A barrier of the CTA stands where the cluster's is needed.",
     "A peer's arrival may come to a CTA that is gone.", "cluster-exit", isFinalArrive,
     [](Operation *op) {
       Build::before(op).make<sm90::CtaSyncOp>();
       dropWithWait(op);
     }},
    // TileOps PR 1550.
    {"drop-barrier-before-staging", FaultClass::failsOnCard,
     "The warpgroup writes the staging without meeting the thread that waited for the store.",
     "127 threads write while the store may still read.", "race-war write-in-flight",
     isBarrierBeforeStaging, drop},
    // TileOps PR 1574: a store read a half-written tile on a few launches of a hundred.
    {"drop-barrier-after-staging", FaultClass::failsOnCard,
     "The store is issued without meeting the threads that wrote the staging.",
     "The store may read a half-written tile.", "race-raw proxy-fence uninitialised-read",
     isBarrierAfterStaging, drop},
    // PTX, bar: the count is a multiple of the warp size and includes every thread that comes.
    {"barrier-count-high", FaultClass::failsOnCard,
     "A named barrier expects a warp more than comes.", "Nobody ever passes.",
     "deadlock barrier-count", isStagingBarrier, [](Operation *op) { addThreads(op, 32); }},
    {"barrier-count-low", FaultClass::failsOnCard,
     "A named barrier expects a warp fewer than comes.",
     "It opens early, and the last warp is taken for the first of the next round.",
     "deadlock barrier-count race-raw race-war proxy-fence write-in-flight uninitialised-read "
     "count-mismatch",
     isStagingBarrier, [](Operation *op) { addThreads(op, -32); }},
    // PTX: 16 barriers, 0 to 15. facebookexperimental/triton PR 668 is about ids that wrap around.
    {"barrier-id-too-large", FaultClass::failsOnCard, "A named barrier has the id 16.",
     "There are 16, from 0.", "barrier-count", isStagingBarrier,
     [](Operation *op) { setId(op, 16); }},
    {"barrier-id-shared", FaultClass::failsOnCard, "All warpgroups meet at the same named barrier.",
     "Half of one warpgroup and half of another make a round.",
     "barrier-count race-raw race-war proxy-fence write-in-flight deadlock uninitialised-read "
     "count-mismatch",
     [](Operation *op) {
       return isBarrierBeforeStaging(op) && consumers(op) > 1 && constantOf(op->getOperand(0)) < 0;
     },
     [](Operation *op) {
       forAllInKernel(op, isStagingBarrier, [](Operation *each) { setId(each, 1); });
     }},
    // vLLM PR 26026: arrive stood where arrive-and-wait was needed.
    {"barrier-arrive-for-sync", FaultClass::failsOnCard,
     "The warpgroup arrives at a named barrier but does not wait.", "It orders nothing.",
     "race-raw race-war proxy-fence write-in-flight barrier-count deadlock uninitialised-read "
     "count-mismatch",
     isStagingBarrier,
     [](Operation *op) {
       auto sync = cast<sm90::BarrierSyncOp>(op);
       Build::before(op).make<sm90::BarrierArriveOp>(sync.getId(), sync.getThreadsAttr());
       op->erase();
     }},
    {"barrier-skipped-by-warp", FaultClass::failsOnCard,
     "Warp 3 of each warpgroup does not come to a named barrier.", "Nobody ever passes.",
     "deadlock barrier-count race-raw race-war proxy-fence write-in-flight count-mismatch "
     "uninitialised-read",
     isStagingBarrier, [](Operation *op) { guard(op, Build::before(op).groupWarpIsNot(3)); }},
    // PTX, setmaxnreg: inc blocks until the CTA's pool has enough registers.
    {"registers-too-many", FaultClass::failsOnCard,
     "The consumers ask for 8 registers more than the pool has for them.",
     "The last warpgroup waits for ever.", "register-budget deadlock",
     [](Operation *op) {
       auto inc = dyn_cast<sm90::SetmaxnregIncOp>(op);
       return inc && inc.getRegisters().getValue() + 8 <= 256;
     },
     [](Operation *op) {
       auto inc = cast<sm90::SetmaxnregIncOp>(op);
       inc.setRegistersAttr(number(op, inc.getRegisters().getValue() + 8));
     }},
    {"drop-register-release", FaultClass::failsOnCard,
     "The producer's warpgroup keeps its registers.", "The consumers' request is never granted.",
     "register-budget deadlock", [](Operation *op) { return isa<sm90::SetmaxnregDecOp>(op); },
     drop},
    {"register-release-by-one-warp", FaultClass::failsOnCard,
     "Only the warp that loads gives its registers back.",
     "PTX: all warps of the warpgroup run setmaxnreg. The request is never granted.",
     "register-budget deadlock divergent-warp",
     [](Operation *op) { return isa<sm90::SetmaxnregDecOp>(op); },
     [](Operation *op) { guard(op, Build::before(op).groupWarpIs(0)); }},
};

ArrayRef<Kind> barrierKinds() { return kKinds; }

} // namespace tilewright::mutation
