// SPDX-License-Identifier: Apache-2.0
//
// Software pipelining by one iteration. A loop `order [s:0, u:1, …]` becomes
//
//   prologue   the lag-0 steps of the first trip
//   loop       for each later trip t, in the stated order: lag-0 steps of trip t, lag-1 steps of
//   trip t - 1 epilogue   the lag-1 steps of the last trip
//
// under a guard for loops without trips; without a step of lag 1 it is the loop alone. Two kinds of
// values cross iterations of the rotated loop:
//   A(v)  the result v of a lag-0 step, used by a lag-1 step (or by the next trip) one iteration
//   later C(i)  what the i-th iter_arg was for trip t - 1, used by a lag-1 step; it starts as the
//   initial value

#include "compiler/passes/Elementwise.h"
#include "compiler/passes/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tilewright {

#define GEN_PASS_DEF_TILEROTATE
#include "compiler/passes/Passes.h.inc"

namespace {

/// A value of the body for the trip `offset` (0 or -1) after the one that the rotated loop counts.
using ValueAt = std::pair<Value, int>;

class Rotation {
public:
  explicit Rotation(tile::ForOp loop)
      : loop(loop), builder(loop), body(&loop.getBody().front()),
        yields(body->getTerminator()->getOperands()) {}

  LogicalResult run() {
    if (failed(readOrder()) || failed(findCarried()))
      return failure();
    if (!lags) {
      emitInOrder();
      return success();
    }
    Location loc = loop.getLoc();
    Value some = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, loop.getLower(),
                                       loop.getUpper());
    auto guard =
        scf::IfOp::create(builder, loc, loop.getResultTypes(), some, /*withElseRegion=*/true);
    // Without results the branches come with their terminators.
    guard.thenBlock()->clear();
    guard.elseBlock()->clear();
    OpBuilder otherwise = OpBuilder::atBlockEnd(guard.elseBlock());
    scf::YieldOp::create(otherwise, loc, loop.getInits());
    builder.setInsertionPointToEnd(guard.thenBlock());

    emitPrologue();
    tile::ForOp rotated = emitLoop();
    emitEpilogue(rotated);
    SmallVector<Value> results;
    for (Value value : yields)
      results.push_back(resolve(value, -1));
    scf::YieldOp::create(builder, loc, results);
    loop.replaceAllUsesWith(guard.getResults());
    loop.erase();
    return success();
  }

private:
  struct Entry {
    tile::StepOp step; ///< null for a turn
    bool turnWait = false;
    int lag = 0;
  };

  LogicalResult readOrder() {
    for (auto at : loop.getOrder()->getAsRange<tile::AtAttr>()) {
      Entry entry;
      entry.lag = static_cast<int>(at.getLag());
      lags |= entry.lag > 0;
      entry.turnWait = at.getStep() == "turn_wait";
      for (auto step : loop.getBody().getOps<tile::StepOp>())
        if (step.getName() == at.getStep())
          entry.step = step;
      if (entry.step)
        lagOf[entry.step] = entry.lag;
      entries.push_back(entry);
    }
    for (Operation &op : body->without_terminator())
      if (!isa<tile::StepOp>(op) && !mayRepeat(&op))
        return op.emitOpError() << "stands beside the steps of a loop with an order; only steps "
                                   "and pure scalars may: put it into a step";
    return success();
  }

  /// Whether the op may be computed wherever its result is needed: pure, and no work on tiles.
  static bool mayRepeat(Operation *op) {
    return isMemoryEffectFree(op) &&
           (isFreeTile(op) || !llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>));
  }

  /// Values that an op reads, those that its regions read from outside included.
  static SmallVector<Value> capturesOf(Operation *op) {
    llvm::SetVector<Value> captures;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (!op->isProperAncestor(operand.getParentBlock()->getParentOp()) &&
            operand.getParentBlock()->getParentOp() != op)
          captures.insert(operand);
    });
    return captures.takeVector();
  }

  //===-- Which values cross iterations ------------------------------------------------------===//

  LogicalResult findCarried() {
    llvm::DenseSet<Operation *> done;
    for (const Entry &entry : entries) {
      if (!entry.step)
        continue;
      for (Value value : capturesOf(entry.step))
        if (failed(need(value, -entry.lag, done, entry.step)))
          return failure();
      done.insert(entry.step);
    }
    for (Value value : yields)
      if (failed(need(value, lags ? -1 : 0, done, loop)))
        return failure();
    // What C(i) hands on must itself be known: the list grows while it is walked.
    for (size_t index = 0; index < carriedArgs.size(); ++index)
      if (failed(need(yields[carriedArgs[index]], -1, done, loop)))
        return failure();
    return success();
  }

  LogicalResult need(Value value, int offset, const llvm::DenseSet<Operation *> &done,
                     Operation *user) {
    if (isOutside(value) || value == loop.getInductionVar())
      return success();
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      unsigned index = argument.getArgNumber() - 1;
      if (!lags)
        return success();
      if (offset == 0)
        return need(yields[index], -1, done, user);
      carriedArgs.insert(index);
      return success();
    }
    Operation *def = value.getDefiningOp();
    if (auto step = dyn_cast<tile::StepOp>(def)) {
      if (offset == -lagOf.lookup(step) && done.contains(step))
        return success();
      if (lags && offset == -1 && lagOf.lookup(step) == 0) {
        carriedValues.insert(value);
        return success();
      }
      InFlightDiagnostic error = loop.emitOpError()
                                 << "a use precedes its definition in the order: step \""
                                 << step.getName() << "\" has not run for that iteration yet";
      error.attachNote(user->getLoc()) << "needed here";
      return error;
    }
    for (Value operand : capturesOf(def))
      if (failed(need(operand, offset, done, user)))
        return failure();
    return success();
  }

  bool isOutside(Value value) const {
    return !loop->isAncestor(value.getParentBlock()->getParentOp());
  }

  //===-- Emission ---------------------------------------------------------------------------===//

  /// `value` of the body for trip t + offset, at the current place.
  Value resolve(Value value, int offset) {
    if (isOutside(value))
      return value;
    if (auto found = known.find({value, offset}); found != known.end())
      return found->second;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      assert(argument != loop.getInductionVar() && "counters are known in each phase");
      return resolve(yields[argument.getArgNumber() - 1], offset - 1);
    }
    // A pure scalar beside the steps: computed where it is needed.
    Operation *def = value.getDefiningOp();
    IRMapping mapping;
    for (Value operand : capturesOf(def))
      mapping.map(operand, resolve(operand, offset));
    Operation *clone = builder.clone(*def, mapping);
    for (auto [from, to] : llvm::zip(def->getResults(), clone->getResults()))
      known[{from, offset}] = to;
    return clone->getResult(cast<OpResult>(value).getResultNumber());
  }

  void emitStep(tile::StepOp step, int offset, bool mayskip) {
    IRMapping mapping;
    for (Value value : capturesOf(step))
      mapping.map(value, resolve(value, offset));
    // The step's own ops move in; its name has done its work.
    for (Operation &op : step.getBody().front().without_terminator()) {
      Operation *clone = builder.clone(op, mapping);
      if (!mayskip)
        resolveSkippables(clone, mapping);
    }
    auto yield = cast<tile::YieldOp>(step.getBody().front().getTerminator());
    for (auto [result, value] : llvm::zip(step.getResults(), yield.getValues()))
      known[{result, offset}] = mapping.lookupOrDefault(value);
  }

  /// Outside the range that a trip belongs to, skippable work is done: that is always right.
  void resolveSkippables(Operation *op, IRMapping &mapping) {
    SmallVector<tile::SkippableOp> found;
    op->walk([&](tile::SkippableOp skippable) { found.push_back(skippable); });
    for (tile::SkippableOp skippable : found) {
      Block &inner = skippable.getBody().front();
      auto yield = cast<tile::YieldOp>(inner.getTerminator());
      Value value = yield.getValues().front();
      // Later ops of the step look the result up by the original value.
      for (auto &[from, to] : mapping.getValueMap())
        if (to == skippable.getResult())
          mapping.map(from, value);
      skippable.getResult().replaceAllUsesWith(value);
      yield.erase();
      skippable->getBlock()->getOperations().splice(skippable->getIterator(),
                                                    inner.getOperations());
      if (builder.getInsertionBlock() == skippable->getBlock() &&
          builder.getInsertionPoint() == skippable->getIterator())
        builder.setInsertionPointAfter(skippable);
      skippable.erase();
    }
  }

  /// A loop like the given one from `lower` on, without order and turn; its body is empty.
  tile::ForOp createLoop(Value lower, ValueRange bounds, ValueRange inits) {
    auto created = tile::ForOp::create(builder, loop.getLoc(), inits.getTypes(), lower,
                                       loop.getUpper(), loop.getStep(), bounds, inits, Value(),
                                       loop.getRangeNamesAttr(), ArrayAttr());
    created->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    Block &block = created.getBody().emplaceBlock();
    block.addArgument(builder.getI32Type(), loop.getInductionVar().getLoc());
    for (Value init : inits)
      block.addArgument(init.getType(), init.getLoc());
    return created;
  }

  /// Steps and turns in the stated order.
  void emitEntries() {
    for (const Entry &entry : entries) {
      if (entry.step)
        emitStep(entry.step, -entry.lag, /*mayskip=*/entry.lag == 0);
      else if (entry.turnWait)
        tile::TurnWaitOp::create(builder, loop.getLoc(), loop.getTurn());
      else
        tile::TurnPassOp::create(builder, loop.getLoc(), loop.getTurn());
    }
  }

  /// Nothing lags: the same trips, each in the stated order.
  void emitInOrder() {
    tile::ForOp ordered = createLoop(loop.getLower(), loop.getRangeBounds(), loop.getInits());
    builder.setInsertionPointToEnd(&ordered.getBody().front());
    for (auto [from, to] : llvm::zip(body->getArguments(), ordered.getBody().getArguments())) {
      to.setLoc(from.getLoc());
      known[{from, 0}] = to;
    }
    emitEntries();
    SmallVector<Value> next;
    for (Value value : yields)
      next.push_back(resolve(value, 0));
    tile::YieldOp::create(builder, loop.getLoc(), next);
    loop.replaceAllUsesWith(ordered.getResults());
    loop.erase();
  }

  void emitPrologue() {
    known.clear();
    known[{loop.getInductionVar(), 0}] = loop.getLower();
    for (auto [argument, init] : llvm::zip(loop.getIterArgs(), loop.getInits()))
      known[{argument, 0}] = init;
    for (const Entry &entry : entries)
      if (entry.step && entry.lag == 0)
        emitStep(entry.step, 0, /*mayskip=*/false);
  }

  tile::ForOp emitLoop() {
    Location loc = loop.getLoc();
    SmallVector<Value> inits;
    for (Value value : carriedValues)
      inits.push_back(known.lookup({value, 0}));
    for (unsigned index : carriedArgs)
      inits.push_back(loop.getInits()[index]);
    Value second = arith::AddIOp::create(builder, loc, loop.getLower(), loop.getStep());
    // The first trip is in the prologue: ranges that ended before the second trip are empty.
    SmallVector<Value> bounds;
    for (Value bound : loop.getRangeBounds())
      bounds.push_back(bound == loop.getLower()   ? second
                       : bound == loop.getUpper() ? bound
                                                  : Value());
    for (auto [index, bound] : llvm::enumerate(bounds))
      if (!bound)
        bound = index % 2 == 0 && index
                    ? bounds[index - 1]
                    : arith::MaxSIOp::create(builder, loc, loop.getRangeBounds()[index], second)
                          .getResult();

    tile::ForOp rotated = createLoop(second, bounds, inits);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&rotated.getBody().front());
    known.clear();
    Value counter = rotated.getInductionVar();
    known[{loop.getInductionVar(), 0}] = counter;
    known[{loop.getInductionVar(), -1}] =
        arith::SubIOp::create(builder, loc, counter, loop.getStep());
    bindCarried(rotated.getIterArgs());
    emitEntries();
    SmallVector<Value> next;
    for (Value value : carriedValues)
      next.push_back(known.lookup({value, 0}));
    for (unsigned index : carriedArgs)
      next.push_back(resolve(yields[index], -1));
    tile::YieldOp::create(builder, loc, next);
    return rotated;
  }

  void emitEpilogue(tile::ForOp rotated) {
    Location loc = loop.getLoc();
    known.clear();
    // The last trip: the lower bound plus whole steps, below the upper bound.
    Value one = arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), 1);
    Value span = arith::SubIOp::create(
        builder, loc, arith::SubIOp::create(builder, loc, loop.getUpper(), loop.getLower()), one);
    Value whole = arith::MulIOp::create(
        builder, loc, arith::DivSIOp::create(builder, loc, span, loop.getStep()), loop.getStep());
    known[{loop.getInductionVar(), -1}] =
        arith::AddIOp::create(builder, loc, loop.getLower(), whole);
    bindCarried(rotated.getResults());
    for (const Entry &entry : entries)
      if (entry.step && entry.lag == 1)
        emitStep(entry.step, -1, /*mayskip=*/false);
  }

  /// Values that crossed the iteration's border: A(v) and C(i).
  void bindCarried(ValueRange values) {
    for (auto [index, value] : llvm::enumerate(carriedValues))
      known[{value, -1}] = values[index];
    for (auto [index, argument] : llvm::enumerate(carriedArgs))
      known[{loop.getIterArgs()[argument], -1}] = values[carriedValues.size() + index];
  }

  tile::ForOp loop;
  OpBuilder builder;
  Block *body;
  SmallVector<Value> yields;
  SmallVector<Entry> entries;
  bool lags = false; ///< whether any step does
  llvm::DenseMap<Operation *, int> lagOf;
  llvm::SetVector<Value> carriedValues;
  llvm::SetVector<unsigned> carriedArgs;
  llvm::DenseMap<ValueAt, Value> known;
};

/// Steps of a loop without an order are only names.
void inlineStep(tile::StepOp step) {
  auto yield = cast<tile::YieldOp>(step.getBody().front().getTerminator());
  step.replaceAllUsesWith(yield.getValues());
  yield.erase();
  step->getBlock()->getOperations().splice(step->getIterator(),
                                           step.getBody().front().getOperations());
  step.erase();
}

struct Rotate : impl::TileRotateBase<Rotate> {
  void runOnOperation() override {
    SmallVector<tile::ForOp> loops;
    getOperation().walk<WalkOrder::PostOrder>([&](tile::ForOp loop) {
      if (loop.getOrder())
        loops.push_back(loop);
    });
    for (tile::ForOp loop : loops)
      if (failed(Rotation(loop).run()))
        return signalPassFailure();
    SmallVector<tile::StepOp> steps;
    getOperation().walk<WalkOrder::PostOrder>([&](tile::StepOp step) { steps.push_back(step); });
    for (tile::StepOp step : steps)
      inlineStep(step);
  }
};

} // namespace

} // namespace tilewright
