// SPDX-License-Identifier: Apache-2.0
//
// A case, from the compiler to a judged result, without the engine in between.
#pragma once

#include "runtime/driver/PreparedPlan.h"
#include "runtime/engine/Compile.h"
#include "tests/gpu/Cases.h"
#include "tests/gpu/Gpu.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tilewright {

/// The case of a problem with the config that is the heuristic's choice; a failure of the test and
/// an empty problem if there is none.
GemmCase heuristicCase(const GemmProblem &problem, uint64_t seed = 1);

/// A plan with its cubins and loaded kernels.
struct CompiledGemm {
  Plan plan;
  std::shared_ptr<const LoadedPlan> loaded;
};

/// Compiles and loads `gemm`. Kernels that spill are accepted: they must be right all the same.
Expected<std::shared_ptr<const CompiledGemm>> compileCase(const GemmCase &gemm);

/// Compiles all cases on all cores, kernels that several cases share once; in the order of `cases`.
std::vector<Expected<std::shared_ptr<const CompiledGemm>>>
compileCases(const std::vector<GemmCase> &cases);

/// A plan bound to a problem's scalars, with a workspace that has a guard zone behind it.
class RunnableGemm {
public:
  static Expected<RunnableGemm> prepare(const CompiledGemm &compiled, const GemmProblem &problem,
                                        const PrepareOptions &options = {});

  /// Puts one run on the stream, on the operands of `trial`.
  [[nodiscard]] Status run(const GemmTrial &trial, cu::Stream stream = nullptr) const;
  /// Whether the guard zone of the workspace is as it was. Waits for the stream.
  [[nodiscard]] Status checkWorkspace(cu::Stream stream = nullptr) const;

  [[nodiscard]] const PreparedPlan &plan() const { return *plan_; }

private:
  RunnableGemm() = default;

  std::shared_ptr<const PreparedPlan> plan_;
  DeviceBuffer workspace_;
};

/// Runs the case once and judges it; the failure of whatever failed, with toString().
Status runAndJudge(const GemmCase &gemm, const CompiledGemm &compiled,
                   const TrialOptions &options = {});

/// Compiles, runs and judges all cases; each failure is a failure of the test.
void expectRight(const std::vector<GemmCase> &cases, const TrialOptions &options = {});

} // namespace tilewright
