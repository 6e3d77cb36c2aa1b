// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/SlotReleases.h"

#include "compiler/passes/DotGroups.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilewright {

namespace {

class ReleasePlacer {
public:
  explicit ReleasePlacer(tile::WaitOp wait) : wait(wait) {}
  LogicalResult run();

private:
  LogicalResult collectReaders(Value slot);
  LogicalResult releaseNextIteration(ArrayRef<GroupScan> inFlight);
  LogicalResult fail(Operation *reader, StringRef reason);
  void release(Operation *after, Value cursor, Value left = {}, Value right = {});

  tile::WaitOp wait;
  SmallVector<Operation *> readers;
};

LogicalResult ReleasePlacer::fail(Operation *reader, StringRef reason) {
  auto ring = wait.getRing().getDefiningOp<tile::RingOp>();
  InFlightDiagnostic diagnostic = wait.emitOpError();
  diagnostic << "waits for a stage of ring \"" << ring.getName()
             << "\" that cannot be released on every path: " << reason;
  diagnostic.attachNote(reader->getLoc()) << "the stage is read here";
  return diagnostic;
}

LogicalResult ReleasePlacer::collectReaders(Value slot) {
  for (Operation *user : slot.getUsers()) {
    if (isa<tile::CopyOutOp>(user))
      return fail(user, "copy_out reads it at a time that no wait of this role tells");
    if (auto rebind = dyn_cast<tile::RebindOp>(user)) {
      if (failed(collectReaders(rebind.getResult())))
        return failure();
      continue;
    }
    readers.push_back(user);
  }
  return success();
}

/// Releases after `after` and what stands there for the same reason; with `left` > `right` as the
/// guard if they are given.
void ReleasePlacer::release(Operation *after, Value cursor, Value left, Value right) {
  auto isRelease = [](Operation *op) {
    return isa<tile::ReleaseOp>(op) ||
           (isa<arith::CmpIOp>(op) && !op->use_empty() &&
            llvm::all_of(op->getUsers(), llvm::IsaPred<tile::ReleaseOp>));
  };
  while (isRelease(after->getNextNode()))
    after = after->getNextNode();
  OpBuilder builder(wait.getContext());
  builder.setInsertionPointAfter(after);
  Value guard;
  if (left)
    guard = arith::CmpIOp::create(builder, wait.getLoc(), arith::CmpIPredicate::sgt, left, right);
  tile::ReleaseOp::create(builder, wait.getLoc(), wait.getRing(), cursor, guard);
}

LogicalResult ReleasePlacer::releaseNextIteration(ArrayRef<GroupScan> inFlight) {
  Block *block = wait->getBlock();
  CountedLoop loop(block->getParentOp());
  if (!loop)
    return fail(readers.front(),
                "a dot still reads it where its block ends; wait for the dot before");
  Value at = wait.getCursor();
  while (auto advance = at.getDefiningOp<tile::AdvanceOp>())
    at = advance.getCursor();
  auto argument = dyn_cast<BlockArgument>(at);
  if (!argument || argument.getOwner() != block)
    return fail(readers.front(), "the loop around does not carry its cursor");

  Operation *here = nullptr, *behind = nullptr;
  for (GroupScan scan : inFlight) {
    GroupScan scanBehind = scan;
    Operation *completed = scan.completion(&block->front());
    Operation *completedBehind = scanBehind.completion(loop->getNextNode());
    if (!completed)
      return fail(readers.front(),
                  "the dot is still in flight one iteration later; lower `outstanding`");
    if (!completedBehind)
      return fail(readers.front(),
                  "no wait behind the loop completes its last dot; state outstanding 0");
    if (!here || here->isBeforeInBlock(completed))
      here = completed;
    if (!behind || behind->isBeforeInBlock(completedBehind))
      behind = completedBehind;
  }
  unsigned position = argument.getArgNumber();
  BlockArgument previous;
  loop = insertCarried(loop, position, loop.init(position - 1).get(), [&](BlockArgument carried) {
    previous = carried;
    previous.setLoc(NameLoc::get(StringAttr::get(wait.getContext(), "previous"), wait.getLoc()));
    return wait.getCursor();
  });
  release(here, previous, loop.counter(), loop.lower());
  release(behind, loop.result(position), loop.upper(), loop.lower());
  return success();
}

LogicalResult ReleasePlacer::run() {
  for (Value slot : wait.getSlots())
    if (failed(collectReaders(slot)))
      return failure();
  Operation *last = wait;
  SmallVector<GroupScan> inFlight;
  for (Operation *reader : readers) {
    Completion completion = completionIn(wait->getBlock(), reader);
    if (!completion.after)
      inFlight.push_back(completion.scan);
    else if (last->isBeforeInBlock(completion.after))
      last = completion.after;
  }
  if (!inFlight.empty())
    return releaseNextIteration(inFlight);
  release(last, wait.getCursor());
  return success();
}

} // namespace

LogicalResult placeReleases(Operation *root) {
  DenseSet<Value> placed;
  SmallVector<tile::WaitOp> waits;
  root->walk([&](tile::ReleaseOp release) { placed.insert(release.getRing()); });
  root->walk<WalkOrder::PreOrder>([&](tile::WaitOp wait) {
    if (!placed.contains(wait.getRing()))
      waits.push_back(wait);
  });
  for (tile::WaitOp wait : waits)
    if (failed(ReleasePlacer(wait).run()))
      return failure();
  return success();
}

} // namespace tilewright
