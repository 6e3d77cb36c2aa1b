// SPDX-License-Identifier: Apache-2.0

#include "compiler/mutation/Matches.h"

using namespace mlir;

namespace tilewright::mutation {

static bool isExpect(Operation *op) { return isa<sm90::MbarrierArriveExpectTxOp>(op); }

static void changeBytes(Operation *op, int32_t by) {
  rewriteOperand(op, cast<sm90::MbarrierArriveExpectTxOp>(op).getBytes(),
                 [&](Build &build, Value bytes) { return build.add(bytes, by); });
}

static void changeCount(Operation *op, int32_t by) {
  rewriteOperand(op, cast<sm90::MbarrierInitOp>(op).getCount(),
                 [&](Build &build, Value count) { return build.add(count, by); });
}

static void twice(Operation *op) { Build::after(op).clone(*op); }

/// The wait whose groups a release rests on, in the block of the release's branch.
static Operation *waitBefore(Operation *release) {
  scf::IfOp branch = branchOf(release);
  return branch ? previousOf<sm90::WgmmaWaitOp>(branch) : nullptr;
}

/// The wait for bytes in the loop that a release stands in.
static Operation *fullWaitBeside(Operation *release) {
  scf::IfOp branch = branchOf(release);
  if (!branch)
    return nullptr;
  for (Operation &op : *branch->getBlock())
    if (isFullWait(&op))
      return &op;
  return nullptr;
}

static void setRank(Operation *op, llvm::function_ref<Value(Build &)> rank) {
  Build build = Build::before(op);
  cast<sm90::MbarrierArriveRemoteOp>(op).getRankMutable().assign(rank(build));
}

/// The branch in which one lane of a warp fills the ring.
static bool isElectedProducer(Operation *op) {
  auto branch = dyn_cast<scf::IfOp>(op);
  return branch && branch.getCondition().getDefiningOp<sm90::ElectOneOp>() &&
         holds<sm90::MbarrierArriveExpectTxOp>(op);
}

// Releases and commits that come too early: see the note in Waits.cpp.
static const Kind kKinds[] = {
    {"drop-release", FaultClass::failsOnCard, "A consumer does not give a stage back.",
     "The producer waits for ever, once the ring has wrapped.", "deadlock count-mismatch",
     isRelease, drop},
    {"release-twice", FaultClass::failsOnCard, "A consumer gives a stage back twice.",
     "A phase completes with an arrival missing, or has one too many.",
     "over-arrival race-war write-in-flight count-mismatch deadlock", isRelease, twice},
    {"release-by-all-threads", FaultClass::failsOnCard,
     "All threads of a warpgroup give the stage back, where one should.",
     "More arrivals than the barrier expects; the stage is refilled under its readers.",
     "over-arrival race-war write-in-flight read-in-flight",
     [](Operation *op) {
       scf::IfOp branch = branchOf(op);
       return isa<sm90::MbarrierArriveOp>(op) && isRelease(op) && branch &&
              branch.getCondition().getDefiningOp<arith::AndIOp>();
     },
     [](Operation *op) {
       scf::IfOp branch = branchOf(op);
       auto condition = branch.getCondition().getDefiningOp<arith::AndIOp>();
       branch.getConditionMutable().assign(condition.getLhs());
     }},
    {"release-before-wait", FaultClass::failsOnCard,
     "A stage is given back before the wait for the wgmmas that read it.",
     "TMA may overwrite an operand that is being read.",
     "race-war write-in-flight race-raw wrong-phase-wait",
     [](Operation *op) { return isRelease(op) && waitBefore(op); },
     [](Operation *op) { waitBefore(op)->moveAfter(branchOf(op)); }},
    {"release-current-stage", FaultClass::failsOnCard,
     "A consumer gives back the stage that it is reading instead of the one that it has read.",
     "TMA may overwrite an operand that is being read.",
     "race-war write-in-flight race-raw wrong-phase-wait over-arrival deadlock",
     [](Operation *op) {
       return isRelease(op) && fullWaitBeside(op) && cursorOf(op->getOperand(0)) &&
              cursorOf(op->getOperand(0)) != cursorOf(fullWaitBeside(op)->getOperand(0));
     },
     [](Operation *op) {
       op->getOperand(0).getDefiningOp()->setOperand(1,
                                                     cursorOf(fullWaitBeside(op)->getOperand(0)));
     }},
    {"release-next-stage", FaultClass::failsOnCard,
     "A consumer arrives at the barrier of the stage after the one that it has read.",
     "One stage is overwritten early, another never comes back.",
     "race-war write-in-flight over-arrival deadlock mbarrier-init shared-out-of-bounds "
     "barrier-overwritten",
     isRelease,
     [](Operation *op) {
       rewriteOperand(op, op->getOperand(0),
                      [](Build &build, Value barrier) { return build.add(barrier, 8); });
     }},
    {"release-at-full", FaultClass::failsOnCard,
     "A consumer arrives at the full barrier of the stage instead of the empty one.",
     "The full barrier gets arrivals that it does not expect; the producer starves.",
     "over-arrival deadlock race-raw read-in-flight tx-wrong-phase",
     [](Operation *op) {
       return isRelease(op) && op->getOperand(0).getDefiningOp<sm90::BarrierAtOp>() &&
              findInKernel(op, isFullWait);
     },
     [](Operation *op) {
       Value full = arrayOf(findInKernel(op, isFullWait)->getOperand(0));
       op->getOperand(0).getDefiningOp()->setOperand(0, full);
     }},
    {"release-at-home-only", FaultClass::failsOnCard,
     "Of a multicast tile, a consumer tells only its own CTA that it is done.",
     "Each CTA waits for the arrivals of its peers, and refills their slots.",
     "deadlock over-arrival race-war race-waw", isRemoteRelease,
     [](Operation *op) {
       setRank(op, [](Build &build) -> Value { return build.make<sm90::ClusterRankOp>(); });
     }},
    {"release-at-first-only", FaultClass::failsOnCard,
     "All arrivals of the cluster go to its first CTA.",
     "The first gets too many, the others none.", "deadlock over-arrival race-war write-in-flight",
     isRemoteRelease,
     [](Operation *op) { setRank(op, [](Build &build) { return build.number(0); }); }},
    {"release-at-peer-twice", FaultClass::failsOnCard,
     "A consumer tells a peer twice and its own CTA not at all: the counts are right.",
     "A stage comes back before the CTA that holds it has read it.",
     "race-war race-waw write-in-flight over-arrival deadlock",
     [](Operation *op) { return isRemoteRelease(op) && clusterSize(op) == 2; },
     [](Operation *op) {
       setRank(op, [](Build &build) -> Value {
         return build.make<arith::XOrIOp>(build.make<sm90::ClusterRankOp>(), build.number(1));
       });
     }},
    {"drop-expect-tx", FaultClass::failsOnCard, "The producer arrives without announcing bytes.",
     "The phase completes at once, before the bytes have landed.",
     "tx-underflow tx-wrong-phase read-in-flight race-raw uninitialised-read", isExpect,
     [](Operation *op) {
       Build::before(op).make<sm90::MbarrierArriveOp>(op->getOperand(0));
       op->erase();
     }},
    {"drop-producer-arrive", FaultClass::failsOnCard,
     "The producer issues the loads without arriving.",
     "The full barrier waits for an arrival that nobody makes.",
     "deadlock tx-underflow tx-wrong-phase", isExpect, drop},
    {"expect-twice", FaultClass::failsOnCard, "The producer arrives and announces twice.",
     "The barrier expects one arrival.", "over-arrival deadlock", isExpect, twice},
    {"tx-bytes-short", FaultClass::failsOnCard,
     "The producer announces 1024 bytes fewer than the loads bring.",
     "The phase completes before the last bytes, or with them never.",
     "tx-underflow tx-wrong-phase read-in-flight race-raw count-mismatch deadlock", isExpect,
     [](Operation *op) { changeBytes(op, -1024); }},
    // A box that is partly out of bounds still counts whole: announcing what lies inside hangs.
    {"tx-bytes-long", FaultClass::failsOnCard,
     "The producer announces 1024 bytes more than the loads bring.", "The phase never completes.",
     "deadlock", isExpect, [](Operation *op) { changeBytes(op, 1024); }},
    {"arrival-count-high", FaultClass::failsOnCard,
     "A barrier expects one arrival more than it gets.", "Its phase never completes.",
     "deadlock count-mismatch", [](Operation *op) { return isa<sm90::MbarrierInitOp>(op); },
     [](Operation *op) { changeCount(op, 1); }},
    {"arrival-count-low", FaultClass::failsOnCard,
     "A barrier expects one arrival fewer than it gets.", "A phase completes too early.",
     "over-arrival barrier-count race-war write-in-flight tx-wrong-phase",
     [](Operation *op) {
       auto init = dyn_cast<sm90::MbarrierInitOp>(op);
       return init && constantOf(init.getCount()) > 1;
     },
     [](Operation *op) { changeCount(op, -1); }},
    // PTX, mbarrier.init: the count lies between 1 and 2^20 - 1. NVRTC 13.0 ends with a
    // segmentation fault on this one.
    {"arrival-count-zero", FaultClass::failsOnCard, "A barrier expects no arrival at all.",
     "PTX: the count is at least 1.", "mbarrier-init barrier-count over-arrival",
     [](Operation *op) {
       auto init = dyn_cast<sm90::MbarrierInitOp>(op);
       return init && constantOf(init.getCount()) == 1;
     },
     [](Operation *op) { changeCount(op, -1); }},
    {"arrival-count-without-peers", FaultClass::failsOnCard,
     "The empty barriers expect only the arrivals of their own CTA.",
     "A multicast overwrites what a peer still reads.",
     "over-arrival race-war write-in-flight deadlock",
     [](Operation *op) {
       auto init = dyn_cast<sm90::MbarrierInitOp>(op);
       return init && isEmpty(init.getBarrier()) && clusterSize(op) > 1 &&
              constantOf(init.getCount()) % clusterSize(op) == 0;
     },
     [](Operation *op) {
       auto init = cast<sm90::MbarrierInitOp>(op);
       int64_t count = constantOf(init.getCount()) / clusterSize(op);
       rewriteOperand(op, init.getCount(), [&](Build &build, Value) {
         return build.number(static_cast<int32_t>(count));
       });
     }},
    // Fuser PR 1990 asks what happens where code for one thread is run by all.
    {"all-lanes-produce", FaultClass::failsOnCard,
     "All lanes of the producer warp issue what one should.",
     "32 arrivals where the barrier expects one.",
     "over-arrival tx-underflow race-waw write-in-flight", isElectedProducer,
     [](Operation *op) {
       auto branch = cast<scf::IfOp>(op);
       branch.getConditionMutable().assign(Build::before(op).truth(true));
     }},
    {"drop-wgmma-commit", FaultClass::failsOnCard, "The wgmmas of a step are not committed.",
     "No wait covers them: the stage is released and the accumulator read while they run. ptxas "
     "prints nothing.",
     "accumulator-in-flight race-war race-raw wrong-phase-wait write-in-flight pending-at-exit "
     "poison",
     [](Operation *op) { return isa<sm90::WgmmaCommitOp>(op); }, drop},
    {"wgmma-commit-early", FaultClass::failsOnCard,
     "The commit stands ahead of the wgmmas of its step.",
     "Each wait covers the step before the one that it should.",
     "accumulator-in-flight race-war race-raw wrong-phase-wait write-in-flight pending-at-exit "
     "poison",
     [](Operation *op) {
       return isa<sm90::WgmmaCommitOp>(op) && previousOf<sm90::WgmmaFenceOp>(op);
     },
     [](Operation *op) { op->moveAfter(previousOf<sm90::WgmmaFenceOp>(op)); }},
    {"drop-bulk-commit", FaultClass::failsOnCard, "The stores are not committed.",
     "No wait covers them.", "race-war write-in-flight pending-at-exit",
     [](Operation *op) { return isa<sm90::BulkCommitOp>(op); }, drop},
    {"bulk-commit-early", FaultClass::failsOnCard, "The commit stands ahead of its store.",
     "Each wait covers the store before.", "race-war write-in-flight pending-at-exit",
     [](Operation *op) {
       return isa<sm90::BulkCommitOp>(op) && previousOf<sm90::TmaStoreOp, sm90::TmaReduceAddOp>(op);
     },
     [](Operation *op) { op->moveBefore(previousOf<sm90::TmaStoreOp, sm90::TmaReduceAddOp>(op)); }},
};

ArrayRef<Kind> arrivalKinds() { return kKinds; }

} // namespace tilewright::mutation
