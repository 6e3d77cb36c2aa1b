// SPDX-License-Identifier: Apache-2.0

#include "compiler/mutation/Matches.h"

using namespace mlir;

namespace tilewright::mutation {

/// A named barrier of two warpgroups that pass the tensor cores to each other.
static bool isTurnWait(Operation *op) {
  auto sync = dyn_cast<sm90::BarrierSyncOp>(op);
  return sync && sync.getThreads().getValue() > 128;
}

static bool isPass(Operation *op) { return isa<sm90::BarrierArriveOp>(op); }

/// The pass in the loop over tiles; the other one gives warpgroup 0 the first turn.
static bool isTurnPass(Operation *op) { return isPass(op) && isa<scf::ForOp>(op->getParentOp()); }

static bool isFirstPass(Operation *op) { return isPass(op) && branchOf(op); }

/// The loop over steps that a pass follows.
static Operation *loopBefore(Operation *op) { return previousOf<scf::ForOp>(op); }

static const Kind kKinds[] = {
    // CUTLASS, OrderedSequenceBarrier: the order of ping-pong's mainloops is its whole point.
    {"drop-turn-wait", FaultClass::failsOnCard,
     "A warpgroup starts its tile without waiting for its turn.",
     "Both read the ring at once; with parities that alias, one reads the other's stages.",
     "wrong-phase-wait race-war race-raw read-in-flight over-arrival deadlock count-mismatch "
     "barrier-count write-in-flight poison",
     isTurnWait, drop},
    {"drop-turn-pass", FaultClass::failsOnCard, "A warpgroup keeps its turn.",
     "The other waits for ever.", "deadlock count-mismatch barrier-count", isTurnPass, drop},
    {"drop-first-turn", FaultClass::failsOnCard, "Nobody gives warpgroup 0 the first turn.",
     "Both wait for ever.", "deadlock", isFirstPass, drop},
    {"first-turn-twice", FaultClass::failsOnCard, "Both warpgroups give away a first turn.",
     "Both start at once, or one arrival has nobody to meet.",
     "deadlock count-mismatch barrier-count wrong-phase-wait race-war race-raw over-arrival "
     "read-in-flight write-in-flight poison",
     isFirstPass,
     [](Operation *op) {
       scf::IfOp branch = branchOf(op);
       branch.getConditionMutable().assign(Build::before(branch).truth(true));
     }},
    {"turn-passed-early", FaultClass::failsOnCard,
     "A warpgroup passes its turn before it has issued its wgmmas.",
     "Both read the ring at once; with parities that alias, one reads the other's stages.",
     "wrong-phase-wait race-war race-raw read-in-flight over-arrival deadlock count-mismatch "
     "barrier-count write-in-flight poison",
     [](Operation *op) { return isTurnPass(op) && loopBefore(op); },
     [](Operation *op) {
       // What it needs is computed right before it.
       Operation *loop = loopBefore(op);
       SmallVector<Operation *> moved;
       for (Operation *each = loop->getNextNode(); each != op; each = each->getNextNode())
         if (isa<arith::ArithDialect>(each->getDialect()) &&
             llvm::none_of(each->getOperands(),
                           [&](Value value) { return value.getDefiningOp() == loop; }))
           moved.push_back(each);
       for (Operation *each : moved)
         each->moveBefore(loop);
       op->moveBefore(loop);
     }},
    {"turn-passed-to-itself", FaultClass::failsOnCard,
     "A warpgroup passes the turn at its own barrier.", "The other waits for ever.",
     "deadlock count-mismatch barrier-count wrong-phase-wait race-war race-raw over-arrival "
     "read-in-flight write-in-flight poison",
     [](Operation *op) { return isTurnPass(op) && findInKernel(op, isTurnWait); },
     [](Operation *op) {
       Value own = findInKernel(op, isTurnWait)->getOperand(0);
       op->setOperand(0, own);
     }},
    {"turn-count-low", FaultClass::failsOnCard,
     "The barrier of a turn expects only the warpgroup that waits.",
     "It opens without the other's pass.",
     "wrong-phase-wait race-war race-raw read-in-flight over-arrival deadlock count-mismatch "
     "barrier-count write-in-flight poison",
     isTurnWait,
     [](Operation *op) { cast<sm90::BarrierSyncOp>(op).setThreadsAttr(number(op, 128)); }},
    {"cursor-jump-missing", FaultClass::failsOnCard,
     "After its tile a warpgroup does not skip the stages of the other's.",
     "It waits at stages that hold the other's data.",
     "wrong-phase-wait race-war race-raw over-arrival deadlock output read-in-flight "
     "write-in-flight count-mismatch poison",
     [](Operation *op) {
       auto advance = dyn_cast<sm90::AdvanceOp>(op);
       return advance && advance.getSteps();
     },
     [](Operation *op) {
       op->getResult(0).replaceAllUsesWith(op->getOperand(0));
       op->erase();
     }},
};

ArrayRef<Kind> turnKinds() { return kKinds; }

} // namespace tilewright::mutation
