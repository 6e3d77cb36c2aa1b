// SPDX-License-Identifier: Apache-2.0
//
// EmitC values and types as C++ text.

#pragma once

#include "mlir/Dialect/EmitC/IR/EmitC.h"

#include <string>

namespace tilewright {

/// The text of a value where it is used: its name, its literal, or the expression that is marked to
/// be printed in place.
std::string expressionText(mlir::Value value);

/// The same as the right side of a comparison: in parentheses where that binds tighter.
std::string comparedText(mlir::Value value);

/// The text of what an op computes, its operands as above.
std::string valueText(mlir::Operation *op);

/// `place = value`, or `place += …` where the value starts from the place itself.
std::string assignmentText(mlir::emitc::AssignOp op);

/// `float x[8]`, `const tw::bf16 *p`, `int32_t n`.
std::string declarationText(mlir::Type type, llvm::StringRef name);

/// Whether `valueText` knows the op.
bool isExpression(mlir::Operation *op);

} // namespace tilewright
