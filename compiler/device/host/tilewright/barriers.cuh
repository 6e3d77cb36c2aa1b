// SPDX-License-Identifier: Apache-2.0
//
// Host side of barriers.cuh: barriers. Contracts stand in the device header; what is more than
// arithmetic goes through the emulator's table.
#pragma once

#include "tilewright/emulator.cuh"
#include "tilewright/types.cuh"

namespace tw {

inline void cta_sync(int32_t line = __builtin_LINE()) { emulator::api->cta_sync(line); }
inline void warp_sync(int32_t line = __builtin_LINE()) { emulator::api->warp_sync(line); }

template <int Threads>
void barrier_sync(int32_t id, int32_t line = __builtin_LINE()) {
  static_assert(Threads % 32 == 0, "whole warps");
  emulator::api->barrier_sync(id, Threads, line);
}

template <int Threads>
void barrier_arrive(int32_t id, int32_t line = __builtin_LINE()) {
  static_assert(Threads % 32 == 0, "whole warps");
  emulator::api->barrier_arrive(id, Threads, line);
}

inline void cluster_arrive(int32_t line = __builtin_LINE()) { emulator::api->cluster_arrive(line); }
inline void cluster_wait(int32_t line = __builtin_LINE()) { emulator::api->cluster_wait(line); }

} // namespace tw
