// SPDX-License-Identifier: Apache-2.0
//
// Mutations: one fault, or one legal change, put into a lowered kernel. They are for whoever has to
// know whether a check of kernels finds anything: the tests of the emulator, and people who doubt
// it. A mutation is a kind at a site; kinds are data, sites are operations of the module. Never
// part of a build that anyone uses.

#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace tilewright::mutation {

/// What a mutated kernel is.
enum class FaultClass : uint8_t {
  /// It breaks a rule of the machine or computes something else: results, a hang, or luck.
  failsOnCard,
  /// It breaks a rule of PTX about registers that ptxas mends on its own, with an advisory (C75xx).
  repairedByPtxas,
  /// It is as good as the original: nothing may be found.
  legal,
};

/// "fails-on-card", "repaired-by-ptxas", "legal".
llvm::StringRef faultClassName(FaultClass faultClass);

/// One way to go wrong.
struct Kind {
  /// Stable: "drop-full-wait".
  llvm::StringLiteral name;
  FaultClass faultClass;
  /// What is changed.
  llvm::StringLiteral sentence;
  /// Why it is of that class.
  llvm::StringLiteral reason;
  /// The findings that would be right, in words separated by blanks: kinds of the emulator, and
  /// "output" for results that differ. Empty for what is legal.
  llvm::StringLiteral findings;
  /// Whether the kind applies at an operation.
  bool (*isSite)(mlir::Operation *);
  /// Applies it there, to a module that has no other mutation.
  void (*apply)(mlir::Operation *);
};

/// All kinds, family by family, in an order that does not change between calls.
const std::vector<const Kind *> &allKinds();

/// The kind of that name, or null.
const Kind *findKind(llvm::StringRef name);

/// The operations of `module` where a kind applies, in the order of the text.
std::vector<mlir::Operation *> findSites(const Kind &kind, mlir::ModuleOp module);

/// Puts the kind into a module of sm90 kernels at its `site`-th site. Returns where, in words: the
/// operation and its number among its like in the kernel. Fails, with a diagnostic at the module,
/// where there is no such kind or site.
mlir::FailureOr<std::string> mutate(mlir::ModuleOp module, llvm::StringRef kind, unsigned site);

/// Registers `sm90-mutate` for tools.
void registerPasses();

} // namespace tilewright::mutation
