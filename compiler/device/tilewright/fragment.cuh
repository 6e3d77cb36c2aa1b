// SPDX-License-Identifier: Apache-2.0
//
// Register arrays: values of a tile that one thread holds. Always passed by reference, always
// indexed by constants after unrolling.
#pragma once

#include "tilewright/types.cuh"

namespace tw {

template <class T, int N>
__device__ __forceinline__ void fill(T (&x)[N], T v) {
#pragma unroll
  for (int i = 0; i < N; ++i)
    x[i] = v;
}

/// Leaves an accumulator without a value: its first wgmma overwrites it. NOTE: before 12.9 ptxas
/// serialises wgmma whose registers nobody has set (C7515); there it costs a zero for each.
template <int N>
__device__ __forceinline__ void leave_unset(float (&acc)[N]) {
#if __CUDACC_VER_MAJOR__ < 12 || (__CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ < 9)
  fill(acc, 0.0f);
#endif
}

template <class T, int N>
__device__ __forceinline__ void copy(T (&dst)[N], const T (&src)[N]) {
#pragma unroll
  for (int i = 0; i < N; ++i)
    dst[i] = src[i];
}

/// Two floats as one register of two T, `low` in the low half, ties to even.
/// PTX ISA: "Data Movement and Conversion Instructions: cvt", `.bf16x2`, `.f16x2`.
template <class T>
__device__ __forceinline__ uint32_t pack_pair(float low, float high) {
  static_assert(detail::is_same<T, bf16> || detail::is_same<T, half>, "a 16-bit float");
  uint32_t result;
  if constexpr (detail::is_same<T, bf16>)
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(result) : "f"(high), "f"(low));
  else
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(result) : "f"(high), "f"(low));
  return result;
}

/// dst[i] = (src[First + 2i] in the low half, src[First + 2i + 1] in the high half).
template <class T, int First = 0, int M, int N>
__device__ __forceinline__ void pack(uint32_t (&dst)[M], const float (&src)[N]) {
  static_assert(First >= 0 && First + 2 * M <= N, "the source is too short");
#pragma unroll
  for (int i = 0; i < M; ++i)
    dst[i] = pack_pair<T>(src[First + 2 * i], src[First + 2 * i + 1]);
}

/// dst[2i], dst[2i + 1] = the halves of src[i], low half first.
template <class T, int M, int N>
__device__ __forceinline__ void unpack(float (&dst)[N], const uint32_t (&src)[M]) {
  static_assert(N == 2 * M, "two values per register");
#pragma unroll
  for (int i = 0; i < M; ++i) {
    dst[2 * i] = to_float(T{static_cast<uint16_t>(src[i])});
    dst[2 * i + 1] = to_float(T{static_cast<uint16_t>(src[i] >> 16)});
  }
}

/// Maximum over the four lanes that share a row of a wgmma accumulator, in all four.
/// PTX ISA: "shfl.sync", `.bfly`.
template <int N>
__device__ __forceinline__ void quad_reduce_max(float (&x)[N]) {
#pragma unroll
  for (int i = 0; i < N; ++i) {
    x[i] = ::fmaxf(x[i], __shfl_xor_sync(0xffffffff, x[i], 1));
    x[i] = ::fmaxf(x[i], __shfl_xor_sync(0xffffffff, x[i], 2));
  }
}

/// Sum over the four lanes that share a row of a wgmma accumulator, in all four.
template <int N>
__device__ __forceinline__ void quad_reduce_add(float (&x)[N]) {
#pragma unroll
  for (int i = 0; i < N; ++i) {
    x[i] += __shfl_xor_sync(0xffffffff, x[i], 1);
    x[i] += __shfl_xor_sync(0xffffffff, x[i], 2);
  }
}

} // namespace tw
