// SPDX-License-Identifier: Apache-2.0
//
// Shared memory through 32-bit shared addresses.
#pragma once

#include "tilewright/types.cuh"

namespace tw {

/// Address of the kernel's dynamic shared memory, 1024-byte aligned (what a 128-byte swizzle
/// needs). PTX ISA: "State Spaces: Shared", "cvta".
__device__ __forceinline__ int32_t smem_base() {
  extern __shared__ __align__(1024) uint8_t dynamic_shared_memory[];
  return static_cast<int32_t>(__cvta_generic_to_shared(dynamic_shared_memory));
}

/// Where TMA's swizzle puts the byte at `offset` of an atom-aligned buffer: 16-byte chunks are
/// permuted by XOR with row bits. Mode 128: address bits 4-6 with 7-9; 64: bits 4-5 with 7-8;
/// 32: bit 4 with 7; 0: none. PTX ISA: "Tensors: Swizzling Modes".
template <int Mode>
__device__ __forceinline__ int32_t swizzle(int32_t offset) {
  static_assert(Mode == 0 || Mode == 32 || Mode == 64 || Mode == 128, "a TMA swizzle mode");
  return offset ^ ((offset >> 3) & (Mode - 16 > 0 ? Mode - 16 : 0));
}

/// Loads X 8x8 matrices of 16-bit elements into r[first ... first + X - 1]; lane l gives the
/// address of row l % 8 of matrix l / 8. PTX ISA: "ldmatrix".
template <int X, bool Trans = false, int N>
__device__ __forceinline__ void ldmatrix(int32_t addr, uint32_t (&r)[N], int32_t first = 0) {
  static_assert(X == 1 || X == 2 || X == 4, "1, 2 or 4 matrices");
  uint32_t *d = r + first;
  if constexpr (X == 1 && !Trans)
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                 : "=r"(d[0])
                 : "r"(addr)
                 : "memory");
  else if constexpr (X == 1)
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
                 : "=r"(d[0])
                 : "r"(addr)
                 : "memory");
  else if constexpr (X == 2 && !Trans)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(d[0]), "=r"(d[1])
                 : "r"(addr)
                 : "memory");
  else if constexpr (X == 2)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(d[0]), "=r"(d[1])
                 : "r"(addr)
                 : "memory");
  else if constexpr (!Trans)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
                 : "r"(addr)
                 : "memory");
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
                 : "r"(addr)
                 : "memory");
}

/// Stores X 8x8 matrices of 16-bit elements from r[first ... first + X - 1]; lane l gives the
/// address of row l % 8 of matrix l / 8. PTX ISA: "stmatrix".
template <int X, bool Trans = false, int N>
__device__ __forceinline__ void stmatrix(int32_t addr, const uint32_t (&r)[N], int32_t first = 0) {
  static_assert(X == 1 || X == 2 || X == 4, "1, 2 or 4 matrices");
  const uint32_t *s = r + first;
  if constexpr (X == 1 && !Trans)
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(addr), "r"(s[0])
                 : "memory");
  else if constexpr (X == 1)
    asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" ::"r"(addr), "r"(s[0])
                 : "memory");
  else if constexpr (X == 2 && !Trans)
    asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(addr), "r"(s[0]),
                 "r"(s[1])
                 : "memory");
  else if constexpr (X == 2)
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(addr),
                 "r"(s[0]), "r"(s[1])
                 : "memory");
  else if constexpr (!Trans)
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(addr),
                 "r"(s[0]), "r"(s[1]), "r"(s[2]), "r"(s[3])
                 : "memory");
  else
    asm volatile(
        "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(addr),
        "r"(s[0]), "r"(s[1]), "r"(s[2]), "r"(s[3])
        : "memory");
}

/// The element at `addr`; 16-bit floats are widened. PTX ISA: "ld", `.shared`.
template <class T>
__device__ __forceinline__ register_of<T> ld_shared(int32_t addr) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4, "a 16-bit or 32-bit element");
  T result;
  if constexpr (sizeof(T) == 2) {
    asm volatile("ld.shared.b16 %0, [%1];" : "=h"(result.bits) : "r"(addr) : "memory");
  } else {
    uint32_t bits;
    asm volatile("ld.shared.b32 %0, [%1];" : "=r"(bits) : "r"(addr) : "memory");
    result = __builtin_bit_cast(T, bits);
  }
  return to_float(result);
}

/// Stores one element; 16-bit floats are rounded to nearest even. PTX ISA: "st", `.shared`.
template <class T>
__device__ __forceinline__ void st_shared(int32_t addr, register_of<T> v) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4, "a 16-bit or 32-bit element");
  if constexpr (sizeof(T) == 2)
    asm volatile("st.shared.b16 [%0], %1;" ::"r"(addr), "h"(from_float<T>(v).bits) : "memory");
  else
    asm volatile("st.shared.b32 [%0], %1;" ::"r"(addr), "r"(__builtin_bit_cast(uint32_t, v))
                 : "memory");
}

/// Stores r[first], r[first + 1] as one 8-byte access. PTX ISA: "st", `.shared.v2`.
template <class T, int N>
__device__ __forceinline__ void st_shared_v2(int32_t addr, const T (&r)[N], int32_t first = 0) {
  static_assert(sizeof(T) == 4, "a 32-bit element");
  // NOTE: floats stay floats: as integers the compiler would carry accumulators as integers through
  // the loop and move them between wgmmas.
  if constexpr (detail::is_same<T, float>)
    asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(addr), "f"(r[first]), "f"(r[first + 1])
                 : "memory");
  else
    asm volatile("st.shared.v2.b32 [%0], {%1, %2};" ::"r"(addr), "r"(r[first]), "r"(r[first + 1])
                 : "memory");
}

/// Stores r[first ... first + 3] as one 16-byte access. PTX ISA: "st", `.shared.v4`.
template <class T, int N>
__device__ __forceinline__ void st_shared_v4(int32_t addr, const T (&r)[N], int32_t first = 0) {
  static_assert(sizeof(T) == 4, "a 32-bit element");
  if constexpr (detail::is_same<T, float>)
    asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(addr), "f"(r[first]),
                 "f"(r[first + 1]), "f"(r[first + 2]), "f"(r[first + 3])
                 : "memory");
  else
    asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(addr), "r"(r[first]),
                 "r"(r[first + 1]), "r"(r[first + 2]), "r"(r[first + 3])
                 : "memory");
}

/// Writes a 32-bit value to the same offset in CTA `rank` of the cluster, counted as 4 bytes by the
/// mbarrier at offset `bar` there. PTX ISA: "st.async", "mapa".
template <class T>
__device__ __forceinline__ void st_async(int32_t addr, T v, int32_t bar, int32_t rank) {
  static_assert(sizeof(T) == 4, "a 32-bit element");
  asm volatile("{\n\t"
               ".reg .b32 remote, remote_bar;\n\t"
               "mapa.shared::cluster.u32 remote, %0, %3;\n\t"
               "mapa.shared::cluster.u32 remote_bar, %2, %3;\n\t"
               "st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [remote], %1, "
               "[remote_bar];\n\t"
               "}" ::"r"(addr),
               "r"(__builtin_bit_cast(uint32_t, v)), "r"(bar), "r"(rank)
               : "memory");
}

} // namespace tw
