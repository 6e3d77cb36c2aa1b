// SPDX-License-Identifier: Apache-2.0
//
// Host side of global.cuh: global memory. Contracts stand in the device header; what is more than
// arithmetic goes through the emulator's table.
#pragma once

#include "tilewright/emulator.cuh"
#include "tilewright/types.cuh"

namespace tw {

template <class T>
register_of<T> ld_global(const T *ptr, int64_t idx, int32_t line = __builtin_LINE()) {
  T value;
  emulator::api->ld_global(ptr + idx, sizeof(T), &value, line);
  return to_float(value);
}

template <class T>
register_of<T> ld_global_if(const T *ptr, int64_t idx, bool pred, int32_t line = __builtin_LINE()) {
  return pred ? ld_global(ptr, idx, line) : register_of<T>(0);
}

template <class T>
void st_global(T *ptr, int64_t idx, register_of<T> v, int32_t line = __builtin_LINE()) {
  const T narrow = from_float<T>(v);
  emulator::api->st_global(ptr + idx, sizeof(T), &narrow, line);
}

template <class T>
void st_global_if(T *ptr, int64_t idx, bool pred, register_of<T> v,
                  int32_t line = __builtin_LINE()) {
  if (pred)
    st_global(ptr, idx, v, line);
}

template <class T>
void st_global_pair(T *ptr, int64_t idx, int32_t count, register_of<T> a, register_of<T> b,
                    int32_t line = __builtin_LINE()) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4, "a 16-bit or 32-bit element");
  const T pair[2] = {from_float<T>(a), from_float<T>(b)};
  if (count >= 1)
    emulator::api->st_global(ptr + idx, count >= 2 ? 2 * sizeof(T) : sizeof(T), pair, line);
}

template <class T, int N>
void ld_global_pair(const T *ptr, int64_t idx, int32_t count, register_of<T> (&r)[N],
                    int32_t first = 0, int32_t line = __builtin_LINE()) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4, "a 16-bit or 32-bit element");
  T pair[2] = {};
  if (count >= 1)
    emulator::api->ld_global(ptr + idx, count >= 2 ? 2 * sizeof(T) : sizeof(T), pair, line);
  r[first] = to_float(pair[0]);
  r[first + 1] = to_float(pair[1]);
}

template <int Bytes>
void cp_async(int32_t dst, const void *ptr, int32_t src_bytes, int32_t line = __builtin_LINE()) {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16, "4, 8 or 16 bytes");
  emulator::api->cp_async(Bytes, dst, ptr, src_bytes, line);
}

inline void cp_async_commit(int32_t line = __builtin_LINE()) {
  emulator::api->cp_async_commit(line);
}

template <int Outstanding>
void cp_async_wait(int32_t line = __builtin_LINE()) {
  emulator::api->cp_async_wait(Outstanding, line);
}

template <class T>
void red_add_if(T *ptr, int64_t idx, bool pred, float v, int32_t line = __builtin_LINE()) {
  static_assert(sizeof(T) == 4, "float");
  if (pred)
    emulator::api->red_add(ptr + idx, v, line);
}

inline int32_t atomic_add(int32_t *ptr, int32_t v, int32_t line = __builtin_LINE()) {
  return emulator::api->atomic_add(ptr, v, line);
}
inline int32_t ld_acquire(const int32_t *ptr, int32_t line = __builtin_LINE()) {
  return emulator::api->ld_acquire(ptr, line);
}
inline void red_release(int32_t *ptr, int32_t v, int32_t line = __builtin_LINE()) {
  emulator::api->red_release(ptr, v, line);
}

} // namespace tw
