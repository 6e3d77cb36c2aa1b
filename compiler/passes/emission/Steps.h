// SPDX-License-Identifier: Apache-2.0
//
// The steps of emitc-prepare, in their order. Each keeps the function's meaning and leaves valid
// EmitC; together they decide what the printer prints.

#pragma once

#include "mlir/Dialect/EmitC/IR/EmitC.h"

namespace tilewright::emission {

/// Erases values that nobody uses and that nothing happens for.
void eraseUnusedValues(mlir::emitc::FuncOp function);

/// Scalar variables as a person would have them: read where they are needed instead of copied at
/// the top of a loop, one variable for a value that nested or consecutive loops carry on, declared
/// where they get their first value.
void simplifyVariables(mlir::emitc::FuncOp function);

/// Marks (kInline) the values that are printed where they are used: those without a name of their
/// own that are used once, where the order of effects allows it.
void foldExpressions(mlir::emitc::FuncOp function);

/// Gives every variable, counter and parameter a name (kName) that is unique in its scope.
void nameValues(mlir::emitc::FuncOp function);

} // namespace tilewright::emission
