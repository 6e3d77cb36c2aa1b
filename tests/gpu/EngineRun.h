// SPDX-License-Identifier: Apache-2.0
//
// A GEMM as a program of a user's has it: an engine, a kernel, operands, a workspace.
#pragma once

#include "tests/gpu/Gpu.h"
#include "tilewright/Engine.h"

#include <optional>

namespace tilewright {

/// An engine for the device of gpu(), with a disk cache in `cacheFolder`, or none if that is empty.
Expected<Engine> makeEngine(const std::string &cacheFolder = "");

/// A kernel with operands to run it on.
class EngineRun {
public:
  static Expected<EngineRun> create(const Engine &engine, const GemmProblem &problem,
                                    uint64_t seed = 1, const RequestOptions &options = {});

  /// Puts one run on the stream.
  [[nodiscard]] Status launch(cu::Stream stream = nullptr) const;
  /// Waits for the stream, and says whether D is right.
  [[nodiscard]] Status judge(cu::Stream stream = nullptr) const;

  [[nodiscard]] const Kernel &kernel() const { return *kernel_; }
  [[nodiscard]] GemmTrial &trial() { return *trial_; }
  [[nodiscard]] const GemmTrial &trial() const { return *trial_; }

private:
  EngineRun() = default;

  std::optional<Kernel> kernel_;
  std::optional<GemmTrial> trial_;
  DeviceBuffer workspace_;
};

/// The operands of a trial as the engine's launch takes them.
Operands operandsOf(const GemmTrial &trial);

} // namespace tilewright
