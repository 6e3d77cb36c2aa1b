// SPDX-License-Identifier: Apache-2.0
//
// Benchmark suites (bench/suites/*.json): lists of named problems. Pure functions of the text,
// safe from any thread.

#pragma once

#include "tilewright/Problem.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// A case of a GEMM suite, by name and by one of the element types that it lists.
struct SuiteCase {
  std::string name = {};
  /// "bf16", "fp8_block", …: how the suite names the types of A and B with their scaling.
  std::string dtype = {};
  friend bool operator==(const SuiteCase &, const SuiteCase &) = default;
};

/// Every case with every type that it lists, in the order of the suite.
/// invalidArgument where the text is no suite.
Expected<std::vector<SuiteCase>> gemmSuiteCases(std::string_view suite);

/// The problem that a case stands for; it is well-formed, but need not be supported
/// (GemmProblem::validate). notFound lists the names, unsupported says which feature of the case
/// this version cannot express, invalidArgument where the text is no suite.
Expected<GemmProblem> gemmSuiteProblem(std::string_view suite, const SuiteCase &which);

} // namespace tilewright
