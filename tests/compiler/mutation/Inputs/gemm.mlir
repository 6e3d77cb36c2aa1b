// One tile per warpgroup and step: the shape of a GEMM with everything that can be mutated, and
// nothing that it computes.
sm90.kernel @gemm(%a_map: !sm90.tensor_map, %b_map: !sm90.tensor_map, %d_map: !sm90.tensor_map,
                  %bias: !sm90.ptr<const bf16>, %n: i32, %k: i32)
    attributes {cluster = array<i32: 2, 1, 1>, threads = 384 : i32, shared_bytes = 66000 : i32,
                parameters = [
      {argument = 0 : i64, box = array<i64: 64, 128>, dims = [["arg", 5], ["arg", 4]],
       element = bf16, kind = "map", strides = [["mul", ["arg", 5], 2]], swizzle = 128 : i64}]} {
  %smem = sm90.smem_base
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c4 = arith.constant 4 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %c32768 = arith.constant 32768 : i32
  %b_tiles = arith.addi %smem, %c32768 : i32
  %c65536 = arith.constant 65536 : i32
  %full = arith.addi %smem, %c65536 : i32
  %c65552 = arith.constant 65552 : i32
  %empty = arith.addi %smem, %c65552 : i32
  %thread = sm90.thread_id
  %warp = sm90.warp_id
  %first = arith.cmpi eq, %thread, %c0 : i32
  scf.if %first {
    sm90.prefetch_tensormap %a_map
    scf.for %stage = %c0 to %c2 step %c1 : i32 {
      %c8 = arith.constant 8 : i32
      %offset = arith.muli %stage, %c8 : i32
      %one_full = arith.addi %full, %offset : i32
      sm90.mbarrier_init %one_full, %c1
      %one_empty = arith.addi %empty, %offset : i32
      sm90.mbarrier_init %one_empty, %c4
    }
    sm90.fence_mbarrier_init
  }
  sm90.cluster_arrive
  sm90.cluster_wait
  %loads = arith.cmpi slt, %warp, %c4 : i32
  scf.if %loads {
    sm90.setmaxnreg_dec registers<40>
    %elected = sm90.elect_one
    scf.if %elected {
      %start = sm90.producer_cursor
      %end = scf.for %k0 = %c0 to %k step %c64 iter_args(%at = %start) -> (!sm90.cursor) : i32 {
        %phase = sm90.phase %at
        %free = sm90.barrier_at %empty, %at
        sm90.mbarrier_wait_parity %free, %phase
        %filled = sm90.barrier_at %full, %at
        sm90.mbarrier_arrive_expect_tx %filled, %c32768
        %a = sm90.slot_at %smem, %at bytes<16384>
        %b = sm90.slot_at %b_tiles, %at bytes<16384>
        sm90.tma_load %a_map[%k0, %c0] to %a, %filled
        sm90.tma_load_multicast %b_map[%k0, %c128] to %b, %filled mask %c4
        %next = sm90.advance %at stages<2>
        scf.yield %next : !sm90.cursor
      }
    }
  } else {
    sm90.setmaxnreg_inc registers<232>
    %group_thread = arith.remsi %thread, %c128 : i32
    %lane = sm90.lane_id
    %group = sm90.warpgroup_id
    %elected = sm90.elect_one
    %lead_warp = arith.cmpi eq, %warp, %c4 : i32
    %leader = arith.andi %lead_warp, %elected : i1
    %true = arith.constant true
    %start = sm90.consumer_cursor
    %acc = sm90.frag : <32xf32>
    sm90.frag_leave %acc : <32xf32>
    %ends:2 = scf.for %k0 = %c0 to %k step %c64 iter_args(%at = %start, %done = %start)
        -> (!sm90.cursor, !sm90.cursor) : i32 {
      %phase = sm90.phase %at
      %filled = sm90.barrier_at %full, %at
      sm90.mbarrier_wait_parity %filled, %phase
      %a = sm90.slot_at %smem, %at bytes<16384>
      %b = sm90.slot_at %b_tiles, %at bytes<16384>
      sm90.wgmma_fence %acc : <32xf32>
      %a_desc = sm90.smem_descriptor %a swizzle<128>
      %b_desc = sm90.smem_descriptor %b swizzle<128>
      scf.for %kk = %c0 to %c4 step %c1 : i32 {
        %c32 = arith.constant 32 : i32
        %bytes = arith.muli %kk, %c32 : i32
        %a_at = sm90.descriptor_advance %a_desc, %bytes
        %b_at = sm90.descriptor_advance %b_desc, %bytes
        sm90.wgmma_ss %acc, %a_at, %b_at, %true n<64> bf16 : <32xf32>, i1
      }
      sm90.wgmma_commit
      sm90.wgmma_wait outstanding<1>
      %later = arith.cmpi sgt, %k0, %c0 : i32
      %peer = arith.cmpi slt, %group_thread, %c2 : i32
      %releases = arith.andi %later, %peer : i1
      scf.if %releases {
        %free = sm90.barrier_at %empty, %done
        sm90.mbarrier_arrive_remote %free, %group_thread
      }
      %next = sm90.advance %at stages<2>
      scf.yield %next, %at : !sm90.cursor, !sm90.cursor
    }
    sm90.wgmma_wait %acc outstanding<0> : !sm90.frag<32xf32>
    %left = arith.subi %n, %lane : i32
    %column = arith.extsi %lane : i32 to i64
    %pair = sm90.frag : <2xf32>
    sm90.ld_global_pair %bias[%column], %left to %pair[%c0] : <const bf16>, <2xf32>
    scf.if %leader {
      sm90.bulk_wait_read outstanding<1>
    }
    sm90.barrier_sync %group threads<128>
    %packed = sm90.frag : <16xi32>
    sm90.frag_pack %acc to %packed as bf16 : <32xf32> to <16xi32>
    %to = sm90.swizzle %c128 mode<128>
    sm90.stmatrix %packed[%c0] to %to x<4> : <16xi32>
    sm90.fence_proxy_async_shared
    sm90.barrier_sync %group threads<128>
    scf.if %leader {
      sm90.tma_store %smem to %d_map[%c0, %c0]
      sm90.bulk_commit
    }
    scf.if %leader {
      sm90.bulk_wait_read outstanding<0>
    }
  }
  sm90.cluster_arrive
  sm90.cluster_wait
  sm90.return
}
