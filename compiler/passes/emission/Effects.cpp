// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/emission/Effects.h"

#include "compiler/passes/emission/Attributes.h"

using namespace mlir;
using namespace tilewright::emission;

static bool intersect(const llvm::SmallPtrSetImpl<Operation *> &a,
                      const llvm::SmallPtrSetImpl<Operation *> &b) {
  return llvm::any_of(a, [&](Operation *op) { return b.contains(op); });
}

void Effects::add(const Effects &other) {
  call |= other.call;
  reads.insert(other.reads.begin(), other.reads.end());
  writes.insert(other.writes.begin(), other.writes.end());
}

bool Effects::conflictsWith(const Effects &other) const {
  return (call && other.call) || intersect(writes, other.writes) ||
         intersect(writes, other.reads) || intersect(reads, other.writes);
}

// The variable behind a place: itself, or the array of a subscript.
static Operation *variableOf(Value place) {
  if (auto subscript = place.getDefiningOp<emitc::SubscriptOp>())
    place = subscript.getValue();
  return place.getDefiningOp();
}

static void addOwnEffects(Operation *op, Effects &effects) {
  if (auto load = dyn_cast<emitc::LoadOp>(op)) {
    effects.reads.insert(variableOf(load.getOperand()));
  } else if (auto assign = dyn_cast<emitc::AssignOp>(op)) {
    effects.writes.insert(variableOf(assign.getVar()));
  } else if (auto call = dyn_cast<emitc::CallOpaqueOp>(op)) {
    if (call->hasAttr(kPure))
      return;
    effects.call = true;
    for (Value operand : call.getOperands())
      if (isa<emitc::ArrayType>(operand.getType())) {
        effects.reads.insert(operand.getDefiningOp());
        effects.writes.insert(operand.getDefiningOp());
      }
  }
}

Effects tilewright::emission::effectsOf(Operation *op) {
  Effects effects;
  op->walk([&](Operation *inner) { addOwnEffects(inner, effects); });
  return effects;
}

bool tilewright::emission::isValueOnly(Operation *op) {
  if (auto call = dyn_cast<emitc::CallOpaqueOp>(op))
    return call->hasAttr(kPure);
  if (isa<emitc::CallOp, emitc::ApplyOp>(op))
    return false;
  return isa<emitc::CExpressionInterface, emitc::LiteralOp, emitc::SubscriptOp, emitc::ConstantOp>(
      op);
}

emitc::VariableOp tilewright::emission::loadedVariable(Operation *op) {
  auto load = dyn_cast<emitc::LoadOp>(op);
  return load ? load.getOperand().getDefiningOp<emitc::VariableOp>() : nullptr;
}

emitc::VariableOp tilewright::emission::assignedVariable(Operation *op) {
  auto assign = dyn_cast<emitc::AssignOp>(op);
  return assign ? assign.getVar().getDefiningOp<emitc::VariableOp>() : nullptr;
}
