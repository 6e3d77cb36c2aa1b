// SPDX-License-Identifier: Apache-2.0
//
// DeviceInfo: the properties of a device that kernels, spaces and models depend on. Identity
// is these numbers, not the marketing name. A plain value: no driver is needed to have one.

#pragma once

#include "tilewright/Status.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace tilewright {

/// What the compiler and the tuner know of a device.
struct DeviceInfo {
  /// For people and reports only; never part of a key.
  std::string name = {};
  /// Architecture that NVRTC compiles for.
  std::string arch = "sm_90a";
  int32_t smCount = 0;
  /// Shared memory that one CTA may ask for (opt-in limit), bytes.
  int32_t sharedBytesPerBlock = 232448;
  /// 32-bit registers of one SM.
  int32_t registersPerSm = 65536;
  int64_t l2Bytes = 0;
  int64_t memoryBytes = 0;
  /// Datasheet bandwidth of device memory, bytes per second.
  double memoryBandwidth = 0;
  /// The SM clock at which the datasheet's arithmetic rates hold, Hz.
  double clockHz = 0;

  friend bool operator==(const DeviceInfo &, const DeviceInfo &) = default;

  /// Dense bf16 and fp16 tensor throughput by the datasheet, FLOP per second.
  /// NOTE: 4096 FLOP per clock and SM is the wgmma rate of every Hopper part.
  [[nodiscard]] double tensorFlops16() const { return 4096.0 * smCount * clockHz; }

  /// The device that a target name stands for, so that kernels can be built without a GPU:
  /// "h100" (SXM5, 80 GB) or "h200" (SXM5, 141 GB); invalidArgument for another name.
  static Expected<DeviceInfo> forTarget(std::string_view target);
};

inline Expected<DeviceInfo> DeviceInfo::forTarget(std::string_view target) {
  DeviceInfo device;
  device.smCount = 132;
  device.l2Bytes = int64_t{50} << 20;
  device.clockHz = 1830e6;
  if (target == "h100") {
    device.name = "NVIDIA H100 SXM5";
    device.memoryBytes = int64_t{80'000'000'000};
    device.memoryBandwidth = 3.35e12;
    return device;
  }
  if (target == "h200") {
    device.name = "NVIDIA H200 SXM5";
    device.memoryBytes = int64_t{141'000'000'000};
    device.memoryBandwidth = 4.8e12;
    return device;
  }
  return Status::invalidArgument("'" + std::string(target) + "' is no target; use h100 or h200");
}

} // namespace tilewright
