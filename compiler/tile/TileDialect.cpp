// SPDX-License-Identifier: Apache-2.0

#include "compiler/tile/TileDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FoldInterfaces.h"

#include "compiler/tile/TileDialect.cpp.inc"

namespace tilewright::tile {

namespace {

/// Constants that folding makes stay in the region whose thread of control computes them: a role
/// must not use values of its kernel that are not its own.
struct TileFoldInterface : mlir::DialectFoldInterface {
  using DialectFoldInterface::DialectFoldInterface;
  bool shouldMaterializeInto(mlir::Region *region) const final {
    return llvm::isa<KernelOp, RoleOp, StepOp, MapOp>(region->getParentOp());
  }
};

/// Aliases keep the text readable: layouts stand in almost every type.
struct TileAsmInterface : mlir::OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(mlir::Attribute attr, llvm::raw_ostream &os) const final {
    if (llvm::isa<SmemAttr>(attr))
      return os << "smem", AliasResult::OverridableAlias;
    if (llvm::isa<AccAttr>(attr))
      return os << "acc", AliasResult::OverridableAlias;
    if (llvm::isa<BlockedAttr>(attr))
      return os << "blocked", AliasResult::OverridableAlias;
    return AliasResult::NoAlias;
  }
};

} // namespace

void TileDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "compiler/tile/TileOps.cpp.inc"
      >();
  addInterfaces<TileFoldInterface, TileAsmInterface>();
}

} // namespace tilewright::tile
