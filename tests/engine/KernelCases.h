// SPDX-License-Identifier: Apache-2.0
//
// What the tests of compiled kernels compile: GEMMs drawn from the whole space, and the configs
// that are known to win.
#pragma once

#include "templates/gemm/Space.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tilewright {

/// The device that all cases are for.
const DeviceInfo &testDevice();

/// One GEMM to compile.
struct KernelCase {
  GemmProblem problem = {};
  GemmConfig config = {};

  /// In the terms of `tilewright emit gemm`, to be repeated by hand.
  [[nodiscard]] std::string toString() const;
};

/// `count` cases, the same for each seed on every machine: types, pitches, factors and epilogues
/// (any ops in any order) drawn at random, with a config drawn from what is legal for them; one in
/// eight splits K.
std::vector<KernelCase> sampledCases(size_t count, uint64_t seed);

/// The seeds, and the winners of the measurements on an H200 that the space has: a large problem,
/// with no epilogue.
std::vector<KernelCase> knownWinners();

} // namespace tilewright
