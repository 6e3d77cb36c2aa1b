// SPDX-License-Identifier: Apache-2.0
//
// Emulator: runs plans without a GPU. A plan's kernels are compiled by the system's C++ compiler
// and executed thread by thread on host memory; copies, multiplications and stores that are
// asynchronous on the device land at moments that a seed picks, and every access is checked for
// order. What it models and what it cannot see: docs/emulator.md.
//
//   auto emulator = Emulator::create({.env = Env::fromProcess(), .headers = headers});
//   auto plan = emulator->prepare(plan, device, {m, n, k, lda, ldb, ldd});
//   auto report = plan->run({{a, bytesOfA}, {b, bytesOfB}, {d, bytesOfD}}, {.seed = 7});
//   if (!report->findings.empty()) …
//
// Thread-safety: immutable; several threads may prepare and run at the same time. One run stays on
// one thread.
#pragma once

#include "runtime/driver/PreparedPlan.h"
#include "runtime/emulator/core/Machine.h"
#include "runtime/emulator/host/HostCompiler.h"
#include "tilewright/DeviceInfo.h"

#include <memory>
#include <span>
#include <vector>

namespace tilewright::emulator {

/// Memory that a kernel may reach. Whatever lies outside of all of it is out of bounds.
struct HostMemory {
  void *address = nullptr;
  size_t bytes = 0;
};

struct RunOptions {
  uint64_t seed = 0;
  Policy policy = Policy::random;
  FenceMode fences = FenceMode::strict;
  /// The run stops at this many errors.
  int32_t maxErrors = 1;
};

/// What one run did.
struct EmulationReport {
  /// In the order in which they were found. Warnings do not make a run fail.
  std::vector<Finding> findings;
  MachineCounters counters;
  int32_t launches = 0;
  /// Whether all launches ran to their end: outputs are complete.
  bool finished = false;

  [[nodiscard]] bool hasErrors() const {
    for (const Finding &finding : findings)
      if (finding.severity == Severity::error)
        return true;
    return false;
  }
};

/// A plan with its kernels compiled and its scalars bound.
class EmulatedPlan {
public:
  ~EmulatedPlan();
  EmulatedPlan(const EmulatedPlan &) = delete;
  EmulatedPlan &operator=(const EmulatedPlan &) = delete;

  /// Runs all launches in order. `memory` has one entry for each pointer argument of the plan, in
  /// order. invalidArgument: their number, a null or misaligned pointer that a launch uses, a shape
  /// that no device accepts. What the kernels do wrong is in the report.
  [[nodiscard]] Expected<EmulationReport> run(std::span<const HostMemory> memory,
                                              const RunOptions &options) const;

  /// CTAs of all launches.
  [[nodiscard]] int64_t ctas() const;
  /// Wall time of the host compiles; 0 if every object was found.
  [[nodiscard]] double compileSeconds() const;

private:
  friend class Emulator;
  struct State;
  explicit EmulatedPlan(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

class Emulator {
public:
  /// unavailable if there is no C++ compiler.
  static Expected<Emulator> create(HostCompilerOptions options);

  /// Binds the plan as PreparedPlan::prepare does, for a device of `options.smCap` SMs (16 if that
  /// is 0), so that persistent kernels have few CTAs with several tiles each, and compiles its
  /// kernels.
  [[nodiscard]] Expected<std::shared_ptr<const EmulatedPlan>>
  prepare(const Plan &plan, const DeviceInfo &device, std::span<const ArgumentValue> scalars,
          PrepareOptions options = {}) const;

  /// The C++ compiler in use.
  [[nodiscard]] const std::string &compiler() const { return compiler_.program(); }

private:
  explicit Emulator(HostCompiler compiler) : compiler_(std::move(compiler)) {}
  HostCompiler compiler_;
};

} // namespace tilewright::emulator
