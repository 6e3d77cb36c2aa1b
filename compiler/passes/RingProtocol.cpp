// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/RingProtocol.h"

#include "compiler/passes/CountedLoop.h"
#include "compiler/passes/DotGroups.h"
#include "compiler/passes/PathCount.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilewright {

namespace {

LogicalResult failAt(Operation *op, const Twine &message, Operation *other, const Twine &note) {
  InFlightDiagnostic diagnostic = op->emitOpError(message);
  if (other)
    diagnostic.attachNote(other->getLoc()) << note;
  return diagnostic;
}

bool isAccess(Operation *op) { return isa<tile::AcquireOp, tile::WaitOp>(op); }

/// The acquire or wait that a slot comes from.
Operation *accessOf(Value slot) {
  while (auto rebind = slot.getDefiningOp<tile::RebindOp>())
    slot = rebind.getSlot();
  return slot.getDefiningOp();
}

//===-- Cursors ------------------------------------------------------------------------------===//

/// One cursor value: who stops at it, who passes it.
LogicalResult verifyCursor(Value cursor) {
  SmallVector<Operation *> accesses, advances;
  for (Operation *user : cursor.getUsers()) {
    if (isAccess(user))
      accesses.push_back(user);
    if (isa<tile::AdvanceOp>(user))
      advances.push_back(user);
  }
  for (Operation *advance : advances) {
    for (Operation *other : advances)
      if (runsBefore(other, advance))
        return failAt(advance, "advances a cursor a second time", other, "advanced here");
    for (Operation *access : accesses)
      if (runsBefore(advance, access))
        return failAt(access, "stands at a cursor that has been advanced; use the advanced one",
                      advance, "advanced here");
    if (accesses.empty() && !cast<tile::AdvanceOp>(advance).getCount())
      return failAt(advance, "passes a stage that this role neither acquired nor waited for",
                    cursor.getDefiningOp(), "the cursor comes from here");
  }
  for (Operation *access : accesses) {
    for (Operation *other : accesses)
      if (runsBefore(other, access))
        return failAt(access, "takes the stage of this cursor a second time", other, "taken here");
    if (isa<tile::RoleOp>(access->getParentOp()))
      continue; // nothing comes round again
    PathCount passed =
        countOnPaths(access, [&](Operation *op) { return llvm::is_contained(advances, op); });
    if (!passed.isOnce())
      return failAt(
          access,
          "takes a stage, but its cursor is not advanced once on every path behind: the next "
          "round would take the same stage",
          advances.empty() ? nullptr : advances.front(), "not on every path");
  }
  return success();
}

//===-- The filling end ----------------------------------------------------------------------===//

LogicalResult verifyCopy(tile::CopyOp copy) {
  Operation *access = accessOf(copy.getSlot());
  auto acquire = dyn_cast_or_null<tile::AcquireOp>(access);
  if (!acquire)
    return failAt(copy, "fills a slot that this role did not acquire", access,
                  "the slot comes from here");
  if (acquire.getRing() != copy.getRing() || acquire.getCursor() != copy.getCursor())
    return failAt(copy, "signals another stage than that of its slot", acquire,
                  "the slot comes from here");
  return success();
}

LogicalResult verifyAcquire(tile::AcquireOp acquire) {
  auto ring = acquire.getRing().getDefiningOp<tile::RingOp>();
  if (ring.isPrivate())
    return success();
  if (ring.getFull() == tile::FullBy::Threads) {
    PathCount commits = countOnPaths(acquire, [&](Operation *op) {
      auto commit = dyn_cast<tile::CommitOp>(op);
      return commit && commit.getRing() == acquire.getRing() &&
             commit.getCursor() == acquire.getCursor();
    });
    if (!commits.isOnce())
      return failAt(
          acquire,
          "takes a stage of ring \"" + ring.getName() +
              "\" that is not committed once on every path: its reader would wait for ever",
          nullptr, "");
    return success();
  }
  for (auto [index, slot] : llvm::enumerate(acquire.getSlots())) {
    SmallVector<Operation *> copies;
    for (Operation *user : slot.getUsers())
      if (isa<tile::CopyOp>(user))
        copies.push_back(user);
    PathCount filled =
        countOnPaths(acquire, [&](Operation *op) { return llvm::is_contained(copies, op); });
    if (filled.most > 1)
      return failAt(copies.front(),
                    "fills slot " + Twine(index + 1) +
                        " of a stage whose barrier counts one copy, and is not alone",
                    acquire, "the stage is acquired here");
    if (!filled.least)
      return failAt(acquire,
                    "counts on a copy into slot " + Twine(index + 1) + " of ring \"" +
                        ring.getName() +
                        "\", but none runs on every path: its reader would wait for ever",
                    copies.empty() ? nullptr : copies.front(), "not on every path");
  }
  return success();
}

/// Only a stage that was acquired may be written, or one that was rebound: whoever does that owns
/// it.
LogicalResult verifyWrite(tile::FragmentStoreOp store) {
  if (auto wait = store.getSlot().getDefiningOp<tile::WaitOp>())
    return failAt(store,
                  "writes a slot that this role reads; tile.rebind it to use its bytes again", wait,
                  "the slot comes from here");
  return success();
}

//===-- The reading end ----------------------------------------------------------------------===//

/// Checks the releases of one wait's stage and collects them in `seen`.
class StageCheck {
public:
  StageCheck(tile::WaitOp wait, DenseSet<Operation *> &seen) : wait(wait), seen(seen) {}
  LogicalResult run();

private:
  using Releases = SmallVector<tile::ReleaseOp>;
  Releases releasesAt(Value cursor);
  void collectReaders(Value slot);
  LogicalResult verifyHere(ArrayRef<tile::ReleaseOp> releases);
  LogicalResult verifyLagging(CountedLoop loop, unsigned carried);
  LogicalResult verifyBehind(CountedLoop loop, unsigned carried);
  LogicalResult verifyGuard(tile::ReleaseOp release, Value left, Value right);
  LogicalResult failEarly(tile::ReleaseOp release, Operation *reader);
  LogicalResult failTwice(tile::ReleaseOp release, tile::ReleaseOp other);
  Value firstLower(CountedLoop loop, unsigned carried);

  tile::WaitOp wait;
  DenseSet<Operation *> &seen;
  SmallVector<Operation *> readers;
};

StageCheck::Releases StageCheck::releasesAt(Value cursor) {
  Releases releases;
  for (Operation *user : cursor.getUsers())
    if (auto release = dyn_cast<tile::ReleaseOp>(user);
        release && release.getRing() == wait.getRing())
      releases.push_back(release);
  return releases;
}

void StageCheck::collectReaders(Value slot) {
  for (Operation *user : slot.getUsers()) {
    if (isa<tile::RebindOp>(user))
      collectReaders(user->getResult(0));
    else
      readers.push_back(user);
  }
}

LogicalResult StageCheck::failEarly(tile::ReleaseOp release, Operation *reader) {
  return failAt(release,
                isa<tile::DotStartOp>(reader)
                    ? "gives back a stage that a dot may still read; wait for the dot first"
                    : "gives back a stage that is read later",
                reader, "read here");
}

LogicalResult StageCheck::failTwice(tile::ReleaseOp release, tile::ReleaseOp other) {
  if (runsBefore(release, other))
    std::swap(release, other);
  return failAt(release, "gives back a stage a second time", other, "given back here");
}

LogicalResult StageCheck::run() {
  for (Value slot : wait.getSlots())
    collectReaders(slot);
  if (Releases here = releasesAt(wait.getCursor()); !here.empty())
    return verifyHere(here);
  CountedLoop loop(wait->getBlock()->getParentOp());
  for (unsigned i = 0; loop && i < loop.carried(); ++i)
    if (loop.yielded(i).get() == wait.getCursor() && !releasesAt(loop.argument(i)).empty())
      return verifyLagging(loop, i);
  return failAt(wait,
                "takes a stage that is never released: who fills the ring would wait for ever",
                nullptr, "");
}

LogicalResult StageCheck::verifyHere(ArrayRef<tile::ReleaseOp> releases) {
  seen.insert(releases.begin(), releases.end());
  for (tile::ReleaseOp release : releases)
    for (tile::ReleaseOp other : releases)
      if (runsBefore(other, release))
        return failAt(release, "gives back a stage a second time", other, "given back here");
  PathCount count = countOnPaths(wait, [&](Operation *op) {
    auto release = dyn_cast<tile::ReleaseOp>(op);
    return release && !release.getCondition() && llvm::is_contained(releases, release);
  });
  if (!count.isOnce())
    return failAt(releases.front(),
                  "gives back a stage, but not once on every path behind the wait for it", wait,
                  "the stage is taken here");
  for (Operation *reader : readers) {
    Completion completion = completionIn(wait->getBlock(), reader);
    for (tile::ReleaseOp release : releases) {
      Operation *at = wait->getBlock()->findAncestorOpInBlock(*release);
      bool inOneOp = at && completion.after == at && at != release;
      if (!at || !completion.after || (!inOneOp && !completion.after->isBeforeInBlock(at)) ||
          (inOneOp && runsBefore(release, reader)))
        return failEarly(release, reader);
    }
  }
  return success();
}

/// Whether `release` runs exactly if `left` > `right`.
LogicalResult StageCheck::verifyGuard(tile::ReleaseOp release, Value left, Value right) {
  auto compare = release.getCondition() ? release.getCondition().getDefiningOp<arith::CmpIOp>()
                                        : arith::CmpIOp();
  auto is = [&](arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    return compare && compare.getPredicate() == predicate && compare.getLhs() == lhs &&
           compare.getRhs() == rhs;
  };
  if (is(arith::CmpIPredicate::sgt, left, right) || is(arith::CmpIPredicate::slt, right, left))
    return success();
  return failAt(release,
                "gives back the stage of the iteration before and needs the guard that there was "
                "one: counter or "
                "upper bound greater than the lower bound",
                wait, "the stage is taken here");
}

/// The stage is given back in the next iteration, at the cursor that the loop carries as `carried`.
LogicalResult StageCheck::verifyLagging(CountedLoop loop, unsigned carried) {
  Releases inside = releasesAt(loop.argument(carried));
  seen.insert(inside.begin(), inside.end());
  if (inside.size() > 1)
    return failTwice(inside[0], inside[1]);
  tile::ReleaseOp release = inside.front();
  if (release->getBlock() != &loop.body())
    return failAt(release, "gives back the stage of the iteration before, but not on every path",
                  wait, "the stage is taken here");
  for (Operation *reader : readers) {
    Completion completion = completionIn(&loop.body(), reader);
    if (!completion.after && !completion.scan.completion(&loop.body().front(), release))
      return failEarly(release, reader);
  }
  return verifyBehind(loop, carried);
}

/// The lower bound of the first of the loops that carry the cursor one after the other: ranges cut
/// a loop into several.
Value StageCheck::firstLower(CountedLoop loop, unsigned carried) {
  auto init = dyn_cast<OpResult>(loop.init(carried).get());
  CountedLoop before(init ? init.getOwner() : nullptr);
  if (!before || releasesAt(before.argument(init.getResultNumber())).empty())
    return loop.lower();
  return firstLower(before, init.getResultNumber());
}

/// The last stage is given back behind the loop, or by a loop behind that carries it on.
LogicalResult StageCheck::verifyBehind(CountedLoop loop, unsigned carried) {
  Value lower = firstLower(loop, carried);
  for (CountedLoop at = loop;;) {
    tile::ReleaseOp inside = releasesAt(at.argument(carried)).empty()
                                 ? tile::ReleaseOp()
                                 : releasesAt(at.argument(carried)).front();
    if (inside && failed(verifyGuard(inside, at.counter(), lower)))
      return failure();
    Releases behind = releasesAt(at.result(carried));
    seen.insert(behind.begin(), behind.end());
    if (behind.size() > 1)
      return failTwice(behind[0], behind[1]);
    if (behind.size() == 1) {
      if (behind[0]->getBlock() != loop->getBlock())
        return failAt(behind[0], "gives back the last stage of a loop, but not on every path", wait,
                      "the stage is taken here");
      for (Operation *reader : readers) {
        Completion completion = completionIn(&loop.body(), reader);
        if (!completion.after && !completion.scan.completion(loop->getNextNode(), behind[0]))
          return failEarly(behind[0], reader);
      }
      return verifyGuard(behind[0], at.upper(), lower);
    }
    CountedLoop next(nullptr);
    for (OpOperand &use : at.result(carried).getUses())
      if (CountedLoop user{use.getOwner()})
        for (unsigned i = 0; i < user.carried(); ++i)
          if (&user.init(i) == &use && !releasesAt(user.argument(i)).empty()) {
            next = user;
            carried = i;
          }
    if (!next)
      return failAt(wait,
                    "takes a stage that is not released behind the last iteration of its loop",
                    loop.getOperation(), "the loop");
    at = next;
  }
}

} // namespace

LogicalResult verifyRings(tile::RoleOp role) {
  DenseSet<Operation *> seen;
  DenseSet<Value> cursors;
  WalkResult walk = role.walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
    if (auto copy = dyn_cast<tile::CopyOp>(op))
      return verifyCopy(copy);
    if (auto store = dyn_cast<tile::FragmentStoreOp>(op))
      return verifyWrite(store);
    for (Value operand : op->getOperands())
      if (isa<tile::CursorType>(operand.getType()) && cursors.insert(operand).second &&
          failed(verifyCursor(operand)))
        return failure();
    if (auto acquire = dyn_cast<tile::AcquireOp>(op))
      return verifyAcquire(acquire);
    if (auto wait = dyn_cast<tile::WaitOp>(op))
      return StageCheck(wait, seen).run();
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  walk = role.walk([&](tile::ReleaseOp release) -> WalkResult {
    if (!seen.contains(release))
      return release.emitOpError()
             << "gives back a stage that this role does not hold at this cursor";
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

} // namespace tilewright
