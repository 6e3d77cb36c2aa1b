// SPDX-License-Identifier: Apache-2.0
//
// Host side of launch.cuh: dependent launch. Contracts stand in the device header; what is more
// than arithmetic goes through the emulator's table.
#pragma once

#include "tilewright/emulator.cuh"
#include "tilewright/types.cuh"

namespace tw {

inline void grid_dependency_wait(int32_t line = __builtin_LINE()) {
  emulator::api->grid_dependency_wait(line);
}
inline void grid_dependency_launch(int32_t line = __builtin_LINE()) {
  emulator::api->grid_dependency_launch(line);
}

} // namespace tw
