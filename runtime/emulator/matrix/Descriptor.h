// SPDX-License-Identifier: Apache-2.0
//
// Matrix descriptors of wgmma, read as the tensor core reads them: which address each element of an
// operand has. Pure functions. PTX ISA: "Asynchronous warpgroup level matrix instructions:
// Matrix-descriptor", "Strides", "Shared Memory Matrix Layout".

#pragma once

#include <cstdint>

namespace tilewright::emulator {

struct Descriptor {
  /// Shared address of the first element; 18 bits.
  uint32_t start = 0;
  /// In bytes.
  uint32_t leading = 0;
  uint32_t stride = 0;
  /// Where the swizzle's pattern begins, in its rows.
  uint32_t baseOffset = 0;
  /// Span in bytes: 0 (none), 32, 64 or 128.
  uint32_t swizzle = 0;
};

Descriptor decodeDescriptor(uint64_t bits);

/// Elements are 16 bits; 8 of them along a row of a core matrix are contiguous, and stay so under
/// every swizzle. `mn` is the row of A or the column of B, `k` the depth, both multiples of 8 along
/// the contiguous dimension.
///
/// The address of the 16 bytes (mn, k … k + 7) of a K-major operand.
uint32_t addressKMajor(const Descriptor &descriptor, uint32_t mn, uint32_t k);
/// The address of the 16 bytes (mn … mn + 7, k) of an MN-major operand.
uint32_t addressMnMajor(const Descriptor &descriptor, uint32_t mn, uint32_t k);

} // namespace tilewright::emulator
