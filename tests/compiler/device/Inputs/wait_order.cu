// SPDX-License-Identifier: Apache-2.0
//
// 64 exponentials under a running wgmma, then its wait. BOUNDARY is what the test puts between.
#include "tilewright/math.cuh"
#include "tilewright/shared.cuh"
#include "tilewright/warp.cuh"
#include "tilewright/wgmma_n128.cuh"

extern "C" __global__ void __launch_bounds__(128, 1) k(float *data, int32_t steps) {
  const int32_t smem = tw::smem_base();
  float acc[64];
  float p[64];
  for (int32_t i = 0; i < 64; i += 1) {
    acc[i] = 0.0f;
    p[i] = data[i];
  }
#pragma unroll 1
  for (int32_t s = 0; s < steps; s += 1) {
    tw::wgmma_fence(acc);
    tw::wgmma_ss<128, tw::bf16>(acc, tw::smem_descriptor<128>(smem),
                                tw::smem_descriptor<128>(smem + 16384), 1);
    tw::wgmma_commit();
    for (int32_t i = 0; i < 64; i += 1)
      p[i] = tw::exp2(p[i]);
    BOUNDARY;
    tw::wgmma_wait<0>(acc);
    for (int32_t i = 0; i < 64; i += 1)
      p[i] += acc[i];
  }
  for (int32_t i = 0; i < 64; i += 1)
    data[tw::thread_id() * 64 + i] = p[i];
}
