// SPDX-License-Identifier: Apache-2.0
//
// Loops and steps of the program form: text form and verifiers.

#include "compiler/tile/TileDialect.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tilewright::tile {

/// A region yields what its op returns.
static LogicalResult verifyYield(Operation *op, Region &region, TypeRange expected) {
  auto yield = dyn_cast<YieldOp>(region.front().getTerminator());
  if (!yield)
    return op->emitOpError() << "its region ends with tile.yield";
  if (yield.getValues().getTypes() != expected)
    return op->emitOpError() << "yields " << yield.getValues().getTypes() << " but results in "
                             << expected;
  return success();
}

//===-- tile.for_tiles -----------------------------------------------------------------------===//

ParseResult ForTilesOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> coordinates;
  OpAsmParser::UnresolvedOperand schedule;
  Type scheduleType;
  if (parser.parseArgumentList(coordinates, OpAsmParser::Delimiter::Paren) ||
      parser.parseKeyword("in") || parser.parseOperand(schedule) ||
      parser.parseColonType(scheduleType) ||
      parser.resolveOperand(schedule, scheduleType, result.operands) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  for (OpAsmParser::Argument &coordinate : coordinates)
    coordinate.type = parser.getBuilder().getI32Type();
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, coordinates))
    return failure();
  ensureTerminator(*body, parser.getBuilder(), result.location);
  return success();
}

void ForTilesOp::print(OpAsmPrinter &printer) {
  printer << " (";
  llvm::interleaveComma(getBody().getArguments(), printer, [&](BlockArgument argument) {
    printer.printRegionArgument(argument, {}, /*omitType=*/true);
  });
  printer << ") in " << getSchedule() << " : " << getSchedule().getType();
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/false);
}

LogicalResult ForTilesOp::verifyRegions() {
  auto arguments = getBody().getArguments();
  if (static_cast<int64_t>(arguments.size()) != getSchedule().getType().getRank() ||
      llvm::any_of(arguments,
                   [](BlockArgument argument) { return !argument.getType().isInteger(32); }))
    return emitOpError() << "the body takes one i32 for each of the schedule's "
                         << getSchedule().getType().getRank() << " coordinates, found "
                         << getBody().getArgumentTypes();
  return success();
}

//===-- tile.for -----------------------------------------------------------------------------===//

// %k = %lo to %hi step %c [ranges("a" : %x to %y, …)] [order […]] [turn(%t)] [iter_args(%v = %init)
// -> (types)] { … }
ParseResult ForOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  Type i32 = builder.getI32Type();
  OpAsmParser::Argument counter;
  OpAsmParser::UnresolvedOperand lower, upper, step;
  if (parser.parseArgument(counter) || parser.parseEqual() || parser.parseOperand(lower) ||
      parser.parseKeyword("to") || parser.parseOperand(upper) || parser.parseKeyword("step") ||
      parser.parseOperand(step))
    return failure();
  counter.type = i32;

  SmallVector<OpAsmParser::UnresolvedOperand> bounds;
  SmallVector<Attribute> names;
  if (succeeded(parser.parseOptionalKeyword("ranges"))) {
    auto parseRange = [&]() -> ParseResult {
      StringAttr name;
      // NOTE: without a type the colon after the name would be taken for the string's own.
      if (parser.parseAttribute(name, builder.getNoneType()) || parser.parseColon() ||
          parser.parseOperand(bounds.emplace_back()) || parser.parseKeyword("to") ||
          parser.parseOperand(bounds.emplace_back()))
        return failure();
      names.push_back(name);
      return success();
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseRange))
      return failure();
    result.addAttribute(getRangeNamesAttrName(result.name), builder.getArrayAttr(names));
  }
  if (succeeded(parser.parseOptionalKeyword("order"))) {
    ArrayAttr order;
    if (parser.parseAttribute(order))
      return failure();
    result.addAttribute(getOrderAttrName(result.name), order);
  }
  SmallVector<OpAsmParser::UnresolvedOperand> turn;
  if (succeeded(parser.parseOptionalKeyword("turn")))
    if (parser.parseLParen() || parser.parseOperand(turn.emplace_back()) || parser.parseRParen())
      return failure();
  SmallVector<OpAsmParser::Argument> arguments{counter};
  SmallVector<OpAsmParser::UnresolvedOperand> inits;
  if (succeeded(parser.parseOptionalKeyword("iter_args"))) {
    SmallVector<OpAsmParser::Argument> iterArgs;
    if (parser.parseAssignmentList(iterArgs, inits) || parser.parseArrow() ||
        parser.parseLParen() || parser.parseTypeList(result.types) || parser.parseRParen())
      return failure();
    if (iterArgs.size() != result.types.size())
      return parser.emitError(parser.getCurrentLocation())
             << "expected " << iterArgs.size() << " result types, found " << result.types.size();
    for (auto [argument, type] : llvm::zip(iterArgs, result.types))
      argument.type = type;
    arguments.append(iterArgs);
  }
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.resolveOperands({lower, upper, step}, i32, result.operands) ||
      parser.resolveOperands(bounds, i32, result.operands) ||
      parser.resolveOperands(inits, result.types, loc, result.operands) ||
      parser.resolveOperands(turn, TurnType::get(builder.getContext()), result.operands))
    return failure();
  result.getOrAddProperties<Properties>().operandSegmentSizes = {
      1,
      1,
      1,
      static_cast<int32_t>(bounds.size()),
      static_cast<int32_t>(inits.size()),
      static_cast<int32_t>(turn.size())};
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  if (!body->empty() &&
      (body->front().empty() || !body->front().back().hasTrait<OpTrait::IsTerminator>())) {
    // NOTE: the region has no parent yet, so the builder cannot find its context by itself.
    OpBuilder yieldBuilder(parser.getContext());
    yieldBuilder.setInsertionPointToEnd(&body->front());
    YieldOp::create(yieldBuilder, result.location, ValueRange{});
  }
  return success();
}

void ForOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getInductionVar() << " = " << getLower() << " to " << getUpper() << " step "
          << getStep();
  if (getRangeNames()) {
    printer << " ranges(";
    llvm::interleaveComma(llvm::enumerate(*getRangeNames()), printer, [&](auto range) {
      printer << range.value() << " : " << getRangeBounds()[2 * range.index()] << " to "
              << getRangeBounds()[2 * range.index() + 1];
    });
    printer << ')';
  }
  if (getOrder())
    printer << " order " << *getOrder();
  if (getTurn())
    printer << " turn(" << getTurn() << ')';
  if (!getInits().empty()) {
    printer << " iter_args(";
    llvm::interleaveComma(llvm::zip(getIterArgs(), getInits()), printer, [&](auto pair) {
      printer << std::get<0>(pair) << " = " << std::get<1>(pair);
    });
    printer << ") -> (" << getResultTypes() << ')';
  }
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {getRangeNamesAttrName(), getOrderAttrName(), getOperandSegmentSizesAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/!getInits().empty());
}

LogicalResult ForOp::verify() {
  if (getInits().getTypes() != getResultTypes())
    return emitOpError() << "initial values " << getInits().getTypes() << " do not match results "
                         << getResultTypes();
  size_t ranges = getRangeNames() ? getRangeNames()->size() : 0;
  if (getRangeBounds().size() != 2 * ranges)
    return emitOpError() << ranges << " ranges have " << 2 * ranges << " bounds, found "
                         << getRangeBounds().size();
  for (size_t range = 1; range < ranges; ++range)
    if (getRangeBounds()[2 * range] != getRangeBounds()[2 * range - 1])
      return emitOpError() << "range " << (*getRangeNames())[range] << " does not begin where "
                           << (*getRangeNames())[range - 1]
                           << " ends: ranges cut the trip space without gaps";
  if (ranges && (getRangeBounds().front() != getLower() || getRangeBounds().back() != getUpper()))
    return emitOpError()
           << "ranges cover the whole trip space, from the lower bound to the upper bound";
  if (ranges)
    for (Attribute name : getRangeNamesAttr())
      if (llvm::count(*getRangeNames(), name) > 1)
        return emitOpError() << "two ranges are named " << name;
  return success();
}

LogicalResult ForOp::verifyRegions() {
  if (getBody().getNumArguments() != getInits().size() + 1 ||
      !getInductionVar().getType().isInteger(32) || TypeRange(getIterArgs()) != getResultTypes())
    return emitOpError() << "the body takes an i32 counter and " << getResultTypes() << ", found "
                         << getBody().getArgumentTypes();
  if (failed(verifyYield(*this, getBody(), getResultTypes())))
    return failure();
  if (!getOrder())
    return success();

  // The order names every step of the body once; turns need the token.
  SmallVector<StringRef> steps;
  for (StepOp step : getBody().getOps<StepOp>()) {
    if (llvm::is_contained(steps, step.getName()))
      return emitOpError() << "two steps are named \"" << step.getName() << "\"";
    steps.push_back(step.getName());
  }
  SmallVector<StringRef> ordered;
  for (Attribute entry : getOrderAttr()) {
    auto at = dyn_cast<AtAttr>(entry);
    if (!at)
      return emitOpError() << "order lists #tile.at<…>, found " << entry;
    if (at.getStep() == "turn_wait" || at.getStep() == "turn_pass") {
      if (!getTurn())
        return emitOpError() << "order takes turns but no turn(…) is given";
      continue;
    }
    if (!llvm::is_contained(steps, at.getStep()))
      return emitOpError() << "order names step \"" << at.getStep()
                           << "\", which the body does not have";
    if (llvm::is_contained(ordered, at.getStep()))
      return emitOpError() << "order names step \"" << at.getStep() << "\" twice";
    ordered.push_back(at.getStep());
  }
  for (StringRef step : steps)
    if (!llvm::is_contained(ordered, step))
      return emitOpError() << "order leaves out step \"" << step << "\"";
  return success();
}

//===-- Turns and regions that yield ---------------------------------------------------------===//

LogicalResult TurnOp::verify() {
  auto kernel = (*this)->getParentOfType<KernelOp>();
  if (!kernel || !kernel.findRole(getAmong()))
    return emitOpError() << "the kernel has no role @" << getAmong();
  return success();
}

LogicalResult StepOp::verifyRegions() {
  if (getName() == "turn_wait" || getName() == "turn_pass")
    return emitOpError() << "a step cannot be named \"" << getName()
                         << "\": that is an entry of orders";
  return verifyYield(*this, getBody(), getResultTypes());
}

LogicalResult SkippableOp::verifyRegions() {
  if (getBody().getNumArguments())
    return emitOpError() << "its region takes no arguments";
  return verifyYield(*this, getBody(), getResult().getType());
}

/// Whether a map with results of `shape` finds an element of the input at each of theirs.
static bool fitsMap(RankedTensorType input, ArrayRef<int64_t> shape) {
  if (input.getShape() == shape)
    return true;
  if (input.getRank() != 1 || shape.size() != 2)
    return false;
  if (auto slice = dyn_cast_or_null<SliceAttr>(input.getEncoding()))
    return input.getDimSize(0) == shape[1 - slice.getDim()];
  return llvm::is_contained(shape, input.getDimSize(0));
}

LogicalResult MapOp::verifyRegions() {
  if (getResults().empty())
    return emitOpError() << "a map has at least one result";
  auto shaped = cast<RankedTensorType>(getResults().front().getType());
  SmallVector<Type> expected;
  for (Type input : getIns().getTypes()) {
    auto tile =
        isa<SlotType>(input) ? cast<SlotType>(input).getTile() : dyn_cast<RankedTensorType>(input);
    if (!tile)
      return emitOpError() << "inputs are tiles and slots, found " << input;
    if (!fitsMap(tile, shaped.getShape()))
      return emitOpError() << "inputs have the results' shape or are vectors along one of their "
                              "dimensions, found "
                           << input << " for " << shaped;
    expected.push_back(tile.getElementType());
  }
  expected.append(shaped.getRank(), IntegerType::get(getContext(), 32));
  if (getBody().getArgumentTypes() != TypeRange(expected))
    return emitOpError() << "the body takes the inputs' elements and " << shaped.getRank()
                         << " coordinates: expected " << expected << ", found "
                         << getBody().getArgumentTypes();
  SmallVector<Type> elements;
  for (Type type : getResultTypes())
    elements.push_back(cast<RankedTensorType>(type).getElementType());
  return verifyYield(*this, getBody(), elements);
}

} // namespace tilewright::tile
