// SPDX-License-Identifier: Apache-2.0
//
// The `tile` dialect: types, attributes and operations, and the bridge from tensor encodings to the
// layout maths of Layout.h. An MLIRContext and what hangs on it belong to one thread at a time.

#pragma once

#include "compiler/tile/Layout.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tilewright::tile {

/// Barriers, pending copies and dots: everything asynchronous is ordered by writing this.
struct SyncResource : mlir::SideEffects::Resource::Base<SyncResource> {
  llvm::StringRef getName() final { return "tile.sync"; }
};
struct SharedMemoryResource : mlir::SideEffects::Resource::Base<SharedMemoryResource> {
  llvm::StringRef getName() final { return "tile.shared"; }
};
struct GlobalMemoryResource : mlir::SideEffects::Resource::Base<GlobalMemoryResource> {
  llvm::StringRef getName() final { return "tile.global"; }
};

/// Ops that stand only in kernels of program form, and only in kernels of scheduled form.
template <typename Op>
struct ProgramForm : mlir::OpTrait::TraitBase<Op, ProgramForm> {};
template <typename Op>
struct ScheduledForm : mlir::OpTrait::TraitBase<Op, ScheduledForm> {};

} // namespace tilewright::tile

#include "compiler/tile/TileDialect.h.inc"
#include "compiler/tile/TileEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "compiler/tile/TileAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "compiler/tile/TileTypes.h.inc"
#define GET_OP_CLASSES
#include "compiler/tile/TileOps.h.inc"

namespace tilewright::tile {

/// Bytes of one element of a tile (bool counts as one byte).
int elementBytes(mlir::Type elementType);

/// The shared-memory layout of a tile: its `#tile.smem` encoding on its shape, rank 1 or 2 (a
/// vector is one row). Precondition: the encoding is a SmemAttr.
SharedLayout sharedLayoutOf(mlir::RankedTensorType tile);

/// The register layout of a tile, or nothing if its encoding is none. Rank 2, or rank 1 in a slice
/// layout
/// (`parentShape` gives the extent of the removed dimension where it matters; 0 takes the smallest
/// that is legal).
std::optional<FragmentLayout> fragmentLayoutOf(mlir::RankedTensorType tile);

/// Whether the tile lives in registers by its encoding.
bool isRegisterTile(mlir::Type type);

/// The tile that a value of type tensor, slot or pending stands for; null for other types.
mlir::RankedTensorType tileOf(mlir::Type type);

/// The same tile type with another encoding.
mlir::RankedTensorType withLayout(mlir::RankedTensorType tile, mlir::Attribute layout);

} // namespace tilewright::tile
