// SPDX-License-Identifier: Apache-2.0
//
// Fences between proxies and between threads.
#pragma once

namespace tw {

/// Ordinary writes of this thread to shared memory become visible to TMA and wgmma; each writer
/// calls it after its last write and before the barrier that hands the data over.
/// PTX ISA: "membar / fence", `fence.proxy`.
__device__ __forceinline__ void fence_proxy_async_shared() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// The same for global memory that TMA reads or writes. PTX ISA: "membar / fence", `fence.proxy`.
__device__ __forceinline__ void fence_proxy_async_global() {
  asm volatile("fence.proxy.async.global;" ::: "memory");
}

/// Orders memory accesses of this thread for observers in its CTA.
/// PTX ISA: "membar / fence".
__device__ __forceinline__ void fence_acq_rel_cta() {
  asm volatile("fence.acq_rel.cta;" ::: "memory");
}

/// The same for observers in the cluster. PTX ISA: "membar / fence".
__device__ __forceinline__ void fence_acq_rel_cluster() {
  asm volatile("fence.acq_rel.cluster;" ::: "memory");
}

/// The same for observers on the whole GPU. PTX ISA: "membar / fence".
__device__ __forceinline__ void fence_acq_rel_gpu() {
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
}

} // namespace tw
