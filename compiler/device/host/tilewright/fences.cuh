// SPDX-License-Identifier: Apache-2.0
//
// Host side of fences.cuh: fences. Contracts stand in the device header; what is more than
// arithmetic goes through the emulator's table.
#pragma once

#include "tilewright/emulator.cuh"
#include "tilewright/types.cuh"

namespace tw {

inline void fence_proxy_async_shared(int32_t line = __builtin_LINE()) {
  emulator::api->fence_proxy_async_shared(line);
}
inline void fence_proxy_async_global(int32_t line = __builtin_LINE()) {
  emulator::api->fence_proxy_async_global(line);
}
inline void fence_acq_rel_cta(int32_t line = __builtin_LINE()) {
  emulator::api->fence_acq_rel(emulator::scope::cta, line);
}
inline void fence_acq_rel_cluster(int32_t line = __builtin_LINE()) {
  emulator::api->fence_acq_rel(emulator::scope::cluster, line);
}
inline void fence_acq_rel_gpu(int32_t line = __builtin_LINE()) {
  emulator::api->fence_acq_rel(emulator::scope::gpu, line);
}

} // namespace tw
