// SPDX-License-Identifier: Apache-2.0
//
// Where ldmatrix and stmatrix put what each lane holds, and what cp.async fills up with zeros.
#include "tilewright/barriers.cuh"
#include "tilewright/global.cuh"
#include "tilewright/shared.cuh"
#include "tilewright/types.cuh"
#include "tilewright/warp.cuh"

// Each lane stores four registers that say who it is; shared memory is dumped.
template <bool Trans>
__device__ __forceinline__ void store_matrices(int32_t *out) {
  const int32_t smem = tw::smem_base();
  const int32_t lane = tw::lane_id();
  uint32_t r[4];
  for (int32_t i = 0; i < 4; ++i)
    r[i] = 0x01000100u * static_cast<uint32_t>(i) +
           0x00010000u * static_cast<uint32_t>(2 * lane + 1) + static_cast<uint32_t>(2 * lane);
  tw::stmatrix<4, Trans>(smem + lane * 16, r);
  tw::warp_sync();
  for (int32_t i = lane; i < 128; i += 32)
    tw::st_global(out, int64_t(i), tw::ld_shared<int32_t>(smem + 4 * i));
}

// The other way: shared memory counts up, and the registers are dumped.
template <bool Trans>
__device__ __forceinline__ void load_matrices(int32_t *out) {
  const int32_t smem = tw::smem_base();
  const int32_t lane = tw::lane_id();
  for (int32_t i = lane; i < 128; i += 32)
    tw::st_shared<int32_t>(smem + 4 * i, 0x00010000 * (2 * i + 1) + 2 * i);
  tw::warp_sync();
  uint32_t r[4];
  tw::ldmatrix<4, Trans>(smem + lane * 16, r);
  for (int32_t i = 0; i < 4; ++i)
    tw::st_global(out, int64_t(lane * 4 + i), static_cast<int32_t>(r[i]));
}

extern "C" __global__ __launch_bounds__(32, 1) void stmatrix(int32_t *out) {
  store_matrices<false>(out);
}
extern "C" __global__ __launch_bounds__(32, 1) void stmatrix_trans(int32_t *out) {
  store_matrices<true>(out);
}
extern "C" __global__ __launch_bounds__(32, 1) void ldmatrix(int32_t *out) {
  load_matrices<false>(out);
}
extern "C" __global__ __launch_bounds__(32, 1) void ldmatrix_trans(int32_t *out) {
  load_matrices<true>(out);
}

// Lane l copies 16 bytes of which only l % 17 come from memory.
extern "C" __global__ __launch_bounds__(32, 1) void cp_async(const tw::bf16 *in, int32_t *out) {
  const int32_t smem = tw::smem_base();
  const int32_t lane = tw::lane_id();
  tw::cp_async<16>(smem + lane * 16, in + lane * 8, lane % 17);
  tw::cp_async_commit();
  tw::cp_async_wait<0>();
  tw::warp_sync();
  for (int32_t i = lane; i < 128; i += 32)
    tw::st_global(out, int64_t(i), tw::ld_shared<int32_t>(smem + 4 * i));
}
