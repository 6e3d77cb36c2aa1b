// SPDX-License-Identifier: Apache-2.0
//
// Host side of warp.cuh: identity and lanes. Contracts stand in the device header.
#pragma once

#include "tilewright/types.cuh"

namespace tw {

template <int N>
void setmaxnreg_inc();

template <int N>
void setmaxnreg_dec();

bool elect_one();
int32_t thread_id();
int32_t lane_id();
int32_t warp_id();
int32_t warpgroup_id();
int32_t cta_id();
int32_t grid_size();
int32_t cluster_rank();
int32_t cluster_id();
int32_t cluster_count();

template <class T>
T shfl_xor(T v, int32_t mask);

bool vote_any(bool p);
uint32_t prmt(uint32_t a, uint32_t b, uint32_t sel);

} // namespace tw
