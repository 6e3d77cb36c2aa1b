// SPDX-License-Identifier: Apache-2.0
//
// mbarrier objects in shared memory: 8 bytes, 8-byte aligned, addressed by 32-bit shared addresses.
// No function traps: a trap anywhere in a kernel makes ptxas give up on setmaxnreg (C7512).
#pragma once

#include "tilewright/types.cuh"

namespace tw {

/// Makes `bar` a barrier that completes a phase after `count` arrivals. One thread calls it; then
/// fence_mbarrier_init and a CTA (or cluster) barrier come before any use.
/// PTX ISA: "mbarrier.init".
__device__ __forceinline__ void mbarrier_init(int32_t bar, int32_t count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(count) : "memory");
}

/// Makes preceding mbarrier_init visible to the cluster and to the async proxy.
/// PTX ISA: "membar / fence", `fence.mbarrier_init`.
__device__ __forceinline__ void fence_mbarrier_init() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/// Arrives once at a barrier of this CTA (release, CTA scope). PTX ISA: "mbarrier.arrive".
__device__ __forceinline__ void mbarrier_arrive(int32_t bar) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory");
}

/// Arrives once at the barrier at the same offset in CTA `rank` of the cluster.
/// NOTE: the arrive is unqualified on purpose. With `.release.cluster` each one costs two MEMBARs
/// (a clustered GEMM ran at 0.69x); what has to be ordered before it, the tensor core's reads, has
/// ended at wgmma_wait. PTX ISA: "mapa", "mbarrier.arrive".
__device__ __forceinline__ void mbarrier_arrive_remote(int32_t bar, int32_t rank) {
  asm volatile("{\n\t"
               ".reg .b32 remote;\n\t"
               "mapa.shared::cluster.u32 remote, %0, %1;\n\t"
               "mbarrier.arrive.shared::cluster.b64 _, [remote];\n\t"
               "}" ::"r"(bar),
               "r"(rank)
               : "memory");
}

/// Arrives once and adds `bytes` to what the phase still waits for.
/// PTX ISA: "mbarrier.arrive", `.expect_tx`.
__device__ __forceinline__ void mbarrier_arrive_expect_tx(int32_t bar, int32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(bytes)
               : "memory");
}

/// Waits until the phase of the given parity has completed (acquire, CTA scope). On a fresh barrier
/// parity 1 passes at once. PTX ISA: "mbarrier.test_wait / mbarrier.try_wait".
__device__ __forceinline__ void mbarrier_wait_parity(int32_t bar, int32_t parity) {
  asm volatile("{\n\t"
               ".reg .pred done;\n\t"
               "again:\n\t"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n\t"
               "@!done bra again;\n\t"
               "}" ::"r"(bar),
               "r"(parity)
               : "memory");
}

/// Arrives once when all earlier cp_async of this thread have landed; the arrival is one of those
/// that mbarrier_init counted. PTX ISA: "cp.async.mbarrier.arrive", `.noinc`.
__device__ __forceinline__ void cp_async_mbarrier_arrive(int32_t bar) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(bar) : "memory");
}

} // namespace tw
