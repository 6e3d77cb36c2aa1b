// SPDX-License-Identifier: Apache-2.0
//
// The GEMM template: problem and config to a module of the `tile` dialect. Every choice is in the
// config and stands in the module as a directive; no pass adds one.

#pragma once

#include "templates/gemm/Space.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tilewright {

/// Builds the module of `problem` under `config`: a `tile.program @gemm` with the arguments that
/// gemmArguments lists, and the kernels that it launches, in program form.
///
///   one launch    @gemm_kernel, when config.split is 1
///   two launches  @gemm_partial sums slices of K into workspace; @gemm_reduce adds the slices in
///                 order and applies the epilogue
///
/// Sizes, pitches, alpha and beta are run-time arguments: of the problem's numbers the module holds
/// only the alignment of its pitches, which it requires.
///
/// Fails as GemmProblem::validate does, and with invalidArgument if checkConfig rejects the config.
/// Loads the dialects that it needs into `context`, which belongs to the calling thread.
Expected<mlir::OwningOpRef<mlir::ModuleOp>> buildGemm(mlir::MLIRContext &context,
                                                      const GemmProblem &problem,
                                                      const GemmConfig &config,
                                                      const DeviceInfo &device);

} // namespace tilewright
