// SPDX-License-Identifier: Apache-2.0
//
// Pieces of messages.

#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace tilewright::emulator {

/// "0x2400".
inline std::string hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

/// "1 thread", "2 threads".
inline std::string countOf(int64_t count, const char *what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

} // namespace tilewright::emulator
