// SPDX-License-Identifier: Apache-2.0
#include "runtime/emulator/copies/Elements.h"

#include "runtime/emulator/global/Numbers.h"

#include <bit>
#include <cstring>

namespace tilewright::emulator {

namespace {

constexpr uint16_t kNan = 0x7fff;

/// Drops the low `count` bits, ties to even.
uint32_t roundOff(uint32_t bits, uint32_t count) {
  return (bits + (1u << (count - 1)) - 1 + (bits >> count & 1)) >> count;
}

bool isNan(uint32_t bits) { return (bits & 0x7fffffff) > 0x7f800000; }

template <typename T, typename Add>
void addEach(void *to, const void *from, uint32_t bytes, Add add) {
  for (uint32_t at = 0; at < bytes; at += sizeof(T)) {
    T a;
    T b;
    std::memcpy(&a, static_cast<uint8_t *>(to) + at, sizeof(T));
    std::memcpy(&b, static_cast<const uint8_t *>(from) + at, sizeof(T));
    a = add(a, b);
    std::memcpy(static_cast<uint8_t *>(to) + at, &a, sizeof(T));
  }
}

} // namespace

float widenBfloat16(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

uint16_t narrowToBfloat16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  return isNan(bits) ? kNan : static_cast<uint16_t>(roundOff(bits, 16));
}

float widenFloat16(uint16_t bits) {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
  const uint32_t exponent = bits >> 10 & 31;
  const uint32_t fraction = bits & 0x3ff;
  if (exponent == 31)
    return std::bit_cast<float>(sign | 0x7f800000 | fraction << 13);
  if (exponent == 0)
    return std::bit_cast<float>(sign |
                                std::bit_cast<uint32_t>(static_cast<float>(fraction) * 0x1p-24f));
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
}

uint16_t narrowToFloat16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = bits >> 16 & 0x8000;
  const uint32_t size = bits & 0x7fffffff;
  if (isNan(bits))
    return kNan;
  if (size >= 0x477ff000) // 65520 and more
    return static_cast<uint16_t>(sign | 0x7c00);
  if (size >= 0x38800000) // a normal number: 2^-14 and more
    return static_cast<uint16_t>(sign | roundOff(size - (112u << 23), 13));
  // Adding 0.5 shifts the fraction to units of 2^-24 and rounds it, exactly as wanted.
  const float shifted = std::bit_cast<float>(size) + 0.5f;
  return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(shifted) - 0x3f000000));
}

void addElements(ElementType type, void *to, const void *from, uint32_t bytes) {
  switch (type) {
  case ElementType::float32:
    return addEach<float>(to, from, bytes, addGlobal);
  case ElementType::int32:
    return addEach<uint32_t>(to, from, bytes, [](uint32_t a, uint32_t b) { return a + b; });
  // The sum of two 11-bit or 8-bit fractions in fp32 rounds again without a second error.
  case ElementType::float16:
    return addEach<uint16_t>(to, from, bytes, [](uint16_t a, uint16_t b) {
      return narrowToFloat16(widenFloat16(a) + widenFloat16(b));
    });
  case ElementType::bfloat16:
    return addEach<uint16_t>(to, from, bytes, [](uint16_t a, uint16_t b) {
      return narrowToBfloat16(widenBfloat16(a) + widenBfloat16(b));
    });
  case ElementType::uint8:
  case ElementType::tfloat32:
    break;
  }
}

} // namespace tilewright::emulator
