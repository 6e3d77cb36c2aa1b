// SPDX-License-Identifier: Apache-2.0
//
// The value types of kernel text. NVRTC brings no standard headers, so the fixed-width integers are
// declared here; arithmetic is done in float only, 16-bit types are storage.
#pragma once

using int8_t = signed char;
using uint8_t = unsigned char;
using int16_t = short;
using uint16_t = unsigned short;
using int32_t = int;
using uint32_t = unsigned int;
using int64_t = long;
using uint64_t = unsigned long;

static_assert(sizeof(int64_t) == 8 && sizeof(uint64_t) == 8, "LP64 is assumed");

#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)

namespace tw {

/// A bfloat16 in memory: the upper half of a float.
struct bf16 {
  uint16_t bits;
};

/// An IEEE binary16 in memory.
struct half {
  uint16_t bits;
};

/// Reserved names: 8-bit floats in memory.
struct e4m3 {
  uint8_t bits;
};
struct e5m2 {
  uint8_t bits;
};

/// The 128 opaque bytes that cuTensorMapEncodeTiled fills. A kernel takes it as
/// `const __grid_constant__ tw::tensor_map`. PTX ISA: "Tensor-map".
struct alignas(64) tensor_map {
  uint8_t bytes[128];
};

namespace detail {

template <class A, class B>
constexpr bool is_same = false;
template <class A>
constexpr bool is_same<A, A> = true;

} // namespace detail

/// The type that a T has in a register: float for the 16-bit floats, else T itself.
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

/// Widens a stored value; a value that is its own register type passes through.
template <class T>
__device__ __forceinline__ T to_float(T x) {
  return x;
}

/// Exact. A bfloat16 is a truncated float.
__device__ __forceinline__ float to_float(bf16 x) {
  return __uint_as_float(static_cast<uint32_t>(x.bits) << 16);
}

/// Exact. PTX ISA: "Data Movement and Conversion Instructions: cvt".
__device__ __forceinline__ float to_float(half x) {
  float result;
  asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(x.bits));
  return result;
}

/// Narrows to T, ties to even, NaN kept; a value of its own register type passes through.
/// PTX ISA: "Data Movement and Conversion Instructions: cvt".
template <class T>
__device__ __forceinline__ T from_float(register_of<T> x) {
  if constexpr (detail::is_same<T, bf16>) {
    bf16 result;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(result.bits) : "f"(x));
    return result;
  } else if constexpr (detail::is_same<T, half>) {
    half result;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(result.bits) : "f"(x));
    return result;
  } else {
    return x;
  }
}

} // namespace tw
