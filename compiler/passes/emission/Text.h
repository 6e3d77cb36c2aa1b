// SPDX-License-Identifier: Apache-2.0
//
// Element types and numbers as C++ text.

#pragma once

#include "mlir/IR/BuiltinAttributes.h"

#include <string>

namespace tilewright::emission {

/// The C++ name of an element in memory: `tw::bf16`, `float`, `int32_t`.
std::string elementName(mlir::Type element);

/// A number as a person writes it: `4`, `-1`, `1.5f`, `INFINITY`, `true`.
std::string literalText(mlir::TypedAttr value);

} // namespace tilewright::emission
