// SPDX-License-Identifier: Apache-2.0
//
// When the dots of a role are done: groups complete in the order in which they were issued, so a
// wait that leaves n in flight completes a group if at least n were issued after it.

#pragma once

#include "compiler/tile/TileDialect.h"

namespace tilewright {

/// A walk from behind a dot to the op that completes its group.
struct GroupScan {
  /// Groups that are certain to have been issued since; loops and branches count as none.
  int64_t issuedAfter = 0;

  /// The first op that completes the group, from `op` to the end of its block or in front of `end`;
  /// null if there is none. May be called again with what runs next.
  mlir::Operation *completion(mlir::Operation *op, mlir::Operation *end = nullptr);
};

/// Where a reader of shared memory is done, seen from an enclosing block.
struct Completion {
  mlir::Operation *after = nullptr; ///< in that block; null: a dot is in flight when the block ends
  GroupScan scan;                   ///< for the latter, to go on with
};

/// Precondition: `reader` stands in `block` or below it.
Completion completionIn(mlir::Block *block, mlir::Operation *reader);

} // namespace tilewright
