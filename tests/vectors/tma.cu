// SPDX-License-Identifier: Apache-2.0
//
// What tensor copies do to shared and global memory: every swizzle mode, boxes beyond the tensor,
// multicast, stores, additions.
#include "tilewright/barriers.cuh"
#include "tilewright/fences.cuh"
#include "tilewright/global.cuh"
#include "tilewright/mbarrier.cuh"
#include "tilewright/shared.cuh"
#include "tilewright/tma.cuh"
#include "tilewright/types.cuh"
#include "tilewright/warp.cuh"

namespace {

// One barrier of one arrival behind the data; everybody knows it afterwards.
__device__ __forceinline__ void prepare(int32_t bar) {
  if (tw::thread_id() == 0) {
    tw::mbarrier_init(bar, 1);
    tw::fence_mbarrier_init();
  }
  tw::cta_sync();
}

// Shared memory as it is, 128 threads.
__device__ __forceinline__ void dump(int32_t *out, int32_t shared, int32_t bytes) {
  for (int32_t i = tw::thread_id(); i < bytes / 4; i += 128)
    tw::st_global(out, int64_t(i), tw::ld_shared<int32_t>(shared + 4 * i));
}

} // namespace

// One box of 16 rows, loaded to shared memory and dumped.
extern "C" __global__
__launch_bounds__(128, 1) void load(const __grid_constant__ tw::tensor_map map, int32_t *out,
                                    int32_t x, int32_t y, int32_t bytes) {
  const int32_t smem = tw::smem_base();
  const int32_t bar = smem + 8192;
  prepare(bar);
  if (tw::thread_id() == 0) {
    tw::mbarrier_arrive_expect_tx(bar, bytes);
    tw::tma_load<2>(map, smem, bar, x, y);
  }
  tw::mbarrier_wait_parity(bar, 0);
  dump(out, smem, bytes);
}

// Each CTA of a pair loads half of the rows for both; each dumps all.
extern "C" __global__
__launch_bounds__(128, 1) void multicast(const __grid_constant__ tw::tensor_map map, int32_t *out,
                                         int32_t bytes) {
  const int32_t smem = tw::smem_base();
  const int32_t bar = smem + 8192;
  const int32_t rank = tw::cluster_rank();
  prepare(bar);
  tw::cluster_arrive();
  tw::cluster_wait();
  if (tw::thread_id() == 0) {
    tw::mbarrier_arrive_expect_tx(bar, bytes);
    tw::tma_load_multicast<2>(map, smem + rank * (bytes / 2), bar, 3, 0, rank * 8);
  }
  tw::mbarrier_wait_parity(bar, 0);
  dump(out + rank * (bytes / 4), smem, bytes);
  tw::cluster_arrive();
  tw::cluster_wait();
}

// Counts up through shared memory, then stores it as a box.
extern "C" __global__ __launch_bounds__(128,
                                        1) void store(const __grid_constant__ tw::tensor_map map,
                                                      int32_t x, int32_t y, int32_t bytes) {
  const int32_t smem = tw::smem_base();
  for (int32_t i = tw::thread_id(); i < bytes / 4; i += 128)
    tw::st_shared<int32_t>(smem + 4 * i, 0x00010000 * (2 * i + 1) + 2 * i);
  tw::fence_proxy_async_shared();
  tw::cta_sync();
  if (tw::thread_id() == 0) {
    tw::tma_store<2>(map, smem, x, y);
    tw::bulk_commit();
    tw::bulk_wait<0>();
  }
}

// The same with floats, added to what is there.
extern "C" __global__ __launch_bounds__(128,
                                        1) void reduce(const __grid_constant__ tw::tensor_map map,
                                                       int32_t x, int32_t y, int32_t bytes) {
  const int32_t smem = tw::smem_base();
  for (int32_t i = tw::thread_id(); i < bytes / 4; i += 128)
    tw::st_shared<float>(smem + 4 * i, static_cast<float>(i));
  tw::fence_proxy_async_shared();
  tw::cta_sync();
  if (tw::thread_id() == 0) {
    tw::tma_reduce_add<2>(map, smem, x, y);
    tw::bulk_commit();
    tw::bulk_wait<0>();
  }
}
