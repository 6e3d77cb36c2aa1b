// SPDX-License-Identifier: Apache-2.0
//
// The seam between kernel text that a host compiler has compiled and the emulator: a table of
// functions, one for each function of the device library that is more than arithmetic. What is a
// template parameter there is an argument here; the last argument is the line of the kernel text.
// Plain C++ without standard headers, for it is compiled with every kernel.
#pragma once

#include <stdint.h>

namespace tw {
struct tensor_map;
} // namespace tw

namespace tw::emulator {

/// Changes with every change of Api: a kernel compiled for another one is not loaded.
inline constexpr int32_t kApiVersion = 1;

enum class scope { cta, cluster, gpu };

/// A wgmma of 64 x n x 16, as one thread of the warpgroup issues it.
struct wgmma_call {
  int32_t n;
  /// Operands are half; else bf16.
  bool is_half;
  /// The operand is MN-major.
  bool trans_a;
  bool trans_b;
  bool scale_d;
  /// The thread's n / 2 accumulators.
  float *acc;
  /// The thread's four registers of A; null if A is in shared memory.
  const uint32_t *a;
  uint64_t desc_a;
  uint64_t desc_b;
};

struct Api {
  int32_t version;

  // Who am I.
  int32_t (*thread_id)();
  int32_t (*cta_id)();
  int32_t (*grid_size)();
  int32_t (*cluster_rank)();
  int32_t (*cluster_id)();
  int32_t (*cluster_count)();

  // Warps.
  bool (*elect_one)(int32_t line);
  uint32_t (*shuffle)(uint32_t value, int32_t source_lane, int32_t line);
  bool (*vote_any)(bool value, int32_t line);
  void (*warp_sync)(int32_t line);
  void (*setmaxnreg)(int32_t registers, bool increase, int32_t line);

  // Barriers and fences.
  void (*cta_sync)(int32_t line);
  void (*barrier_sync)(int32_t id, int32_t threads, int32_t line);
  void (*barrier_arrive)(int32_t id, int32_t threads, int32_t line);
  void (*cluster_arrive)(int32_t line);
  void (*cluster_wait)(int32_t line);
  void (*fence_proxy_async_shared)(int32_t line);
  void (*fence_proxy_async_global)(int32_t line);
  void (*fence_acq_rel)(scope reach, int32_t line);
  void (*grid_dependency_wait)(int32_t line);
  void (*grid_dependency_launch)(int32_t line);

  // mbarriers.
  void (*mbarrier_init)(int32_t bar, int32_t count, int32_t line);
  void (*fence_mbarrier_init)(int32_t line);
  void (*mbarrier_arrive)(int32_t bar, int32_t line);
  void (*mbarrier_arrive_remote)(int32_t bar, int32_t rank, int32_t line);
  void (*mbarrier_arrive_expect_tx)(int32_t bar, int32_t bytes, int32_t line);
  void (*mbarrier_wait_parity)(int32_t bar, int32_t parity, int32_t line);
  void (*cp_async_mbarrier_arrive)(int32_t bar, int32_t line);

  // Shared memory.
  int32_t (*smem_base)();
  void (*ld_shared)(int32_t addr, int32_t bytes, void *out, int32_t line);
  void (*st_shared)(int32_t addr, int32_t bytes, const void *in, int32_t line);
  void (*ldmatrix)(int32_t count, bool trans, int32_t addr, uint32_t *r, int32_t line);
  void (*stmatrix)(int32_t count, bool trans, int32_t addr, const uint32_t *r, int32_t line);
  void (*st_async)(int32_t addr, uint32_t bits, int32_t bar, int32_t rank, int32_t line);

  // Global memory.
  void (*ld_global)(const void *ptr, int32_t bytes, void *out, int32_t line);
  void (*st_global)(void *ptr, int32_t bytes, const void *in, int32_t line);
  void (*cp_async)(int32_t bytes, int32_t dst, const void *ptr, int32_t src_bytes, int32_t line);
  void (*cp_async_commit)(int32_t line);
  void (*cp_async_wait)(int32_t outstanding, int32_t line);
  void (*red_add)(float *ptr, float value, int32_t line);
  int32_t (*atomic_add)(int32_t *ptr, int32_t value, int32_t line);
  int32_t (*ld_acquire)(const int32_t *ptr, int32_t line);
  void (*red_release)(int32_t *ptr, int32_t value, int32_t line);

  // The tensor memory accelerator. `coordinates` has `rank` of them, the innermost first.
  void (*prefetch_tensormap)(const tensor_map *map, int32_t line);
  /// mask < 0: this CTA; else every CTA of the mask.
  void (*tma_load)(const tensor_map *map, int32_t rank, const int32_t *coordinates, int32_t shared,
                   int32_t bar, int32_t mask, int32_t line);
  void (*tma_store)(const tensor_map *map, int32_t rank, const int32_t *coordinates, int32_t shared,
                    int32_t line);
  void (*tma_reduce_add)(const tensor_map *map, int32_t rank, const int32_t *coordinates,
                         int32_t shared, int32_t line);
  void (*tma_prefetch)(const tensor_map *map, int32_t rank, const int32_t *coordinates,
                       int32_t line);
  void (*bulk_load)(int32_t dst, const void *ptr, int32_t bytes, int32_t bar, int32_t line);
  void (*bulk_store)(void *ptr, int32_t src, int32_t bytes, int32_t line);
  void (*bulk_reduce_add)(float *ptr, int32_t src, int32_t bytes, int32_t line);
  void (*bulk_commit)(int32_t line);
  void (*bulk_wait)(int32_t outstanding, bool read, int32_t line);

  // wgmma. The fence names the registers that it orders; `a` may be null.
  void (*wgmma_fence)(float *acc, int32_t n, const uint32_t *a, int32_t m, int32_t line);
  void (*wgmma)(const wgmma_call *call, int32_t line);
  void (*wgmma_commit)(int32_t line);
  /// `acc` may be null: the wait names no registers.
  void (*wgmma_wait)(int32_t outstanding, float *acc, int32_t n, int32_t line);
};

/// The table that this kernel calls; set before its first thread runs.
inline const Api *api = nullptr;

/// Calls a kernel with the parameters that `values` point to.
template <int... I>
struct indices {};
template <int N, int... I>
struct make_indices : make_indices<N - 1, N - 1, I...> {};
template <int... I>
struct make_indices<0, I...> {
  using type = indices<I...>;
};
template <class... P, int... I>
void call(void (*kernel)(P...), void *const *values, indices<I...>) {
  kernel(*static_cast<P *>(values[I])...);
}
template <class... P>
void call(void (*kernel)(P...), void *const *values) {
  call(kernel, values, typename make_indices<sizeof...(P)>::type());
}

} // namespace tw::emulator
