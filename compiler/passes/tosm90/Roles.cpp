// SPDX-License-Identifier: Apache-2.0
//
// Role dispatch, where the threads of a role stand, and turns among its warpgroups.

#include "compiler/passes/NamedBarriers.h"
#include "compiler/passes/tosm90/KernelLowering.h"

using namespace mlir;

namespace tilewright::tosm90 {

/// Threads at the launch get what the register file divides into; setmaxnreg then moves registers
/// between roles.
static int64_t launchRegisters(int64_t threads) {
  return std::min<int64_t>(255, 65536 / threads) / 8 * 8;
}

LogicalResult KernelLowering::emitRoles(tile::RolesOp roles) {
  int64_t launch = launchRegisters(kernel.ctaThreads());
  auto setRegisters = [&](tile::RoleAttr attr) {
    if (!attr.getRegs() || attr.getRegs() == launch)
      return;
    if (attr.getRegs() > launch)
      emit<sm90::SetmaxnregIncOp>(constant(attr.getRegs()));
    else
      emit<sm90::SetmaxnregDecOp>(constant(attr.getRegs()));
  };
  SmallVector<tile::RoleOp> single, grouped;
  auto firstThread = [&](tile::RoleOp op) {
    return kernel.firstThread(kernel.findRole(op.getRole()));
  };
  for (auto op : roles.getBody().getOps<tile::RoleOp>())
    (kernel.findRole(op.getRole()).getWarps() ? single : grouped).push_back(op);
  for (auto *list : {&single, &grouped})
    llvm::sort(*list,
               [&](tile::RoleOp x, tile::RoleOp y) { return firstThread(x) < firstThread(y); });

  // `if (warpgroup 0) { warp roles } else if (…) { role of warpgroups } …`, the last one in the
  // else branch.
  std::function<LogicalResult(size_t)> dispatch = [&](size_t index) -> LogicalResult {
    bool warpRoles = !single.empty() && index == 0;
    size_t groupIndex = index - (single.empty() ? 0 : 1);
    bool last = warpRoles ? grouped.empty() : groupIndex + 1 == grouped.size();
    auto body = [&]() -> LogicalResult {
      if (!warpRoles) {
        setRegisters(kernel.findRole(grouped[groupIndex].getRole()));
        return emitRole(grouped[groupIndex]);
      }
      setRegisters(kernel.findRole(single.front().getRole()));
      for (tile::RoleOp op : single) {
        int64_t firstWarp = firstThread(op) / 32;
        int64_t warps = kernel.findRole(op.getRole()).getWarps();
        Value from = firstWarp ? compare(arith::CmpIPredicate::sge, warp, i32(firstWarp)) : Value();
        Value mine =
            warps == 1
                ? compare(arith::CmpIPredicate::eq, warp, i32(firstWarp))
                : both(from, compare(arith::CmpIPredicate::slt, warp, i32(firstWarp + warps)));
        LogicalResult status = success();
        emitIf(mine, [&] { status = emitRole(op); });
        if (failed(status))
          return failure();
      }
      return success();
    };
    if (last)
      return body();
    int64_t end = firstThread(warpRoles ? grouped.front() : grouped[groupIndex + 1]);
    Value mine = compare(arith::CmpIPredicate::slt, warp, i32(end / 32));
    auto branch = scf::IfOp::create(b, loc, mine, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    if (failed(body()))
      return failure();
    b.setInsertionPointToStart(branch.elseBlock());
    return dispatch(index + 1);
  };
  return dispatch(0);
}

/// Whether one lane can run the whole role: it only waits, copies and counts.
static bool runsInOneLane(tile::RoleOp role, tile::KernelOp kernel) {
  if (kernel.findRole(role.getRole()).getWarps() != 1)
    return false;
  WalkResult result = role.getBody().walk([&](Operation *op) {
    bool simple = isa<tile::AcquireOp, tile::CopyOp, tile::AdvanceOp, tile::CursorOp,
                      tile::ScheduleRangeOp, tile::DecodeOp, tile::EndOp, tile::ExtentOp,
                      tile::WaitOp, tile::ReleaseOp, tile::PdlWaitOp, tile::PdlTriggerOp>(op) ||
                  isa<arith::ArithDialect, scf::SCFDialect>(op->getDialect());
    return simple && !llvm::any_of(op->getOperandTypes(), tile::isRegisterTile)
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

void KernelLowering::enterRole(Operation *body, int64_t firstThread, int64_t threads,
                               bool warpgroups, int64_t instances) {
  role = {};
  role.threads = threads / instances;
  role.warpgroups = warpgroups ? role.threads / 128 : 0;
  Value thread = emit<sm90::ThreadIdOp>();
  role.threadInGroup = as("group_thread", rem(thread, warpgroups ? 128 : 32));
  role.thread = instances > 1 ? role.threadInGroup
                : firstThread ? as("role_thread", sub(thread, i32(firstThread)))
                              : thread;
  role.lane = as("lane", emit<sm90::LaneIdOp>());
  if (!warpgroups)
    return;
  auto groupOf = [&](StringRef name) {
    return as(name, sub(emit<sm90::WarpgroupIdOp>(), i32(firstThread / 128)));
  };
  role.instance = instances > 1 ? groupOf("instance") : Value();
  role.warpgroup = role.warpgroups == 1 ? i32(0) : groupOf("group");
  role.warpInGroup = as("group_warp", rem(warp, 4));
  bool stores = false;
  body->walk([&](Operation *op) { stores |= isa<tile::CopyOutOp>(op); });
  if (stores) {
    // NOTE: bulk groups are counted by thread, so one and the same thread issues a warpgroup's
    // stores and waits for them.
    Value firstWarp = compare(arith::CmpIPredicate::eq, role.warpInGroup, i32(0));
    Value elected = emit<sm90::ElectOneOp>();
    role.leader = as("store_leader", both(firstWarp, elected));
  }
}

LogicalResult KernelLowering::emitRole(tile::RoleOp op) {
  tile::RoleAttr attr = kernel.findRole(op.getRole());
  emit<sm90::CommentOp>(
      ("Role " + op.getRole() + ": " +
       (attr.getWarps() ? Twine(attr.getWarps()) + (attr.getWarps() == 1 ? " warp." : " warps.")
                        : Twine(attr.getWarpgroups()) +
                              (attr.getWarpgroups() == 1 ? " warpgroup" : " warpgroups") +
                              (attr.instances() > 1 ? ", each with tiles of its own." : ".")))
          .str());
  if (runsInOneLane(op, kernel)) {
    LogicalResult status = success();
    emitIf(emit<sm90::ElectOneOp>(), [&] {
      role = {};
      role.elected = true;
      role.thread = role.threadInGroup = i32(0);
      status = lowerBlock(op.getBody().front());
    });
    return status;
  }
  enterRole(op, kernel.firstThread(attr), attr.threads(), attr.getWarpgroups() > 0,
            attr.instances());
  role.firstBarrier = NamedBarriers(kernel).ofStores(op.getRole());
  enterInstance(attr);
  beginTurns(op.getRole());
  return lowerBlock(op.getBody().front());
}

/// Moves the role's private rings to the copies of the instance at hand.
void KernelLowering::enterInstance(tile::RoleAttr attr) {
  if (attr.instances() == 1)
    return;
  for (auto &[key, ring] : rings) {
    if (!ring.op.isPrivate() || ring.op.getProducer() != attr.getName())
      continue;
    for (auto [index, type] : llvm::enumerate(ring.op.getType().getTiles())) {
      int64_t bytes = ring.op.getType().getStages() *
                      tile::sharedLayoutOf(cast<RankedTensorType>(type)).sizeBytes();
      ring.slots[index] = as("own_" + ring.slotNames[index] + "_tiles",
                             add(ring.slots[index], mul(role.instance, bytes)));
    }
  }
}

//===-- Turns --------------------------------------------------------------------------------===//

// Warpgroup i waits for its turn at barrier i of the turn, where the one before it arrives to pass
// it on: 128 threads wait, 128 only count in. A warpgroup may end with a turn passed to it that it
// does not take; then its barrier is left half full.
static constexpr int64_t kTurnThreads = 256;

static bool alternates(tile::KernelOp kernel, tile::TurnOp turn) {
  return kernel.findRole(turn.getAmong()).getWarpgroups() > 1;
}

/// The first turn is warpgroup 0's: the last warpgroup passes it on before anything else.
void KernelLowering::beginTurns(StringRef roleName) {
  NamedBarriers barriers(kernel);
  int64_t last = kernel.findRole(roleName).getWarpgroups() - 1;
  for (tile::TurnOp turn : kernel.getOps<tile::TurnOp>()) {
    if (turn.getAmong() != roleName || !alternates(kernel, turn))
      continue;
    emit<sm90::CommentOp>(
        "They take turns; the last warpgroup passes the first one to warpgroup 0.");
    emitIf(compare(arith::CmpIPredicate::eq, role.group(), i32(last)), [&] {
      emit<sm90::BarrierArriveOp>(i32(barriers.ofTurn(turn)), constant(kTurnThreads));
    });
  }
}

LogicalResult KernelLowering::lowerTurnWait(tile::TurnWaitOp op) {
  auto turn = op.getTurn().getDefiningOp<tile::TurnOp>();
  if (!alternates(kernel, turn))
    return success();
  emit<sm90::CommentOp>("Its turn.");
  emit<sm90::BarrierSyncOp>(add(role.group(), NamedBarriers(kernel).ofTurn(turn)),
                            constant(kTurnThreads));
  return success();
}

LogicalResult KernelLowering::lowerTurnPass(tile::TurnPassOp op) {
  auto turn = op.getTurn().getDefiningOp<tile::TurnOp>();
  int64_t first = NamedBarriers(kernel).ofTurn(turn);
  int64_t groups = kernel.findRole(turn.getAmong()).getWarpgroups();
  if (!alternates(kernel, turn))
    return success();
  Value next = groups == 2 ? sub(i32(first + 1), role.group())
                           : add(rem(add(role.group(), 1), groups), first);
  emit<sm90::CommentOp>("The next one's turn.");
  emit<sm90::BarrierArriveOp>(next, constant(kTurnThreads));
  return success();
}

/// Whether the threads of the role at hand are those that a layout of registers counts on.
LogicalResult KernelLowering::checkHolds(Operation *op, RankedTensorType tile) {
  Attribute layout = tile.getEncoding();
  if (auto slice = dyn_cast_or_null<tile::SliceAttr>(layout))
    layout = slice.getParent();
  std::optional<tile::FragmentLayout> fragment = tile::fragmentLayoutOf(tile);
  if (!fragment || !isa<tile::AccAttr, tile::BlockedAttr>(layout))
    return op->emitOpError()
           << "has a lowering for tiles in #tile.acc, #tile.blocked and slices of "
              "them, found "
           << tile;
  if (fragment->threads() != role.threads || (isa<tile::AccAttr>(layout) && !role.warpgroups))
    return op->emitOpError() << "has a tile for " << fragment->threads()
                             << (isa<tile::AccAttr>(layout) ? " threads in warpgroups" : " threads")
                             << ", " << tile << ", in a role of " << role.threads
                             << (role.warpgroups ? " in warpgroups" : " in warps");
  return success();
}

} // namespace tilewright::tosm90
