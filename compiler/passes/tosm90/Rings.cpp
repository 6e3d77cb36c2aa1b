// SPDX-License-Identifier: Apache-2.0
//
// Rings and copies. The hand-over table of the machine is applied here and nowhere else:
//   copy -> any read         wait on the full barrier
//   tensor core's read -> copy into the slot     the dot's wait, then an arrival on empty
//   ordinary write -> copy out    proxy fence by each writer, barrier of the warpgroup, one thread
//   stores copy out -> ordinary write    bulk wait (read) by that thread, barrier of the warpgroup

#include "compiler/passes/tosm90/KernelLowering.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tilewright::tosm90 {

/// "ab_full" and "kAbStages" from "ab".
static std::string camel(StringRef name) {
  std::string text;
  bool upper = true;
  for (char c : name) {
    if (c == '_') {
      upper = true;
      continue;
    }
    text += upper ? llvm::toUpper(c) : c;
    upper = false;
  }
  return text;
}

void KernelLowering::declareRings() {
  for (auto op : kernel.getBody().getOps<tile::RingOp>()) {
    Ring ring;
    ring.op = op;
    ring.name = camel(op.getName());
    // A slot is called after the view that is copied into or out of it.
    SmallVector<std::string> slotNames(op.getType().getTiles().size());
    kernel.walk([&](Operation *user) {
      Value slot, view;
      if (auto copy = dyn_cast<tile::CopyOp>(user))
        slot = copy.getSlot(), view = copy.getView();
      else if (auto copyOut = dyn_cast<tile::CopyOutOp>(user))
        slot = copyOut.getSlot(), view = copyOut.getView();
      if (!slot || !slot.getDefiningOp<tile::AcquireOp>() ||
          slot.getDefiningOp<tile::AcquireOp>().getRing() != op)
        return;
      std::string &name = slotNames[cast<OpResult>(slot).getResultNumber()];
      if (name.empty())
        name = nameOfView(view.getDefiningOp<tile::ViewOp>());
    });
    auto offsets = op->getAttrOfType<DenseI64ArrayAttr>("slot_offsets").asArrayRef();
    for (auto [index, offset] : llvm::enumerate(offsets)) {
      if (slotNames[index].empty())
        slotNames[index] =
            (op.getName() + Twine(offsets.size() > 1 ? std::to_string(index) : "")).str();
      Value base = offset ? as(slotNames[index] + "_tiles", add(smem, offset)) : smem;
      ring.slots.push_back(base);
    }
    ring.slotNames.assign(slotNames.begin(), slotNames.end());
    if (auto offset = op->getAttrOfType<IntegerAttr>("barrier_offset")) {
      ring.full = as((op.getName() + "_full").str(), add(smem, offset.getInt()));
      ring.empty = as((op.getName() + "_empty").str(),
                      add(smem, offset.getInt() + 8 * op.getType().getStages()));
    }
    rings.insert({op, ring});
  }
}

/// CTAs that fill a stage together, so that a release has to reach all of them.
int64_t KernelLowering::ringFanOut(tile::RingOp ring) {
  return ring.getMulticast() ? kernel.getCluster()[*ring.getMulticast()] : 1;
}

/// Whether ordinary loads read the slot, under whatever layout.
static bool isReadByThreads(Value slot) {
  return llvm::any_of(slot.getUsers(), [](Operation *user) {
    if (auto rebind = dyn_cast<tile::RebindOp>(user))
      return isReadByThreads(rebind.getResult());
    return isa<tile::MapOp, tile::FragmentLoadOp>(user);
  });
}

/// Whether threads read the slots by ordinary loads: then each must be ordered before the slot is
/// overwritten.
bool KernelLowering::readByThreads(tile::RingOp ring) {
  bool found = false;
  kernel.walk([&](tile::WaitOp wait) {
    if (wait.getRing() == ring)
      found |= llvm::any_of(wait.getSlots(), isReadByThreads);
  });
  return found;
}

/// What one thread of the role does for all.
void KernelLowering::emitOnce(function_ref<void()> body) {
  if (role.elected)
    return body();
  emitIf(compare(arith::CmpIPredicate::eq, role.thread, i32(0)), body);
}

/// Rank of the CTA at `place` along a cluster axis, in this CTA's row or column of the cluster.
Value KernelLowering::peerRank(int64_t axis, Value place) {
  int64_t across = kernel.getCluster()[0];
  if (kernel.clusterSize() == kernel.getCluster()[axis])
    return place;
  Value own = emit<sm90::ClusterRankOp>();
  return axis == 0 ? add(mul(div(own, across), across), place)
                   : add(rem(own, across), mul(place, across));
}

int64_t KernelLowering::emptyArrivals(tile::RingOp ring) {
  tile::RoleAttr consumer = kernel.findRole(ring.getConsumer());
  int64_t arrivals = readByThreads(ring)        ? consumer.threads()
                     : consumer.getWarpgroups() ? consumer.getWarpgroups()
                                                : consumer.getWarps();
  // Of a role that divides by tiles, one instance reads a stage.
  return arrivals / consumer.instances() * ringFanOut(ring);
}

void KernelLowering::initBarriers() {
  for (auto &[key, ring] : rings) {
    if (!ring.full)
      continue;
    int64_t fullArrivals = ring.op.getFull() == tile::FullBy::Threads
                               ? kernel.findRole(ring.op.getProducer()).threads()
                               : 1;
    auto loop = scf::ForOp::create(
        b, loc, i32(0), named("k" + ring.name + "Stages", ring.op.getType().getStages()), i32(1));
    loop.getInductionVar().setLoc(sm90::withName(loc, "stage"));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value offset = as("offset", mul(loop.getInductionVar(), 8));
    emit<sm90::MbarrierInitOp>(add(ring.full, offset), i32(fullArrivals));
    emit<sm90::MbarrierInitOp>(add(ring.empty, offset), i32(emptyArrivals(ring.op)));
  }
}

Value KernelLowering::barrierAt(Value base, Value cursor) {
  return emit<sm90::BarrierAtOp>(base, cursor);
}

void KernelLowering::bindSlots(Ring &ring, Value cursor, ValueRange values) {
  for (auto [index, value] : llvm::enumerate(values)) {
    RankedTensorType tile = cast<tile::SlotType>(value.getType()).getTile();
    std::string name = ring.slotNames[index];
    sm90::ConstAttr bytes =
        constant("k" + camel(name) + "TileBytes", tile::sharedLayoutOf(tile).sizeBytes());
    Value address = as(name + "_tile", emit<sm90::SlotAtOp>(ring.slots[index], cursor, bytes));
    slots[value] = {tile, address};
  }
}

/// The warpgroup's storing thread waits until its older stores have been read.
void KernelLowering::waitForStores(int64_t outstanding) {
  if (role.leader)
    emitIf(role.leader, [&] { emit<sm90::BulkWaitReadOp>(constant(outstanding)); });
}

void KernelLowering::syncWarpgroup() {
  emit<sm90::BarrierSyncOp>(add(role.group(), role.firstBarrier), constant(128));
}

LogicalResult KernelLowering::lowerAcquire(tile::AcquireOp op) {
  Ring &ring = rings.find(op.getRing())->second;
  Value cursor = scalar(op.getCursor());
  if (ring.op.isPrivate()) {
    if (!role.warpgroups)
      return op.emitOpError() << "of a private ring is lowered in roles of warpgroups";
    waitForStores(ring.op.getType().getStages() - 1);
    syncWarpgroup();
  } else {
    emit<sm90::MbarrierWaitParityOp>(barrierAt(ring.empty, cursor), emit<sm90::PhaseOp>(cursor));
    if (ring.op.getFull() == tile::FullBy::Tma)
      emitOnce([&] {
        emit<sm90::MbarrierArriveExpectTxOp>(
            barrierAt(ring.full, cursor),
            named("k" + ring.name + "StageBytes", ring.op.getType().getStageBytes()));
      });
  }
  bindSlots(ring, cursor, op.getSlots());
  return success();
}

LogicalResult KernelLowering::lowerWait(tile::WaitOp op) {
  Ring &ring = rings.find(op.getRing())->second;
  Value cursor = scalar(op.getCursor());
  emit<sm90::MbarrierWaitParityOp>(barrierAt(ring.full, cursor), emit<sm90::PhaseOp>(cursor));
  bindSlots(ring, cursor, op.getSlots());
  return success();
}

LogicalResult KernelLowering::lowerCommit(tile::CommitOp op) {
  Ring &ring = rings.find(op.getRing())->second;
  emit<sm90::FenceProxyAsyncSharedOp>();
  emit<sm90::MbarrierArriveOp>(barrierAt(ring.full, scalar(op.getCursor())));
  return success();
}

LogicalResult KernelLowering::lowerRelease(tile::ReleaseOp op) {
  Ring &ring = rings.find(op.getRing())->second;
  if (ring.op.isPrivate())
    return success();
  Value cursor = scalar(op.getCursor());
  int64_t fanOut = ringFanOut(ring.op), axis = ring.op.getMulticast().value_or(0);
  Value condition = op.getCondition() ? scalar(op.getCondition()) : Value();
  // NOTE: each thread that reads arrives for itself: an arrival orders only its own accesses.
  bool alone = role.elected || readByThreads(ring.op);
  if (fanOut == 1) {
    Value arrives =
        alone ? condition
              : both(condition, compare(arith::CmpIPredicate::eq, role.threadInGroup, i32(0)));
    auto arrive = [&] { emit<sm90::MbarrierArriveOp>(barrierAt(ring.empty, cursor)); };
    return arrives ? emitIf(arrives, arrive) : arrive(), success();
  }
  auto arriveAt = [&](Value place) {
    Value rank = peerRank(axis, place);
    emit<sm90::MbarrierArriveRemoteOp>(barrierAt(ring.empty, cursor), rank);
  };
  if (alone) {
    auto arrive = [&] {
      for (int64_t peer = 0; peer < fanOut; ++peer)
        arriveAt(i32(peer));
    };
    return condition ? emitIf(condition, arrive) : arrive(), success();
  }
  // Thread p of the warpgroup releases to the p-th CTA along the multicast axis.
  Value reaches = compare(arith::CmpIPredicate::slt, role.threadInGroup,
                          named("k" + ring.name + "Multicast", fanOut));
  emitIf(both(condition, reaches), [&] { arriveAt(role.threadInGroup); });
  return success();
}

/// Coordinates of a box, innermost first: tile coordinates with row and column moved.
static SmallVector<Value> boxCoordinates(ValueRange coords) {
  SmallVector<Value> reversed(llvm::reverse(coords));
  return reversed;
}

LogicalResult KernelLowering::lowerCopy(tile::CopyOp op) {
  Ring &ring = rings.find(op.getRing())->second;
  Value cursor = scalar(op.getCursor());
  Slot slot = slots.lookup(op.getSlot());
  tile::SharedLayout layout = tile::sharedLayoutOf(slot.type);
  auto view = op.getView().getDefiningOp<tile::ViewOp>();
  int64_t axis = op.getMulticast().value_or(0);
  int64_t peers = op.getMulticast() ? kernel.getCluster()[axis] : 1;
  int64_t rows = layout.rows / peers;
  if (layout.rows % peers || (rows * layout.rowBytes()) % layout.alignment())
    return op.emitOpError() << "a multicast share of " << rows
                            << " rows does not begin at a multiple of " << layout.alignment()
                            << " bytes";

  SmallVector<int64_t> box{layout.panelCols()};
  if (slot.type.getRank() == 2)
    box.push_back(rows);
  box.resize(view.getType().getRank(), 1);
  Value map = tensorMap(view, box, *layout.swizzleMode());
  if (!map)
    return failure();

  SmallVector<Value> coords;
  for (Value coord : op.getCoords())
    coords.push_back(scalar(coord));
  Value address = slot.address, mask;
  if (peers > 1) {
    // Each CTA along the axis fetches its share of the rows for all of them.
    Value rank = emit<sm90::ClusterRankOp>();
    int64_t across = kernel.getCluster()[0];
    bool whole = kernel.clusterSize() == peers;
    Value place = whole ? rank : axis == 0 ? rem(rank, across) : div(rank, across);
    size_t row = coords.size() - 2;
    coords[row] = add(coords[row], mul(place, rows));
    address = add(address, mul(place, rows * layout.rowBytes()));
    if (whole) {
      mask = i32((1 << peers) - 1);
    } else if (axis == 0) {
      mask = b.createOrFold<arith::ShLIOp>(loc, i32((1 << peers) - 1), sub(rank, place));
    } else {
      int64_t column = 0;
      for (int64_t peer = 0; peer < peers; ++peer)
        column |= int64_t(1) << (peer * across);
      mask = b.createOrFold<arith::ShLIOp>(loc, i32(column), rem(rank, across));
    }
  }
  auto cache = !op.getHint()                             ? sm90::CachePolicy::none
               : *op.getHint() == tile::Hint::EvictFirst ? sm90::CachePolicy::evict_first
                                                         : sm90::CachePolicy::evict_last;
  emitOnce([&] {
    Value full = as("full", barrierAt(ring.full, cursor));
    for (int64_t panel = 0; panel < layout.cols / layout.panelCols(); ++panel) {
      SmallVector<Value> at = coords;
      at.back() = add(at.back(), panel * layout.panelCols());
      Value destination = add(address, panel * layout.panelBytes());
      if (mask)
        emit<sm90::TmaLoadMulticastOp>(map, destination, full, mask, boxCoordinates(at), cache);
      else
        emit<sm90::TmaLoadOp>(map, destination, full, boxCoordinates(at), cache);
    }
  });
  return success();
}

LogicalResult KernelLowering::lowerCopyOut(tile::CopyOutOp op) {
  if (!role.warpgroups)
    return op.emitOpError() << "is lowered in roles of warpgroups, each of which stores its rows";
  Slot slot = slots.lookup(op.getSlot());
  tile::SharedLayout layout = tile::sharedLayoutOf(slot.type);
  auto view = op.getView().getDefiningOp<tile::ViewOp>();
  int64_t groups = role.warpgroups;
  int64_t rows = layout.rows / groups;
  if (layout.rows % groups || (groups > 1 && (rows * layout.rowBytes()) % layout.alignment()))
    return op.emitOpError() << "the rows of one of " << groups
                            << " warpgroups do not begin at a multiple of " << layout.alignment()
                            << " bytes";
  SmallVector<int64_t> box{layout.panelCols(), rows};
  box.resize(view.getType().getRank(), 1);
  Value map = tensorMap(view, box, *layout.swizzleMode());
  if (!map)
    return failure();

  emit<sm90::FenceProxyAsyncSharedOp>();
  syncWarpgroup();
  emitIf(role.leader, [&] {
    SmallVector<Value> coords;
    for (Value coord : op.getCoords())
      coords.push_back(scalar(coord));
    Value share = as("group_row", mul(role.warpgroup, rows));
    if (slot.type.getRank() == 2)
      coords[coords.size() - 2] = add(coords[coords.size() - 2], share);
    for (int64_t panel = 0; panel < layout.cols / layout.panelCols(); ++panel) {
      SmallVector<Value> at = coords;
      at.back() = add(at.back(), panel * layout.panelCols());
      Value source =
          add(add(slot.address, panel * layout.panelBytes()), mul(share, layout.rowBytes()));
      if (op.getReduce())
        emit<sm90::TmaReduceAddOp>(map, source, boxCoordinates(at));
      else
        emit<sm90::TmaStoreOp>(map, source, boxCoordinates(at));
    }
    emit<sm90::BulkCommitOp>();
  });
  return success();
}

} // namespace tilewright::tosm90
