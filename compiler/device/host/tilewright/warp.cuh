// SPDX-License-Identifier: Apache-2.0
//
// Host side of warp.cuh: identity and lanes. Contracts stand in the device header; what is more
// than arithmetic goes through the emulator's table.
#pragma once

#include "tilewright/emulator.cuh"
#include "tilewright/types.cuh"

namespace tw {

template <int N>
void setmaxnreg_inc(int32_t line = __builtin_LINE()) {
  emulator::api->setmaxnreg(N, true, line);
}

template <int N>
void setmaxnreg_dec(int32_t line = __builtin_LINE()) {
  emulator::api->setmaxnreg(N, false, line);
}

inline bool elect_one(int32_t line = __builtin_LINE()) { return emulator::api->elect_one(line); }
inline int32_t thread_id() { return emulator::api->thread_id(); }
inline int32_t lane_id() { return thread_id() % 32; }

// NOTE: the device's go through a shuffle, which has no meaning beyond telling the compiler.
inline int32_t warp_id() { return thread_id() / 32; }
inline int32_t warpgroup_id() { return thread_id() / 128; }
inline int32_t cta_id() { return emulator::api->cta_id(); }
inline int32_t grid_size() { return emulator::api->grid_size(); }
inline int32_t cluster_rank() { return emulator::api->cluster_rank(); }
inline int32_t cluster_id() { return emulator::api->cluster_id(); }
inline int32_t cluster_count() { return emulator::api->cluster_count(); }

template <class T>
T shfl_xor(T v, int32_t mask, int32_t line = __builtin_LINE()) {
  static_assert(sizeof(T) == 4, "a 32-bit value");
  return __builtin_bit_cast(
      T, emulator::api->shuffle(__builtin_bit_cast(uint32_t, v), lane_id() ^ mask, line));
}

inline bool vote_any(bool p, int32_t line = __builtin_LINE()) {
  return emulator::api->vote_any(p, line);
}

inline uint32_t prmt(uint32_t a, uint32_t b, uint32_t sel) {
  const uint64_t bytes = static_cast<uint64_t>(b) << 32 | a;
  uint32_t result = 0;
  for (int i = 0; i < 4; ++i)
    result |= static_cast<uint32_t>(bytes >> 8 * (sel >> 4 * i & 7) & 0xff) << 8 * i;
  return result;
}

} // namespace tw
