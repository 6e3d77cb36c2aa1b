// SPDX-License-Identifier: Apache-2.0
//
// Dispatch and control flow.

#include "compiler/evaluator/Interpreter.h"

#include "compiler/evaluator/Elementwise.h"
#include "compiler/evaluator/TileMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;

namespace tilewright::evaluator {

LogicalResult Interpreter::runFunction(FunctionOpInterface function, ArrayRef<Value> arguments) {
  return runBlock(function.getFunctionBody().front(), arguments);
}

const Value &Interpreter::valueOf(mlir::Value value) const {
  auto it = values_.find(value);
  assert(it != values_.end() && "operands are evaluated before their users");
  return it->second;
}

llvm::SmallVector<int64_t, 4> Interpreter::intsOf(ValueRange range) const {
  return llvm::map_to_vector<4>(range, [&](mlir::Value value) { return intOf(value); });
}

Interpreter::Values Interpreter::valuesOf(ValueRange range) const {
  return llvm::map_to_vector<4>(range, [&](mlir::Value value) { return valueOf(value); });
}

LogicalResult Interpreter::set(mlir::Value result, Value value) {
  values_[result] = std::move(value);
  return success();
}

LogicalResult Interpreter::setAll(Operation *op, FailureOr<Values> values) {
  if (failed(values))
    return failure();
  for (auto [result, value] : llvm::zip_equal(op->getResults(), *values))
    values_[result] = std::move(value);
  return success();
}

FailureOr<Interpreter::Values> Interpreter::runBlock(Block &block, ArrayRef<Value> arguments) {
  for (auto [argument, value] : llvm::zip_equal(block.getArguments(), arguments))
    values_[argument] = value;
  for (Operation &op : block.without_terminator())
    if (failed(runOp(&op)))
      return failure();
  return valuesOf(block.getTerminator()->getOperands());
}

LogicalResult Interpreter::runOp(Operation *op) {
  if (isElementwise(op))
    return runElementwise(op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](arith::ConstantOp constant) { return runConstant(op, constant.getValue()); })
      .Case([&](scf::ForOp loop) { return runScfFor(loop); })
      .Case([&](scf::IfOp branch) { return runScfIf(branch); })
      .Case([&](scf::WhileOp loop) { return runScfWhile(loop); })
      .Case([&](tile::ForOp loop) { return runFor(loop); })
      .Case([&](tile::ForTilesOp loop) { return runForTiles(loop); })
      .Case([&](tile::StepOp step) { return setAll(op, runBlock(step.getBody().front(), {})); })
      .Case([&](tile::SkippableOp skippable) { return runSkippable(skippable); })
      .Case([&](tile::LaunchOp launch) { return runLaunch(launch); })
      .Case([&](tile::BufferOp buffer) { return runBuffer(buffer); })
      .Case([&](tile::RequireOp require) { return runRequire(require); })
      .Case([&](tile::SmCountOp count) {
        return set(count.getResult(), Number(int64_t(options_.smCount)));
      })
      .Case([&](tile::ViewOp view) { return runView(view); })
      .Case([&](tile::ExtentOp extent) {
        return set(extent.getResult(), Number(viewOf(extent.getView()).sizes[extent.getDim()]));
      })
      .Case([&](tile::RasterOp raster) { return runRaster(raster); })
      .Case([&](tile::WorkListOp list) { return runWorkList(list); })
      .Case([&](tile::LoadOp load) { return runLoad(load); })
      .Case([&](tile::GatherOp gather) { return runGather(gather); })
      .Case([&](tile::StoreOp store) { return runStore(store); })
      .Case([&](tile::ReadOp read) { return runRead(read); })
      .Case([&](tile::AtomicAddOp add) { return runAtomicAdd(add); })
      .Case([&](tile::SemaphoreWaitOp wait) { return runSemaphoreWait(wait); })
      .Case([&](tile::SemaphorePostOp post) { return runSemaphorePost(post); })
      .Case([&](tile::DotOp dot) { return runDot(dot); })
      .Case([&](tile::ReduceOp reduce) { return runReduce(reduce); })
      // A partial reduction is evaluated as a whole one, so there is nothing left to finish.
      .Case([&](tile::ReduceFinishOp finish) {
        return set(finish.getResult(), valueOf(finish.getValue()));
      })
      .Case([&](tile::MapOp map) { return runMap(map); })
      .Case([&](tile::ZeroOp zero) {
        auto pending = dyn_cast<tile::PendingType>(zero.getType());
        auto type = pending ? pending.getTile() : cast<RankedTensorType>(zero.getType());
        Number number = isFloatLike(type) ? Number(0.0) : Number(int64_t(0));
        Tile zeros = splat(type.getShape(), number);
        if (!pending)
          return set(zero.getResult(), std::move(zeros));
        auto dot = std::make_shared<PendingDot>();
        dot->result = std::move(zeros);
        return set(zero.getResult(), std::move(dot));
      })
      .Case([&](tile::SplatOp fill) {
        return set(fill.getResult(), splat(fill.getType().getShape(), numberOf(fill.getValue())));
      })
      .Case([&](tile::CoordOp coord) {
        int64_t offset = coord.getOffset() ? intOf(coord.getOffset()) : 0;
        return set(coord.getResult(),
                   coordinates(coord.getType().getShape(), coord.getDim(), offset));
      })
      .Case([&](tile::BroadcastOp spread) {
        return set(spread.getResult(), broadcast(tileOf(spread.getValue()), spread.getDim(),
                                                 spread.getType().getShape()[spread.getDim()]));
      })
      .Case([&](tile::ExtractOp extract) {
        int64_t width = extract.getType().getShape().back(), column = intOf(extract.getColumn());
        if (column < 0 || column + width > tileOf(extract.getValue()).shape.back())
          return LogicalResult(extract.emitOpError("takes columns ")
                               << column << " to " << column + width << " of "
                               << extract.getValue().getType());
        return set(extract.getResult(), columns(tileOf(extract.getValue()), column, width));
      })
      .Case([&](tile::AnyOp any) {
        bool found = llvm::any_of(std::get<std::vector<int64_t>>(*tileOf(any.getValue()).elements),
                                  [](int64_t element) { return element != 0; });
        return set(any.getResult(), Number(int64_t(found)));
      })
      .Case([&](tile::RolesOp roles) { return runRoles(roles); })
      .Case([&](tile::RingOp ring) { return runRing(ring); })
      .Case([&](tile::CursorOp cursor) { return set(cursor.getResult(), Number(int64_t(0))); })
      .Case([&](tile::AdvanceOp advance) {
        int64_t count = advance.getCount() ? intOf(advance.getCount()) : 1;
        return set(advance.getResult(), Number(intOf(advance.getCursor()) + count));
      })
      .Case([&](tile::AcquireOp acquire) { return runAcquire(acquire); })
      .Case([&](tile::WaitOp wait) { return runWait(wait); })
      .Case([&](tile::CommitOp commit) { return runCommit(commit); })
      .Case([&](tile::ReleaseOp release) { return runRelease(release); })
      .Case([&](tile::CopyOp copy) { return runCopy(copy); })
      .Case([&](tile::CopyOutOp copy) { return runCopyOut(copy); })
      .Case([&](tile::FragmentStoreOp store) { return runFragmentStore(store); })
      .Case([&](tile::FragmentLoadOp load) { return runFragmentLoad(load); })
      .Case(
          [&](tile::RebindOp rebind) { return set(rebind.getResult(), valueOf(rebind.getSlot())); })
      .Case([&](tile::ScheduleRangeOp range) { return runScheduleRange(range); })
      .Case([&](tile::DecodeOp decode) { return runDecode(decode); })
      .Case([&](tile::DotStartOp dot) { return runDotStart(dot); })
      .Case([&](tile::DotWaitOp wait) { return runDotWait(wait); })
      .Case([&](tile::DotRetireOp retire) { return runDotRetire(retire); })
      .Case([&](tile::TurnOp turn) { return runTurn(turn); })
      .Case([&](tile::TurnWaitOp wait) { return runTurnWait(wait); })
      .Case([&](tile::TurnPassOp pass) { return runTurnPass(pass); })
      .Case([&](tile::InstanceOp instance) { return set(instance.getResult(), Number(instance_)); })
      // These order the device's work and compute nothing.
      .Case<tile::DrainOp, tile::PdlWaitOp, tile::PdlTriggerOp>(
          [&](Operation *) { return success(); })
      .Default([&](Operation *) { return reportUnknown(op); });
}

LogicalResult Interpreter::reportUnknown(Operation *op) {
  metUnknownOperation_ = true;
  return op->emitOpError(
      "is not known to the evaluator; it evaluates tile ops of the program form, "
      "arith and math on numbers and tiles, scf.for, scf.if and scf.while");
}

LogicalResult Interpreter::runConstant(Operation *op, Attribute attribute) {
  Type type = op->getResult(0).getType();
  auto toDouble = [](APFloat number) {
    bool losesInfo = false;
    number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
    return number.convertToDouble();
  };
  auto toInt = [&](const APInt &number) { return wrapToType(type, number.getSExtValue()); };
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return set(op->getResult(0), Number(toDouble(number.getValue())));
  if (auto number = dyn_cast<IntegerAttr>(attribute))
    return set(op->getResult(0), Number(toInt(number.getValue())));
  auto dense = dyn_cast<DenseElementsAttr>(attribute);
  if (!dense)
    return reportUnknown(op);
  Elements elements;
  if (isFloatLike(type))
    elements = std::vector<double>(llvm::map_range(dense.getValues<APFloat>(), toDouble).begin(),
                                   llvm::map_range(dense.getValues<APFloat>(), toDouble).end());
  else
    elements = std::vector<int64_t>(llvm::map_range(dense.getValues<APInt>(), toInt).begin(),
                                    llvm::map_range(dense.getValues<APInt>(), toInt).end());
  return set(op->getResult(0), makeTile(dense.getType().getShape(), std::move(elements)));
}

LogicalResult Interpreter::runElementwise(Operation *op) {
  // Views and pointers can be selected too; they have no elements.
  if (auto select = dyn_cast<arith::SelectOp>(op))
    if (auto condition = std::get_if<Number>(&valueOf(select.getCondition())))
      return set(
          select.getResult(),
          valueOf(std::get<int64_t>(*condition) ? select.getTrueValue() : select.getFalseValue()));
  FailureOr<Value> value = evaluateElementwise(op, valuesOf(op->getOperands()), options_.round);
  return failed(value) ? failure() : set(op->getResult(0), std::move(*value));
}

LogicalResult Interpreter::runScfFor(scf::ForOp op) {
  int64_t upper = intOf(op.getUpperBound()), step = intOf(op.getStep());
  if (step <= 0)
    return op.emitOpError("needs a step of at least 1, found ") << step;
  Values carried = valuesOf(op.getInitArgs());
  for (int64_t i = intOf(op.getLowerBound()); i < upper; i += step) {
    Values arguments = {Number(i)};
    llvm::append_range(arguments, carried);
    FailureOr<Values> yielded = runBlock(*op.getBody(), arguments);
    if (failed(yielded))
      return failure();
    carried = std::move(*yielded);
  }
  return setAll(op, std::move(carried));
}

LogicalResult Interpreter::runScfIf(scf::IfOp op) {
  Region &region = intOf(op.getCondition()) ? op.getThenRegion() : op.getElseRegion();
  return region.empty() ? success() : setAll(op, runBlock(region.front(), {}));
}

LogicalResult Interpreter::runScfWhile(scf::WhileOp op) {
  Values carried = valuesOf(op.getInits());
  while (true) {
    // The condition's first operand decides, the others are handed on.
    FailureOr<Values> tested = runBlock(op.getBefore().front(), carried);
    if (failed(tested))
      return failure();
    bool goesOn = std::get<int64_t>(std::get<Number>(tested->front())) != 0;
    ArrayRef<Value> passed = ArrayRef<Value>(*tested).drop_front();
    if (!goesOn)
      return setAll(op, Values(passed));
    FailureOr<Values> yielded = runBlock(op.getAfter().front(), passed);
    if (failed(yielded))
      return failure();
    carried = std::move(*yielded);
  }
}

LogicalResult Interpreter::runFor(tile::ForOp op) {
  int64_t lower = intOf(op.getLower()), upper = intOf(op.getUpper()), step = intOf(op.getStep());
  if (step <= 0)
    return op.emitOpError("needs a step of at least 1, found ") << step;
  llvm::SmallVector<int64_t, 4> bounds = intsOf(op.getRangeBounds());
  for (size_t range = 0; lower < upper && range < bounds.size() / 2; ++range)
    if (bounds[2 * range] > bounds[2 * range + 1])
      return op.emitOpError("range ")
             << (*op.getRangeNames())[range] << " begins at " << bounds[2 * range]
             << " and ends before it, at " << bounds[2 * range + 1];
  Values carried = valuesOf(op.getInits());
  for (int64_t i = lower; i < upper; i += step) {
    for (size_t range = 0; range < bounds.size() / 2; ++range)
      if (bounds[2 * range] <= i && i < bounds[2 * range + 1])
        currentRange_[op] = cast<StringAttr>((*op.getRangeNames())[range]).getValue();
    Values arguments = {Number(i)};
    llvm::append_range(arguments, carried);
    FailureOr<Values> yielded = runBlock(op.getBody().front(), arguments);
    if (failed(yielded))
      return failure();
    carried = std::move(*yielded);
  }
  currentRange_.erase(op);
  return setAll(op, std::move(carried));
}

LogicalResult Interpreter::runForTiles(tile::ForTilesOp op) {
  auto schedule = std::get<std::shared_ptr<const Schedule>>(valueOf(op.getSchedule()));
  for (ArrayRef<int64_t> unit : schedule->units) {
    Values coords =
        llvm::map_to_vector<4>(unit, [](int64_t coord) { return Value(Number(coord)); });
    if (failed(runBlock(op.getBody().front(), coords)))
      return failure();
  }
  return success();
}

LogicalResult Interpreter::runSkippable(tile::SkippableOp op) {
  FailureOr<Values> yielded = runBlock(op.getBody().front(), {});
  if (failed(yielded))
    return failure();
  StringRef range;
  for (auto loop = op->getParentOfType<tile::ForOp>(); loop && range.empty();
       loop = loop->getParentOfType<tile::ForOp>())
    range = currentRange_.lookup(loop);
  bool isPromised = llvm::any_of(
      op.getRanges(), [&](Attribute name) { return cast<StringAttr>(name).getValue() == range; });
  if (!isPromised)
    return setAll(op, std::move(yielded));
  std::optional<Difference> difference =
      firstDifference(tileOf(op.getFallback()), std::get<Tile>(yielded->front()));
  if (difference)
    return op.emitOpError("promises to change nothing in range \"")
           << range << "\", but there element " << difference->index << " (in row-major order) was "
           << std::to_string(difference->before) << " and became "
           << std::to_string(difference->after);
  return setAll(op, std::move(yielded));
}

} // namespace tilewright::evaluator
