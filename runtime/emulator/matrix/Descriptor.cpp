// SPDX-License-Identifier: Apache-2.0
#include "runtime/emulator/matrix/Descriptor.h"

namespace tilewright::emulator {

namespace {

constexpr uint32_t kElement = 2;

/// Chunks of 16 bytes are permuted by the number of their row of 128 bytes (of 8, 4 or 2 of them),
/// counted from where the pattern begins.
uint32_t permuted(const Descriptor &descriptor, uint32_t address) {
  if (descriptor.swizzle == 0)
    return address;
  const uint32_t mask = descriptor.swizzle / 16 - 1;
  const uint32_t row = (address >> 7) - descriptor.baseOffset;
  return address ^ ((row & mask) << 4);
}

} // namespace

Descriptor decodeDescriptor(uint64_t bits) {
  constexpr uint32_t kSpans[] = {0, 128, 64, 32};
  Descriptor descriptor;
  descriptor.start = static_cast<uint32_t>(bits & 0x3fff) << 4;
  descriptor.leading = static_cast<uint32_t>(bits >> 16 & 0x3fff) << 4;
  descriptor.stride = static_cast<uint32_t>(bits >> 32 & 0x3fff) << 4;
  descriptor.baseOffset = static_cast<uint32_t>(bits >> 49 & 7);
  descriptor.swizzle = kSpans[bits >> 62];
  return descriptor;
}

uint32_t addressKMajor(const Descriptor &descriptor, uint32_t mn, uint32_t k) {
  const uint32_t group = descriptor.start + mn / 8 * descriptor.stride;
  if (descriptor.swizzle == 0) // core matrices of 8 rows x 16 bytes, one behind another
    return group + mn % 8 * 16 + k / 8 * descriptor.leading;
  return permuted(descriptor, group + mn % 8 * descriptor.swizzle + k * kElement);
}

uint32_t addressMnMajor(const Descriptor &descriptor, uint32_t mn, uint32_t k) {
  if (descriptor.swizzle == 0) // the two offsets have changed places
    return descriptor.start + mn / 8 * descriptor.stride + k / 8 * descriptor.leading + k % 8 * 16;
  const uint32_t perPanel = descriptor.swizzle / kElement;
  return permuted(descriptor, descriptor.start + mn / perPanel * descriptor.leading +
                                  k / 8 * descriptor.stride + k % 8 * descriptor.swizzle +
                                  mn % perPanel * kElement);
}

} // namespace tilewright::emulator
