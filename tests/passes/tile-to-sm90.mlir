// RUN: tw-opt %source_root/tests/compiler/tile/gemm-scheduled.mlir --tile-plan-shared-memory --tile-plan-registers --tile-to-sm90 | FileCheck %s
// The canonical GEMM: a cluster of two CTAs along M, operand B multicast, results staged and stored by TMA.

// Tensor maps come first, in the boxes that copies move: half of B's rows, the rows of one warpgroup for D.
// CHECK: sm90.kernel @gemm(%[[A:.+]]: !sm90.tensor_map, %[[B:.+]]: !sm90.tensor_map, %[[D:.+]]: !sm90.tensor_map, %[[BIAS:.+]]: !sm90.ptr<const bf16>, %[[M:.+]]: i32, %[[N:.+]]: i32, %[[K:.+]]: i32, %[[ALPHA:.+]]: f32)
// CHECK-SAME: cluster = array<i32: 2, 1, 1>
// CHECK-SAME: argument = 1 : i64, box = array<i64: 64, 128>, dims = {{\[\[}}"arg", 6], ["arg", 5]], element = bf16, kind = "map", strides = {{\[\[}}"mul", ["arg", 8], 2]], swizzle = 128 : i64
// CHECK-SAME: shared_bytes = 229440 : i32, threads = 384 : i32

// One thread sets up the barriers; the cluster waits for it, since peers arrive on them.
// CHECK: sm90.prefetch_tensormap %[[A]]
// CHECK: sm90.mbarrier_init
// CHECK: sm90.fence_mbarrier_init
// CHECK: sm90.cluster_arrive
// CHECK-NEXT: sm90.cluster_wait

// The load role is one elected lane: wait for empty, announce the bytes, copy, multicast this CTA's share of B.
// CHECK: sm90.setmaxnreg_dec registers<40>
// CHECK: sm90.elect_one
// CHECK: sm90.producer_cursor
// CHECK: sm90.raster_grouped {{.+}} group<kGroup = 8>
// CHECK: sm90.mbarrier_wait_parity
// CHECK: sm90.mbarrier_arrive_expect_tx
// CHECK: sm90.tma_load %[[A]]
// CHECK: sm90.tma_load_multicast %[[B]]{{.+}} mask
// CHECK: sm90.advance {{.+}} stages<kAbStages = 4>

// The compute role: one commit group a step, one outstanding, the slot of the step before released to both CTAs.
// CHECK: sm90.setmaxnreg_inc registers<232>
// CHECK: %[[ACC:.+]] = sm90.frag : <128xf32>
// CHECK: sm90.mbarrier_wait_parity
// CHECK: sm90.wgmma_fence %[[ACC]]
// CHECK: sm90.wgmma_ss %[[ACC]], {{.+}} n<256> bf16
// CHECK: sm90.wgmma_commit
// CHECK: sm90.wgmma_wait outstanding<1>
// CHECK: sm90.mbarrier_arrive_remote
// CHECK: sm90.wgmma_wait %[[ACC]] outstanding<0>
// CHECK: sm90.frag_fill %[[ACC]]

// Hand-over to a bulk store: the older store has been read, every writer fences, the warpgroup meets, one thread stores.
// CHECK: sm90.bulk_wait_read outstanding<1>
// CHECK: sm90.barrier_sync {{.+}} threads<128>
// CHECK: sm90.stmatrix
// CHECK: sm90.fence_proxy_async_shared
// CHECK: sm90.barrier_sync {{.+}} threads<128>
// CHECK: sm90.tma_store {{.+}} to %[[D]]
// CHECK-NEXT: sm90.bulk_commit
// CHECK: sm90.bulk_wait_read outstanding<0>

// No CTA leaves before its peers have made their last arrival.
// CHECK: sm90.cluster_arrive
// CHECK-NEXT: sm90.cluster_wait
// CHECK-NEXT: sm90.return
