// SPDX-License-Identifier: Apache-2.0
//
// Roles with `split = tiles`: each of their warpgroups, an instance, runs the role's body for tiles
// of its own. What may stand in such a role, and how far an instance goes on in a ring to pass the
// stages of a tile that another one takes.

#pragma once

#include "compiler/passes/CountedLoop.h"
#include "compiler/passes/RoleSlice.h"

#include "mlir/IR/IRMapping.h"

namespace tilewright {

/// Whether the tiles of `kernel` can be dealt out to the instances of `role`, which runs `slice`.
/// If not, says why at the op that stands in the way. True for roles of one instance.
mlir::LogicalResult verifyInstances(tile::KernelOp kernel, const RoleOwnership &ownership,
                                    const RoleSlice &slice);

/// The rings whose stages a role waits for in `op`.
mlir::SmallVector<tile::RingOp> ringsReadIn(mlir::Operation *op, const RoleSlice &slice);

/// Counts the stages that a role takes from a ring for each tile, in front of the loop over tiles.
class StageCount {
public:
  /// Scalars are computed where `builder` stands, from values that `map` knows.
  StageCount(mlir::OpBuilder &builder, const mlir::IRMapping &map, const RoleSlice &slice,
             tile::ForTilesOp tiles)
      : builder(builder), map(map), slice(slice), tiles(tiles) {}

  /// Stages of `ring` (i32) that one run of the loop's body takes. Fails where tiles may differ.
  mlir::FailureOr<mlir::Value> of(tile::RingOp ring);

private:
  mlir::FailureOr<mlir::Value> stagesIn(mlir::Block &block, tile::RingOp ring);
  mlir::FailureOr<mlir::Value> tripsOf(CountedLoop loop);
  mlir::FailureOr<mlir::Value> outside(mlir::Value value, CountedLoop loop);

  mlir::OpBuilder &builder;
  const mlir::IRMapping &map;
  const RoleSlice &slice;
  tile::ForTilesOp tiles;
  mlir::IRMapping copies; ///< of scalars that the loop's body computes alike for all tiles
};

} // namespace tilewright
