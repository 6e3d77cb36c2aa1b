// SPDX-License-Identifier: Apache-2.0
//
// What several passes ask about tile arithmetic: which ops act element by element, which are free
// to repeat, and what may lie between a read and the place where it is wanted. Queries only, no
// state.

#pragma once

#include "compiler/tile/TileDialect.h"

#include "mlir/IR/Operation.h"

namespace tilewright {

/// Whether `op` is tensor arithmetic: one result tile, each element computed from the elements at
/// the same place of its operand tiles (and from scalars).
bool isElementwise(mlir::Operation *op);

/// Whether `op` is elementwise and costs about one instruction per element: no division, no
/// transcendental function.
bool isCheapElementwise(mlir::Operation *op);

/// Whether `op` makes a tile that needs no register: zero, splat, constant (one value everywhere),
/// coordinate, broadcast.
bool isFreeTile(mlir::Operation *op);

/// Whether `op` is a load of a view straight into registers.
bool isDirectLoad(mlir::Operation *op);

/// Whether the result is a vector that the text holds in registers, or computed from such alone.
bool isHeld(mlir::Operation *op);

/// Whether `op` repeats its region.
bool isLoop(mlir::Operation *op);

/// Whether a loop contains `inner` but not `outer`. Precondition: `outer`'s block contains `inner`,
/// directly or in nested regions.
bool entersLoop(mlir::Operation *outer, mlir::Operation *inner);

/// What an op must not do to stand between two others.
enum class Barrier {
  GlobalWrite, ///< writing global memory
  AnyWrite,    ///< writing global memory or the order of asynchronous work
};

/// The first op that may run after `from` and before `to` and does what `barrier` forbids; null if
/// there is none; ops that are `passable` do not count. Loops around `to` alone count whole: their
/// next iteration runs before `to` again. Precondition: `from`'s block contains `to`, directly or
/// in nested regions, and `from` comes first.
mlir::Operation *findBarrier(mlir::Operation *from, mlir::Operation *to, Barrier barrier,
                             llvm::function_ref<bool(mlir::Operation *)> passable = {});

/// Erases the ops of `root` that make tiles which nothing uses.
void eraseDeadTiles(mlir::Operation *root);

} // namespace tilewright
