// SPDX-License-Identifier: Apache-2.0
//
// Barriers of a CTA, of a warp, of a group of warps (named) and of a cluster.
#pragma once

#include "tilewright/types.cuh"

namespace tw {

/// All threads of the CTA. PTX ISA: "bar / barrier".
__device__ __forceinline__ void cta_sync() { asm volatile("barrier.sync.aligned 0;" ::: "memory"); }

/// All lanes of the warp. PTX ISA: "bar.warp.sync".
__device__ __forceinline__ void warp_sync() {
  asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
}

/// `Threads` threads (whole warps) meet at named barrier `id` (1 to 15; 0 is cta_sync's).
/// NOTE: an id that is not a constant makes ptxas reserve all 16 barriers; that is harmless at one
/// CTA per SM. PTX ISA: "bar / barrier".
template <int Threads>
__device__ __forceinline__ void barrier_sync(int32_t id) {
  static_assert(Threads % 32 == 0, "whole warps");
  asm volatile("barrier.sync.aligned %0, %1;" ::"r"(id), "n"(Threads) : "memory");
}

/// Counts this warp in at named barrier `id` without waiting. PTX ISA: "bar / barrier".
template <int Threads>
__device__ __forceinline__ void barrier_arrive(int32_t id) {
  static_assert(Threads % 32 == 0, "whole warps");
  asm volatile("barrier.arrive.aligned %0, %1;" ::"r"(id), "n"(Threads) : "memory");
}

/// Every thread of every CTA of the cluster arrives (release). PTX ISA: "barrier.cluster".
__device__ __forceinline__ void cluster_arrive() {
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}

/// Waits for the arrival of the whole cluster (acquire). PTX ISA: "barrier.cluster".
__device__ __forceinline__ void cluster_wait() {
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

} // namespace tw
