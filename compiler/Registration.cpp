// SPDX-License-Identifier: Apache-2.0

#include "compiler/Registration.h"

#include "compiler/passes/Passes.h"
#include "compiler/sm90/Sm90Dialect.h"
#include "compiler/tile/TileDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectRegistry.h"

namespace tilewright {

void registerAllDialects(mlir::DialectRegistry &registry) {
  registry.insert<mlir::arith::ArithDialect, mlir::emitc::EmitCDialect, mlir::math::MathDialect,
                  mlir::scf::SCFDialect, sm90::Sm90Dialect, tile::TileDialect>();
}

void registerAllPasses() { registerTilewrightPasses(); }

} // namespace tilewright
