// SPDX-License-Identifier: Apache-2.0
//
// PlanBinding: a plan with every expression evaluated, as flat tables for PreparedPlan::run. It
// knows no driver: what is left open are the addresses.
// Thread-safety: plain values and a pure function.
#pragma once

#include "runtime/driver/PreparedPlan.h"
#include "runtime/driver/TensorMap.h"
#include "tilewright/DeviceInfo.h"
#include "tilewright/Plan.h"
#include "tilewright/Status.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tilewright {

/// The most of each that one run has room for on its stack.
inline constexpr size_t kMaxPointers = 32;
inline constexpr size_t kMaxMaps = 16;
inline constexpr size_t kMaxParameters = 64;

/// A pointer argument of the plan.
struct BoundPointer {
  std::string name;
  uint64_t alignment = 1;
  /// Whether some launch reads or writes memory there.
  bool isUsed = false;
};

/// A buffer of the workspace.
struct BoundBuffer {
  size_t offset = 0;
  size_t bytes = 0;
  bool zeroInit = false;
};

/// An address that a run knows: `offset` bytes from one of its pointers, in order, or from the
/// workspace, which is the base after the last pointer.
struct BoundAddress {
  uint32_t base = 0;
  uint64_t offset = 0;
};

/// A parameter of a kernel.
struct BoundParameter {
  enum class Kind : uint8_t { constant, address, tensorMap };
  Kind kind = Kind::constant;
  /// The index of a tensor map.
  uint32_t map = 0;
  BoundAddress address = {};
  /// The bits of a constant.
  uint64_t value = 0;
};

struct BoundLaunch {
  PreparedLaunch launch;
  std::string entry;
  uint32_t threads = 0;
  uint32_t sharedBytes = 0;
  std::array<cu::LaunchAttribute, 2> attributes = {};
  uint32_t attributeCount = 0;
  std::vector<BoundParameter> parameters;
};

struct BoundPlan {
  std::vector<BoundPointer> pointers;
  std::vector<BoundBuffer> buffers;
  size_t workspaceBytes = 0;
  size_t workspaceAlignment = 1;
  std::vector<BoundTensorMap> maps;
  /// For each map, where its tensor is.
  std::vector<BoundAddress> mapAddresses;
  /// Those that launch something.
  std::vector<BoundLaunch> launches;
};

/// Evaluates `plan`; the failures are those of PreparedPlan::prepare.
Expected<BoundPlan> bindPlan(const Plan &plan, const DeviceInfo &device,
                             std::span<const ArgumentValue> scalars, const PrepareOptions &options);

} // namespace tilewright
