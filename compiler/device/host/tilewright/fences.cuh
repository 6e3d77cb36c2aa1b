// SPDX-License-Identifier: Apache-2.0
//
// Host side of fences.cuh: fences. Contracts stand in the device header.
#pragma once

namespace tw {

void fence_proxy_async_shared();
void fence_proxy_async_global();
void fence_acq_rel_cta();
void fence_acq_rel_cluster();
void fence_acq_rel_gpu();

} // namespace tw
