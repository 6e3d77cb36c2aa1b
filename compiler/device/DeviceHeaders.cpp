// SPDX-License-Identifier: Apache-2.0
#include "compiler/device/DeviceHeaders.h"

#include "compiler/device/HostHeaders.h"
#include "compiler/device/HostWgmmaHeaders.h"
#include "compiler/device/LibraryHeaders.h"
#include "compiler/device/WgmmaHeaders.h"

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <vector>

namespace tilewright {

namespace {

using Embedded = std::span<const std::pair<std::string_view, std::string_view>>;

bool precedes(const DeviceHeader &header, std::string_view name) { return header.name < name; }

/// One sorted table of several. Of two headers with one name, that of the earlier table counts.
std::vector<DeviceHeader> merge(std::initializer_list<Embedded> tables) {
  std::vector<DeviceHeader> headers;
  for (const Embedded &table : tables) {
    for (const auto &[name, text] : table) {
      const auto at = std::lower_bound(headers.begin(), headers.end(), name, precedes);
      if (at == headers.end() || at->name != name)
        headers.insert(at, {name, text});
    }
  }
  return headers;
}

} // namespace

std::span<const DeviceHeader> deviceHeaders() {
  static const std::vector<DeviceHeader> kHeaders = merge({libraryHeaders(), wgmmaHeaders()});
  return kHeaders;
}

std::span<const DeviceHeader> hostHeaders() {
  static const std::vector<DeviceHeader> kHeaders =
      merge({hostOnlyHeaders(), hostWgmmaHeaders(), libraryHeaders()});
  return kHeaders;
}

std::optional<DeviceHeader> findDeviceHeader(std::string_view name) {
  const std::span<const DeviceHeader> headers = deviceHeaders();
  const auto found = std::lower_bound(headers.begin(), headers.end(), name, precedes);
  if (found == headers.end() || found->name != name)
    return std::nullopt;
  return *found;
}

} // namespace tilewright
