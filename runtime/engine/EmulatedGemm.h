// SPDX-License-Identifier: Apache-2.0
//
// EmulatedGemm: a GEMM's plan in the emulator, on random operands with guard zones and a poisoned
// result, judged as a kernel on a device is. Free of MLIR.
// Thread-safety: run may be called by several threads at once.
#pragma once

#include "runtime/check/Verdict.h"
#include "runtime/emulator/Emulator.h"
#include "tilewright/DeviceInfo.h"
#include "tilewright/Plan.h"
#include "tilewright/Problem.h"

#include <memory>
#include <vector>

namespace tilewright {

/// The host side of the device library, as the emulator's compiler takes it.
std::vector<emulator::HostHeader> emulatorHeaders();

/// What one run gave.
struct EmulatedRun {
  emulator::EmulationReport report;
  /// Of a run that ended; else meaningless.
  Verdict verdict;
  /// The bytes of D, pitch included.
  std::vector<uint8_t> result;

  /// checkFailed with the first error, or with what is wrong in the result; else ok.
  [[nodiscard]] Status status() const;
};

class EmulatedGemm {
public:
  /// Compiles the plan's kernels for the host and makes operands from `seed`, those of a GemmTrial.
  /// `sms` is how many SMs the emulated device has: the CTAs of a persistent kernel. Fails as
  /// Emulator::prepare.
  static Expected<EmulatedGemm> prepare(const emulator::Emulator &emulator, const Plan &plan,
                                        const GemmProblem &problem, const DeviceInfo &device,
                                        int32_t sms, uint64_t seed);

  /// Runs it on a fresh result.
  [[nodiscard]] Expected<EmulatedRun> run(const emulator::RunOptions &options) const;

  [[nodiscard]] const emulator::EmulatedPlan &plan() const { return *plan_; }

private:
  EmulatedGemm() = default;

  GemmProblem problem_;
  std::vector<OperandImage> inputs_;
  OperandImage output_;
  ReferenceSums reference_;
  std::shared_ptr<const emulator::EmulatedPlan> plan_;
};

} // namespace tilewright
