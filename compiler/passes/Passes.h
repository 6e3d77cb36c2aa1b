// SPDX-License-Identifier: Apache-2.0
//
// The passes of the compiler (Passes.td describes each): create<Pass>() for pipelines and
// registerTilewrightPasses() for tools. A pass obeys directives or fails with the reason; none
// chooses.

#pragma once

#include "compiler/sm90/Sm90Dialect.h"
#include "compiler/tile/TileDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace tilewright {

#define GEN_PASS_DECL
#include "compiler/passes/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "compiler/passes/Passes.h.inc"

} // namespace tilewright
