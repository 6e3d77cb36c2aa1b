// SPDX-License-Identifier: Apache-2.0
//
// Compiles many cases at once, and says what came of them.
#pragma once

#include "runtime/engine/Compile.h"
#include "tests/engine/KernelCases.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tilewright {

/// A case, and what compiling it gave.
struct CompiledCase {
  KernelCase kernelCase;
  /// Accumulators of a consumer thread, which decide how many spilled bytes pass.
  int32_t accumulators = 0;
  Expected<CompiledPlan> result = Status::internal("not compiled");

  /// The largest spill among its kernels.
  [[nodiscard]] int32_t spillBytes() const;
};

/// Compiles all on as many threads as there are cores, each with an MLIR context of its own.
/// In the order of `cases`.
std::vector<CompiledCase> compileCases(const std::vector<KernelCase> &cases, const Nvrtc &nvrtc);

/// Fails for each case that did not compile or that its policy rejects (advisories of ptxas;
/// spills, of which 12 bytes pass where a thread holds 192 accumulators), naming it.
void expectAccepted(const std::vector<CompiledCase> &compiled);

/// As expectAccepted, but kernels may spill: such configs are refused by name when they are built,
/// so what counts is that they assemble and that ptxas repaired nothing.
void expectCompiled(const std::vector<CompiledCase> &compiled);

/// Fails for each kernel whose text the system's C++ compiler refuses against hostHeaders():
/// the text uses nothing of CUDA but what these declare.
void expectPlainText(const std::vector<CompiledCase> &compiled);

/// "0 B: 341, 4 B: 2": how many cases spill how much.
std::string spillDistribution(const std::vector<CompiledCase> &compiled);

} // namespace tilewright
