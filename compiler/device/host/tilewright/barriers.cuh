// SPDX-License-Identifier: Apache-2.0
//
// Host side of barriers.cuh: barriers. Contracts stand in the device header.
#pragma once

#include "tilewright/types.cuh"

namespace tw {

void cta_sync();
void warp_sync();

template <int Threads>
void barrier_sync(int32_t id);

template <int Threads>
void barrier_arrive(int32_t id);

void cluster_arrive();
void cluster_wait();

} // namespace tw
