// SPDX-License-Identifier: Apache-2.0
//
// Global memory: ordinary accesses with element indices of 64 bits, Ampere's asynchronous copies,
// atomics. 16-bit floats are float in registers. A false predicate means that memory isn't touched.
#pragma once

#include "tilewright/types.cuh"

namespace tw {

/// ptr[idx]. PTX ISA: "ld", `.global`.
template <class T>
__device__ __forceinline__ register_of<T> ld_global(const T *ptr, int64_t idx) {
  return to_float(ptr[idx]);
}

namespace detail {

/// The 16 or 32 bits at `ptr` where `pred` holds, else 0. One predicated instruction: a branch for
/// each element of a tile costs more time in the compiler than in the kernel. Not volatile: equal
/// loads may be one. PTX ISA: "ld", `.global`, predicated.
template <class T>
__device__ __forceinline__ uint32_t ld_bits_if(const T *ptr, bool pred) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4, "a 16-bit or 32-bit element");
  uint32_t bits;
  if constexpr (sizeof(T) == 4)
    asm("{\n\t"
        ".reg .pred p;\n\t"
        "setp.ne.s32 p, %2, 0;\n\t"
        "mov.b32 %0, 0;\n\t"
        "@p ld.global.b32 %0, [%1];\n\t"
        "}"
        : "=r"(bits)
        : "l"(ptr), "r"(static_cast<int32_t>(pred)));
  else
    asm("{\n\t"
        ".reg .pred p;\n\t"
        ".reg .b16 h;\n\t"
        "setp.ne.s32 p, %2, 0;\n\t"
        "mov.b16 h, 0;\n\t"
        "@p ld.global.b16 h, [%1];\n\t"
        "cvt.u32.u16 %0, h;\n\t"
        "}"
        : "=r"(bits)
        : "l"(ptr), "r"(static_cast<int32_t>(pred)));
  return bits;
}

template <class T>
__device__ __forceinline__ register_of<T> from_bits(uint32_t bits) {
  if constexpr (sizeof(T) == 4)
    return __builtin_bit_cast(T, bits);
  else
    return to_float(T{static_cast<uint16_t>(bits)});
}

} // namespace detail

/// ptr[idx] where `pred` holds, else zero. PTX ISA: "ld", `.global`, predicated.
template <class T>
__device__ __forceinline__ register_of<T> ld_global_if(const T *ptr, int64_t idx, bool pred) {
  return detail::from_bits<T>(detail::ld_bits_if(ptr + idx, pred));
}

/// ptr[idx] = v, rounded to nearest even for 16-bit T. PTX ISA: "st", `.global`.
template <class T>
__device__ __forceinline__ void st_global(T *ptr, int64_t idx, register_of<T> v) {
  ptr[idx] = from_float<T>(v);
}

template <class T>
__device__ __forceinline__ void st_global_if(T *ptr, int64_t idx, bool pred, register_of<T> v) {
  if (pred)
    ptr[idx] = from_float<T>(v);
}

/// ptr[idx] = a, ptr[idx + 1] = b, but only the first `count` of them (all of 2, 1, none). Two are
/// one access, which the caller promises to be aligned to its size. PTX ISA: "st", `.global`,
/// predicated.
template <class T>
__device__ __forceinline__ void st_global_pair(T *ptr, int64_t idx, int32_t count, register_of<T> a,
                                               register_of<T> b) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4, "a 16-bit or 32-bit element");
  const T first = from_float<T>(a), second = from_float<T>(b);
  // NOTE: floats stay floats, as in st_shared_v2.
  if constexpr (detail::is_same<T, float>)
    asm volatile("{\n\t"
                 ".reg .pred both, one;\n\t"
                 "setp.ge.s32 both, %1, 2;\n\t"
                 "setp.eq.s32 one, %1, 1;\n\t"
                 "@both st.global.v2.f32 [%0], {%2, %3};\n\t"
                 "@one st.global.f32 [%0], %2;\n\t"
                 "}" ::"l"(ptr + idx),
                 "r"(count), "f"(first), "f"(second)
                 : "memory");
  else if constexpr (sizeof(T) == 4)
    asm volatile("{\n\t"
                 ".reg .pred both, one;\n\t"
                 "setp.ge.s32 both, %1, 2;\n\t"
                 "setp.eq.s32 one, %1, 1;\n\t"
                 "@both st.global.v2.b32 [%0], {%2, %3};\n\t"
                 "@one st.global.b32 [%0], %2;\n\t"
                 "}" ::"l"(ptr + idx),
                 "r"(count), "r"(first), "r"(second)
                 : "memory");
  else
    asm volatile("{\n\t"
                 ".reg .pred both, one;\n\t"
                 ".reg .b32 pair;\n\t"
                 "setp.ge.s32 both, %1, 2;\n\t"
                 "setp.eq.s32 one, %1, 1;\n\t"
                 "mov.b32 pair, {%2, %3};\n\t"
                 "@both st.global.b32 [%0], pair;\n\t"
                 "@one st.global.b16 [%0], %2;\n\t"
                 "}" ::"l"(ptr + idx),
                 "r"(count), "h"(first.bits), "h"(second.bits)
                 : "memory");
}

/// r[first] = ptr[idx], r[first + 1] = ptr[idx + 1], zero for what is not among the first `count`
/// of them (all of 2, 1, none). Two are one access, which the caller promises to be aligned to its
/// size. PTX ISA: "ld", `.global`, predicated.
template <class T, int N>
__device__ __forceinline__ void ld_global_pair(const T *ptr, int64_t idx, int32_t count,
                                               register_of<T> (&r)[N], int32_t first = 0) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4, "a 16-bit or 32-bit element");
  if constexpr (sizeof(T) == 4) {
    uint32_t low, high;
    asm("{\n\t"
        ".reg .pred both, one;\n\t"
        "setp.ge.s32 both, %3, 2;\n\t"
        "setp.eq.s32 one, %3, 1;\n\t"
        "mov.b32 %0, 0;\n\t"
        "mov.b32 %1, 0;\n\t"
        "@both ld.global.v2.b32 {%0, %1}, [%2];\n\t"
        "@one ld.global.b32 %0, [%2];\n\t"
        "}"
        : "=&r"(low), "=&r"(high)
        : "l"(ptr + idx), "r"(count));
    r[first] = __builtin_bit_cast(T, low);
    r[first + 1] = __builtin_bit_cast(T, high);
  } else {
    uint32_t pair;
    asm("{\n\t"
        ".reg .pred both, one;\n\t"
        ".reg .b16 h;\n\t"
        "setp.ge.s32 both, %2, 2;\n\t"
        "setp.eq.s32 one, %2, 1;\n\t"
        "mov.b16 h, 0;\n\t"
        "@one ld.global.b16 h, [%1];\n\t"
        "cvt.u32.u16 %0, h;\n\t"
        "@both ld.global.b32 %0, [%1];\n\t"
        "}"
        : "=&r"(pair)
        : "l"(ptr + idx), "r"(count));
    r[first] = to_float(T{static_cast<uint16_t>(pair)});
    r[first + 1] = to_float(T{static_cast<uint16_t>(pair >> 16)});
  }
}

/// Copies `src_bytes` (at most Bytes) to shared memory without registers and fills the rest of
/// Bytes with zeros. PTX ISA: "cp.async".
template <int Bytes>
__device__ __forceinline__ void cp_async(int32_t dst, const void *ptr, int32_t src_bytes) {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16, "4, 8 or 16 bytes");
  if constexpr (Bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(dst), "l"(ptr),
                 "r"(src_bytes)
                 : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(dst), "l"(ptr), "n"(Bytes),
                 "r"(src_bytes)
                 : "memory");
}

/// Closes the group of this thread's cp_async so far. PTX ISA: "cp.async.commit_group".
__device__ __forceinline__ void cp_async_commit() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

/// Waits until at most Outstanding of this thread's groups are under way.
/// PTX ISA: "cp.async.wait_group / cp.async.wait_all".
template <int Outstanding>
__device__ __forceinline__ void cp_async_wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Outstanding) : "memory");
}

/// ptr[idx] += v, nothing returned. PTX ISA: "red", `.global.add.f32`.
template <class T>
__device__ __forceinline__ void red_add_if(T *ptr, int64_t idx, bool pred, float v) {
  static_assert(sizeof(T) == 4, "float");
  if (pred)
    asm volatile("red.relaxed.gpu.global.add.f32 [%0], %1;" ::"l"(ptr + idx), "f"(v) : "memory");
}

/// Adds v to *ptr and returns what was there. PTX ISA: "atom", `.add`.
__device__ __forceinline__ int32_t atomic_add(int32_t *ptr, int32_t v) {
  int32_t before;
  asm volatile("atom.relaxed.gpu.global.add.s32 %0, [%1], %2;"
               : "=r"(before)
               : "l"(ptr), "r"(v)
               : "memory");
  return before;
}

/// *ptr; what was released by the store that it sees is visible afterwards (GPU scope).
/// PTX ISA: "ld", `.acquire`.
__device__ __forceinline__ int32_t ld_acquire(const int32_t *ptr) {
  int32_t value;
  asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(ptr) : "memory");
  return value;
}

/// *ptr += v after all earlier accesses of this thread (GPU scope). PTX ISA: "red", `.release`.
__device__ __forceinline__ void red_release(int32_t *ptr, int32_t v) {
  asm volatile("red.release.gpu.global.add.s32 [%0], %1;" ::"l"(ptr), "r"(v) : "memory");
}

} // namespace tw
