// SPDX-License-Identifier: Apache-2.0
// mbarriers, cursors, thread barriers, fences: each op prints as it was written.
// RUN: grep -v "^//" %s > %t.mlir
// RUN: tw-opt %t.mlir | grep . | diff %t.mlir -
// RUN: tw-opt %t.mlir --mlir-print-op-generic | tw-opt | grep . | diff %t.mlir -
module {
  sm90.kernel @barriers(%arg0: i32, %arg1: i32, %arg2: i32) attributes {min_ctas = 1 : i32, threads = 128 : i32} {
    sm90.mbarrier_init %arg0, %arg1
    sm90.fence_mbarrier_init
    sm90.mbarrier_arrive %arg0
    sm90.mbarrier_arrive_remote %arg0, %arg2
    sm90.mbarrier_arrive_expect_tx %arg0, %arg1
    sm90.mbarrier_wait_parity %arg0, %arg1
    sm90.cp_async_mbarrier_arrive %arg0
    %0 = sm90.producer_cursor
    %1 = sm90.consumer_cursor
    %2 = sm90.advance %0 stages<4>
    %3 = sm90.advance %1 by %arg1 stages<kStages = 4>
    %4 = sm90.stage %1
    %5 = sm90.phase %1
    %6 = sm90.barrier_at %arg0, %1
    %7 = sm90.slot_at %arg0, %1 bytes<kTileBytes = 16384>
    sm90.cta_sync
    sm90.warp_sync
    sm90.barrier_sync %arg1 threads<128>
    sm90.barrier_arrive %arg1 threads<kGroupThreads = 256>
    sm90.cluster_arrive
    sm90.cluster_wait
    sm90.fence_proxy_async_shared
    sm90.fence_proxy_async_global
    sm90.fence_acq_rel_cta
    sm90.fence_acq_rel_cluster
    sm90.fence_acq_rel_gpu
    sm90.return
  }
}
