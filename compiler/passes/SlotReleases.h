// SPDX-License-Identifier: Apache-2.0
//
// Second half of tile-place-waits: stages that a role waits for are given back.

#pragma once

#include "compiler/passes/CountedLoop.h"

namespace tilewright {

/// Releases every stage that ops below `root` (a role) wait for, after its last reader is known to
/// be done; rings that the role releases already are left alone. A stage that a dot still reads
/// when the iteration ends is released in the next one, and the last after the loop. Diagnoses
/// stages for which no such place exists on every path.
mlir::LogicalResult placeReleases(mlir::Operation *root);

} // namespace tilewright
