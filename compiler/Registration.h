// SPDX-License-Identifier: Apache-2.0
//
// Which dialects and passes the compiler consists of, for contexts and for tools.

#pragma once

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace tilewright {

/// Adds every dialect that modules of ours may contain. Thread-safe for distinct registries.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Makes every pass of ours known to MLIR's pass registry, for command lines. Call once, before any
/// thread.
void registerAllPasses();

} // namespace tilewright
