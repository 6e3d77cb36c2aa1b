// SPDX-License-Identifier: Apache-2.0
//
// Host side of wgmma.cuh: wgmma of every N. Contracts stand in the device header; what is more than
// arithmetic goes through the emulator's table.
#pragma once

#include "tilewright/emulator.cuh"
#include "tilewright/types.cuh"

namespace tw {

template <int Swizzle>
uint64_t smem_descriptor(int32_t addr, int32_t leading, int32_t stride) {
  static_assert(Swizzle == 0 || Swizzle == 32 || Swizzle == 64 || Swizzle == 128, "a TMA mode");
  constexpr uint64_t layout = Swizzle == 128 ? 1 : Swizzle == 64 ? 2 : Swizzle == 32 ? 3 : 0;
  return (static_cast<uint64_t>(addr) & 0x3ffff) >> 4 |
         static_cast<uint64_t>(static_cast<uint32_t>(leading) >> 4) << 16 |
         static_cast<uint64_t>(static_cast<uint32_t>(stride) >> 4) << 32 | layout << 62;
}

template <int Swizzle>
uint64_t smem_descriptor(int32_t addr) {
  static_assert(Swizzle != 0, "without a swizzle, give both byte offsets");
  return smem_descriptor<Swizzle>(addr, 16, 8 * Swizzle);
}

inline uint64_t descriptor_advance(uint64_t desc, int32_t bytes) {
  return desc + static_cast<uint64_t>(static_cast<uint32_t>(bytes) >> 4);
}

template <int N>
void wgmma_fence(float (&acc)[N], int32_t line = __builtin_LINE()) {
  emulator::api->wgmma_fence(acc, N, nullptr, 0, line);
}

template <int N, int M>
void wgmma_fence(float (&acc)[N], uint32_t (&a)[M], int32_t line = __builtin_LINE()) {
  emulator::api->wgmma_fence(acc, N, a, M, line);
}

inline void wgmma_commit(int32_t line = __builtin_LINE()) { emulator::api->wgmma_commit(line); }

template <int Outstanding>
void wgmma_wait(int32_t line = __builtin_LINE()) {
  emulator::api->wgmma_wait(Outstanding, nullptr, 0, line);
}

template <int Outstanding, int N>
void wgmma_wait(float (&acc)[N], int32_t line = __builtin_LINE()) {
  emulator::api->wgmma_wait(Outstanding, acc, N, line);
}

inline void sched_boundary() {}

namespace detail {

template <class T>
constexpr bool is_half = false;
template <>
inline constexpr bool is_half<half> = true;

} // namespace detail

template <int N, class T, int TransA = 0, int TransB = 0, int Wave = 0, int R>
void wgmma_ss(float (&acc)[R], uint64_t desc_a, uint64_t desc_b, int32_t scale_d,
              int32_t line = __builtin_LINE()) {
  static_assert((Wave + 1) * (N / 2) <= R, "the accumulator array is too short");
  const emulator::wgmma_call call = {N,
                                     detail::is_half<T>,
                                     TransA != 0,
                                     TransB != 0,
                                     scale_d != 0,
                                     acc + Wave * (N / 2),
                                     nullptr,
                                     desc_a,
                                     desc_b};
  emulator::api->wgmma(&call, line);
}

template <int N, class T, int TransB = 0, int Wave = 0, int K = 0, int R, int M>
void wgmma_rs(float (&acc)[R], const uint32_t (&a)[M], uint64_t desc_b, int32_t scale_d,
              int32_t line = __builtin_LINE()) {
  static_assert((Wave + 1) * (N / 2) <= R, "the accumulator array is too short");
  static_assert(4 * (K + 1) <= M, "the fragment array is too short");
  const emulator::wgmma_call call = {N,
                                     detail::is_half<T>,
                                     false,
                                     TransB != 0,
                                     scale_d != 0,
                                     acc + Wave * (N / 2),
                                     a + 4 * K,
                                     0,
                                     desc_b};
  emulator::api->wgmma(&call, line);
}

} // namespace tw
