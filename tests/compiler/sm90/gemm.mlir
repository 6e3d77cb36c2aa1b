// SPDX-License-Identifier: Apache-2.0
// A warp-specialised GEMM in the machine dialect, D[M, N] = A[M, K]·B[N, K]ᵀ, 128x128x64 in 4 stages: what the
// text of a real kernel looks like. The text is compared whole.
// RUN: tw-opt %s --sm90-to-emitc --emitc-prepare | tw-translate --emitc-to-cuda > %t.cu
// RUN: diff %S/Inputs/gemm.cu.golden %t.cu

// Shared memory: stages of A (16 KiB) and B (16 KiB), the output tile (32 KiB), barriers.
sm90.kernel @gemm(%a_map: !sm90.tensor_map loc("a_map"), %b_map: !sm90.tensor_map loc("b_map"),
                  %d_map: !sm90.tensor_map loc("d_map"), %bias: !sm90.ptr<const bf16> loc("bias"),
                  %m: i32 loc("m"), %n: i32 loc("n"), %k: i32 loc("k"))
    attributes {threads = 384 : i32, shared_bytes = 163904 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c4 = arith.constant 4 : i32
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %tile_m = sm90.named_constant "kTileM" 128 : i32
  %tile_n = sm90.named_constant "kTileN" 128 : i32
  %tile_k = sm90.named_constant "kTileK" 64 : i32
  %stages = sm90.named_constant "kStages" 4 : i32
  %a_bytes = sm90.named_constant "kABytes" 16384 : i32
  %stage_bytes = sm90.named_constant "kStageBytes" 32768 : i32
  %out_offset = sm90.named_constant "kOutOffset" 131072 : i32
  %full_offset = sm90.named_constant "kFullOffset" 163840 : i32
  %empty_offset = sm90.named_constant "kEmptyOffset" 163872 : i32

  %smem = sm90.smem_base loc("smem")
  %full = arith.addi %smem, %full_offset : i32 loc("full")
  %empty = arith.addi %smem, %empty_offset : i32 loc("empty")
  %warpgroup = sm90.warpgroup_id loc("warpgroup")

  sm90.comment "Barriers: the producer arms `full`, both consumers release `empty`."
  %thread = sm90.thread_id
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  scf.if %is_first {
    sm90.prefetch_tensormap %a_map
    sm90.prefetch_tensormap %b_map
    sm90.prefetch_tensormap %d_map
    scf.for %stage = %c0 to %stages step %c1 : i32 {
      %bytes = arith.muli %stage, %c8 : i32
      %full_bar = arith.addi %full, %bytes : i32
      sm90.mbarrier_init %full_bar, %c1
      %empty_bar = arith.addi %empty, %bytes : i32
      sm90.mbarrier_init %empty_bar, %c2
    }
    sm90.fence_mbarrier_init
  }
  sm90.cta_sync

  sm90.comment "Persistent: each CTA takes every grid_size-th tile."
  %tiles_m = arith.ceildivsi %m, %tile_m : i32 loc("tiles_m")
  %tiles_n = arith.ceildivsi %n, %tile_n : i32 loc("tiles_n")
  %steps = arith.ceildivsi %k, %tile_k : i32 loc("steps")
  %first = sm90.cta_id loc("first_tile")
  %ctas = sm90.grid_size
  %tiles = arith.muli %tiles_m, %tiles_n : i32 loc("tiles")

  %is_producer = arith.cmpi eq, %warpgroup, %c0 : i32
  scf.if %is_producer {
    sm90.comment "Role load: one warp keeps the ring full."
    sm90.setmaxnreg_dec registers<kLoadRegisters = 40>
    %warp = sm90.warp_id
    %is_load_warp = arith.cmpi eq, %warp, %c0 : i32
    scf.if %is_load_warp {
      %elected = sm90.elect_one
      scf.if %elected {
        %slot0 = sm90.producer_cursor
        scf.for %tile = %first to %tiles step %ctas iter_args(%slot = %slot0) -> (!sm90.cursor) : i32 {
          %coords = sm90.raster_grouped %tile in %tiles_m, %tiles_n group<kGroup = 8> loc("coords")
          %cm = sm90.tile_m %coords
          %row = arith.muli %cm, %tile_m : i32 loc("row")
          %cn = sm90.tile_n %coords
          %column = arith.muli %cn, %tile_n : i32 loc("column")
          %slot_after = scf.for %step = %c0 to %steps step %c1 iter_args(%s = %slot) -> (!sm90.cursor) : i32 {
            %stage = sm90.stage %s loc("stage")
            %bar_offset = arith.muli %stage, %c8 : i32
            %empty_bar = arith.addi %empty, %bar_offset : i32
            %phase = sm90.phase %s
            sm90.mbarrier_wait_parity %empty_bar, %phase
            %bar_offset1 = arith.muli %stage, %c8 : i32
            %full_bar = arith.addi %full, %bar_offset1 : i32 loc("full_bar")
            sm90.mbarrier_arrive_expect_tx %full_bar, %stage_bytes
            %slot_offset = arith.muli %stage, %stage_bytes : i32
            %a_slot = arith.addi %smem, %slot_offset : i32 loc("a_slot")
            %depth = arith.muli %step, %tile_k : i32 loc("depth")
            sm90.tma_load %a_map[%depth, %row] to %a_slot, %full_bar
            %b_slot = arith.addi %a_slot, %a_bytes : i32
            sm90.tma_load %b_map[%depth, %column] to %b_slot, %full_bar
            %next = sm90.advance %s stages<kStages = 4>
            scf.yield %next : !sm90.cursor
          } {tw.unroll = 1 : i32} loc("slot")
          scf.yield %slot_after : !sm90.cursor
        } {tw.unroll = 1 : i32} loc("slot")
      }
    }
  } else {
    sm90.comment "Role mma: two warpgroups, 64 rows of the tile each."
    sm90.setmaxnreg_inc registers<kMmaRegisters = 232>
    %acc = sm90.frag : !sm90.frag<64xf32> loc("acc")
    %packed = sm90.frag : !sm90.frag<32xi32> loc("packed")
    %half = arith.subi %warpgroup, %c1 : i32
    %half_row = arith.muli %half, %c64 : i32 loc("half_row")
    %lane = sm90.lane_id loc("lane")
    %warp0 = sm90.warp_id
    %warp = arith.remsi %warp0, %c4 : i32 loc("warp")
    %slot0 = sm90.consumer_cursor
    scf.for %tile = %first to %tiles step %ctas iter_args(%slot = %slot0) -> (!sm90.cursor) : i32 {
      %slot_after = scf.for %step = %c0 to %steps step %c1 iter_args(%s = %slot) -> (!sm90.cursor) : i32 {
        %stage = sm90.stage %s loc("stage")
        %bar_offset = arith.muli %stage, %c8 : i32 loc("bar_offset")
        %full_bar = arith.addi %full, %bar_offset : i32
        %phase = sm90.phase %s
        sm90.mbarrier_wait_parity %full_bar, %phase

        %slot_offset = arith.muli %stage, %stage_bytes : i32
        %slot_base = arith.addi %smem, %slot_offset : i32 loc("slot_base")
        %rows_offset = arith.muli %half_row, %c128 : i32
        %a_address = arith.addi %slot_base, %rows_offset : i32
        %desc_a = sm90.smem_descriptor %a_address swizzle<128> loc("desc_a")
        %b_address = arith.addi %slot_base, %a_bytes : i32
        %desc_b = sm90.smem_descriptor %b_address swizzle<128> loc("desc_b")
        sm90.wgmma_fence %acc : !sm90.frag<64xf32>
        scf.for %kk = %c0 to %c4 step %c1 : i32 {
          %bytes = arith.muli %kk, %c32 : i32 loc("bytes")
          %da = sm90.descriptor_advance %desc_a, %bytes
          %db = sm90.descriptor_advance %desc_b, %bytes
          %any_before = arith.ori %step, %kk : i32
          %more = arith.cmpi ne, %any_before, %c0 : i32
          sm90.wgmma_ss %acc, %da, %db, %more n<kTileN = 128> bf16 : !sm90.frag<64xf32>, i1
        } {tw.unroll}
        sm90.wgmma_commit
        sm90.wgmma_wait %acc outstanding<0> : !sm90.frag<64xf32>
        %empty_bar = arith.addi %empty, %bar_offset : i32
        %elected = sm90.elect_one
        %is_warp0 = arith.cmpi eq, %warp, %c0 : i32
        %releases = arith.andi %is_warp0, %elected : i1
        scf.if %releases {
          sm90.mbarrier_arrive %empty_bar
        }
        %next = sm90.advance %s stages<kStages = 4>
        scf.yield %next : !sm90.cursor
      } {tw.unroll = 1 : i32} loc("slot")

      sm90.comment "Epilogue: add the bias, round, stage the tile in shared memory and store it."
      %coords = sm90.raster_grouped %tile in %tiles_m, %tiles_n group<kGroup = 8> loc("coords")
      %cm = sm90.tile_m %coords
      %row = arith.muli %cm, %tile_m : i32 loc("row")
      %cn = sm90.tile_n %coords
      %column = arith.muli %cn, %tile_n : i32 loc("column")
      %quad = arith.remsi %lane, %c4 : i32
      %pair = arith.muli %quad, %c2 : i32 loc("pair")
      scf.for %i = %c0 to %c64 step %c1 : i32 {
        %c = arith.divsi %i, %c4 : i32
        %cc = arith.muli %c, %c8 : i32
        %low = arith.remsi %i, %c2 : i32
        %x1 = arith.addi %column, %cc : i32
        %x2 = arith.addi %x1, %pair : i32
        %x3 = arith.addi %x2, %low : i32 loc("x")
        %inside = arith.cmpi slt, %x3, %n : i32
        %x64 = arith.extsi %x3 : i32 to i64
        %b = sm90.ld_global_if %bias[%x64], %inside : !sm90.ptr<const bf16>
        %v = sm90.frag_get %acc[%i] : !sm90.frag<64xf32>
        %sum = arith.addf %v, %b : f32
        sm90.frag_set %sum to %acc[%i] : !sm90.frag<64xf32>
      } {tw.unroll}
      sm90.frag_pack %acc to %packed as bf16 : !sm90.frag<64xf32> to !sm90.frag<32xi32>

      sm90.bulk_wait_read outstanding<0>
      %id = arith.addi %warpgroup, %c1 : i32 loc("barrier")
      sm90.barrier_sync %id threads<128>
      %out0 = arith.addi %smem, %out_offset : i32
      %half_bytes = arith.muli %half_row, %c128 : i32
      %out = arith.addi %out0, %half_bytes : i32 loc("out")
      %r0 = arith.remsi %lane, %c16 : i32
      %r1 = arith.muli %warp, %c16 : i32
      %r2 = arith.addi %r1, %r0 : i32 loc("out_row")
      scf.for %j = %c0 to %c8 step %c1 : i32 {
        %panel = arith.divsi %j, %c4 : i32
        %panel_bytes = arith.muli %panel, %a_bytes : i32
        %within = arith.remsi %j, %c4 : i32
        %within_bytes = arith.muli %within, %c32 : i32
        %high = arith.divsi %lane, %c16 : i32
        %high_bytes = arith.muli %high, %c16 : i32
        %row_bytes = arith.muli %r2, %c128 : i32
        %o1 = arith.addi %row_bytes, %within_bytes : i32
        %o2 = arith.addi %o1, %high_bytes : i32
        %o3 = sm90.swizzle %o2 mode<128>
        %base = arith.addi %out, %panel_bytes : i32
        %address = arith.addi %base, %o3 : i32
        %at = arith.muli %j, %c4 : i32
        sm90.stmatrix %packed[%at] to %address x<4> : !sm90.frag<32xi32>
      } {tw.unroll}
      sm90.fence_proxy_async_shared
      sm90.barrier_sync %id threads<128>
      %elected = sm90.elect_one
      %is_warp0 = arith.cmpi eq, %warp, %c0 : i32
      %stores = arith.andi %is_warp0, %elected : i1
      scf.if %stores {
        %y = arith.addi %row, %half_row : i32 loc("y")
        sm90.tma_store %out to %d_map[%column, %y]
        %out_right = arith.addi %out, %a_bytes : i32
        %right = arith.addi %column, %c64 : i32
        sm90.tma_store %out_right to %d_map[%right, %y]
        sm90.bulk_commit
      }
      scf.yield %slot_after : !sm90.cursor
    } {tw.unroll = 1 : i32} loc("slot")
    sm90.bulk_wait outstanding<0>
  }
  sm90.return
}
