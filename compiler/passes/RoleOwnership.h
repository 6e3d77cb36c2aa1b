// SPDX-License-Identifier: Apache-2.0
//
// Which role runs which op of a kernel in program form, as its rings say. An analysis: it changes
// nothing and is invalid once the kernel changes.

#pragma once

#include "compiler/passes/Passes.h"

namespace tilewright {

class RoleOwnership {
public:
  /// Diagnoses tiles that two roles would have to hold and work that no ring gives to a role.
  static mlir::FailureOr<RoleOwnership> of(tile::KernelOp kernel);

  /// Whether `op` stays at the kernel's level, in front of the roles: views, rings, schedules,
  /// scalars.
  bool staysInKernel(mlir::Operation *op) const { return kernelLevel.contains(op); }

  /// Whether `role` must run `op` for what it does, not only for its results. A load through a ring
  /// is such work for both ends of the ring.
  bool isWorkOf(mlir::Operation *op, llvm::StringRef role) const;

  /// Whether `role` may run `op`: it owns it, or the op is pure and any role may repeat it.
  bool mayRun(mlir::Operation *op, llvm::StringRef role) const;

  /// The role that owns `op`, empty if there is none.
  llvm::StringRef ownerOf(mlir::Operation *op) const { return owners.lookup(op); }

private:
  explicit RoleOwnership(tile::KernelOp kernel) : kernel(kernel) {}
  void findKernelLevel();
  llvm::StringRef computeRole();
  mlir::LogicalResult propagate();
  mlir::LogicalResult spreadFrom(mlir::Value tile, llvm::StringRef role, mlir::Operation *seed);
  mlir::LogicalResult own(mlir::Operation *op, llvm::StringRef role);
  bool isFree(mlir::Value tile);

  tile::KernelOp kernel;
  llvm::DenseSet<mlir::Operation *> kernelLevel;
  llvm::DenseMap<mlir::Value, llvm::StringRef> tileOwners;
  llvm::DenseMap<mlir::Operation *, llvm::StringRef> owners;
  llvm::DenseMap<mlir::Value, bool> free;
};

/// Whether `op` exchanges data with a ring: a load through it, or a store staged in it. Null if
/// not.
tile::RingOp ringOf(mlir::Operation *op);

} // namespace tilewright
