// SPDX-License-Identifier: Apache-2.0
//
// Tensor maps of the emulated machine: what a tensor copy must know about a tensor in global memory
// and its tile in shared memory, in the 128 opaque bytes that kernels take as a parameter. Pure
// functions over plain values.

#pragma once

#include "tilewright/Status.h"

#include <array>
#include <cstdint>
#include <optional>

namespace tilewright::emulator {

enum class ElementType : uint8_t { uint8, int32, float16, float32, bfloat16, tfloat32 };

constexpr int32_t kMaxTensorRank = 5;

constexpr int32_t elementBytes(ElementType type) {
  switch (type) {
  case ElementType::uint8:
    return 1;
  case ElementType::float16:
  case ElementType::bfloat16:
    return 2;
  case ElementType::int32:
  case ElementType::float32:
  case ElementType::tfloat32:
    return 4;
  }
  return 1;
}

/// The type of the driver's number of it (CUtensorMapDataType); uint8 for one that no plan uses.
ElementType elementTypeOf(int driverNumber);

/// Bytes of the driver's number of a swizzle (CUtensorMapSwizzle): 0, 32, 64, 128.
int32_t swizzleBytesOf(int driverNumber);

/// What cuTensorMapEncodeTiled takes. Dimension 0 is the contiguous one; element strides are 1, and
/// elements out of bounds read as zero.
struct TensorMapFacts {
  uint64_t address = 0;
  ElementType type = ElementType::bfloat16;
  int32_t rank = 2;
  /// In elements. An extent of 0 makes a tensor of which every element is out of bounds.
  std::array<uint64_t, kMaxTensorRank> dims = {};
  /// Bytes from one index to the next in dimension 1, 2, ….
  std::array<uint64_t, kMaxTensorRank - 1> strides = {};
  /// In elements.
  std::array<uint32_t, kMaxTensorRank> box = {};
  /// Span in bytes: 0 (none), 32, 64 or 128.
  int32_t swizzle = 0;

  [[nodiscard]] bool isEmpty() const {
    for (int32_t i = 0; i < rank; ++i)
      if (dims[static_cast<size_t>(i)] == 0)
        return true;
    return false;
  }
  friend bool operator==(const TensorMapFacts &, const TensorMapFacts &) = default;
};

using TensorMapBytes = std::array<uint8_t, 128>;

/// Writes the map into `bytes`. Refuses (invalidArgument) what the driver refuses: "the address of
/// a tensor map is a multiple of 16, found 0x7f04".
Status encodeTensorMap(const TensorMapFacts &facts, TensorMapBytes &bytes);

/// Reads a map; nothing if the 128 bytes at `bytes` hold none.
std::optional<TensorMapFacts> decodeTensorMap(const void *bytes);

} // namespace tilewright::emulator
