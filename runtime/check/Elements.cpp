// SPDX-License-Identifier: Apache-2.0
#include "runtime/check/Elements.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace tilewright {

namespace {

template <typename T>
T load(const void *memory) {
  T bits;
  std::memcpy(&bits, memory, sizeof bits);
  return bits;
}

template <typename T>
void store(void *memory, T bits) {
  std::memcpy(memory, &bits, sizeof bits);
}

double decodeHalf(uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  double magnitude = 0;
  if (exponent == 31)
    magnitude = fraction == 0 ? HUGE_VAL : NAN;
  else if (exponent == 0)
    magnitude = std::ldexp(fraction, -24);
  else
    magnitude = std::ldexp(fraction + 1024, exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

/// `value` is a number of the format.
uint16_t encodeHalf(double value) {
  const auto sign = static_cast<uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const double magnitude = std::fabs(value);
  if (std::isnan(value))
    return 0x7e00;
  if (std::isinf(value))
    return sign | 0x7c00;
  if (magnitude < 0x1p-14)
    return static_cast<uint16_t>(sign | static_cast<int>(magnitude * 0x1p24));
  const int exponent = std::ilogb(magnitude);
  const int significand = static_cast<int>(std::ldexp(magnitude, 10 - exponent));
  return static_cast<uint16_t>(sign | (exponent + 15) << 10 | (significand - 1024));
}

} // namespace

double ElementFormat::smallestNormal() const { return std::ldexp(1.0, minExponent); }

ElementFormat elementFormat(DType type) {
  switch (type) {
  case DType::bf16:
    return {8, -126, 0x1.fep127};
  case DType::fp16:
    return {11, -14, 65504};
  default:
    return {24, -126, 0x1.fffffep127};
  }
}

double decodeElement(DType type, const void *memory) {
  switch (type) {
  case DType::bf16:
    return std::bit_cast<float>(uint32_t{load<uint16_t>(memory)} << 16);
  case DType::fp16:
    return decodeHalf(load<uint16_t>(memory));
  default:
    return load<float>(memory);
  }
}

double roundingStep(DType type, double value) {
  const ElementFormat format = elementFormat(type);
  int exponent = format.minExponent;
  if (value != 0 && std::isfinite(value))
    exponent = std::max(exponent, std::ilogb(value));
  return std::ldexp(1.0, exponent - format.precision + 1);
}

double roundToElement(DType type, double value) {
  if (!std::isfinite(value) || value == 0)
    return value;
  const double step = roundingStep(type, value);
  // Steps are powers of two and quotients have few bits: nearbyint is the only rounding, to even.
  const double rounded = std::nearbyint(value / step) * step;
  if (std::fabs(rounded) > elementFormat(type).largest)
    return std::copysign(HUGE_VAL, value);
  return std::copysign(rounded, value);
}

void encodeElement(DType type, double value, void *memory) {
  const double rounded = roundToElement(type, value);
  if (type == DType::fp16)
    store(memory, encodeHalf(rounded));
  else if (type == DType::bf16)
    store(memory,
          static_cast<uint16_t>(std::bit_cast<uint32_t>(static_cast<float>(rounded)) >> 16));
  else
    store(memory, static_cast<float>(rounded));
}

bool isPoison(DType type, const void *memory) {
  return dtypeBytes(type) == 2 ? load<uint16_t>(memory) == 0xffff
                               : load<uint32_t>(memory) == 0xffffffff;
}

} // namespace tilewright
