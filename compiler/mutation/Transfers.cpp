// SPDX-License-Identifier: Apache-2.0

#include "compiler/mutation/Matches.h"

using namespace mlir;

namespace tilewright::mutation {

static bool isLoad(Operation *op) { return isa<sm90::TmaLoadOp, sm90::TmaLoadMulticastOp>(op); }

static bool isPlainLoad(Operation *op) { return isa<sm90::TmaLoadOp>(op); }

static bool isMulticast(Operation *op) { return isa<sm90::TmaLoadMulticastOp>(op); }

static MutableOperandRange coordinatesOf(Operation *op) {
  if (auto load = dyn_cast<sm90::TmaLoadOp>(op))
    return load.getCoordinatesMutable();
  return cast<sm90::TmaLoadMulticastOp>(op).getCoordinatesMutable();
}

static Value barrierOf(Operation *op) {
  if (auto load = dyn_cast<sm90::TmaLoadOp>(op))
    return load.getBarrier();
  return cast<sm90::TmaLoadMulticastOp>(op).getBarrier();
}

static void addToCoordinate(Operation *op, unsigned dimension, int32_t by) {
  OpOperand &coordinate = coordinatesOf(op)[dimension];
  coordinate.set(Build::before(op).add(coordinate.get(), by));
}

/// A load of the same kind into the same barrier, of another map.
static Operation *neighbour(Operation *op) {
  Operation *next = nextOf<sm90::TmaLoadOp, sm90::TmaLoadMulticastOp>(op);
  return next && next->getOperand(0) != op->getOperand(0) ? next : nullptr;
}

static void setMask(Operation *op, llvm::function_ref<Value(Build &)> mask) {
  Build build = Build::before(op);
  cast<sm90::TmaLoadMulticastOp>(op).getMaskMutable().assign(mask(build));
}

static Value shareOf(Value sum) {
  auto add = sum.getDefiningOp<arith::AddIOp>();
  return add && add.getRhs().getDefiningOp<arith::MulIOp>() ? add.getLhs() : Value();
}

static const Kind kKinds[] = {
    {"coordinates-swapped", FaultClass::failsOnCard, "A load takes its row for its column.",
     "It brings another part of the matrix, or zeros.", "output coordinates",
     [](Operation *op) {
       return isLoad(op) && coordinatesOf(op).size() == 2 &&
              coordinatesOf(op)[0].get() != coordinatesOf(op)[1].get();
     },
     [](Operation *op) {
       MutableOperandRange coordinates = coordinatesOf(op);
       Value first = coordinates[0].get();
       coordinates[0].set(coordinates[1].get());
       coordinates[1].set(first);
     }},
    {"coordinate-next-step", FaultClass::failsOnCard,
     "A load brings what lies 64 elements further along its rows.",
     "One operand runs ahead of the other.", "output", isLoad,
     [](Operation *op) { addToCoordinate(op, 0, 64); }},
    {"coordinate-row-off", FaultClass::failsOnCard, "A load begins one row too far.",
     "Every row is its neighbour.", "output", isLoad,
     [](Operation *op) { addToCoordinate(op, 1, 1); }},
    {"maps-swapped", FaultClass::failsOnCard, "A load takes the map of the other operand.",
     "The wrong matrix, and possibly another number of bytes.",
     "output deadlock tx-underflow tx-wrong-phase race-waw write-in-flight shared-out-of-bounds",
     [](Operation *op) { return isPlainLoad(op) && neighbour(op); },
     [](Operation *op) { op->setOperand(0, neighbour(op)->getOperand(0)); }},
    {"load-at-next-barrier", FaultClass::failsOnCard,
     "A load's bytes count at the barrier of the next stage.",
     "This stage never completes, or the next one too early.",
     "deadlock tx-wrong-phase tx-underflow mbarrier-init over-arrival read-in-flight race-raw",
     isLoad,
     [](Operation *op) {
       Value barrier = barrierOf(op);
       Value next = Build::before(op).add(barrier, 8);
       op->replaceUsesOfWith(barrier, next);
     }},
    {"drop-load", FaultClass::failsOnCard, "A load is not issued.",
     "The phase waits for its bytes.", "deadlock", isLoad, drop},
    {"load-twice", FaultClass::failsOnCard, "A load is issued twice.",
     "More bytes than announced, and two writes of the same memory.",
     "race-waw write-in-flight tx-underflow tx-wrong-phase deadlock", isLoad,
     [](Operation *op) { Build::after(op).clone(*op); }},
    {"load-of-next-slot", FaultClass::failsOnCard, "A load's destination is 1024 bytes too far.",
     "It overlaps the next slot; its first rows are never written.",
     "race-waw race-war race-raw write-in-flight read-in-flight uninitialised-read output "
     "barrier-overwritten",
     isLoad,
     [](Operation *op) {
       Value old = op->getOperand(1);
       Value next = Build::before(op).add(old, 1024);
       op->setOperand(1, next);
     }},
    {"load-before-wait", FaultClass::failsOnCard,
     "A load is issued before the producer has waited for room.",
     "Its bytes may land in the phase before, in tiles that are being read.",
     "race-war race-waw write-in-flight tx-wrong-phase tx-underflow over-arrival",
     [](Operation *op) {
       return isPlainLoad(op) && previousOf<sm90::MbarrierWaitParityOp>(op) &&
              op->getOperand(1).getDefiningOp<sm90::SlotAtOp>() &&
              barrierOf(op).getDefiningOp<sm90::BarrierAtOp>();
     },
     [](Operation *op) {
       Operation *wait = previousOf<sm90::MbarrierWaitParityOp>(op);
       barrierOf(op).getDefiningOp()->moveBefore(wait);
       op->getOperand(1).getDefiningOp()->moveBefore(wait);
       for (OpOperand &coordinate : coordinatesOf(op))
         if (Operation *made = coordinate.get().getDefiningOp();
             made && made->getBlock() == op->getBlock() && wait->isBeforeInBlock(made))
           made->moveBefore(wait);
       op->moveBefore(wait);
     }},
    // PTX, cp.async.bulk.tensor: data and complete_tx go to the same offset in each CTA of the
    // mask.
    {"multicast-home-only", FaultClass::failsOnCard,
     "A multicast's mask holds only the CTA that issues it.", "The peers wait for its bytes.",
     "deadlock", isMulticast,
     [](Operation *op) {
       setMask(op, [](Build &build) -> Value {
         return build.make<arith::ShLIOp>(build.number(1), build.make<sm90::ClusterRankOp>());
       });
     }},
    {"multicast-peers-only", FaultClass::failsOnCard,
     "A multicast's mask leaves out the CTA that issues it.", "It waits for its own bytes.",
     "deadlock", isMulticast,
     [](Operation *op) {
       setMask(op, [&](Build &build) -> Value {
         Value own = build.make<arith::ShLIOp>(build.number(1), build.make<sm90::ClusterRankOp>());
         return build.make<arith::XOrIOp>(build.number((1 << clusterSize(op)) - 1), own);
       });
     }},
    // facebookexperimental/triton PR 783: a mask for a cluster of two, in a larger one.
    {"multicast-mask-of-two", FaultClass::failsOnCard,
     "A multicast's mask is that of a cluster of two.",
     "In a larger cluster the first pair gets everything, the others nothing.",
     "deadlock race-waw write-in-flight tx-underflow tx-wrong-phase over-arrival",
     [](Operation *op) { return isMulticast(op) && clusterSize(op) > 2; },
     [](Operation *op) { setMask(op, [](Build &build) { return build.number(3); }); }},
    {"multicast-mask-too-wide", FaultClass::failsOnCard,
     "A multicast's mask names a CTA that the cluster does not have.", "PTX: undefined.",
     "launch shared-out-of-bounds cluster-exit coordinates barrier-count", isMulticast,
     [](Operation *op) {
       setMask(op, [&](Build &build) -> Value {
         Value mask = cast<sm90::TmaLoadMulticastOp>(op).getMask();
         return build.make<arith::OrIOp>(mask, build.number(1 << clusterSize(op)));
       });
     }},
    {"multicast-as-plain-load", FaultClass::failsOnCard,
     "A share of a tile is loaded for this CTA only.", "The peers' shares never come.", "deadlock",
     isMulticast,
     [](Operation *op) {
       auto load = cast<sm90::TmaLoadMulticastOp>(op);
       Build::before(op).make<sm90::TmaLoadOp>(load.getMap(), load.getDestination(),
                                               load.getBarrier(), load.getCoordinates(),
                                               load.getCache());
       op->erase();
     }},
    {"plain-load-as-multicast", FaultClass::failsOnCard,
     "A tile of this CTA alone is sent to the whole cluster.",
     "Both CTAs write the same tiles, and bring more bytes than announced.",
     "race-waw write-in-flight tx-underflow tx-wrong-phase race-war",
     [](Operation *op) { return isPlainLoad(op) && clusterSize(op) > 1; },
     [](Operation *op) {
       auto load = cast<sm90::TmaLoadOp>(op);
       Build build = Build::before(op);
       build.make<sm90::TmaLoadMulticastOp>(load.getMap(), load.getDestination(), load.getBarrier(),
                                            build.number((1 << clusterSize(op)) - 1),
                                            load.getCoordinates(), load.getCache());
       op->erase();
     }},
    {"multicast-shares-overlap", FaultClass::failsOnCard,
     "All CTAs send their share to the first share's place.",
     "They write the same bytes; the rest of the tile is never written.",
     "race-waw write-in-flight uninitialised-read race-raw output",
     [](Operation *op) { return isMulticast(op) && shareOf(op->getOperand(1)); },
     [](Operation *op) { op->setOperand(1, shareOf(op->getOperand(1))); }},
    {"multicast-same-share", FaultClass::failsOnCard, "All CTAs send the first share of the tile.",
     "The other shares are wrong.", "output",
     [](Operation *op) { return isMulticast(op) && shareOf(coordinatesOf(op)[1].get()); },
     [](Operation *op) {
       OpOperand &coordinate = coordinatesOf(op)[1];
       coordinate.set(shareOf(coordinate.get()));
     }},
};

ArrayRef<Kind> transferKinds() { return kKinds; }

} // namespace tilewright::mutation
