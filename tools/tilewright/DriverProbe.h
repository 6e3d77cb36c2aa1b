// SPDX-License-Identifier: Apache-2.0
//
// DriverProbe: what the CUDA driver says of this machine's devices. It opens the driver library by
// dlopen and creates no context. Thread-safety: a function without state.

#pragma once

#include "tilewright/DeviceInfo.h"
#include "tilewright/Status.h"

#include <string>
#include <vector>

namespace tilewright::cli {

/// A device, and whether our kernels run on it.
struct ProbedDevice {
  DeviceInfo info;
  int32_t computeMajor = 0;
  int32_t computeMinor = 0;
  [[nodiscard]] bool isUsable() const { return computeMajor == 9 && computeMinor == 0; }
};

/// A driver and its devices.
struct DriverProbe {
  /// The CUDA version that the driver supports: "13.0".
  std::string version;
  std::vector<ProbedDevice> devices;
};

/// unavailable with the reason if there is no driver library or it does not start.
Expected<DriverProbe> probeDriver();

/// The device to build for: the named target, else the first usable device of this machine.
/// unavailable, with the hint to name a target, if there is none.
Expected<DeviceInfo> selectDevice(const std::string &target);

} // namespace tilewright::cli
