// SPDX-License-Identifier: Apache-2.0
//
// Who am I, and what the lanes of a warp tell each other. CTAs are one-dimensional.
#pragma once

#include "tilewright/types.cuh"

namespace tw {

/// Raises this warpgroup's registers per thread to N; blocks until the CTA's pool has them. All
/// warps of the warpgroup call it. PTX ISA: "setmaxnreg".
template <int N>
__device__ __forceinline__ void setmaxnreg_inc() {
  static_assert(N >= 24 && N <= 256 && N % 8 == 0, "24 to 256 registers, a multiple of 8");
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(N));
}

/// Lowers this warpgroup's registers per thread to N. PTX ISA: "setmaxnreg".
template <int N>
__device__ __forceinline__ void setmaxnreg_dec() {
  static_assert(N >= 24 && N <= 256 && N % 8 == 0, "24 to 256 registers, a multiple of 8");
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(N));
}

/// True in exactly one lane of a converged warp, not necessarily lane 0. PTX ISA: "elect.sync".
__device__ __forceinline__ bool elect_one() {
  int32_t elected;
  asm volatile("{\n\t"
               ".reg .pred p;\n\t"
               "elect.sync _|p, 0xffffffff;\n\t"
               "selp.b32 %0, 1, 0, p;\n\t"
               "}"
               : "=r"(elected));
  return elected != 0;
}

/// Index of this thread in the CTA. PTX ISA: "Special Registers: %tid".
__device__ __forceinline__ int32_t thread_id() { return static_cast<int32_t>(threadIdx.x); }

/// Index of this thread in its warp.
__device__ __forceinline__ int32_t lane_id() { return static_cast<int32_t>(threadIdx.x % 32); }

/// Index of this warp in the CTA. It goes through a shuffle so that the compiler knows it to be
/// uniform and branches on it without divergence. PTX ISA: "shfl.sync".
__device__ __forceinline__ int32_t warp_id() {
  return __shfl_sync(0xffffffff, static_cast<int32_t>(threadIdx.x / 32), 0);
}

/// Index of this warpgroup (four warps) in the CTA; uniform like warp_id.
__device__ __forceinline__ int32_t warpgroup_id() {
  return __shfl_sync(0xffffffff, static_cast<int32_t>(threadIdx.x / 128), 0);
}

/// Index of this CTA in a one-dimensional grid. PTX ISA: "Special Registers: %ctaid".
__device__ __forceinline__ int32_t cta_id() { return static_cast<int32_t>(blockIdx.x); }

/// Number of CTAs in a one-dimensional grid. PTX ISA: "Special Registers: %nctaid".
__device__ __forceinline__ int32_t grid_size() { return static_cast<int32_t>(gridDim.x); }

/// Rank of this CTA in its cluster. PTX ISA: "Special Registers: %cluster_ctarank".
__device__ __forceinline__ int32_t cluster_rank() {
  int32_t rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

/// Index of this cluster in a one-dimensional grid. PTX ISA: "Special Registers: %clusterid".
__device__ __forceinline__ int32_t cluster_id() {
  int32_t id;
  asm("mov.u32 %0, %%clusterid.x;" : "=r"(id));
  return id;
}

/// Number of clusters in a one-dimensional grid. PTX ISA: "Special Registers: %nclusterid".
__device__ __forceinline__ int32_t cluster_count() {
  int32_t count;
  asm("mov.u32 %0, %%nclusterid.x;" : "=r"(count));
  return count;
}

/// The value of lane (lane_id() ^ mask). PTX ISA: "shfl.sync", `.bfly`.
template <class T>
__device__ __forceinline__ T shfl_xor(T v, int32_t mask) {
  return __shfl_xor_sync(0xffffffff, v, mask);
}

/// True in all lanes if `p` holds in any. PTX ISA: "vote.sync", `.any`.
__device__ __forceinline__ bool vote_any(bool p) { return __any_sync(0xffffffff, p); }

/// Four bytes picked from the eight of (b, a) by the nibbles of `sel`. PTX ISA: "prmt".
__device__ __forceinline__ uint32_t prmt(uint32_t a, uint32_t b, uint32_t sel) {
  return __byte_perm(a, b, sel);
}

} // namespace tw
