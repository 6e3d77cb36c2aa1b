// SPDX-License-Identifier: Apache-2.0
//
// Host side of launch.cuh: dependent launch. Contracts stand in the device header.
#pragma once

namespace tw {

void grid_dependency_wait();
void grid_dependency_launch();

} // namespace tw
