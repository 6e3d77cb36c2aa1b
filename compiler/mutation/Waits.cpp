// SPDX-License-Identifier: Apache-2.0

#include "compiler/mutation/Matches.h"

using namespace mlir;

namespace tilewright::mutation {

static Value barrierOf(Operation *op) { return cast<sm90::MbarrierWaitParityOp>(op).getBarrier(); }

static Value parityOf(Operation *op) { return cast<sm90::MbarrierWaitParityOp>(op).getParity(); }

static void flipParity(Operation *op) {
  rewriteOperand(op, parityOf(op), [](Build &build, Value parity) -> Value {
    return build.make<arith::XOrIOp>(parity, build.number(1));
  });
}

/// Lets one more group be under way.
static void weaken(Operation *op) {
  if (auto wait = dyn_cast<sm90::WgmmaWaitOp>(op))
    wait.setOutstandingAttr(number(op, wait.getOutstanding().getValue() + 1));
  else if (auto read = dyn_cast<sm90::BulkWaitReadOp>(op))
    read.setOutstandingAttr(number(op, read.getOutstanding().getValue() + 1));
}

/// A wait in the loop over steps that does its work: with a release after it.
static bool isReleasingWait(Operation *op) {
  return isGroupWait(op) && isa_and_nonnull<scf::ForOp>(op->getParentOp()) && nextOf<scf::IfOp>(op);
}

static bool isBranchOfStagingWait(Operation *op) {
  return isStagingWait(op) && branchOf(op) && isa<sm90::BulkWaitReadOp>(op);
}

// Where a stage is released too early, the finding depends on where the slowest warp is: it has
// issued its wgmma (race-war), it issues it after the stage has been filled again (race-raw), or it
// has yet to wait for the stage's phase and never sees it (wrong-phase-wait).
static const Kind kKinds[] = {
    {"drop-full-wait", FaultClass::failsOnCard,
     "A consumer does not wait for the bytes of its stage.",
     "wgmma reads what TMA may not have written yet.",
     "race-raw read-in-flight uninitialised-read poison", isFullWait, drop},
    {"drop-empty-wait", FaultClass::failsOnCard,
     "The producer does not wait for room before it fills a stage again.",
     "TMA writes into tiles that wgmma still reads, once the ring has wrapped.",
     "race-war race-waw write-in-flight over-arrival tx-wrong-phase", isEmptyWait, drop},
    // Fuser PR 4524: the predicate around a parity wait came out wrong for several warpgroups.
    {"full-wait-skipped-by-warp", FaultClass::failsOnCard,
     "Warp 3 of each warpgroup does not wait for the bytes.",
     "All warps of a wgmma need the order: it may start before the bytes are there.",
     "race-raw read-in-flight uninitialised-read poison", isFullWait,
     [](Operation *op) { guard(op, Build::before(op).groupWarpIsNot(3)); }},
    {"full-wait-skipped-by-lane", FaultClass::failsOnCard,
     "Lane 17 of each warp does not wait for the bytes.",
     "PTX orders by thread: what the other lanes observed is not ordered for this one.",
     "race-raw read-in-flight uninitialised-read poison divergent-warp", isFullWait,
     [](Operation *op) { guard(op, Build::before(op).laneIsNot(17)); }},
    {"full-wait-by-one-thread", FaultClass::failsOnCard,
     "One thread of each warpgroup waits for the bytes, and no barrier hands that on.",
     "127 threads issue wgmma on bytes that they have not seen arrive.",
     "race-raw read-in-flight uninitialised-read poison divergent-warp", isFullWait,
     [](Operation *op) {
       Build build = Build::before(op);
       guard(op, build.compare(arith::CmpIPredicate::eq, build.groupThread(), 0));
     }},
    {"full-wait-after-use", FaultClass::failsOnCard,
     "The wait for the bytes stands behind the wgmmas that read them.",
     "wgmma reads what TMA may not have written yet.",
     "race-raw read-in-flight uninitialised-read poison",
     [](Operation *op) { return isFullWait(op) && nextOf<sm90::WgmmaCommitOp>(op); },
     [](Operation *op) { op->moveAfter(nextOf<sm90::WgmmaCommitOp>(op)); }},
    {"empty-wait-after-load", FaultClass::failsOnCard,
     "The producer waits for room only after it has issued the loads.",
     "TMA writes into tiles that wgmma still reads, once the ring has wrapped.",
     "race-war race-waw write-in-flight over-arrival tx-wrong-phase",
     [](Operation *op) {
       return isEmptyWait(op) && nextOf<sm90::TmaLoadOp, sm90::TmaLoadMulticastOp>(op);
     },
     [](Operation *op) {
       Operation *last = op;
       while (Operation *next = nextOf<sm90::TmaLoadOp, sm90::TmaLoadMulticastOp>(last))
         last = next;
       op->moveAfter(last);
     }},
    {"full-wait-next-stage", FaultClass::failsOnCard,
     "A consumer waits at the barrier of the next stage.",
     "That stage may be older or younger than the one that is read.",
     "race-raw read-in-flight uninitialised-read poison deadlock wrong-phase-wait "
     "shared-out-of-bounds mbarrier-init over-arrival",
     isFullWait,
     [](Operation *op) {
       rewriteOperand(op, barrierOf(op),
                      [](Build &build, Value barrier) { return build.add(barrier, 8); });
     }},
    // tilelang PR 3087: a wait asked for a parity that had completed long ago.
    {"full-wait-phase-swapped", FaultClass::failsOnCard, "A consumer waits for the other parity.",
     "The first waits pass at once, before anything has been loaded.",
     "race-raw read-in-flight uninitialised-read poison wrong-phase-wait deadlock", isFullWait,
     flipParity},
    {"empty-wait-phase-swapped", FaultClass::failsOnCard,
     "The producer waits for the other parity.",
     "Its first wait is for a release that nobody makes before the first load.", "deadlock",
     isEmptyWait, flipParity},
    // tilelang PR 2674: the phase started again with each tile of a persistent loop.
    {"full-wait-phase-fixed", FaultClass::failsOnCard, "A consumer waits for parity 0 for ever.",
     "Right for the first turn of the ring only.",
     "race-raw read-in-flight race-war poison wrong-phase-wait deadlock over-arrival", isFullWait,
     [](Operation *op) {
       rewriteOperand(op, parityOf(op), [](Build &build, Value) { return build.number(0); });
     }},
    {"empty-wait-phase-fixed", FaultClass::failsOnCard, "The producer waits for parity 1 for ever.",
     "It passes at once in the first turn, and in the second once nobody has released.",
     "race-war race-waw write-in-flight over-arrival tx-wrong-phase wrong-phase-wait deadlock",
     isEmptyWait,
     [](Operation *op) {
       rewriteOperand(op, parityOf(op), [](Build &build, Value) { return build.number(1); });
     }},
    {"full-wait-phase-by-stage", FaultClass::failsOnCard,
     "A consumer takes the parity from the stage's number instead of the turn.",
     "Odd stages pass before anything has been loaded.",
     "race-raw read-in-flight uninitialised-read poison wrong-phase-wait deadlock",
     [](Operation *op) { return isFullWait(op) && cursorOf(barrierOf(op)); },
     [](Operation *op) {
       Value cursor = cursorOf(barrierOf(op));
       rewriteOperand(op, parityOf(op), [&](Build &build, Value) -> Value {
         return build.make<arith::AndIOp>(build.make<sm90::StageOp>(cursor), build.number(1));
       });
     }},
    // tilelang issue 2613: wgmma waits order only the reads of the warpgroup that waits.
    {"drop-wgmma-wait", FaultClass::failsOnCard,
     "The wait in the loop over steps is dropped: stages are released while wgmma reads them.",
     "TMA may overwrite an operand. Nothing touches registers, so ptxas has nothing to repair.",
     "race-war write-in-flight race-raw wrong-phase-wait", isReleasingWait, drop},
    {"weaken-wgmma-wait", FaultClass::failsOnCard,
     "The wait in the loop over steps lets one more group be under way.",
     "A stage is released one step too early, to warps that may still wait for it.",
     "race-war write-in-flight race-raw wrong-phase-wait", isReleasingWait, weaken},
    {"wgmma-wait-skipped-by-releaser", FaultClass::failsOnCard,
     "The warp that releases does not wait for its wgmmas; the others do.",
     "Nothing orders the release after the reads.",
     "race-war write-in-flight race-raw wrong-phase-wait accumulator-divergent", isReleasingWait,
     [](Operation *op) { guard(op, Build::before(op).groupWarpIsNot(0)); }},
    // Triton PR 8964: waits missing ahead of an access to the accumulator.
    {"drop-accumulator-wait", FaultClass::repairedByPtxas,
     "The accumulator is read without a wait for its wgmmas.",
     "PTX: undefined. ptxas sees the registers and waits (C7517).",
     "accumulator-in-flight race-war write-in-flight poison", isAccumulatorWait, drop},
    {"weaken-accumulator-wait", FaultClass::repairedByPtxas,
     "The wait for the accumulator lets one group be under way.",
     "PTX: undefined for the last step. ptxas sees the registers (C7514, C7517).",
     "accumulator-in-flight race-war write-in-flight poison", isAccumulatorWait, weaken},
    // TileOps PR 1550: the next tile was written into a staging buffer that a store still read.
    {"drop-staging-wait", FaultClass::failsOnCard,
     "The staging is written again without a wait for the store that reads it.",
     "The store may send the next tile's values.", "race-war write-in-flight", isStagingWait, drop},
    // DeepEP issue 657: wait_group 1 where there was only one group.
    {"weaken-staging-wait", FaultClass::failsOnCard,
     "The wait for the staging lets one more store be under way.",
     "The store may send the next tile's values.", "race-war write-in-flight",
     [](Operation *op) { return isStagingWait(op) && isa<sm90::BulkWaitReadOp>(op); }, weaken},
    {"staging-wait-after-barrier", FaultClass::failsOnCard,
     "The storing thread waits for its stores only after the barrier that lets the others write.",
     "127 threads write while the store may still read.", "race-war write-in-flight",
     isBranchOfStagingWait,
     [](Operation *op) {
       Operation *branch = branchOf(op);
       branch->moveAfter(nextOf<sm90::BarrierSyncOp>(branch));
     }},
    // PTX, cp.async.bulk.wait_group: it waits for the groups of the executing thread.
    {"staging-wait-by-another-thread", FaultClass::failsOnCard,
     "A thread that has stored nothing waits for the stores.",
     "Bulk groups belong to a thread: its wait passes at once.", "race-war write-in-flight",
     isBranchOfStagingWait,
     [](Operation *op) {
       scf::IfOp branch = branchOf(op);
       Build build = Build::before(branch);
       branch.getConditionMutable().assign(
           build.compare(arith::CmpIPredicate::eq, build.groupThread(), 64));
     }},
    {"drop-final-bulk-wait", FaultClass::failsOnCard,
     "The kernel ends without a wait for its last stores.",
     "Shared memory may be given away while a store reads it.", "pending-at-exit", isFinalBulkWait,
     drop},
    {"weaken-final-bulk-wait", FaultClass::failsOnCard,
     "The last wait of the kernel lets one store be under way.",
     "Shared memory may be given away while a store reads it.", "pending-at-exit",
     [](Operation *op) { return isFinalBulkWait(op) && isa<sm90::BulkWaitReadOp>(op); }, weaken},
};

ArrayRef<Kind> waitKinds() { return kKinds; }

} // namespace tilewright::mutation
