// SPDX-License-Identifier: Apache-2.0
//
// What wgmma reads through its descriptors, and which thread holds what of the result: K-major and
// MN-major operands in every swizzle mode, A from registers. The accumulators are dumped as each
// thread has them. A is 64 x K, B is N x K; both count small numbers, so that every sum is exact.
#include "tilewright/barriers.cuh"
#include "tilewright/fragment.cuh"
#include "tilewright/global.cuh"
#include "tilewright/mbarrier.cuh"
#include "tilewright/shared.cuh"
#include "tilewright/tma.cuh"
#include "tilewright/types.cuh"
#include "tilewright/warp.cuh"
#include "tilewright/wgmma_n128.cuh"
#include "tilewright/wgmma_n16.cuh"

namespace {

constexpr int32_t kB = 16384;
constexpr int32_t kBarrier = 49152;

__device__ __forceinline__ void prepare(int32_t bar, int32_t bytes) {
  if (tw::thread_id() == 0) {
    tw::mbarrier_init(bar, 1);
    tw::fence_mbarrier_init();
  }
  tw::cta_sync();
  if (tw::thread_id() == 0)
    tw::mbarrier_arrive_expect_tx(bar, bytes);
}

template <int N>
__device__ __forceinline__ void dump(float *out, float (&acc)[N]) {
#pragma unroll
  for (int32_t i = 0; i < N; ++i)
    tw::st_global(out, int64_t(tw::thread_id() * N + i), acc[i]);
}

// Rows of K, Swizzle bytes wide: one panel for each operand.
template <int Swizzle>
__device__ __forceinline__ void k_major(const tw::tensor_map &a, const tw::tensor_map &b,
                                        float *out) {
  const int32_t smem = tw::smem_base();
  const int32_t bar = smem + kBarrier;
  prepare(bar, (64 + 16) * Swizzle);
  if (tw::thread_id() == 0) {
    tw::tma_load<2>(a, smem, bar, 0, 0);
    tw::tma_load<2>(b, smem + kB, bar, 0, 0);
  }
  tw::mbarrier_wait_parity(bar, 0);
  float acc[8];
  tw::fill(acc, 0.0f);
  tw::wgmma_fence(acc);
#pragma unroll
  for (int32_t k = 0; k < Swizzle / 32; ++k)
    tw::wgmma_ss<16, tw::bf16>(
        acc, tw::descriptor_advance(tw::smem_descriptor<Swizzle>(smem), 32 * k),
        tw::descriptor_advance(tw::smem_descriptor<Swizzle>(smem + kB), 32 * k), 1);
  tw::wgmma_commit();
  tw::wgmma_wait<0>(acc);
  dump(out, acc);
}

// Columns of M and N, in panels of Swizzle bytes; 64 deep.
template <int Swizzle>
__device__ __forceinline__ void mn_major(const tw::tensor_map &a, const tw::tensor_map &b,
                                         float *out) {
  constexpr int32_t kDepth = 64;
  constexpr int32_t kPanel = kDepth * Swizzle;
  constexpr int32_t kColumns = Swizzle / 2;
  const int32_t smem = tw::smem_base();
  const int32_t bar = smem + kBarrier;
  prepare(bar, (64 + 128) * 2 * kDepth);
  if (tw::thread_id() == 0) {
    for (int32_t panel = 0; panel < 64 / kColumns; ++panel)
      tw::tma_load<2>(a, smem + panel * kPanel, bar, panel * kColumns, 0);
    for (int32_t panel = 0; panel < 128 / kColumns; ++panel)
      tw::tma_load<2>(b, smem + kB + panel * kPanel, bar, panel * kColumns, 0);
  }
  tw::mbarrier_wait_parity(bar, 0);
  float acc[64];
  tw::fill(acc, 0.0f);
  tw::wgmma_fence(acc);
#pragma unroll
  for (int32_t k = 0; k < kDepth / 16; ++k)
    tw::wgmma_ss<128, tw::bf16, 1, 1>(
        acc, tw::smem_descriptor<Swizzle>(smem + k * 16 * Swizzle, kPanel, 8 * Swizzle),
        tw::smem_descriptor<Swizzle>(smem + kB + k * 16 * Swizzle, kPanel, 8 * Swizzle), 1);
  tw::wgmma_commit();
  tw::wgmma_wait<0>(acc);
  dump(out, acc);
}

} // namespace

#define TW_KERNEL(name, body)                                                                      \
  extern "C" __global__ __launch_bounds__(128, 1) void name(                                       \
      const __grid_constant__ tw::tensor_map a, const __grid_constant__ tw::tensor_map b,          \
      float *out) {                                                                                \
    body(a, b, out);                                                                               \
  }
TW_KERNEL(k_major_128, k_major<128>)
TW_KERNEL(k_major_64, k_major<64>)
TW_KERNEL(k_major_32, k_major<32>)
TW_KERNEL(mn_major_128, mn_major<128>)
TW_KERNEL(mn_major_64, mn_major<64>)
TW_KERNEL(mn_major_32, mn_major<32>)
#undef TW_KERNEL

// Without a swizzle: columns of 8 elements of K, rows behind one another.
extern "C" __global__
__launch_bounds__(128, 1) void k_major_0(const __grid_constant__ tw::tensor_map a,
                                         const __grid_constant__ tw::tensor_map b, float *out) {
  const int32_t smem = tw::smem_base();
  const int32_t bar = smem + kBarrier;
  prepare(bar, (64 + 16) * 32);
  if (tw::thread_id() == 0)
    for (int32_t column = 0; column < 2; ++column) {
      tw::tma_load<2>(a, smem + column * 1024, bar, column * 8, 0);
      tw::tma_load<2>(b, smem + kB + column * 256, bar, column * 8, 0);
    }
  tw::mbarrier_wait_parity(bar, 0);
  float acc[8];
  tw::fill(acc, 0.0f);
  tw::wgmma_fence(acc);
  tw::wgmma_ss<16, tw::bf16>(acc, tw::smem_descriptor<0>(smem, 1024, 128),
                             tw::smem_descriptor<0>(smem + kB, 256, 128), 1);
  tw::wgmma_commit();
  tw::wgmma_wait<0>(acc);
  dump(out, acc);
}

// A from registers, brought there by ldmatrix from rows that TMA swizzled.
extern "C" __global__
__launch_bounds__(128, 1) void a_in_registers(const __grid_constant__ tw::tensor_map a,
                                              const __grid_constant__ tw::tensor_map b,
                                              float *out) {
  const int32_t smem = tw::smem_base();
  const int32_t bar = smem + kBarrier;
  prepare(bar, (64 + 16) * 128);
  if (tw::thread_id() == 0) {
    tw::tma_load<2>(a, smem, bar, 0, 0);
    tw::tma_load<2>(b, smem + kB, bar, 0, 0);
  }
  tw::mbarrier_wait_parity(bar, 0);
  const int32_t lane = tw::lane_id();
  const int32_t row = tw::warp_id() * 16 + lane % 16;
  uint32_t fragments[16];
#pragma unroll
  for (int32_t k = 0; k < 4; ++k)
    tw::ldmatrix<4>(smem + tw::swizzle<128>(row * 128 + k * 32 + lane / 16 * 16), fragments, 4 * k);
  float acc[8];
  tw::fill(acc, 0.0f);
  tw::wgmma_fence(acc, fragments);
  const uint64_t first = tw::smem_descriptor<128>(smem + kB);
  tw::wgmma_rs<16, tw::bf16, 0, 0, 0>(acc, fragments, first, 1);
  tw::wgmma_rs<16, tw::bf16, 0, 0, 1>(acc, fragments, tw::descriptor_advance(first, 32), 1);
  tw::wgmma_rs<16, tw::bf16, 0, 0, 2>(acc, fragments, tw::descriptor_advance(first, 64), 1);
  tw::wgmma_rs<16, tw::bf16, 0, 0, 3>(acc, fragments, tw::descriptor_advance(first, 96), 1);
  tw::wgmma_commit();
  tw::wgmma_wait<0>(acc);
  dump(out, acc);
}
