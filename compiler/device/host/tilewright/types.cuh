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
T to_float(T x);
float to_float(bf16 x);
float to_float(half x);

template <class T>
T from_float(register_of<T> x);

} // namespace tw
