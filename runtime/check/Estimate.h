// SPDX-License-Identifier: Apache-2.0
//
// Estimate: a number in fp64 with a bound on how far a kernel in fp32 may be from it, carried
// through an epilogue. docs/decisions/check-bound.md says what is granted and why.
// Pure functions; safe from any thread.
#pragma once

#include "tilewright/Problem.h"

#include <cstdint>

namespace tilewright {

/// A reference value of one element.
struct Estimate {
  double value = 0;
  /// The kernel's value, before it is rounded to the type of D, is within `value` ± `error`.
  double error = 0;
  /// The size of the largest term that went into `value`: where it is much larger, terms cancelled.
  double magnitude = 0;
};

/// The sum over K: `sum` of a·b and `absolute` of |a|·|b|. The error is 2·K·2^-24·absolute.
Estimate estimateSum(double sum, double absolute, int64_t k);

/// Estimate times a number that the kernel reads exactly: alpha, a scale.
Estimate scale(const Estimate &x, double factor);

/// Estimate plus a number that the kernel reads exactly: a bias, beta·C.
Estimate add(const Estimate &x, double term);

/// relu, gelu, gelu_erf or silu. The bound is carried by the largest slope within it, and widened
/// by what the kernel's formula in fp32 is off.
Estimate applyFunction(EpilogueKind kind, const Estimate &x);

/// Any supported op; `operand` is of no meaning for those that read none.
Estimate applyOp(EpilogueKind kind, const Estimate &x, double operand);

} // namespace tilewright
