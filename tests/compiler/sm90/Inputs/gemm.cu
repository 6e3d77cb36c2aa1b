#include "tilewright/barriers.cuh"
#include "tilewright/cursor.cuh"
#include "tilewright/fences.cuh"
#include "tilewright/fragment.cuh"
#include "tilewright/global.cuh"
#include "tilewright/mbarrier.cuh"
#include "tilewright/scheduler.cuh"
#include "tilewright/shared.cuh"
#include "tilewright/tma.cuh"
#include "tilewright/types.cuh"
#include "tilewright/warp.cuh"
#include "tilewright/wgmma.cuh"
#include "tilewright/wgmma_n128.cuh"

constexpr int32_t kTileM = 128;
constexpr int32_t kTileN = 128;
constexpr int32_t kTileK = 64;
constexpr int32_t kStages = 4;
constexpr int32_t kABytes = 16384;
constexpr int32_t kStageBytes = 32768;
constexpr int32_t kOutOffset = 131072;
constexpr int32_t kFullOffset = 163840;
constexpr int32_t kEmptyOffset = 163872;
constexpr int32_t kLoadRegisters = 40;
constexpr int32_t kGroup = 8;
constexpr int32_t kMmaRegisters = 232;

extern "C" __global__ __launch_bounds__(384, 1) void gemm(
    const __grid_constant__ tw::tensor_map a_map, const __grid_constant__ tw::tensor_map b_map,
    const __grid_constant__ tw::tensor_map d_map, const tw::bf16 *bias, int32_t m, int32_t n,
    int32_t k) {
  const int32_t smem = tw::smem_base();
  const int32_t full = smem + kFullOffset;
  const int32_t empty = smem + kEmptyOffset;
  const int32_t warpgroup = tw::warpgroup_id();

  // Barriers: the producer arms `full`, both consumers release `empty`.
  if (tw::thread_id() == 0) {
    tw::prefetch_tensormap(a_map);
    tw::prefetch_tensormap(b_map);
    tw::prefetch_tensormap(d_map);
    for (int32_t i = 0; i < kStages; ++i) {
      const int32_t v1 = i * 8;
      tw::mbarrier_init(full + v1, 1);
      tw::mbarrier_init(empty + v1, 2);
    }
    tw::fence_mbarrier_init();
  }

  tw::cta_sync();

  // Persistent: each CTA takes every grid_size-th tile.
  const int32_t tiles_m = (m + kTileM - 1) / kTileM;
  const int32_t tiles_n = (n + kTileN - 1) / kTileN;
  const int32_t steps = (k + kTileK - 1) / kTileK;
  const int32_t first_tile = tw::cta_id();
  const int32_t ctas = tw::grid_size();
  const int32_t tiles = tiles_m * tiles_n;

  if (warpgroup == 0) {
    // Role load: one warp keeps the ring full.
    tw::setmaxnreg_dec<kLoadRegisters>();
    if (tw::warp_id() == 0) {
      if (tw::elect_one()) {
        tw::cursor slot = tw::producer_cursor();
        #pragma unroll 1
        for (int32_t i = first_tile; i < tiles; i += ctas) {
          const tw::tile2 coords = tw::raster_grouped<kGroup>(i, tiles_m, tiles_n);
          const int32_t row = tw::tile_m(coords) * kTileM;
          const int32_t column = tw::tile_n(coords) * kTileN;
          #pragma unroll 1
          for (int32_t j = 0; j < steps; ++j) {
            const int32_t stage = tw::stage(slot);
            tw::mbarrier_wait_parity(empty + stage * 8, tw::phase(slot));
            const int32_t full_bar = full + stage * 8;
            tw::mbarrier_arrive_expect_tx(full_bar, kStageBytes);
            const int32_t a_slot = smem + stage * kStageBytes;
            const int32_t depth = j * kTileK;
            tw::tma_load<2>(a_map, a_slot, full_bar, depth, row);
            tw::tma_load<2>(b_map, a_slot + kABytes, full_bar, depth, column);
            slot = tw::advance<kStages>(slot);
          }
        }
      }
    }
  } else {
    // Role mma: two warpgroups, 64 rows of the tile each.
    tw::setmaxnreg_inc<kMmaRegisters>();
    float acc[64];
    uint32_t packed[32];
    const int32_t half_row = (warpgroup - 1) * 64;
    const int32_t lane = tw::lane_id();
    const int32_t warp = tw::warp_id() % 4;
    tw::cursor slot = tw::consumer_cursor();
    #pragma unroll 1
    for (int32_t i = first_tile; i < tiles; i += ctas) {
      #pragma unroll 1
      for (int32_t j = 0; j < steps; ++j) {
        const int32_t stage = tw::stage(slot);
        const int32_t bar_offset = stage * 8;
        tw::mbarrier_wait_parity(full + bar_offset, tw::phase(slot));
        const int32_t slot_base = smem + stage * kStageBytes;
        const int64_t desc_a = tw::smem_descriptor<128>(slot_base + half_row * 128);
        const int64_t desc_b = tw::smem_descriptor<128>(slot_base + kABytes);
        tw::wgmma_fence(acc);
        #pragma unroll
        for (int32_t i_2 = 0; i_2 < 4; ++i_2) {
          const int32_t bytes = i_2 * 32;
          tw::wgmma_ss<kTileN, tw::bf16>(acc, tw::descriptor_advance(desc_a, bytes),
              tw::descriptor_advance(desc_b, bytes), (j | i_2) != 0);
        }
        tw::wgmma_commit();
        tw::wgmma_wait<0>(acc);
        const bool elected = tw::elect_one();
        if (warp == 0 && elected) {
          tw::mbarrier_arrive(empty + bar_offset);
        }
        slot = tw::advance<kStages>(slot);
      }

      // Epilogue: add the bias, round, stage the tile in shared memory and store it.
      const tw::tile2 coords = tw::raster_grouped<kGroup>(i, tiles_m, tiles_n);
      const int32_t row = tw::tile_m(coords) * kTileM;
      const int32_t column = tw::tile_n(coords) * kTileN;
      const int32_t pair = (lane % 4) * 2;
      #pragma unroll
      for (int32_t j = 0; j < 64; ++j) {
        const int32_t x = column + (j / 4) * 8 + pair + j % 2;
        acc[j] += tw::ld_global_if(bias, int64_t(x), x < n);
      }
      tw::pack<tw::bf16>(packed, acc);
      tw::bulk_wait_read<0>();
      const int32_t barrier = warpgroup + 1;
      tw::barrier_sync<128>(barrier);
      const int32_t out = smem + kOutOffset + half_row * 128;
      const int32_t out_row = warp * 16 + lane % 16;
      #pragma unroll
      for (int32_t j = 0; j < 8; ++j) {
        const int32_t v2 = out + (j / 4) * kABytes +
            tw::swizzle<128>(out_row * 128 + (j % 4) * 32 + (lane / 16) * 16);
        tw::stmatrix<4>(v2, packed, j * 4);
      }
      tw::fence_proxy_async_shared();
      tw::barrier_sync<128>(barrier);
      const bool elected = tw::elect_one();
      if (warp == 0 && elected) {
        const int32_t y = row + half_row;
        tw::tma_store<2>(d_map, out, column, y);
        tw::tma_store<2>(d_map, out + kABytes, column + 64, y);
        tw::bulk_commit();
      }
    }
    tw::bulk_wait<0>();
  }
}
