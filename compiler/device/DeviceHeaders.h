// SPDX-License-Identifier: Apache-2.0
//
// DeviceHeaders: the device library as data. The files of compiler/device/tilewright are embedded
// at build, so that a program needs no folder of headers at run time. Thread-safety: everything is
// immutable.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace tilewright {

/// A header as kernel text includes it.
struct DeviceHeader {
  /// What stands between the quotes of the include: "tilewright/mbarrier.cuh".
  std::string_view name;
  /// The text. It ends with a zero byte that the view does not count, so text.data() is a C string;
  /// name.data() is one too.
  std::string_view text;
};

/// Every header of the device library, sorted by name.
std::span<const DeviceHeader> deviceHeaders();

/// The header of that name, if the library has it.
std::optional<DeviceHeader> findDeviceHeader(std::string_view name);

} // namespace tilewright
