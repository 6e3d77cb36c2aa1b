// SPDX-License-Identifier: Apache-2.0
#include "compiler/device/DeviceHeaders.h"

#include "compiler/device/LibraryHeaders.h"
#include "compiler/device/WgmmaHeaders.h"

#include <algorithm>
#include <vector>

namespace tilewright {

std::span<const DeviceHeader> deviceHeaders() {
  static const std::vector<DeviceHeader> kHeaders = [] {
    std::vector<DeviceHeader> headers;
    for (const auto &table : {libraryHeaders(), wgmmaHeaders()})
      for (const auto &[name, text] : table)
        headers.push_back({name, text});
    std::sort(headers.begin(), headers.end(),
              [](const DeviceHeader &a, const DeviceHeader &b) { return a.name < b.name; });
    return headers;
  }();
  return kHeaders;
}

std::optional<DeviceHeader> findDeviceHeader(std::string_view name) {
  const std::span<const DeviceHeader> headers = deviceHeaders();
  const auto found = std::lower_bound(
      headers.begin(), headers.end(), name,
      [](const DeviceHeader &header, std::string_view wanted) { return header.name < wanted; });
  if (found == headers.end() || found->name != name)
    return std::nullopt;
  return *found;
}

} // namespace tilewright
