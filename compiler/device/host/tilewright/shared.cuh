// SPDX-License-Identifier: Apache-2.0
//
// Host side of shared.cuh: shared memory. Contracts stand in the device header; what is more than
// arithmetic goes through the emulator's table.
#pragma once

#include "tilewright/emulator.cuh"
#include "tilewright/types.cuh"

namespace tw {

inline int32_t smem_base() { return emulator::api->smem_base(); }

template <int Mode>
int32_t swizzle(int32_t offset) {
  static_assert(Mode == 0 || Mode == 32 || Mode == 64 || Mode == 128, "a TMA swizzle mode");
  return offset ^ ((offset >> 3) & (Mode - 16 > 0 ? Mode - 16 : 0));
}

template <int X, bool Trans = false, int N>
void ldmatrix(int32_t addr, uint32_t (&r)[N], int32_t first = 0, int32_t line = __builtin_LINE()) {
  static_assert(X == 1 || X == 2 || X == 4, "1, 2 or 4 matrices");
  emulator::api->ldmatrix(X, Trans, addr, r + first, line);
}

template <int X, bool Trans = false, int N>
void stmatrix(int32_t addr, const uint32_t (&r)[N], int32_t first = 0,
              int32_t line = __builtin_LINE()) {
  static_assert(X == 1 || X == 2 || X == 4, "1, 2 or 4 matrices");
  emulator::api->stmatrix(X, Trans, addr, r + first, line);
}

template <class T>
register_of<T> ld_shared(int32_t addr, int32_t line = __builtin_LINE()) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4, "a 16-bit or 32-bit element");
  T result;
  emulator::api->ld_shared(addr, sizeof(T), &result, line);
  return to_float(result);
}

template <class T>
void st_shared(int32_t addr, register_of<T> v, int32_t line = __builtin_LINE()) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4, "a 16-bit or 32-bit element");
  const T narrow = from_float<T>(v);
  emulator::api->st_shared(addr, sizeof(T), &narrow, line);
}

template <class T, int N>
void st_shared_v2(int32_t addr, const T (&r)[N], int32_t first = 0,
                  int32_t line = __builtin_LINE()) {
  static_assert(sizeof(T) == 4, "a 32-bit element");
  emulator::api->st_shared(addr, 8, r + first, line);
}

template <class T, int N>
void st_shared_v4(int32_t addr, const T (&r)[N], int32_t first = 0,
                  int32_t line = __builtin_LINE()) {
  static_assert(sizeof(T) == 4, "a 32-bit element");
  emulator::api->st_shared(addr, 16, r + first, line);
}

template <class T>
void st_async(int32_t addr, T v, int32_t bar, int32_t rank, int32_t line = __builtin_LINE()) {
  static_assert(sizeof(T) == 4, "a 32-bit element");
  emulator::api->st_async(addr, __builtin_bit_cast(uint32_t, v), bar, rank, line);
}

} // namespace tw
