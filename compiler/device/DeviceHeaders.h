// SPDX-License-Identifier: Apache-2.0
//
// DeviceHeaders: the device library as data. The files of compiler/device are embedded at build, so
// that a program needs no folder of headers at run time.
// Thread-safety: everything is immutable.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace tilewright {

/// A header as kernel text includes it. Both views end with a zero byte that they do not count:
/// data() is a C string.
struct DeviceHeader {
  /// What stands between the quotes of the include: "tilewright/mbarrier.cuh".
  std::string_view name;
  std::string_view text;
};

/// Every header of the device library for NVRTC, sorted by name.
std::span<const DeviceHeader> deviceHeaders();

/// The same names for the system's C++ compiler, and the emulator's table: kernel text that finds
/// these instead is a C++ program that the emulator runs. Headers that are plain C++ are shared.
std::span<const DeviceHeader> hostHeaders();

/// The header of that name for NVRTC, if the library has it.
std::optional<DeviceHeader> findDeviceHeader(std::string_view name);

} // namespace tilewright
