// SPDX-License-Identifier: Apache-2.0
//
// Host side of wgmma.cuh: wgmma of every N. Contracts stand in the device header.
#pragma once

#include "tilewright/types.cuh"

namespace tw {

template <int Swizzle>
uint64_t smem_descriptor(int32_t addr, int32_t leading, int32_t stride);

template <int Swizzle>
uint64_t smem_descriptor(int32_t addr);

uint64_t descriptor_advance(uint64_t desc, int32_t bytes);

template <int N>
void wgmma_fence(float (&acc)[N]);

template <int N, int M>
void wgmma_fence(float (&acc)[N], uint32_t (&a)[M]);

void wgmma_commit();

template <int Outstanding>
void wgmma_wait();

template <int Outstanding, int N>
void wgmma_wait(float (&acc)[N]);

void sched_boundary();

template <int N, class T, int TransA = 0, int TransB = 0, int Wave = 0, int R>
void wgmma_ss(float (&acc)[R], uint64_t desc_a, uint64_t desc_b, int32_t scale_d);

template <int N, class T, int TransB = 0, int Wave = 0, int K = 0, int R, int M>
void wgmma_rs(float (&acc)[R], const uint32_t (&a)[M], uint64_t desc_b, int32_t scale_d);

} // namespace tw
