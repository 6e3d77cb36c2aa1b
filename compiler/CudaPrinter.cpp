// SPDX-License-Identifier: Apache-2.0
#include "compiler/CudaPrinter.h"

#include "compiler/CudaExpression.h"
#include "compiler/passes/emission/Attributes.h"
#include "compiler/passes/emission/Text.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tilewright;

static constexpr size_t kColumns = 100;

namespace {

// Statements as indented lines.
class Printer {
public:
  LogicalResult printFunction(emitc::FuncOp function);
  std::string take() { return std::move(text); }

private:
  LogicalResult printBlock(Block &block);
  LogicalResult printStatement(Operation &op);
  LogicalResult printFor(emitc::ForOp loop);
  LogicalResult printIf(emitc::IfOp branch, std::string head);
  LogicalResult printSwitch(emitc::SwitchOp choice);
  LogicalResult printDo(emitc::DoOp loop);
  void printComment(StringRef comment);

  // Continues at `continuation` more columns where it must break.
  void line(StringRef content, unsigned continuation = 4);
  void open(StringRef content) {
    line(content);
    ++depth;
    isFirst = true;
  }
  void close(StringRef content) {
    --depth;
    isFirst = false;
    needsSpace = false;
    line(content);
  }
  // An empty line before the next one, unless that opens or closes a block.
  void space() { needsSpace = true; }

  std::string text;
  unsigned depth = 0;
  bool isFirst = true;
  bool needsSpace = false;
  bool afterComment = false;
};

} // namespace

// Whether the character is part of an operator that stands between spaces.
static bool endsOperator(StringRef content, size_t i) {
  auto isSign = [&](size_t at) { return StringRef("+-*/%&|<>=!?:").contains(content[at]); };
  if (i < 2 || content[i + 1] != ' ' || !isSign(i))
    return false;
  return content[i - 1] == ' ' || (isSign(i - 1) && content[i - 2] == ' ');
}

// Where to break a line of which `room` columns fit: behind the last comma or else operator, as far
// out of brackets as there is one; npos if nowhere.
static size_t findBreak(StringRef content, size_t room) {
  size_t best = StringRef::npos;
  int depth = 0, lowest = 1000;
  for (size_t i = 0; i + 1 < content.size() && i < room; ++i) {
    char c = content[i];
    bool isTemplate = (c == '<' || c == '>') && content[i + 1] != ' ' && content[i + 1] != '=';
    if (c == '(' || c == '[' || (isTemplate && c == '<' && i > 0 && content[i - 1] != ' '))
      ++depth;
    else if (c == ')' || c == ']' || (isTemplate && c == '>' && content[i + 1] == '('))
      --depth;
    bool isComma = c == ',' && content[i + 1] == ' ';
    if (!isComma && !endsOperator(content, i))
      continue;
    bool isAssignment = c == '=' && content[i - 1] == ' ';
    int rank = 2 * depth + (isAssignment ? 4 : isComma ? 0 : 1);
    if (rank <= lowest) {
      best = i + 1;
      lowest = rank;
    }
  }
  return best;
}

void Printer::line(StringRef content, unsigned continuation) {
  if (needsSpace && !isFirst)
    text += "\n";
  needsSpace = isFirst = afterComment = false;
  size_t indent = 2 * depth;
  bool isComment = content.starts_with("//") || content.starts_with("#");
  while (!isComment && indent + content.size() > kColumns) {
    size_t at = findBreak(content, kColumns - indent);
    if (at == StringRef::npos)
      break;
    text += std::string(indent, ' ') + content.take_front(at).str() + "\n";
    content = content.drop_front(at + 1);
    indent = 2 * depth + continuation;
  }
  text += std::string(indent, ' ') + content.str() + "\n";
}

// Whether nothing of the op stands at its own place.
static bool isPrintedElsewhere(Operation &op) {
  return op.hasAttr(emission::kInline) || isa<emitc::LiteralOp, emitc::SubscriptOp>(op) ||
         isa<emitc::YieldOp, emitc::ReturnOp>(op);
}

static StringRef nameOf(Operation &op) {
  auto name = op.getAttrOfType<StringAttr>(emission::kName);
  return name ? name.getValue() : "unnamed";
}

static bool isEmpty(Region &region) {
  return region.empty() || llvm::all_of(region.front(), isPrintedElsewhere);
}

// The branch that is all there is in an else block, comments aside.
static emitc::IfOp onlyBranch(Region &region) {
  emitc::IfOp branch;
  for (Operation &op : region.front()) {
    if (isPrintedElsewhere(op) || isa<emitc::VerbatimOp>(op))
      continue;
    if (branch || !isa<emitc::IfOp>(op))
      return {};
    branch = cast<emitc::IfOp>(op);
  }
  return branch;
}

void Printer::printComment(StringRef comment) {
  if (comment.starts_with("//") && !afterComment)
    space();
  line(comment.rtrim());
  afterComment = true;
}

LogicalResult Printer::printFor(emitc::ForOp loop) {
  std::string name = nameOf(*loop).str();
  Type type = loop.getInductionVar().getType();
  std::string step = expressionText(loop.getStep());
  open("for (" + declarationText(type, name) + " = " + expressionText(loop.getLowerBound()) + "; " +
       name + " < " + comparedText(loop.getUpperBound()) + "; " +
       (step == "1" ? "++" + name : name + " += " + step) + ") {");
  if (failed(printBlock(*loop.getBody())))
    return failure();
  close("}");
  return success();
}

LogicalResult Printer::printIf(emitc::IfOp branch, std::string head) {
  open(head + "if (" + expressionText(branch.getCondition()) + ") {");
  // What stood before an else-if moves into it.
  if (!head.empty())
    for (Operation &op : *branch->getBlock())
      if (auto verbatim = dyn_cast<emitc::VerbatimOp>(op))
        printComment(verbatim.getValue());
  if (failed(printBlock(branch.getThenRegion().front())))
    return failure();
  if (!isEmpty(branch.getElseRegion())) {
    if (emitc::IfOp next = onlyBranch(branch.getElseRegion())) {
      --depth;
      isFirst = true;
      return printIf(next, "} else ");
    }
    close("} else {");
    ++depth;
    isFirst = true;
    if (failed(printBlock(branch.getElseRegion().front())))
      return failure();
  }
  close("}");
  return success();
}

LogicalResult Printer::printSwitch(emitc::SwitchOp choice) {
  line("switch (" + expressionText(choice.getArg()) + ") {");
  auto printCase = [&](const std::string &label, Region &region) -> LogicalResult {
    open(label + ": {");
    if (failed(printBlock(region.front())))
      return failure();
    line("break;");
    close("}");
    return success();
  };
  for (auto [value, region] : llvm::zip_equal(choice.getCases(), choice.getCaseRegions()))
    if (failed(printCase("case " + std::to_string(value), region)))
      return failure();
  if (failed(printCase("default", choice.getDefaultRegion())))
    return failure();
  line("}");
  return success();
}

LogicalResult Printer::printDo(emitc::DoOp loop) {
  open("do {");
  if (failed(printBlock(loop.getBodyRegion().front())))
    return failure();
  Operation *yield = loop.getConditionRegion().front().getTerminator();
  close("} while (" + valueText(yield->getOperand(0).getDefiningOp()) + ");");
  return success();
}

LogicalResult Printer::printStatement(Operation &op) {
  if (auto verbatim = dyn_cast<emitc::VerbatimOp>(op)) {
    printComment(verbatim.getValue());
    return success();
  }
  if (auto variable = dyn_cast<emitc::VariableOp>(op)) {
    // The first assignment, if it follows, is part of the declaration: see printBlock.
    auto assign = dyn_cast_or_null<emitc::AssignOp>(op.getNextNode());
    bool isInitialised = assign && assign.getVar() == variable.getResult();
    std::string value = isInitialised ? " = " + expressionText(assign.getValue()) : "";
    line(declarationText(variable.getType(), nameOf(op)) + value + ";");
    return success();
  }
  if (auto assign = dyn_cast<emitc::AssignOp>(op)) {
    line(assignmentText(assign) + ";");
    return success();
  }
  if (isExpression(&op)) {
    std::string value = valueText(&op) + ";";
    if (op.getNumResults() == 1 && !op.use_empty()) {
      Type type = op.getResult(0).getType();
      // On a pointer, `const` would speak of what it points to.
      value = (isa<emitc::PointerType>(type) ? "" : "const ") + declarationText(type, nameOf(op)) +
              " = " + value;
    }
    line(value);
    return success();
  }
  // At the top of the kernel, blocks stand apart.
  bool standsApart = depth == 1 && isa<emitc::ForOp, emitc::IfOp, emitc::SwitchOp, emitc::DoOp>(op);
  if (standsApart && !afterComment)
    space();
  LogicalResult result = failure();
  if (auto loop = dyn_cast<emitc::ForOp>(op))
    result = printFor(loop);
  else if (auto branch = dyn_cast<emitc::IfOp>(op))
    result = printIf(branch, "");
  else if (auto choice = dyn_cast<emitc::SwitchOp>(op))
    result = printSwitch(choice);
  else if (auto loop = dyn_cast<emitc::DoOp>(op))
    result = printDo(loop);
  else
    return op.emitOpError("has no text: no pass of the compiler leaves it in a kernel");
  if (standsApart)
    space();
  return result;
}

LogicalResult Printer::printBlock(Block &block) {
  Operation *previous = nullptr;
  for (Operation &op : block) {
    bool isInitialisation = isa<emitc::AssignOp>(op) &&
                            isa_and_present<emitc::VariableOp>(previous) &&
                            cast<emitc::AssignOp>(op).getVar() == previous->getResult(0);
    previous = &op;
    if (isPrintedElsewhere(op) || isInitialisation)
      continue;
    if (failed(printStatement(op)))
      return failure();
  }
  return success();
}

LogicalResult Printer::printFunction(emitc::FuncOp function) {
  if (auto includes = function->getAttrOfType<ArrayAttr>(emission::kIncludes)) {
    for (StringRef header : includes.getAsValueRange<StringAttr>())
      line(("#include \"" + header + "\"").str());
    space();
  }
  if (auto constants = function->getAttrOfType<ArrayAttr>(emission::kConstants);
      constants && !constants.empty()) {
    for (auto constant : constants.getAsRange<DictionaryAttr>()) {
      auto value = constant.getAs<TypedAttr>("value");
      StringRef name = constant.getAs<StringAttr>("name").getValue();
      line("constexpr " + declarationText(value.getType(), name) + " = " +
           emission::literalText(value) + ";");
    }
    space();
  }
  std::string head;
  if (ArrayAttr specifiers = function.getSpecifiersAttr())
    for (StringRef specifier : specifiers.getAsValueRange<StringAttr>())
      head += specifier.str() + " ";
  SmallVector<std::string> parameters;
  for (BlockArgument argument : function.getArguments())
    parameters.push_back(declarationText(argument.getType(), expressionText(argument)));
  head += "void " + function.getSymName().str() + "(";
  std::string list = llvm::join(parameters, ", ") + ") {";
  if (head.size() + list.size() > kColumns) {
    line(head);
    list = "    " + list;
    head.clear();
  }
  open(head + list);
  if (failed(printBlock(function.getBody().front())))
    return failure();
  close("}");
  return success();
}

FailureOr<std::string> tilewright::printCuda(emitc::FuncOp function) {
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("expected a body of one block");
  Printer printer;
  if (failed(printer.printFunction(function)))
    return failure();
  return printer.take();
}
