// SPDX-License-Identifier: Apache-2.0
//
// Host side of mbarrier.cuh: mbarriers. Contracts stand in the device header.
#pragma once

#include "tilewright/types.cuh"

namespace tw {

void mbarrier_init(int32_t bar, int32_t count);
void fence_mbarrier_init();
void mbarrier_arrive(int32_t bar);
void mbarrier_arrive_remote(int32_t bar, int32_t rank);
void mbarrier_arrive_expect_tx(int32_t bar, int32_t bytes);
void mbarrier_wait_parity(int32_t bar, int32_t parity);
void cp_async_mbarrier_arrive(int32_t bar);

} // namespace tw
