// SPDX-License-Identifier: Apache-2.0
//
// What one role needs of a kernel in program form: its own work, the pure scalar computations
// behind it, the control flow around it, and of loop-carried values those that matter to it. An
// analysis.

#pragma once

#include "compiler/passes/RoleOwnership.h"

#include "llvm/ADT/SetVector.h"

namespace tilewright {

class RoleSlice {
public:
  /// Diagnoses values that the role needs and cannot compute. `role` is empty for a kernel without
  /// roles; `ownership` outlives the slice.
  static mlir::FailureOr<RoleSlice> of(tile::KernelOp kernel, const RoleOwnership &ownership,
                                       llvm::StringRef role);

  llvm::StringRef role() const { return name; }
  bool contains(mlir::Operation *op) const { return ops.contains(op); }
  bool contains(mlir::Value value) const { return values.contains(value); }

  /// Whether the role fills the ring that `load` goes through, rather than to read from it.
  bool produces(tile::LoadOp load) const { return ringOf(load).getProducer() == name; }

  /// The rings that the role walks in `op` and below, in the kernel's order.
  llvm::SmallVector<tile::RingOp> ringsIn(mlir::Operation *op) const;

private:
  RoleSlice(const RoleOwnership &ownership, llvm::StringRef role)
      : ownership(ownership), name(role) {}
  void require(mlir::Value value, mlir::Operation *user);
  void require(mlir::Operation *op, mlir::Operation *user);
  mlir::LogicalResult visit(mlir::Operation *op, mlir::Operation *user);
  mlir::LogicalResult visitOperands(mlir::Operation *op);

  const RoleOwnership &ownership;
  llvm::StringRef name;
  llvm::DenseSet<mlir::Operation *> ops;
  llvm::DenseSet<mlir::Value> values;
  llvm::SmallVector<std::pair<mlir::Operation *, mlir::Operation *>> pending; // op, who needs it
};

} // namespace tilewright
