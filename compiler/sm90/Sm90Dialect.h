// SPDX-License-Identifier: Apache-2.0
//
// The sm90 dialect, its types, attributes and effect resources. See Sm90Dialect.td for what it is.

#pragma once

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "compiler/sm90/Sm90Dialect.h.inc"

#include "compiler/sm90/Sm90Enums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "compiler/sm90/Sm90Attrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "compiler/sm90/Sm90Types.h.inc"

namespace tilewright::sm90 {

/// Order of barriers, asynchronous copies, wgmma and fences. Whoever writes it keeps its place.
struct SyncResource : mlir::SideEffects::Resource::Base<SyncResource> {
  llvm::StringRef getName() final { return "sm90.sync"; }
};
struct SharedMemoryResource : mlir::SideEffects::Resource::Base<SharedMemoryResource> {
  llvm::StringRef getName() final { return "sm90.shared"; }
};
struct GlobalMemoryResource : mlir::SideEffects::Resource::Base<GlobalMemoryResource> {
  llvm::StringRef getName() final { return "sm90.global"; }
};
/// Register arrays (`!sm90.frag`); scalars are SSA values and need no resource.
struct RegistersResource : mlir::SideEffects::Resource::Base<RegistersResource> {
  llvm::StringRef getName() final { return "sm90.registers"; }
};

/// The type that an element in memory has in a register: f32 for bf16 and f16, else itself.
mlir::Type registerType(mlir::Type element);

/// Whether `name` can name something in the text: an identifier of C++ that is no keyword.
bool isIdentifier(llvm::StringRef name);

} // namespace tilewright::sm90
