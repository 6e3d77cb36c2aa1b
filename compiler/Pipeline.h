// SPDX-License-Identifier: Apache-2.0
//
// The one ordered list of passes, in three stretches that end where a person may want to look.

#pragma once

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace tilewright {

/// Program form to scheduled form: the rewrites, each driven by directives, and the asynchrony
/// verifier.
void addSchedulePasses(mlir::OpPassManager &module);

/// Scheduled form to sm90: the plans of memory and registers, then the lowering.
void addLoweringPasses(mlir::OpPassManager &module);

/// sm90 to EmitC that is ready to print.
void addEmissionPasses(mlir::OpPassManager &module);

/// Registers the stretches as `tile-schedule`, `tile-lower` and `sm90-emit`, and all of them as
/// `tilewright`, for tw-opt.
void registerPipelines();

} // namespace tilewright
