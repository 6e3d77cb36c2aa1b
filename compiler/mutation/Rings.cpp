// SPDX-License-Identifier: Apache-2.0

#include "compiler/mutation/Matches.h"

using namespace mlir;

namespace tilewright::mutation {

static bool fills(Operation *loop) {
  return isa<scf::ForOp>(loop) && llvm::any_of(*cast<scf::ForOp>(loop).getBody(),
                                               llvm::IsaPred<sm90::MbarrierArriveExpectTxOp>);
}

/// The cursor's next stage: of the role that fills the ring, of those that read it, of a staging.
static bool isAdvance(Operation *op) {
  auto advance = dyn_cast<sm90::AdvanceOp>(op);
  return advance && !advance.getSteps();
}

static bool isProducerAdvance(Operation *op) {
  return isAdvance(op) && previousOf<sm90::MbarrierArriveExpectTxOp>(op);
}

static bool isConsumerAdvance(Operation *op) {
  return isAdvance(op) && previousOf<sm90::WgmmaCommitOp>(op);
}

static bool isStagingAdvance(Operation *op) {
  return isAdvance(op) && previousOf<sm90::FenceProxyAsyncSharedOp>(op);
}

static void addStages(Operation *op, int64_t by) {
  auto advance = cast<sm90::AdvanceOp>(op);
  advance.setStagesAttr(number(op, advance.getStages().getValue() + by));
}

static int64_t stagesOf(Operation *op) { return cast<sm90::AdvanceOp>(op).getStages().getValue(); }

static void stay(Operation *op) {
  op->getResult(0).replaceAllUsesWith(op->getOperand(0));
  op->erase();
}

static void addToUpper(Operation *op, int32_t steps) {
  auto loop = cast<scf::ForOp>(op);
  Build build = Build::before(op);
  Value by = build.make<arith::MulIOp>(loop.getStep(), build.number(steps));
  loop.getUpperBoundMutable().assign(build.add(loop.getUpperBound(), by));
}

/// Where something lies: base of shared memory plus a constant, with users of the type.
template <class... OpTypes>
static bool isPlaceOf(Operation *op) {
  auto sum = dyn_cast<arith::AddIOp>(op);
  return sum && sum.getLhs().getDefiningOp<sm90::SmemBaseOp>() && constantOf(sum.getRhs()) > 0 &&
         llvm::any_of(op->getUsers(), llvm::IsaPred<OpTypes...>);
}

static bool isPlaceOfTiles(Operation *op) {
  return isPlaceOf<sm90::SlotAtOp>(op) && llvm::any_of(op->getUsers(), [](Operation *slot) {
           return llvm::any_of(slot->getUsers(), llvm::IsaPred<sm90::SmemDescriptorOp>);
         });
}

static bool isPlaceOfBarriers(Operation *op) { return isPlaceOf<sm90::BarrierAtOp>(op); }

static void shift(Operation *op, int32_t by) {
  rewriteOperand(op, op->getOperand(1),
                 [&](Build &build, Value offset) { return build.add(offset, by); });
}

static bool isReadSlot(Operation *op) {
  return isa<sm90::SlotAtOp>(op) &&
         llvm::any_of(op->getUsers(), llvm::IsaPred<sm90::SmemDescriptorOp>);
}

static const Kind kKinds[] = {
    {"producer-one-step-short", FaultClass::failsOnCard,
     "The producer stops one step before the end of K.", "The consumers wait for ever.", "deadlock",
     fills, [](Operation *op) { addToUpper(op, -1); }},
    {"producer-one-step-long", FaultClass::failsOnCard,
     "The producer loads one step more than there is.",
     "The next tile starts with it; after the last tile it lands in a CTA that is gone.",
     "pending-at-exit deadlock output cluster-exit count-mismatch tx-wrong-phase", fills,
     [](Operation *op) { addToUpper(op, 1); }},
    {"producer-stages-short", FaultClass::failsOnCard,
     "The producer takes the ring for one stage shorter than the consumers do.",
     "They meet at different stages after the first turn.",
     "deadlock race-war race-raw read-in-flight write-in-flight over-arrival output "
     "wrong-phase-wait",
     [](Operation *op) { return isProducerAdvance(op) && stagesOf(op) > 1; },
     [](Operation *op) { addStages(op, -1); }},
    {"consumer-stages-short", FaultClass::failsOnCard,
     "The consumers take the ring for one stage shorter than the producer does.",
     "They meet at different stages after the first turn.",
     "deadlock race-war race-raw read-in-flight write-in-flight over-arrival output "
     "wrong-phase-wait",
     [](Operation *op) { return isConsumerAdvance(op) && stagesOf(op) > 1; },
     [](Operation *op) { addStages(op, -1); }},
    {"ring-one-stage-too-many", FaultClass::failsOnCard,
     "Everybody takes the ring for one stage longer than its memory.",
     "The last stage lies on other tiles; its barriers are others' or nobody's.",
     "race-war race-raw race-waw read-in-flight write-in-flight mbarrier-init over-arrival "
     "deadlock tx-underflow tx-wrong-phase barrier-overwritten shared-out-of-bounds output",
     isProducerAdvance,
     [](Operation *op) {
       const int64_t stages = stagesOf(op);
       forAllInKernel(
           op,
           [&](Operation *each) {
             return isa<sm90::AdvanceOp>(each) && !isStagingAdvance(each) &&
                    stagesOf(each) == stages;
           },
           [](Operation *each) { addStages(each, 1); });
     }},
    {"one-stage-too-few", FaultClass::failsOnCard,
     "One stage of the ring has no barriers: the loop that initialises stops before it.",
     "The machine's view of an uninitialised mbarrier is undefined.", "mbarrier-init deadlock",
     [](Operation *op) {
       return isa<scf::ForOp>(op) && holds<sm90::MbarrierInitOp>(op) &&
              constantOf(cast<scf::ForOp>(op).getUpperBound()) > 1;
     },
     [](Operation *op) { addToUpper(op, -1); }},
    {"staging-one-stage-too-many", FaultClass::failsOnCard,
     "The staging is taken for one buffer longer than its memory.",
     "The last buffer lies on what is next: another consumer's, or barriers.",
     "race-war race-waw write-in-flight barrier-overwritten shared-out-of-bounds race-raw "
     "mbarrier-init output",
     isStagingAdvance, [](Operation *op) { addStages(op, 1); }},
    {"staging-not-advanced", FaultClass::failsOnCard,
     "All sub-tiles go through the first staging buffer, with the wait for two.",
     "The buffer is written while the store before reads it.", "race-war write-in-flight",
     [](Operation *op) { return isStagingAdvance(op) && stagesOf(op) > 1; }, stay},
    {"producer-not-advanced", FaultClass::failsOnCard, "The producer's cursor does not move.",
     "It waits for releases of its first stage, or fills it under the reader.",
     "deadlock over-arrival race-war race-raw", isProducerAdvance, stay},
    {"consumer-not-advanced", FaultClass::failsOnCard, "The consumers' cursor does not move.",
     "They read the first stage again and release it again.",
     "deadlock over-arrival race-war race-raw write-in-flight read-in-flight output "
     "wrong-phase-wait",
     isConsumerAdvance, stay},
    {"consumer-starts-as-producer", FaultClass::failsOnCard,
     "The consumers start with the producer's phase.",
     "Their first waits pass at once, or wait for a phase that nobody fills.",
     "race-raw read-in-flight uninitialised-read poison wrong-phase-wait deadlock",
     [](Operation *op) { return isa<sm90::ConsumerCursorOp>(op); },
     [](Operation *op) {
       Value cursor = Build::before(op).make<sm90::ProducerCursorOp>(op->getResultTypes());
       op->replaceAllUsesWith(ValueRange(cursor));
       op->erase();
     }},
    {"producer-starts-as-consumer", FaultClass::failsOnCard,
     "The producer starts with the consumers' phase.",
     "Its first wait is for a release that nobody makes.", "deadlock",
     [](Operation *op) {
       return isa<sm90::ProducerCursorOp>(op) && branchOf(op) &&
              holds<sm90::MbarrierArriveExpectTxOp>(branchOf(op)) &&
              !holds<sm90::WgmmaCommitOp>(branchOf(op));
     },
     [](Operation *op) {
       Value cursor = Build::before(op).make<sm90::ConsumerCursorOp>(op->getResultTypes());
       op->replaceAllUsesWith(ValueRange(cursor));
       op->erase();
     }},
    {"slot-stride-short", FaultClass::failsOnCard,
     "A consumer takes the stages of an operand for 1024 bytes shorter than they are.",
     "It reads across two stages.",
     "output race-raw read-in-flight uninitialised-read race-war write-in-flight poison",
     isReadSlot,
     [](Operation *op) {
       auto slot = cast<sm90::SlotAtOp>(op);
       slot.setBytesAttr(number(op, slot.getBytes().getValue() - 1024));
     }},
    {"slot-of-first-stage", FaultClass::failsOnCard,
     "A consumer reads an operand from the first stage always.", "Right once in a turn.",
     "output race-raw read-in-flight uninitialised-read race-war write-in-flight poison",
     isReadSlot,
     [](Operation *op) {
       op->getResult(0).replaceAllUsesWith(op->getOperand(0));
       op->erase();
     }},
    {"tiles-overlap", FaultClass::failsOnCard,
     "The tiles of an operand begin 1024 bytes early, on the end of what lies before.",
     "Loads of two operands write the same bytes.", "race-waw write-in-flight race-war output",
     isPlaceOfTiles, [](Operation *op) { shift(op, -1024); }},
    // PTX, matrix descriptor: with a base offset of 0 the pattern of 128 bytes starts at 1024.
    {"tiles-misaligned", FaultClass::failsOnCard,
     "The tiles of an operand are off their swizzle's alignment by 128 bytes.",
     "The descriptor's base offset is 0, so the rows are taken apart otherwise.",
     "misaligned race-waw write-in-flight output shared-out-of-bounds barrier-overwritten",
     isPlaceOfTiles, [](Operation *op) { shift(op, 128); }},
    {"barriers-overlap", FaultClass::failsOnCard,
     "An array of mbarriers begins 8 bytes early, on the last one before it or on a tile.",
     "Two barriers are one.",
     "mbarrier-init over-arrival barrier-overwritten deadlock count-mismatch race-war "
     "tx-underflow race-waw",
     isPlaceOfBarriers, [](Operation *op) { shift(op, -8); }},
    {"barriers-misaligned", FaultClass::failsOnCard, "An array of mbarriers begins 4 bytes late.",
     "PTX: an mbarrier is aligned to 8 bytes.", "misaligned mbarrier-init shared-out-of-bounds",
     isPlaceOfBarriers, [](Operation *op) { shift(op, 4); }},
    {"barriers-in-tiles", FaultClass::failsOnCard, "An array of mbarriers lies in the first tile.",
     "TMA overwrites the barriers.", "barrier-overwritten mbarrier-init", isPlaceOfBarriers,
     [](Operation *op) {
       rewriteOperand(op, op->getOperand(1), [](Build &build, Value) { return build.number(256); });
     }},
};

ArrayRef<Kind> ringKinds() { return kKinds; }

} // namespace tilewright::mutation
