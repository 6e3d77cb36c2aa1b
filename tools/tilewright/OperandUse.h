// SPDX-License-Identifier: Apache-2.0
//
// How much memory a program touches behind each of its pointers, found from its views once its
// sizes are known. Thread-safety: as the module's context.

#pragma once

#include "compiler/evaluator/Evaluator.h"
#include "tilewright/Status.h"

#include "mlir/IR/Operation.h"
#include "mlir/IR/Types.h"

#include <cstdint>
#include <map>
#include <string>

namespace tilewright::cli {

/// What a program does with one of its pointer arguments.
struct OperandUse {
  mlir::Type elementType;
  /// Elements from the first to the last that a view reaches.
  int64_t elements = 0;
  bool isRead = false;
  bool isWritten = false;
};

using ScalarBindings = decltype(Bindings::scalars);

/// The pointer arguments of `entry`, a tile.program or tile.kernel, by name, for these values of
/// its scalars. `entry` is not changed. unsupported if the extent of an access depends on data, or
/// is not that of a view.
Expected<std::map<std::string, OperandUse>> operandUses(mlir::Operation *entry,
                                                        const ScalarBindings &scalars);

} // namespace tilewright::cli
