// SPDX-License-Identifier: Apache-2.0
//
// tile-verify-async: an analysis of scheduled kernels. Rings are in RingProtocol.cpp; here are
// accumulators in flight, turns, uniform control flow and named barriers.

#include "compiler/passes/CountedLoop.h"
#include "compiler/passes/Passes.h"
#include "compiler/passes/PathCount.h"
#include "compiler/passes/RingProtocol.h"

using namespace mlir;

namespace tilewright {

#define GEN_PASS_DEF_TILEVERIFYASYNC
#include "compiler/passes/Passes.h.inc"

namespace {

//===-- Accumulators in flight ---------------------------------------------------------------===//

/// An accumulator in flight goes to one next op on each path, and to one at least.
LogicalResult verifyPending(Value pending, Operation *from) {
  if (pending.use_empty())
    return from->emitOpError()
           << "leaves an accumulator in flight that nothing waits for; add a tile.dot_wait";
  for (Operation *use : pending.getUsers())
    for (Operation *other : pending.getUsers())
      if (runsBefore(other, use)) {
        InFlightDiagnostic diagnostic = use->emitOpError();
        diagnostic << "takes an accumulator in flight that another op has taken; use what that op "
                      "results in";
        diagnostic.attachNote(other->getLoc()) << "taken here";
        return diagnostic;
      }
  return success();
}

LogicalResult verifyPendings(Operation *root) {
  WalkResult walk = root->walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
    for (Value result : op->getResults())
      if (isa<tile::PendingType>(result.getType()) && failed(verifyPending(result, op)))
        return failure();
    for (Region &region : op->getRegions())
      for (Value argument : region.getArguments())
        if (isa<tile::PendingType>(argument.getType()) && failed(verifyPending(argument, op)))
          return failure();
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

//===-- Turns --------------------------------------------------------------------------------===//

/// Follows one turn through a block. `last` is the op that took or passed it before, null at the
/// start.
FailureOr<Operation *> followTurn(Block &block, Value turn, Operation *last) {
  auto fail = [&](Operation *op, const Twine &message, Operation *other) -> LogicalResult {
    InFlightDiagnostic diagnostic = op->emitOpError(message);
    if (other)
      diagnostic.attachNote(other->getLoc()) << "before it comes this one";
    return diagnostic;
  };
  auto holds = [](Operation *op) { return isa_and_nonnull<tile::TurnWaitOp>(op); };
  for (Operation &op : block) {
    auto wait = dyn_cast<tile::TurnWaitOp>(op);
    auto pass = dyn_cast<tile::TurnPassOp>(op);
    if (wait && wait.getTurn() == turn) {
      if (holds(last))
        return fail(&op, "waits for a turn that its warpgroup holds: it would wait for ever", last);
      last = &op;
    } else if (pass && pass.getTurn() == turn) {
      if (!holds(last))
        return fail(&op, "passes a turn that its warpgroup does not hold", last);
      last = &op;
    }
    Operation *before = last;
    for (Region &region : op.getRegions()) {
      if (region.empty())
        continue;
      FailureOr<Operation *> behind = followTurn(region.front(), turn, before);
      if (failed(behind))
        return failure();
      if (holds(*behind) != holds(before))
        return fail(*behind,
                    holds(before) ? "passes a turn in a loop or branch around which it is held"
                                  : "takes a turn in a loop or branch and does not pass it there",
                    before);
    }
  }
  return last;
}

LogicalResult verifyTurns(tile::RoleOp role) {
  auto kernel = role->getParentOfType<tile::KernelOp>();
  for (tile::TurnOp turn : kernel.getOps<tile::TurnOp>()) {
    FailureOr<Operation *> last = followTurn(role.getBody().front(), turn.getResult(), nullptr);
    if (failed(last))
      return failure();
    if (isa_and_nonnull<tile::TurnWaitOp>(*last))
      return (*last)->emitOpError() << "takes a turn that its role never passes on";
  }
  return success();
}

//===-- Uniform control flow -----------------------------------------------------------------===//

/// Ops that all warps of a role run together, or none.
bool isCollective(Operation *op) {
  return isa<tile::AcquireOp, tile::CommitOp, tile::CopyOp, tile::CopyOutOp, tile::DotRetireOp,
             tile::DotStartOp, tile::DotWaitOp, tile::DrainOp, tile::ReleaseOp, tile::TurnPassOp,
             tile::TurnWaitOp, tile::WaitOp>(op);
}

/// Scalars that may differ from warp to warp, each with the op that made the difference.
class Divergence {
public:
  explicit Divergence(Operation *root) {
    root->walk([&](Operation *op) {
      if (isa<tile::AnyOp, tile::AtomicAddOp>(op))
        mark(op->getResult(0), op);
    });
  }
  Operation *source(Value value) const { return sources.lookup(value); }

private:
  void mark(Value value, Operation *source);
  DenseMap<Value, Operation *> sources;
};

void Divergence::mark(Value value, Operation *source) {
  if (!sources.try_emplace(value, source).second)
    return;
  auto markAll = [&](ValueRange values) {
    for (Value next : values)
      mark(next, source);
  };
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (user->hasTrait<OpTrait::IsTerminator>()) {
      Operation *parent = user->getParentOp();
      if (CountedLoop loop{parent})
        mark(loop.argument(use.getOperandNumber()), source);
      if (use.getOperandNumber() < parent->getNumResults())
        mark(parent->getResult(use.getOperandNumber()), source);
    } else if (CountedLoop loop{user}) {
      for (unsigned i = 0; i < loop.carried(); ++i)
        if (&loop.init(i) == &use)
          markAll({loop.argument(i), loop.result(i)});
      if (use.getOperandNumber() < 3)
        mark(loop.counter(), source), markAll(user->getResults());
    } else {
      markAll(user->getResults());
    }
  }
}

LogicalResult verifyUniform(tile::RoleOp role) {
  Divergence divergence(role);
  WalkResult walk = role.walk([&](Operation *op) -> WalkResult {
    if (!isCollective(op))
      return WalkResult::advance();
    for (Operation *parent = op->getParentOp(); parent != role; parent = parent->getParentOp()) {
      unsigned control = isa<scf::IfOp>(parent) ? 1 : CountedLoop(parent) ? 3 : 0;
      for (Value operand : parent->getOperands().take_front(control))
        if (Operation *source = divergence.source(operand)) {
          InFlightDiagnostic diagnostic = op->emitOpError();
          diagnostic << "is run by all warps of its role together, but stands in a "
                     << parent->getName() << " that some of them may skip";
          diagnostic.attachNote(source->getLoc()) << "warps may differ from here on";
          return diagnostic;
        }
    }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

//===-- Named barriers -----------------------------------------------------------------------===//

/// Hardware has 16 named barriers a CTA, the first for all threads. Each warpgroup that stores
/// through shared memory has one, each turn one for each warpgroup that takes it.
LogicalResult verifyBarriers(tile::KernelOp kernel) {
  constexpr int64_t kBarriers = 16;
  int64_t needed = 1;
  std::string sum = "1 for the CTA";
  auto add = [&](tile::RoleAttr role, StringRef what) {
    int64_t count = std::max<int64_t>(role.getWarpgroups(), 1);
    needed += count;
    sum += " + " + std::to_string(count) + " for " + what.str() + " of @" + role.getName().str();
  };
  kernel.walk([&](tile::RoleOp role) {
    if (!role.getBody().getOps<tile::DrainOp>().empty() ||
        role.walk([](tile::CopyOutOp) { return WalkResult::interrupt(); }).wasInterrupted())
      add(kernel.findRole(role.getRole()), "stores");
  });
  for (tile::TurnOp turn : kernel.getOps<tile::TurnOp>())
    if (tile::RoleAttr role = kernel.findRole(turn.getAmong()))
      add(role, "a turn");
  if (needed > kBarriers)
    return kernel.emitOpError() << "needs " << needed << " named barriers, a CTA has " << kBarriers
                                << ": " << sum;
  return success();
}

struct VerifyAsync : impl::TileVerifyAsyncBase<VerifyAsync> {
  void runOnOperation() override {
    tile::KernelOp kernel = getOperation();
    if (kernel.getForm() != tile::Form::Scheduled)
      return;
    markAllAnalysesPreserved();
    WalkResult walk = kernel.walk([&](tile::RoleOp role) -> WalkResult {
      return failure(failed(verifyRings(role)) || failed(verifyPendings(role)) ||
                     failed(verifyTurns(role)) || failed(verifyUniform(role)));
    });
    if (walk.wasInterrupted() || failed(verifyBarriers(kernel)))
      signalPassFailure();
  }
};

} // namespace

} // namespace tilewright
