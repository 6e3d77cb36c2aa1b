// RUN: tw-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-plan-shared-memory),tile-to-sm90,cse)' | FileCheck %s

// A ring is a full and an empty barrier for each stage, and its slots one behind the other. Copies
// complete on full (one arrival, which states the bytes); each warpgroup that reads arrives once on
// empty.
#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [2, 1]>
!t = tensor<128x64xbf16, #sw>
!slot = !tile.slot<!t>
!ring = !tile.ring<4, !t, !t>
!view = !tile.view<?x?xbf16, align = 16>
!pending = !tile.pending<tensor<128x128xf32, #acc>>

// CHECK-LABEL: sm90.kernel @rings
// CHECK-SAME: (%[[A:[^ ]+]]: !sm90.tensor_map, %[[B:[^ ]+]]: !sm90.tensor_map, %[[N:[^ ]+]]: i32, %[[COUNT:[^ ]+]]: i32)
// CHECK-SAME: shared_bytes = 131136 : i32, threads = 384 : i32
tile.kernel @rings(%a: !tile.ptr<bf16> {tile.name = "a"}, %b: !tile.ptr<bf16> {tile.name = "b"}, %n: i32, %ld: i64, %count: i32) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 2>] {
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %B = tile.view %b [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  // CHECK: %[[SLOTS0:.+]] = sm90.smem_base
  // CHECK: %[[C65536:.+]] = arith.constant 65536
  // CHECK: %[[SLOTS1:.+]] = arith.addi %[[SLOTS0]], %[[C65536]]
  // CHECK: %[[C131072:.+]] = arith.constant 131072
  // CHECK: %[[FULL:.+]] = arith.addi %[[SLOTS0]], %[[C131072]]
  // CHECK: %[[C131104:.+]] = arith.constant 131104
  // CHECK: %[[EMPTY:.+]] = arith.addi %[[SLOTS0]], %[[C131104]]
  //
  // One thread sets them up, and everybody waits for it.
  // CHECK: %[[WARP:.+]] = sm90.warp_id
  // CHECK: %[[C0:.+]] = arith.constant 0
  // CHECK: %[[THREAD:.+]] = sm90.thread_id
  // CHECK: %[[FIRST:.+]] = arith.cmpi eq, %[[THREAD]], %[[C0]]
  // CHECK: scf.if %[[FIRST]] {
  // CHECK-NEXT: sm90.prefetch_tensormap %[[A]]
  // CHECK-NEXT: sm90.prefetch_tensormap %[[B]]
  // CHECK: %[[C1:.+]] = arith.constant 1
  // CHECK: %[[STAGES:.+]] = sm90.named_constant "kAbStages" 4
  // CHECK: scf.for %[[S:[^ ]+]] = %[[C0]] to %[[STAGES]] step %[[C1]]
  // CHECK: %[[OFFSET:.+]] = arith.muli %[[S]]
  // CHECK: %[[F:.+]] = arith.addi %[[FULL]], %[[OFFSET]]
  // CHECK: sm90.mbarrier_init %[[F]], %[[C1]]
  // CHECK: %[[C2:.+]] = arith.constant 2
  // CHECK: %[[E:.+]] = arith.addi %[[EMPTY]], %[[OFFSET]]
  // CHECK: sm90.mbarrier_init %[[E]], %[[C2]]
  // CHECK: sm90.fence_mbarrier_init
  // CHECK-NEXT: }
  // CHECK-NEXT: sm90.cta_sync
  %r = tile.ring "ab" from @load to @mma : !ring
  tile.roles {
    tile.role @load {
      %c0 = arith.constant 0 : i32
      // CHECK: %[[P:.+]] = sm90.producer_cursor
      %p = tile.cursor %r producer : !ring
      // CHECK: %[[PHASE:.+]] = sm90.phase %[[P]]
      // CHECK: %[[EB:.+]] = sm90.barrier_at %[[EMPTY]], %[[P]]
      // CHECK: sm90.mbarrier_wait_parity %[[EB]], %[[PHASE]]
      // CHECK: %[[BYTES:.+]] = sm90.named_constant "kAbStageBytes" 32768
      // CHECK: %[[FB:.+]] = sm90.barrier_at %[[FULL]], %[[P]]
      // CHECK: sm90.mbarrier_arrive_expect_tx %[[FB]], %[[BYTES]]
      // CHECK: %[[X:.+]] = sm90.slot_at %[[SLOTS0]], %[[P]] bytes<kATileBytes = 16384>
      // CHECK: %[[Y:.+]] = sm90.slot_at %[[SLOTS1]], %[[P]] bytes<kBTileBytes = 16384>
      %x, %y = tile.acquire %r at %p : !ring -> !slot, !slot
      // Coordinates are turned around: the contiguous one comes first.
      // CHECK: sm90.tma_load %[[A]][%[[N]], %[[C0]]] to %[[X]], %[[FB]]{{$}}
      tile.copy %A[%c0, %n] to %x signal %r at %p : !view, !slot, !ring
      // CHECK: sm90.tma_load %[[B]][%[[C0]], %[[N]]] to %[[Y]], %[[FB]] cache evict_last
      tile.copy %B[%n, %c0] to %y signal %r at %p hint evict_last : !view, !slot, !ring
      %q = tile.advance %r at %p : !ring
    }
    tile.role @mma {
      // CHECK: %[[C128:.+]] = arith.constant 128
      // CHECK: %[[IN_GROUP:.+]] = arith.remsi %[[THREAD]], %[[C128]]
      %c0 = arith.constant 0 : i32
      // CHECK: %[[P:.+]] = sm90.consumer_cursor
      %p = tile.cursor %r consumer : !ring
      // CHECK: %[[PHASE:.+]] = sm90.phase %[[P]]
      // CHECK: %[[FB:.+]] = sm90.barrier_at %[[FULL]], %[[P]]
      // CHECK: sm90.mbarrier_wait_parity %[[FB]], %[[PHASE]]
      // CHECK: sm90.slot_at %[[SLOTS0]], %[[P]] bytes<kATileBytes = 16384>
      // CHECK: sm90.slot_at %[[SLOTS1]], %[[P]] bytes<kBTileBytes = 16384>
      %x, %y = tile.wait %r at %p : !ring -> !slot, !slot
      %zero = tile.zero : !pending
      %s = tile.dot_start %x, %y, %zero trans_b : !slot, !slot, !pending -> !pending
      // The tensor cores are done with the slots before they go back.
      // CHECK: sm90.wgmma_wait {{.*}} outstanding<0>
      %t = tile.dot_retire %s outstanding 0 : !pending
      // CHECK: %[[LEADS:.+]] = arith.cmpi eq, %[[IN_GROUP]], %[[C0]]
      // CHECK: scf.if %[[LEADS]] {
      // CHECK: %[[EB:.+]] = sm90.barrier_at %[[EMPTY]], %[[P]]
      // CHECK: sm90.mbarrier_arrive %[[EB]]
      tile.release %r at %p : !ring
      // CHECK: %[[Q:.+]] = sm90.advance %[[P]] by %[[COUNT]] stages<kAbStages = 4>
      %q = tile.advance %r at %p by %count : !ring
      // CHECK: %[[SOME:.+]] = arith.cmpi sgt, %[[N]], %[[C0]]
      %some = arith.cmpi sgt, %n, %c0 : i32
      // CHECK: %[[BOTH:.+]] = arith.andi %[[SOME]], %[[LEADS]]
      // CHECK: scf.if %[[BOTH]] {
      // CHECK: %[[EB:.+]] = sm90.barrier_at %[[EMPTY]], %[[Q]]
      // CHECK: sm90.mbarrier_arrive %[[EB]]
      tile.release %r at %q if %some : !ring
    }
  }
  // CHECK-NOT: sm90.cluster
}

// A share of a cluster copies what the cluster's size makes of it; without multicast nobody waits
// for peers at the end.
// CHECK-LABEL: sm90.kernel @alone_in_a_cluster
// CHECK: sm90.cluster_arrive
// CHECK: sm90.cluster_wait
// CHECK-NOT: sm90.cta_sync
// CHECK-NOT: sm90.cluster_arrive
// CHECK: sm90.tma_load %
// CHECK-NOT: sm90.cluster
// CHECK: sm90.return
tile.kernel @alone_in_a_cluster(%a: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled cluster = [1, 2]
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 2>] {
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %r = tile.ring "a" from @load to @mma : !tile.ring<2, !t>
  tile.roles {
    tile.role @load {
      %c0 = arith.constant 0 : i32
      %p = tile.cursor %r producer : !tile.ring<2, !t>
      %x = tile.acquire %r at %p : !tile.ring<2, !t> -> !slot
      tile.copy %A[%c0, %c0] to %x signal %r at %p : !view, !slot, !tile.ring<2, !t>
    }
    tile.role @mma {
    }
  }
}
