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

/// ptr[idx] where `pred` holds, else `otherwise`.
template <class T>
__device__ __forceinline__ register_of<T> ld_global_if(const T *ptr, int64_t idx, bool pred,
                                                       register_of<T> otherwise) {
  return pred ? to_float(ptr[idx]) : otherwise;
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

namespace detail {

/// Two neighbouring elements that are moved by one access.
template <class T>
struct alignas(2 * sizeof(T)) pair {
  T first;
  T second;
};

} // namespace detail

/// ptr[idx] = a, ptr[idx + 1] = b in one access; the caller promises that it is aligned to its
/// size.
template <class T>
__device__ __forceinline__ void st_global_pair_if(T *ptr, int64_t idx, bool pred, register_of<T> a,
                                                  register_of<T> b) {
  if (pred)
    *reinterpret_cast<detail::pair<T> *>(ptr + idx) = {from_float<T>(a), from_float<T>(b)};
}

/// r[first] = ptr[idx], r[first + 1] = ptr[idx + 1] in one access that the caller promises to be
/// aligned to its size; `otherwise` twice where `pred` doesn't hold.
template <class T, int N>
__device__ __forceinline__ void ld_global_pair_if(const T *ptr, int64_t idx, bool pred,
                                                  register_of<T> otherwise, register_of<T> (&r)[N],
                                                  int32_t first = 0) {
  r[first] = otherwise;
  r[first + 1] = otherwise;
  if (pred) {
    const detail::pair<T> loaded = *reinterpret_cast<const detail::pair<T> *>(ptr + idx);
    r[first] = to_float(loaded.first);
    r[first + 1] = to_float(loaded.second);
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
