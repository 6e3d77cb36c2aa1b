// SPDX-License-Identifier: Apache-2.0
//
// Host side of mbarrier.cuh: mbarriers. Contracts stand in the device header; what is more than
// arithmetic goes through the emulator's table.
#pragma once

#include "tilewright/emulator.cuh"
#include "tilewright/types.cuh"

namespace tw {

inline void mbarrier_init(int32_t bar, int32_t count, int32_t line = __builtin_LINE()) {
  emulator::api->mbarrier_init(bar, count, line);
}
inline void fence_mbarrier_init(int32_t line = __builtin_LINE()) {
  emulator::api->fence_mbarrier_init(line);
}
inline void mbarrier_arrive(int32_t bar, int32_t line = __builtin_LINE()) {
  emulator::api->mbarrier_arrive(bar, line);
}
inline void mbarrier_arrive_remote(int32_t bar, int32_t rank, int32_t line = __builtin_LINE()) {
  emulator::api->mbarrier_arrive_remote(bar, rank, line);
}
inline void mbarrier_arrive_expect_tx(int32_t bar, int32_t bytes, int32_t line = __builtin_LINE()) {
  emulator::api->mbarrier_arrive_expect_tx(bar, bytes, line);
}
inline void mbarrier_wait_parity(int32_t bar, int32_t parity, int32_t line = __builtin_LINE()) {
  emulator::api->mbarrier_wait_parity(bar, parity, line);
}
inline void cp_async_mbarrier_arrive(int32_t bar, int32_t line = __builtin_LINE()) {
  emulator::api->cp_async_mbarrier_arrive(bar, line);
}

} // namespace tw
