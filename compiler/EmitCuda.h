// SPDX-License-Identifier: Apache-2.0
//
// The end of the compiler: a module of EmitC functions (after emitc-prepare) as CUDA text, one
// self- contained text per kernel. Stateless; thread-safe for modules of distinct contexts.

#pragma once

#include "tilewright/Plan.h"

#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace tilewright {

/// The kernel that `function` is: text, entry, headers, threads, cluster and shared memory;
/// register hints are left empty. Fails, with a diagnostic at the op, on EmitC that no kernel of
/// ours has.
mlir::FailureOr<PlanKernel> emitCuda(mlir::emitc::FuncOp function);

/// Every kernel of the module, in order.
mlir::FailureOr<std::vector<PlanKernel>> emitCuda(mlir::ModuleOp module);

} // namespace tilewright
