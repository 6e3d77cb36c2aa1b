// SPDX-License-Identifier: Apache-2.0
//
// What is run on a card, as data: CI, which has none, checks that it is legal and covers the space.
#pragma once

#include "templates/gemm/Space.h"
#include "tilewright/DeviceInfo.h"
#include "tilewright/Problem.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright {

/// What to compile and to run.
struct GemmCase {
  GemmProblem problem = {};
  GemmConfig config = {};
  uint64_t seed = 1;

  /// The command line that repeats it: "tilewright gemm -m … --config … --seed 7 --check".
  [[nodiscard]] std::string toString() const;
};

/// A case that stands for a kind of kernel.
struct NamedCase {
  std::string name;
  GemmCase gemm;
};

/// What GoogleTest shows of it.
inline void PrintTo(const NamedCase &one, std::ostream *stream) { *stream << one.gemm.toString(); }

/// The sample of the space is drawn and run in pieces.
inline constexpr int kSweepChunks = 17;
inline constexpr size_t kSweepChunkSize = 20;

/// One piece: configs drawn from all that can be built, each with a problem of several rounds;
/// then, in the same order, a small problem for each that has the same kernels. The same on every
/// machine.
std::vector<GemmCase> sweepCases(int chunk, const DeviceInfo &device);

/// One case for each kernel that is run under compute-sanitizer: every cluster, store, number of
/// consumers and op, slices of K; small problems that end inside of tiles.
std::vector<NamedCase> memcheckCases();

/// Lists of several epilogue ops.
std::vector<std::string> compositions();

} // namespace tilewright
