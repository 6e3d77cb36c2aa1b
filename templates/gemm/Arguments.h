// SPDX-License-Identifier: Apache-2.0
//
// The arguments of a GEMM's program: their names, which are the roles that callers bind, and what
// a problem passes for each. Free of MLIR. Pure; safe from any thread.

#pragma once

#include "tilewright/Plan.h"
#include "tilewright/Problem.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright {

/// One argument of the program that buildGemm makes for a problem.
struct GemmArgument {
  /// "a", "bias", "m", "lda", "alpha".
  std::string name = {};
  ArgumentKind kind = ArgumentKind::pointer;
  /// For people: "A, M x K, rows lda elements apart".
  std::string description = {};

  // Of pointers.
  DType dtype = DType::bf16;
  Access access = Access::read;
  /// Elements from the first to the last that the problem touches.
  int64_t elements = 0;

  // Of scalars: what the problem passes.
  int64_t integer = 0;
  float number = 0;

  friend bool operator==(const GemmArgument &, const GemmArgument &) = default;
};

/// The arguments in the order of the program's signature: a, b, c, d, operands of the epilogue in
/// list order; m, n, k; lda, ldb, ldc, ldd, ldr (of the residual); alpha, beta. Those that the
/// problem does not use are left out:
///
///   c, ldc, beta   unless beta is 0
///   alpha          unless alpha is 1
///
/// So alpha and beta are never constants of the kernel: one built with any other value takes every
/// value at run time. Precondition: the problem is valid.
std::vector<GemmArgument> gemmArguments(const GemmProblem &problem);

/// The alignment in bytes, up to 16, that rows `pitch` elements apart have in common: what a
/// kernel for them promises itself, and requires of the base address as well.
int64_t rowAlignment(int64_t pitch, DType type);

} // namespace tilewright
