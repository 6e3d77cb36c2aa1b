// SPDX-License-Identifier: Apache-2.0
//
// Host side of fragment.cuh: register arrays. Contracts stand in the device header; what is more
// than arithmetic goes through the emulator's table.
#pragma once

#include "tilewright/types.cuh"
#include "tilewright/warp.cuh"

namespace tw {

namespace detail {

/// What registers hold that nobody has set: a signalling NaN.
inline constexpr uint32_t kPoison = 0x7fa1beef;

} // namespace detail

template <class T, int N>
void fill(T (&x)[N], T v) {
  for (int i = 0; i < N; ++i)
    x[i] = v;
}

template <int N>
void leave_unset(float (&acc)[N]) {
  // NOTE: as bits: a float that passes through an x87 register would become a quiet NaN.
  for (int i = 0; i < N; ++i)
    __builtin_memcpy(&acc[i], &detail::kPoison, 4);
}

template <class T, int N>
void copy(T (&dst)[N], const T (&src)[N]) {
  __builtin_memcpy(dst, src, sizeof(dst));
}

template <class T>
uint32_t pack_pair(float low, float high) {
  return from_float<T>(low).bits | static_cast<uint32_t>(from_float<T>(high).bits) << 16;
}

template <class T, int First = 0, int M, int N>
void pack(uint32_t (&dst)[M], const float (&src)[N]) {
  static_assert(First >= 0 && First + 2 * M <= N, "the source is too short");
  for (int i = 0; i < M; ++i)
    dst[i] = pack_pair<T>(src[First + 2 * i], src[First + 2 * i + 1]);
}

template <class T, int M, int N>
void unpack(float (&dst)[N], const uint32_t (&src)[M]) {
  static_assert(N == 2 * M, "two values per register");
  for (int i = 0; i < M; ++i) {
    dst[2 * i] = to_float(T{static_cast<uint16_t>(src[i])});
    dst[2 * i + 1] = to_float(T{static_cast<uint16_t>(src[i] >> 16)});
  }
}

template <int N>
void quad_reduce_max(float (&x)[N], int32_t line = __builtin_LINE()) {
  for (int i = 0; i < N; ++i)
    for (int32_t mask = 1; mask <= 2; ++mask)
      x[i] = __builtin_fmaxf(x[i], shfl_xor(x[i], mask, line));
}

template <int N>
void quad_reduce_add(float (&x)[N], int32_t line = __builtin_LINE()) {
  for (int i = 0; i < N; ++i)
    for (int32_t mask = 1; mask <= 2; ++mask)
      x[i] += shfl_xor(x[i], mask, line);
}

} // namespace tw
