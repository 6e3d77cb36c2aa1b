// SPDX-License-Identifier: Apache-2.0
//
// What an EmitC op does to variables and to the world, as far as printing in another place matters.

#pragma once

#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tilewright::emission {

/// Variables that are read and written, and whether an impure device function is called.
struct Effects {
  bool call = false;
  llvm::SmallPtrSet<mlir::Operation *, 4> reads;
  llvm::SmallPtrSet<mlir::Operation *, 4> writes;

  [[nodiscard]] bool none() const { return !call && reads.empty() && writes.empty(); }
  void add(const Effects &other);
  /// Whether the order of the two matters.
  [[nodiscard]] bool conflictsWith(const Effects &other) const;
};

/// The effects of an op and of all ops inside it. Pure device functions have none.
Effects effectsOf(mlir::Operation *op);

/// Whether the op computes a value and does nothing else. It may read variables.
bool isValueOnly(mlir::Operation *op);

/// The scalar variable that the op reads or assigns as a whole; null if it does not.
mlir::emitc::VariableOp loadedVariable(mlir::Operation *op);
mlir::emitc::VariableOp assignedVariable(mlir::Operation *op);

} // namespace tilewright::emission
