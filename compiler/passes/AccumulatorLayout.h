// SPDX-License-Identifier: Apache-2.0
//
// The accumulator layout that a tensor-core dot implies: tile-infer-layouts starts from it.

#pragma once

#include "compiler/tile/TileDialect.h"

namespace tilewright {

/// The layout of a wgmma dot's accumulator over the warpgroups of the role that computes it: the
/// consumer of the rings that its operands come through. With `split = rows` they share the tile's
/// rows, with `split = tiles` each holds all of it. Fails, with a diagnostic at the dot, if its
/// operands come through no ring or name different roles, or if its rows do not divide.
mlir::FailureOr<tile::AccAttr> impliedAccumulator(tile::DotOp dot);

} // namespace tilewright
