// SPDX-License-Identifier: Apache-2.0
//
// How often something happens on the paths through structured control flow.

#pragma once

#include "mlir/IR/Operation.h"

namespace tilewright {

/// The least and the greatest number of times over all paths; loops may run never or many times.
struct PathCount {
  int64_t least = 0;
  int64_t most = 0;
  bool isOnce() const { return least == 1 && most == 1; }
};

/// Counts the ops that `counts` accepts, from `begin` to the end of its block, with what stands
/// below.
PathCount countOnPaths(mlir::Operation *begin, llvm::function_ref<bool(mlir::Operation *)> counts);

/// Whether some path runs `first` and later `second`, each counted once: not if they stand in
/// different branches or the other way round.
bool runsBefore(mlir::Operation *first, mlir::Operation *second);

} // namespace tilewright
