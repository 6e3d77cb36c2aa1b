// SPDX-License-Identifier: Apache-2.0
//
// Additions as global memory does them, and the pattern of bytes that were never delivered.

#pragma once

#include "runtime/emulator/core/Shadow.h"

#include <bit>
#include <cstdint>
#include <cstring>

namespace tilewright::emulator {

/// fp32 additions in global memory take and give subnormal numbers as zeros of their sign.
inline float flushed(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  return (bits & 0x7f800000) == 0 ? std::bit_cast<float>(bits & 0x80000000) : value;
}
inline float addGlobal(float a, float b) { return flushed(flushed(a) + flushed(b)); }

/// Whether a word of the bytes is the poison of bytes in flight, or what arithmetic makes of it.
inline bool holdsPoison(const void *bytes, uint64_t count) {
  for (uint64_t at = 0; at + 4 <= count; at += 4) {
    uint32_t word;
    std::memcpy(&word, static_cast<const uint8_t *>(bytes) + at, 4);
    if (word == kPoison || word == kQuietPoison)
      return true;
  }
  return false;
}

} // namespace tilewright::emulator
