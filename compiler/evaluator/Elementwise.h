// SPDX-License-Identifier: Apache-2.0
//
// The `arith` and `math` ops of the dialect as functions on fp64 and int64, applied to numbers or
// element by element to tiles.

#pragma once

#include "compiler/evaluator/Value.h"

#include "mlir/IR/Operation.h"

namespace tilewright::evaluator {

/// Whether `evaluateElementwise` knows the op.
bool isElementwise(mlir::Operation *op);

/// The result of an elementwise op on operands that are numbers or tiles of one shape; numbers
/// stand for tiles with that number everywhere. A tile if any operand is one. Floating-point
/// arithmetic is done in fp64 without rounding, whatever the type; only `arith.truncf` rounds, if
/// `round` is set. Emits an error at `op` and fails on a division by zero.
mlir::FailureOr<Value> evaluateElementwise(mlir::Operation *op, llvm::ArrayRef<Value> operands,
                                           bool round);

} // namespace tilewright::evaluator
