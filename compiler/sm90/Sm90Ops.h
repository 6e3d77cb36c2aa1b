// SPDX-License-Identifier: Apache-2.0
//
// The ops of the sm90 dialect and the interface that makes each of them a device function call.

#pragma once

#include "compiler/sm90/Sm90Dialect.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

#include <string>

#include "compiler/sm90/Sm90Interfaces.h.inc"

namespace tilewright::sm90 {

/// One template argument of a device function; `isDefault` if it equals the function's default.
struct TemplateArgument {
  mlir::Attribute value;
  bool isDefault = false;
};

/// A number that an op must have, or may have (default 0).
TemplateArgument templateArgument(mlir::MLIRContext *context, ConstAttr number);
/// A type.
TemplateArgument templateArgument(mlir::MLIRContext *context, mlir::TypeAttr type);
/// A flag that is off by default.
TemplateArgument templateArgument(mlir::MLIRContext *context, bool flag);
/// The rank of a tensor map: the number of coordinates.
TemplateArgument templateArgument(mlir::MLIRContext *context, mlir::ValueRange coordinates);
/// `tw::cache::…`
TemplateArgument templateArgument(mlir::MLIRContext *context, CachePolicy policy);
TemplateArgument templateArgument(mlir::MLIRContext *context, TemplateArgument argument);
/// The flag AlongM of the raster functions, on by default.
TemplateArgument bandsAlongM(mlir::MLIRContext *context, bool alongN);

/// The list without the defaults at its end.
mlir::ArrayAttr templateArguments(mlir::MLIRContext *context,
                                  llvm::ArrayRef<TemplateArgument> arguments);

} // namespace tilewright::sm90

#define GET_OP_CLASSES
#include "compiler/sm90/Sm90Ops.h.inc"
