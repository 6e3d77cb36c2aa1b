// SPDX-License-Identifier: Apache-2.0
//
// How long a GEMM takes on the device: CUDA graphs of many runs, timed by events, on operands that
// rotate through more memory than the caches hold.

#pragma once

#include "runtime/driver/Context.h"
#include "tilewright/DeviceInfo.h"
#include "tilewright/Problem.h"
#include "tilewright/Status.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tilewright::cli {

/// The address of each operand, by role.
using BoundOperands = std::vector<std::pair<std::string, uint64_t>>;

/// Puts one run on a stream. It is called while the stream is captured.
using RunOnce = std::function<Status(const BoundOperands &operands, cu::Stream stream)>;

struct BenchOptions {
  int32_t rounds = 15;
  /// Device time that a round should take.
  double secondsPerRound = 0.02;
  /// Of the operands' contents, which are drawn from N(0, 1): power and so clocks depend on them.
  uint64_t seed = 1;
};

/// What was measured.
struct BenchResult {
  /// Of one run: the median, the shortest and the longest of the rounds, seconds.
  double median = 0;
  double shortest = 0;
  double longest = 0;
  int32_t rounds = 0;
  int32_t runsPerRound = 0;
  /// Sets of operands in rotation, and the bytes of one.
  int32_t sets = 0;
  int64_t setBytes = 0;
  /// Whether a run finds none of its operands in L2: the sets are 3 times as large.
  bool isCold = false;
};

/// Measures. Fails as allocations, `run` and the device do.
Expected<BenchResult> benchGemm(const std::shared_ptr<const PrimaryContext> &context,
                                const GemmProblem &problem, const BenchOptions &options,
                                const RunOnce &run);

/// Bytes that a run must at least read and write: every operand once.
double leastBytes(const GemmProblem &problem);

/// The shortest time that the datasheet of a device allows, and what decides it.
struct Roofline {
  double seconds = 0;
  bool isCompute = false;
};
Roofline roofline(const GemmProblem &problem, const DeviceInfo &device);

} // namespace tilewright::cli
