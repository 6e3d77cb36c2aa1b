// SPDX-License-Identifier: Apache-2.0
//
// tile-verify-async: an analysis of scheduled kernels. Rings are in RingProtocol.cpp; here are
// accumulators in flight, turns, uniform control flow and named barriers.

#include "compiler/passes/CountedLoop.h"
#include "compiler/passes/NamedBarriers.h"
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

/// Whether the role holds `turn` where `op` stands. Turns are taken and passed in one block, as
/// followTurn has checked.
bool holdsTurnAt(Operation *op, Value turn) {
  for (; !isa<tile::RoleOp>(op); op = op->getParentOp())
    for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode()) {
      if (auto wait = dyn_cast<tile::TurnWaitOp>(before); wait && wait.getTurn() == turn)
        return true;
      if (auto pass = dyn_cast<tile::TurnPassOp>(before); pass && pass.getTurn() == turn)
        return false;
    }
  return false;
}

/// Instances of a role share its rings and each skips the stages of the others. A full barrier
/// tells neighbouring rounds apart only, so who waits must know that the others have waited before.
LogicalResult verifyInstanceWaits(tile::RoleOp role) {
  auto kernel = role->getParentOfType<tile::KernelOp>();
  if (kernel.findRole(role.getRole()).instances() == 1)
    return success();
  WalkResult walk = role.walk([&](tile::WaitOp wait) -> WalkResult {
    bool holds = llvm::any_of(kernel.getOps<tile::TurnOp>(), [&](tile::TurnOp turn) {
      return turn.getAmong() == role.getRole() && holdsTurnAt(wait, turn.getResult());
    });
    if (holds)
      return WalkResult::advance();
    auto ring = wait.getRing().getDefiningOp<tile::RingOp>();
    return wait.emitOpError() << "waits for a stage of ring \"" << ring.getName()
                              << "\" out of turn; warpgroups of role @" << role.getRole()
                              << " skip each other's stages, and a barrier several rounds behind "
                                 "looks like a full one: wait between a turn_wait and its "
                                 "turn_pass";
  });
  return failure(walk.wasInterrupted());
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

/// Hardware has 16 named barriers a CTA.
LogicalResult verifyBarriers(tile::KernelOp kernel) {
  constexpr int64_t kBarriers = 16;
  NamedBarriers barriers(kernel);
  if (barriers.count() > kBarriers)
    return kernel.emitOpError() << "needs " << barriers.count() << " named barriers, a CTA has "
                                << kBarriers << ": " << barriers.sum();
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
                     failed(verifyTurns(role)) || failed(verifyInstanceWaits(role)) ||
                     failed(verifyUniform(role)));
    });
    if (walk.wasInterrupted() || failed(verifyBarriers(kernel)))
      signalPassFailure();
  }
};

} // namespace

} // namespace tilewright
