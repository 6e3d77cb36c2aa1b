// SPDX-License-Identifier: Apache-2.0
//
// Where the elements of an operand lie, written down a second time and in another way than the
// emulator does it: a tile as TMA would leave it, element by element.

#pragma once

#include <cstdint>

namespace tilewright::emulator {

/// The byte at `offset` of a region that a copy with a swizzle of `span` bytes fills: within 8 *
/// span bytes, 16-byte columns are exchanged by the number of their line of 128 bytes.
inline uint32_t swizzledOffset(uint32_t offset, uint32_t span) {
  const uint32_t column = offset / 16 % 8, line = offset / 128;
  switch (span) {
  case 128:
    return offset - column * 16 + (column ^ line % 8) * 16;
  case 64:
    return offset - column * 16 + (column ^ line % 4) * 16;
  case 32:
    return offset - column * 16 + (column ^ line % 2) * 16;
  default:
    return offset;
  }
}

/// An operand of 16-bit elements: `extent` rows of A or columns of B, kMatrixDepth deep per wgmma.
struct OperandLayout {
  /// Contiguous along M or N; else along K.
  bool isMnMajor = false;
  /// Of the swizzle: 0, 32, 64 or 128 bytes.
  uint32_t span = 128;
  /// Elements of K in shared memory.
  uint32_t depth = 64;
  uint32_t extent = 64;

  /// Byte offset of an element. K-major: rows of `span` bytes (without a swizzle: columns of 16
  /// bytes). MN-major: panels of `span` bytes along MN, `depth` lines each.
  [[nodiscard]] uint32_t offsetOf(uint32_t mn, uint32_t k) const {
    if (isMnMajor) {
      const uint32_t perPanel = span / 2;
      return mn / perPanel * panelBytes() + swizzledOffset(k * span + mn % perPanel * 2, span);
    }
    if (span == 0)
      return k / 8 * extent * 16 + mn * 16 + k % 8 * 2;
    return swizzledOffset(mn * span + k * 2, span);
  }
  [[nodiscard]] uint32_t panelBytes() const { return depth * span; }
  [[nodiscard]] uint32_t bytes() const { return extent * depth * 2; }
};

} // namespace tilewright::emulator
