// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/emission/Attributes.h"
#include "compiler/passes/emission/Effects.h"
#include "compiler/passes/emission/Steps.h"

#include "compiler/sm90/Names.h"

#include "mlir/IR/Iterators.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::emission;

void emission::eraseUnusedValues(emitc::FuncOp function) {
  function.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    bool isUnusedVariable = isa<emitc::VariableOp>(op);
    if (op->use_empty() && (isValueOnly(op) || isUnusedVariable) &&
        !op->getParentOfType<emitc::ExpressionOp>())
      op->erase();
  });
}

// The op of `block` that `op` is or lies in; null if it lies elsewhere.
static Operation *ancestorIn(Block *block, Operation *op) {
  return block->findAncestorOpInBlock(*op);
}

// Whether the variable still holds what `load` read when `use` runs.
static bool isUnchangedUntil(emitc::LoadOp load, Operation *use) {
  Block *block = load->getBlock();
  Operation *place = ancestorIn(block, use);
  for (Operation *access : load.getOperand().getUsers()) {
    if (!isa<emitc::AssignOp>(access) || access == use)
      continue;
    // An assignment outside of the block runs before the load or after the block.
    Operation *change = ancestorIn(block, access);
    if (change && load->isBeforeInBlock(change) &&
        (change == place || change->isBeforeInBlock(place)))
      return false;
  }
  return true;
}

// Reads a variable where its value is needed, if it holds the same value there.
static void readWhereNeeded(emitc::LoadOp load) {
  for (OpOperand &use : llvm::make_early_inc_range(load->getUses())) {
    Operation *user = use.getOwner();
    if (!isUnchangedUntil(load, user))
      continue;
    OpBuilder builder(user);
    auto fresh = emitc::LoadOp::create(builder, sm90::withoutName(load.getLoc()), load.getType(),
                                       load.getOperand());
    use.set(fresh);
  }
  if (load.use_empty()) {
    load.erase();
    return;
  }
  // It must keep the old value: that deserves a name.
  StringRef name = sm90::nameOf(load.getOperand().getLoc());
  load->setLoc(sm90::withoutName(load.getLoc()));
  if (!name.empty())
    load->setAttr(kHint, StringAttr::get(load.getContext(), "old_" + name));
}

static bool haveSameMeaning(emitc::VariableOp a, emitc::VariableOp b) {
  StringRef first = sm90::nameOf(a.getLoc()), second = sm90::nameOf(b.getLoc());
  return a.getType() == b.getType() && (first.empty() || second.empty() || first == second);
}

// Drops `x = x;`, of a value that a loop carries and does not change.
static void eraseIfSelfAssigned(emitc::AssignOp assign) {
  Operation *value = assign.getValue().getDefiningOp();
  emitc::VariableOp source = value ? loadedVariable(value) : nullptr;
  if (!source || source != assignedVariable(assign))
    return;
  assign.erase();
  if (value->use_empty())
    value->erase();
}

// Makes one variable of two.
static void merge(emitc::VariableOp from, emitc::VariableOp into) {
  if (sm90::nameOf(into.getLoc()).empty())
    into->setLoc(from.getLoc());
  from.replaceAllUsesWith(into.getResult());
  from.erase();
}

// `inner = outer; … ; outer = inner;` or `outer = f(inner);` in one block, where `inner` lives only
// there and nothing else touches `outer` in between, but for reads before `inner` changes: a value
// that two nested loops carry.
static bool mergeNested(emitc::AssignOp copyIn, emitc::VariableOp inner, emitc::VariableOp outer) {
  Block *block = copyIn->getBlock();
  emitc::AssignOp copyOut;
  for (Operation *user : outer->getUsers()) {
    auto assign = dyn_cast<emitc::AssignOp>(user);
    if (assign && assign->getBlock() == block && copyIn->isBeforeInBlock(assign) &&
        (!copyOut || assign->isBeforeInBlock(copyOut)))
      copyOut = assign;
  }
  if (!copyOut)
    return false;
  Operation *first = copyIn.getValue().getDefiningOp();
  Operation *last = copyOut.getValue().getDefiningOp();
  bool isCopy = last && loadedVariable(last) == inner;
  Operation *change = copyOut;
  for (Operation *access : inner->getUsers()) {
    Operation *place = ancestorIn(block, access);
    if (!place || place->isBeforeInBlock(copyIn) || copyOut->isBeforeInBlock(place))
      return false;
    if (isa<emitc::AssignOp>(access) && access != copyIn && place->isBeforeInBlock(change))
      change = place;
  }
  for (Operation *access : outer->getUsers()) {
    Operation *place = ancestorIn(block, access);
    if (!place || access == first || access == copyOut || place->isBeforeInBlock(first) ||
        copyOut->isBeforeInBlock(place))
      continue;
    if (isa<emitc::AssignOp>(access) || !place->isBeforeInBlock(change))
      return false;
  }
  copyIn.erase();
  first->erase();
  if (isCopy) {
    copyOut.erase();
    last->erase();
  }
  merge(inner, outer);
  return true;
}

// `next = previous;` where `previous`, declared in the same block, is not used from there on: a
// value that consecutive loops carry.
static bool mergeConsecutive(emitc::AssignOp copy, emitc::VariableOp next,
                             emitc::VariableOp previous) {
  Block *block = copy->getBlock();
  Operation *load = copy.getValue().getDefiningOp();
  if (previous->getBlock() != block || load->getBlock() != block)
    return false;
  for (Operation *access : previous->getUsers())
    if (Operation *place = ancestorIn(block, access);
        access != load && !place->isBeforeInBlock(load))
      return false;
  for (Operation *access : next->getUsers()) {
    Operation *place = ancestorIn(block, access);
    if (access != copy && (!place || place->isBeforeInBlock(copy)))
      return false;
  }
  copy.erase();
  load->erase();
  merge(next, previous);
  return true;
}

static bool mergeOne(emitc::FuncOp function) {
  WalkResult result = function.walk([](emitc::AssignOp copy) {
    emitc::VariableOp target = assignedVariable(copy);
    Operation *value = copy.getValue().getDefiningOp();
    emitc::VariableOp source = value ? loadedVariable(value) : nullptr;
    if (!target || !source || target == source || !value->hasOneUse() ||
        value->getBlock() != copy->getBlock() || !haveSameMeaning(target, source))
      return WalkResult::advance();
    return mergeNested(copy, target, source) || mergeConsecutive(copy, target, source)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return result.wasInterrupted();
}

// Declares a variable right before the assignment that gives it its first value.
static void declareAtFirstValue(emitc::VariableOp variable) {
  Block *block = variable->getBlock();
  Operation *first = nullptr;
  for (Operation *access : variable->getUsers()) {
    Operation *place = ancestorIn(block, access);
    if (!first || place->isBeforeInBlock(first))
      first = place;
  }
  if (first)
    variable->moveBefore(first);
}

void emission::simplifyVariables(emitc::FuncOp function) {
  SmallVector<emitc::LoadOp> loads;
  function.walk([&](emitc::LoadOp load) {
    if (loadedVariable(load) && !load->getParentOfType<emitc::ExpressionOp>())
      loads.push_back(load);
  });
  for (emitc::LoadOp load : loads)
    readWhereNeeded(load);
  function.walk(eraseIfSelfAssigned);
  while (mergeOne(function)) {
  }
  function.walk(eraseIfSelfAssigned);
  SmallVector<emitc::VariableOp> variables;
  function.walk([&](emitc::VariableOp variable) {
    if (isa<emitc::LValueType>(variable.getType()))
      variables.push_back(variable);
  });
  for (emitc::VariableOp variable : variables)
    declareAtFirstValue(variable);
}
