// SPDX-License-Identifier: Apache-2.0
//
// Resources: what a compiled kernel uses of the machine, what ptxas remarked on it, and whether we
// accept that.
// Thread-safety: plain values and a function without state.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright {

/// What one kernel uses, from ptxas's log and the cubin.
struct KernelResources {
  std::string kernel = {};
  /// Registers per thread at launch (with setmaxnreg, what the CTA starts with).
  int32_t registers = 0;
  int32_t stackBytes = 0;
  int32_t spillStoreBytes = 0;
  int32_t spillLoadBytes = 0;
  /// Shared memory that the text declares with a size; the dynamic part is the launch's.
  int32_t staticSharedBytes = 0;
  /// Named barriers, 16 at most.
  int32_t barriers = 0;
  /// Machine code.
  int32_t codeBytes = 0;
  friend bool operator==(const KernelResources &, const KernelResources &) = default;

  [[nodiscard]] int32_t spillBytes() const {
    return spillStoreBytes > spillLoadBytes ? spillStoreBytes : spillLoadBytes;
  }
};

/// A remark of ptxas with a number of its C75xx and C76xx families: wgmma repaired or serialised,
/// setmaxnreg ignored. Each one costs speed, silently but for this line.
struct Advisory {
  /// "C7510".
  std::string code;
  /// The sentence, without what it shares with all others ("Potential Performance Loss").
  std::string text;
  /// The kernel, if the sentence names one.
  std::string kernel = {};
  friend bool operator==(const Advisory &, const Advisory &) = default;
};

/// What is accepted.
struct ResourcePolicy {
  /// Spilled bytes per thread that pass. 0, but 12 for tiles with 192 accumulators per thread, of
  /// which the winners of the measurements have as much.
  int32_t spillAllowance = 0;
  bool refuseAdvisories = true;
};

/// A reason to reject a kernel.
struct Rejection {
  std::string kernel = {};
  /// "spills 24 B", "C7510 wgmma serialized".
  std::string reason;
  friend bool operator==(const Rejection &, const Rejection &) = default;
};

/// Every reason that `policy` gives to reject what was compiled; none: accepted.
std::vector<Rejection> rejections(const std::vector<KernelResources> &kernels,
                                  const std::vector<Advisory> &advisories,
                                  const ResourcePolicy &policy = {});

} // namespace tilewright
