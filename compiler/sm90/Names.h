// SPDX-License-Identifier: Apache-2.0
//
// Names of values. A value is named in the text as its location says: the NameLoc of the op that
// makes it, or of the block argument that it is. A named value gets a variable of its own; one
// without a name is folded into its use where that changes nothing.

#pragma once

#include "mlir/IR/Location.h"

namespace tilewright::sm90 {

/// The name that a location carries (also inside fused and call-site locations); empty if none.
llvm::StringRef nameOf(mlir::Location location);

/// `location` with a name, in place of an earlier one.
mlir::Location withName(mlir::Location location, llvm::StringRef name);

/// `location` without its name: for what a lowering makes besides the named value itself.
mlir::Location withoutName(mlir::Location location);

} // namespace tilewright::sm90
