// SPDX-License-Identifier: Apache-2.0
//
// StoredPlan: a plan with its cubins, as it is kept on disk: all that a process needs to run it,
// and what reports say of it. A plain value.
#pragma once

#include "tilewright/Plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright {

/// The compiled form of one kernel of a plan.
struct StoredKernel {
  std::string cubin = {};
  /// Registers per thread at launch, and bytes that each thread spills.
  int32_t registers = 0;
  int32_t spillBytes = 0;
  friend bool operator==(const StoredKernel &, const StoredKernel &) = default;
};

struct StoredPlan {
  Plan plan = {};
  /// One for each kernel of the plan, in order.
  std::vector<StoredKernel> kernels = {};
  /// The version of the NVRTC that made the cubins.
  int32_t nvrtcMajor = 0;
  int32_t nvrtcMinor = 0;
  /// How long the compile took, in microseconds.
  int32_t compileMicroseconds = 0;
  friend bool operator==(const StoredPlan &, const StoredPlan &) = default;
};

} // namespace tilewright
