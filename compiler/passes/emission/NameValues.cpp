// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/emission/Attributes.h"
#include "compiler/passes/emission/Steps.h"

#include "compiler/sm90/Names.h"
#include "compiler/sm90/Sm90Dialect.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::emission;

namespace {

// The names that are visible at a place, handed by value into inner blocks: blocks beside each
// other may use the same names.
class Scope {
public:
  // `wanted` itself, or the first of wanted_2, wanted_3, … that is free.
  std::string claim(StringRef wanted) {
    std::string name = wanted.str();
    for (unsigned number = 2; !taken.insert(name).second; ++number)
      name = (wanted + "_" + Twine(number)).str();
    return name;
  }
  bool isFree(StringRef name) const { return !taken.contains(name); }

private:
  llvm::StringSet<> taken;
};

class Namer {
public:
  void run(emitc::FuncOp function);

private:
  void nameBlock(Block &block, Scope scope);
  std::string nameFor(Operation *op, Scope &scope);

  unsigned numbered = 0;
};

} // namespace

// `name` with what no identifier may hold replaced; empty if nothing is left of it.
static std::string identifier(StringRef name) {
  std::string result;
  for (char c : name)
    result += llvm::isAlnum(c) ? c : '_';
  if (!result.empty() && llvm::isDigit(result.front()))
    result.insert(result.begin(), '_');
  while (StringRef(result).starts_with("__"))
    result.erase(result.begin());
  if (!result.empty() && !sm90::isIdentifier(result))
    result += "_";
  return result;
}

static std::string counterName(const Scope &scope) {
  for (StringRef name : {"i", "j", "k"})
    if (scope.isFree(name))
      return name.str();
  return "i";
}

std::string Namer::nameFor(Operation *op, Scope &scope) {
  std::string name = identifier(sm90::nameOf(op->getLoc()));
  if (name.empty())
    if (auto hint = op->getAttrOfType<StringAttr>(kHint))
      name = identifier(hint.getValue());
  if (name.empty())
    name = "v" + std::to_string(++numbered);
  return scope.claim(name);
}

void Namer::nameBlock(Block &block, Scope scope) {
  auto set = [](Operation *op, const std::string &name) {
    op->setAttr(kName, StringAttr::get(op->getContext(), name));
  };
  for (Operation &op : block) {
    if (isa<emitc::ExpressionOp>(op))
      continue;
    Scope inner = scope;
    if (auto loop = dyn_cast<emitc::ForOp>(op)) {
      std::string name = identifier(sm90::nameOf(loop.getInductionVar().getLoc()));
      set(&op, inner.claim(name.empty() ? counterName(inner) : name));
    }
    for (Region &region : op.getRegions())
      for (Block &body : region)
        nameBlock(body, inner);
    // The result of a call that nobody uses needs no variable.
    if (op.getNumResults() == 1 && !op.hasAttr(kInline) && !op.use_empty())
      set(&op, nameFor(&op, scope));
  }
}

void Namer::run(emitc::FuncOp function) {
  Scope scope;
  scope.claim(function.getSymName());
  if (auto constants = function->getAttrOfType<ArrayAttr>(kConstants))
    for (auto constant : constants.getAsRange<DictionaryAttr>())
      scope.claim(constant.getAs<StringAttr>("name").getValue());
  for (BlockArgument argument : function.getArguments()) {
    std::string name = identifier(sm90::nameOf(argument.getLoc()));
    if (name.empty())
      name = "arg" + std::to_string(argument.getArgNumber());
    function.setArgAttr(argument.getArgNumber(), kName,
                        StringAttr::get(function.getContext(), scope.claim(name)));
  }
  nameBlock(function.getBody().front(), scope);
}

void emission::nameValues(emitc::FuncOp function) { Namer().run(function); }
