// SPDX-License-Identifier: Apache-2.0
//
// Epilogues as IR: from a tile of fp32 sums to the tile that is stored. Ops are arithmetic on
// tiles, so that neither the passes nor the device library know any of them.

#pragma once

#include "templates/TileBuilder.h"
#include "tilewright/Epilogue.h"

namespace tilewright {

/// max(x, 0); NaN stays NaN.
TileValue relu(TileValue x);

/// GELU in its tanh form. From 0.5·(1 + tanh(u)) = 1 / (1 + exp(-2u)), so that it costs one
/// exponential and one reciprocal and is as exact for large negative x as for any other.
TileValue gelu(TileValue x);

/// 0.5·x·(1 + erf(x / sqrt(2))).
TileValue geluErf(TileValue x);

/// x / (1 + exp(-x)).
TileValue silu(TileValue x);

/// What an epilogue reads besides the tile, as values that stand before the loop over tiles.
struct EpilogueOperands {
  /// The views of operands by their role: "c", "bias", "residual", … Rank 1 or 2.
  llvm::StringMap<mlir::Value> views;
  /// f32 factors; null where the result is not scaled, and where there is no C.
  mlir::Value alpha;
  mlir::Value beta;
};

/// alpha·x + beta·C, then the ops of `epilogue` in list order, as elements of `type`; all
/// arithmetic is fp32. (row, column) is where the tile begins. `operands` has a view for
/// each op that reads one. The first `heldVectors` vectors along the columns are read before x is
/// waited for and kept in registers, which hides the way to memory. Precondition: every op is one
/// that this version supports.
TileValue applyEpilogue(TileValue x, const Epilogue &epilogue, const EpilogueOperands &operands,
                        TileValue row, TileValue column, DType type, int32_t heldVectors = 0);

} // namespace tilewright
