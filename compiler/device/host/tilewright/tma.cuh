// SPDX-License-Identifier: Apache-2.0
//
// Host side of tma.cuh: the tensor memory accelerator. Contracts stand in the device header.
#pragma once

#include "tilewright/types.cuh"

namespace tw {

enum class cache { none, evict_first, evict_last };

void prefetch_tensormap(const tensor_map &map);

template <int Rank, cache Policy = cache::none, class... Coordinates>
void tma_load(const tensor_map &map, int32_t shared, int32_t bar, Coordinates... coordinates);

template <int Rank, cache Policy = cache::none, class... Coordinates>
void tma_load_multicast(const tensor_map &map, int32_t shared, int32_t bar, int32_t cta_mask,
                        Coordinates... coordinates);

template <int Rank, class... Coordinates>
void tma_store(const tensor_map &map, int32_t shared, Coordinates... coordinates);

template <int Rank, class... Coordinates>
void tma_reduce_add(const tensor_map &map, int32_t shared, Coordinates... coordinates);

template <int Rank, class... Coordinates>
void tma_prefetch(const tensor_map &map, Coordinates... coordinates);

void bulk_load(int32_t dst, const void *ptr, int32_t bytes, int32_t bar);
void bulk_store(void *ptr, int32_t src, int32_t bytes);
void bulk_reduce_add(float *ptr, int32_t src, int32_t bytes);
void bulk_commit();

template <int Outstanding>
void bulk_wait();

template <int Outstanding>
void bulk_wait_read();

} // namespace tw
