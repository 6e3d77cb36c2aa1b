// SPDX-License-Identifier: Apache-2.0
//
// The options that describe a GEMM, and the problem, device and config that they stand for.

#pragma once

#include "templates/gemm/Config.h"
#include "tilewright/DeviceInfo.h"
#include "tilewright/Problem.h"
#include "tools/tilewright/Report.h"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

namespace tilewright::cli {

/// A GEMM on the command line. An option that is not given keeps the value of the suite's case, or
/// the default of GemmProblem.
struct GemmOptions {
  std::optional<int64_t> m, n, k, batch;
  std::optional<int64_t> lda, ldb, ldc, ldd;
  std::optional<std::string> a, b, c, d, layout, epilogue;
  std::optional<float> alpha, beta;
  /// FILE:NAME or FILE:NAME:TYPE.
  std::string suiteCase;
  std::string target;
  std::string config;

  /// Adds the options to a command. This object must outlive it.
  void addTo(CLI::App &command);

  /// The problem; it is well-formed and supported.
  [[nodiscard]] Expected<GemmProblem> problem() const;
};

/// A problem with all that is needed to build it.
struct GemmRequest {
  GemmProblem problem;
  DeviceInfo device;
  GemmConfig config;

  /// Fails with the rule that `options.config` breaks; what that leaves out is the heuristic's.
  static Expected<GemmRequest> from(const Session &session, const GemmOptions &options);
};

/// The problem by the names of its options.
Json problemJson(const GemmProblem &problem);

/// "gemm 4096x4096x4096 bf16 nt bias,gelu".
std::string describe(const GemmProblem &problem);

} // namespace tilewright::cli
