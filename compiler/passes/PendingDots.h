// SPDX-License-Identifier: Apache-2.0
//
// First half of tile-place-waits: tensor-core dots become starts and waits.

#pragma once

#include "compiler/passes/CountedLoop.h"

namespace tilewright {

/// Splits every `tile.dot kind wgmma` below `root` (a role or a kernel without roles) into its
/// start and a wait in front of the first use of its result. An accumulator that a loop carries
/// from tile.zero through dots alone stays pending through the loop, is retired to what each dot's
/// `outstanding` says, and is waited for after the loop. Diagnoses dots that have no asynchronous
/// form.
mlir::LogicalResult splitDots(mlir::Operation *root);

} // namespace tilewright
