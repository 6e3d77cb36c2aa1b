// SPDX-License-Identifier: Apache-2.0
//
// A GEMM by three plain loops in fp64, and random operands for it. Shares no code with what it
// judges.

#pragma once

#include "compiler/evaluator/Evaluator.h"
#include "templates/gemm/Arguments.h"

#include <cstdint>
#include <vector>

namespace tilewright {

/// What memory that nobody should write holds; every type can.
inline constexpr double kSentinel = -12288;

/// Arguments for `problem`: random operands that its types can hold, and scalars. D and the gaps
/// between rows hold the sentinel.
Bindings randomBindings(const GemmProblem &problem, uint64_t seed);

/// D after the launch, without rounding, gaps included.
std::vector<double> referenceGemm(const GemmProblem &problem, const Bindings &bindings);

} // namespace tilewright
