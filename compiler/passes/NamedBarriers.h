// SPDX-License-Identifier: Apache-2.0
//
// The hardware's named barriers, as a scheduled kernel uses them: number 0 is the CTA's, then come
// one for each warpgroup of each role that stores through shared memory, then one for each
// warpgroup that takes a turn, turn by turn. An analysis: invalid once the kernel changes.

#pragma once

#include "compiler/tile/TileDialect.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace tilewright {

class NamedBarriers {
public:
  explicit NamedBarriers(tile::KernelOp kernel);

  /// Barrier of the first warpgroup of `role`, which stores through shared memory; those of the
  /// others follow.
  int64_t ofStores(llvm::StringRef role) const { return stores.lookup(role); }
  /// Barrier at which the first warpgroup waits for `turn`; those of the others follow.
  int64_t ofTurn(tile::TurnOp turn) const { return turns.lookup(turn); }

  /// Barriers in all, and the sum spelt out: "1 for the CTA + 2 for stores of @mma".
  int64_t count() const { return next; }
  llvm::StringRef sum() const { return text; }

private:
  int64_t reserve(tile::RoleAttr role, llvm::StringRef what);

  llvm::StringMap<int64_t> stores;
  llvm::DenseMap<mlir::Operation *, int64_t> turns;
  int64_t next = 1;
  std::string text = "1 for the CTA";
};

} // namespace tilewright
