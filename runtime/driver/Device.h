// SPDX-License-Identifier: Apache-2.0
//
// Device: what a driver says of its devices. No context is made.
// Thread-safety: functions without state.
#pragma once

#include "runtime/driver/Driver.h"
#include "tilewright/DeviceInfo.h"
#include "tilewright/Status.h"

#include <string>

namespace tilewright {

/// A device, also one that our kernels do not run on.
struct DeviceFacts {
  int32_t ordinal = 0;
  /// info.arch is "sm_90a" on compute capability 9.0, "sm_80" and so on elsewhere.
  DeviceInfo info;
  int32_t computeMajor = 0;
  int32_t computeMinor = 0;
  /// For people: "GPU-8d3b…" as nvidia-smi -L prints it, and "0000:19:00.0".
  std::string uuid;
  std::string pciBusId;

  /// Whether our kernels run on it: compute capability 9.0.
  [[nodiscard]] bool isUsable() const { return computeMajor == 9 && computeMinor == 0; }
};

/// What the driver says of the device. unavailable if there is no device at all, invalidArgument if
/// there is none of that number.
Expected<DeviceFacts> readDevice(const Driver &driver, int32_t ordinal);

/// The same for a device that must run our kernels: unsupported, with what was found, if its
/// compute capability is not 9.0.
Expected<DeviceInfo> describeDevice(const Driver &driver, int32_t ordinal);

/// The first device that is usable. unavailable, with what was found, if there is none.
Expected<DeviceFacts> firstUsableDevice(const Driver &driver);

} // namespace tilewright
