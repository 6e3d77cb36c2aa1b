#include "tilewright/barriers.cuh"
#include "tilewright/global.cuh"
#include "tilewright/shared.cuh"
#include "tilewright/tma.cuh"
#include "tilewright/types.cuh"

constexpr float kLimit = 0.5f;
constexpr int32_t kStages = 4;

extern "C" __global__ __launch_bounds__(256, 1) void statements(
    const __grid_constant__ tw::tensor_map map, const tw::bf16 *bias, float *out, int32_t role,
    int64_t offset, float alpha) {
  // A comment at the head of a block has no empty line before it.
  const int32_t smem = tw::smem_base();

  // Two lines
  // of one comment.
  tw::cta_sync();
  const bool v1 = role == 0;
  const bool v2 = role == 1;

  if (v1) {
    // First.
    tw::warp_sync();
  } else if (v2) {
    // Not first: second?
    tw::warp_sync();
  } else if (role == 2) {
    tw::cta_sync();
  } else {
    tw::cluster_wait();
  }

  if (v1) {
    tw::warp_sync();
  } else {
    tw::cta_sync();
    if (v2) {
      tw::warp_sync();
    }
  }

  #pragma unroll 1
  for (int32_t i = 0; i < kStages; ++i) {
    #pragma unroll
    for (int32_t j = 0; j < kStages; j += 2) {
      tw::tma_load_multicast<4, tw::cache::evict_first>(map, smem, smem, 3, i, j, 3, role);
    }
    const float a_rather_long_name_for_a_scaled_value = tw::ld_global(bias, offset) * alpha;
    tw::st_global(out, offset,
        ((a_rather_long_name_for_a_scaled_value + alpha) * a_rather_long_name_for_a_scaled_value +
        kLimit) * a_rather_long_name_for_a_scaled_value);
  }

  // The end.
  tw::cta_sync();
}
