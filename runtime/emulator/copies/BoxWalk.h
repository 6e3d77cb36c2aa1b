// SPDX-License-Identifier: Apache-2.0
//
// BoxWalk: the rows of a tensor copy's box, with where each lies in global memory and in shared
// memory. Pure arithmetic.

#pragma once

#include "runtime/emulator/copies/TensorMap.h"

#include <array>
#include <cstdint>

namespace tilewright::emulator {

/// Where TMA puts the byte that would lie at shared address `address`: 16-byte chunks are permuted
/// by XOR of address bits 4-6 with bits 7-9 (span 128), 4-5 with 7-8 (64), 4 with 7 (32).
constexpr uint32_t swizzled(uint32_t address, int32_t span) {
  const uint32_t bits = span > 16 ? static_cast<uint32_t>(span) - 16 : 0;
  return address ^ (address >> 3 & bits);
}

/// One row of a box.
struct BoxRow {
  /// Offset of its first byte in the tile, before swizzling.
  uint32_t offset = 0;
  /// The bytes of the row that lie inside the tensor: none if equal.
  uint32_t first = 0;
  uint32_t last = 0;
  /// Address of byte `first` in global memory.
  uint64_t address = 0;

  [[nodiscard]] bool isInside() const { return first < last; }
};

class BoxWalk {
public:
  /// The box at `coordinates`, of which there are as many as the map has dimensions.
  BoxWalk(const TensorMapFacts &map, const int32_t *coordinates);

  [[nodiscard]] uint32_t rowCount() const { return rowCount_; }
  /// Bytes of a row, and from one row to the next in shared memory.
  [[nodiscard]] uint32_t rowBytes() const { return rowBytes_; }
  [[nodiscard]] uint32_t pitch() const { return pitch_; }
  /// Bytes that a load completes, inside the tensor or not.
  [[nodiscard]] uint32_t boxBytes() const { return rowBytes_ * rowCount_; }
  /// Bytes of shared memory from the first to the last.
  [[nodiscard]] uint32_t tileBytes() const { return pitch_ * rowCount_; }

  /// Row `index`, from 0, dimension 1 running fastest.
  [[nodiscard]] BoxRow row(uint32_t index) const;

private:
  TensorMapFacts map_;
  std::array<int64_t, kMaxTensorRank> start_ = {};
  uint32_t rowCount_ = 1;
  uint32_t rowBytes_ = 0;
  uint32_t pitch_ = 0;
  /// Of every row, unless its other coordinates are outside.
  uint32_t first_ = 0;
  uint32_t last_ = 0;
};

} // namespace tilewright::emulator
