// SPDX-License-Identifier: Apache-2.0
//
// Which values are printed where they are used. Upstream's form-expressions folds neither arguments
// of calls without result, nor indices, nor reads of variables into calls, which leaves a temporary
// per address; the printer of ours prints what is marked here.
#include "compiler/passes/emission/Attributes.h"
#include "compiler/passes/emission/Effects.h"
#include "compiler/passes/emission/Steps.h"

#include "compiler/sm90/Names.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::emission;

// A longer expression is easier to read in parts.
static constexpr unsigned kLongest = 16;

namespace {

class Folder {
public:
  void run(Block &block);

private:
  // What evaluating a value where it is printed means: itself and everything folded into it.
  struct Tree {
    Effects effects;
    unsigned size = 1;
  };

  bool fold(Operation *op);
  bool mayMove(Operation *op, OpOperand &use, const Effects &effects);

  // By op: the tree of what is printed with it (folded operands; for values also itself).
  llvm::DenseMap<Operation *, Tree> trees;
};

} // namespace

// Literals and places have no variable at all.
static bool isAlwaysInline(Operation *op) { return isa<emitc::LiteralOp, emitc::SubscriptOp>(op); }

// The order of evaluation is lost, or evaluation is not certain, in these positions.
static bool isConditionallyEvaluated(OpOperand &use) {
  Operation *user = use.getOwner();
  return isa<emitc::LogicalAndOp, emitc::LogicalOrOp, emitc::ConditionalOp>(user) &&
         use.getOperandNumber() > 0;
}

bool Folder::mayMove(Operation *op, OpOperand &use, const Effects &effects) {
  Operation *user = use.getOwner();
  if (isa<emitc::VerbatimOp, emitc::YieldOp, emitc::ExpressionOp>(user))
    return false;
  Operation *place = op->getBlock()->findAncestorOpInBlock(*user);
  if (place != user) {
    // Into an inner block: only what gives the same value there, and not into a loop.
    if (!effects.none())
      return false;
    for (Operation *parent = user->getParentOp(); parent != op->getBlock()->getParentOp();
         parent = parent->getParentOp())
      if (isa<emitc::ForOp, emitc::DoOp>(parent))
        return false;
    return true;
  }
  // A loop evaluates its bound and its step again and again.
  if (isa<emitc::ForOp>(user) && use.getOperandNumber() > 0 && !effects.none())
    return false;
  if (effects.call && isConditionallyEvaluated(use))
    return false;
  // This also keeps apart two operands of one statement, which C++ evaluates in any order: the
  // second stands between the first and the statement.
  for (Operation *between = op->getNextNode(); between != user; between = between->getNextNode())
    if (effects.conflictsWith(effectsOf(between)))
      return false;
  return true;
}

bool Folder::fold(Operation *op) {
  if (op->getNumResults() != 1 || isa<emitc::VariableOp, emitc::ExpressionOp>(op))
    return false;
  if (isAlwaysInline(op))
    return true;
  if (!op->hasOneUse() || !sm90::nameOf(op->getLoc()).empty() || trees[op].size > kLongest)
    return false;
  return mayMove(op, *op->use_begin(), trees[op].effects);
}

void Folder::run(Block &block) {
  for (Operation &op : block) {
    Tree own = std::move(trees[&op]);
    own.effects.add(effectsOf(&op));
    trees[&op] = std::move(own);
    if (fold(&op)) {
      op.setAttr(kInline, UnitAttr::get(op.getContext()));
      Tree tree = trees[&op];
      for (Operation *user : op.getUsers()) {
        trees[user].effects.add(tree.effects);
        trees[user].size += tree.size;
      }
    }
    if (isa<emitc::ExpressionOp>(op))
      continue;
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        run(inner);
  }
}

void emission::foldExpressions(emitc::FuncOp function) { Folder().run(function.getBody().front()); }
