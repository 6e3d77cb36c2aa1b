// SPDX-License-Identifier: Apache-2.0
//
// The part of tile-verify-async that concerns rings: what one role does with cursors, stages and
// slots.

#pragma once

#include "compiler/tile/TileDialect.h"

namespace tilewright {

/// Diagnoses a role that breaks the protocol of a ring: cursors are used, then advanced, once per
/// path; an acquired stage is filled once and completely; a stage that was waited for is read only
/// until its release, and released once. Says nothing about the other end of the ring.
mlir::LogicalResult verifyRings(tile::RoleOp role);

} // namespace tilewright
