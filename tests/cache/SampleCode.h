// SPDX-License-Identifier: Apache-2.0
//
// Stored plans with made-up cubins.
#pragma once

#include "cache/StoredPlan.h"
#include "tests/support/SamplePlans.h"

#include <string>

namespace tilewright {

/// One kernel; `number` makes plans different, in size too.
inline StoredPlan sampleCode(int number = 0) {
  StoredPlan stored{.plan = sampleGemmPlan(), .nvrtcMajor = 13, .compileMicroseconds = number};
  stored.kernels.push_back(
      {.cubin = std::string(static_cast<size_t>(100 + 5000 * (number % 7)), 'c'),
       .registers = 168,
       .spillBytes = 8});
  return stored;
}

/// Two kernels, one with every byte in its cubin.
inline StoredPlan sampleSplitCode() {
  StoredPlan stored{.plan = sampleSplitPlan(), .nvrtcMajor = 12, .nvrtcMinor = 9};
  stored.kernels = {{.cubin = "\x7f"
                              "ELF\n\n"},
                    {.registers = 40}};
  for (int byte = 0; byte < 256; ++byte)
    stored.kernels[1].cubin += static_cast<char>(byte);
  return stored;
}

} // namespace tilewright
