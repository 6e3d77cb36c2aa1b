// SPDX-License-Identifier: Apache-2.0
//
// Prints the EmitC that our passes make. It decides nothing: emitc-prepare has marked what is
// printed in place and named everything else. Why not upstream's translateToCpp:
// docs/decisions/own-cuda-printer.md.

#pragma once

#include "mlir/Dialect/EmitC/IR/EmitC.h"

#include <string>

namespace tilewright {

/// Includes, named constants and the function, at most 100 columns wide. Fails, with a diagnostic
/// at the op, on ops that no pass of ours leaves.
mlir::FailureOr<std::string> printCuda(mlir::emitc::FuncOp function);

} // namespace tilewright
