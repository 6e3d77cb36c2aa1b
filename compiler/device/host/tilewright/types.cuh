// SPDX-License-Identifier: Apache-2.0
//
// Host side of types.cuh: what CUDA's own words in kernel text mean to the system C++ compiler, and
// the value types. Contracts stand in the device header.
#pragma once

#include <stdint.h>

#define __global__
#define __device__
#define __forceinline__ inline
#define __grid_constant__
#define __launch_bounds__(...)

#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")

namespace tw {

struct bf16 {
  uint16_t bits;
};

struct half {
  uint16_t bits;
};

struct e4m3 {
  uint8_t bits;
};

struct e5m2 {
  uint8_t bits;
};

struct alignas(64) tensor_map {
  uint8_t bytes[128];
};

template <class T>
struct register_type {
  using type = T;
};
template <>
struct register_type<bf16> {
  using type = float;
};
template <>
struct register_type<half> {
  using type = float;
};
template <class T>
using register_of = typename register_type<T>::type;

template <class T>
T to_float(T x) {
  return x;
}

inline float to_float(bf16 x) {
  return __builtin_bit_cast(float, static_cast<uint32_t>(x.bits) << 16);
}

inline float to_float(half x) {
  const uint32_t sign = static_cast<uint32_t>(x.bits & 0x8000) << 16;
  const uint32_t exponent = x.bits >> 10 & 31;
  const uint32_t fraction = x.bits & 0x3ff;
  if (exponent == 31)
    return __builtin_bit_cast(float, sign | 0x7f800000 | fraction << 13);
  if (exponent == 0) {
    const float size = static_cast<float>(fraction) * 0x1p-24f;
    return sign ? -size : size;
  }
  return __builtin_bit_cast(float, sign | (exponent + 112) << 23 | fraction << 13);
}

namespace detail {

/// Drops the low `count` bits, ties to even.
inline uint32_t round_off(uint32_t x, uint32_t count) {
  return (x + (1u << (count - 1)) - 1 + (x >> count & 1)) >> count;
}

inline bf16 round_to(float x, bf16 *) {
  const uint32_t bits = __builtin_bit_cast(uint32_t, x);
  if ((bits & 0x7fffffff) > 0x7f800000)
    return {0x7fff};
  return {static_cast<uint16_t>(round_off(bits, 16))};
}

inline half round_to(float x, half *) {
  const uint32_t bits = __builtin_bit_cast(uint32_t, x);
  const uint32_t sign = bits >> 16 & 0x8000, size = bits & 0x7fffffff;
  if (size > 0x7f800000)
    return {0x7fff};
  if (size >= 0x477ff000) // 65520 and more round to infinity
    return {static_cast<uint16_t>(sign | 0x7c00)};
  if (size >= 0x38800000) // normal: 2^-14 and more
    return {static_cast<uint16_t>(sign | round_off(size - (112u << 23), 13))};
  // Subnormal, in units of 2^-24; the sum is exact but for the rounding that is wanted.
  const float shifted = __builtin_bit_cast(float, size) + 0.5f;
  return {static_cast<uint16_t>(sign | (__builtin_bit_cast(uint32_t, shifted) - 0x3f000000))};
}

template <class T>
T round_to(T x, T *) {
  return x;
}

} // namespace detail

template <class T>
T from_float(register_of<T> x) {
  return detail::round_to(x, static_cast<T *>(nullptr));
}

} // namespace tw
