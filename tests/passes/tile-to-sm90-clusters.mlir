// RUN: tw-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-plan-shared-memory),tile-to-sm90,cse)' | FileCheck %s

// Multicast: each CTA along the axis fetches its share of the rows for all of them, and a stage goes
// back to every CTA that fills it. Ranks run along the first axis of the cluster.
#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [2, 1]>
!t = tensor<128x64xbf16, #sw>
!slot = !tile.slot<!t>
!ring = !tile.ring<2, !t>
!view = !tile.view<?x?xbf16, align = 16>
!pending = !tile.pending<tensor<128x128xf32, #acc>>

// CHECK-LABEL: sm90.kernel @two
// CHECK-SAME: attributes {cluster = array<i32: 2, 1, 1>
// CHECK-SAME: box = array<i64: 64, 64>
tile.kernel @two(%a: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled cluster = [1, 2]
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 2>] {
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  // Two warpgroups in each of two CTAs arrive.
  // CHECK: sm90.mbarrier_init %{{.+}}, %[[ONE:.+]]
  // CHECK: %[[C4:.+]] = arith.constant 4
  // CHECK: sm90.mbarrier_init %{{.+}}, %[[C4]]
  // CHECK: sm90.cluster_arrive
  // CHECK-NEXT: sm90.cluster_wait
  %r = tile.ring "a" from @load to @mma multicast 1 : !ring
  tile.roles {
    tile.role @load {
      %p = tile.cursor %r producer : !ring
      // The bytes of the whole tile arrive at each CTA.
      // CHECK: sm90.named_constant "kAStageBytes" 16384
      // CHECK: %[[X:.+]] = sm90.slot_at
      %x = tile.acquire %r at %p : !ring -> !slot
      // CHECK: %[[RANK:.+]] = sm90.cluster_rank
      // CHECK: %[[C64:.+]] = arith.constant 64
      // CHECK: %[[ROWS:.+]] = arith.muli %[[RANK]], %[[C64]]
      // CHECK: %[[ROW:.+]] = arith.addi %[[N:.+]], %[[ROWS]]
      // CHECK: %[[C8192:.+]] = arith.constant 8192
      // CHECK: %[[BYTES:.+]] = arith.muli %[[RANK]], %[[C8192]]
      // CHECK: %[[TO:.+]] = arith.addi %[[X]], %[[BYTES]]
      // CHECK: %[[MASK:.+]] = arith.constant 3
      // CHECK: sm90.tma_load_multicast %{{.+}}[%[[N]], %[[ROW]]] to %[[TO]], %{{.+}} mask %[[MASK]]
      tile.copy %A[%n, %n] to %x signal %r at %p multicast 1 : !view, !slot, !ring
    }
    tile.role @mma {
      // CHECK: %[[IN_GROUP:.+]] = arith.remsi
      %p = tile.cursor %r consumer : !ring
      %x = tile.wait %r at %p : !ring -> !slot
      %zero = tile.zero : !pending
      %s = tile.dot_start %x, %x, %zero trans_b : !slot, !slot, !pending -> !pending
      %t = tile.dot_retire %s outstanding 0 : !pending
      // Thread p releases to the p-th CTA.
      // CHECK: %[[PEERS:.+]] = sm90.named_constant "kAMulticast" 2
      // CHECK: %[[REACHES:.+]] = arith.cmpi slt, %[[IN_GROUP]], %[[PEERS]]
      // CHECK: scf.if %[[REACHES]]
      // CHECK: sm90.mbarrier_arrive_remote %{{.+}}, %[[IN_GROUP]]
      tile.release %r at %p : !ring
    }
  }
  // Peers still arrive on the barriers of a CTA that is done.
  // CHECK: sm90.warp_sync
  // CHECK-NEXT: sm90.cluster_arrive
  // CHECK-NEXT: sm90.cluster_wait
  // CHECK-NEXT: sm90.return
}

// CHECK-LABEL: sm90.kernel @along_0
// CHECK-SAME: cluster = array<i32: 4, 1, 1>
tile.kernel @along_0(%a: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled cluster = [2, 2]
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 2>] {
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %r = tile.ring "a" from @load to @mma multicast 0 : !ring
  tile.roles {
    tile.role @load {
      %p = tile.cursor %r producer : !ring
      %x = tile.acquire %r at %p : !ring -> !slot
      // Peers are the ranks of one row: 0 and 1, or 2 and 3.
      // CHECK: %[[RANK:.+]] = sm90.cluster_rank
      // CHECK: %[[PLACE:.+]] = arith.remsi %[[RANK]], %[[C2:.+]] : i32
      // CHECK: arith.muli %[[PLACE]]
      // CHECK-DAG: %[[C3:.+]] = arith.constant 3
      // CHECK-DAG: %[[FIRST:.+]] = arith.subi %[[RANK]], %[[PLACE]]
      // CHECK: %[[MASK:.+]] = arith.shli %[[C3]], %[[FIRST]]
      // CHECK: sm90.tma_load_multicast {{.*}} mask %[[MASK]]
      tile.copy %A[%n, %n] to %x signal %r at %p multicast 0 : !view, !slot, !ring
    }
    tile.role @mma {
      // CHECK: %[[IN_GROUP:.+]] = arith.remsi
      %p = tile.cursor %r consumer : !ring
      %x = tile.wait %r at %p : !ring -> !slot
      %zero = tile.zero : !pending
      %s = tile.dot_start %x, %x, %zero trans_b : !slot, !slot, !pending -> !pending
      %t = tile.dot_retire %s outstanding 0 : !pending
      // CHECK: scf.if
      // CHECK: %[[RANK:.+]] = sm90.cluster_rank
      // CHECK: %[[ROW:.+]] = arith.divsi %[[RANK]], %[[C2]]
      // CHECK: %[[FIRST:.+]] = arith.muli %[[ROW]], %[[C2]]
      // CHECK: %[[TO:.+]] = arith.addi %[[FIRST]], %[[IN_GROUP]]
      // CHECK: sm90.mbarrier_arrive_remote %{{.+}}, %[[TO]]
      tile.release %r at %p : !ring
    }
  }
}

// CHECK-LABEL: sm90.kernel @along_1
tile.kernel @along_1(%a: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled cluster = [2, 2]
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 2>] {
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %r = tile.ring "a" from @load to @mma multicast 1 : !ring
  tile.roles {
    tile.role @load {
      %p = tile.cursor %r producer : !ring
      %x = tile.acquire %r at %p : !ring -> !slot
      // Peers are the ranks of one column: 0 and 2, or 1 and 3.
      // CHECK: %[[RANK:.+]] = sm90.cluster_rank
      // CHECK: %[[PLACE:.+]] = arith.divsi %[[RANK]], %[[C2:.+]] : i32
      // CHECK: arith.muli %[[PLACE]]
      // CHECK-DAG: %[[C5:.+]] = arith.constant 5
      // CHECK-DAG: %[[COLUMN:.+]] = arith.remsi %[[RANK]], %[[C2]]
      // CHECK: %[[MASK:.+]] = arith.shli %[[C5]], %[[COLUMN]]
      // CHECK: sm90.tma_load_multicast {{.*}} mask %[[MASK]]
      tile.copy %A[%n, %n] to %x signal %r at %p multicast 1 : !view, !slot, !ring
    }
    tile.role @mma {
      // CHECK: %[[IN_GROUP:.+]] = arith.remsi
      %p = tile.cursor %r consumer : !ring
      %x = tile.wait %r at %p : !ring -> !slot
      %zero = tile.zero : !pending
      %s = tile.dot_start %x, %x, %zero trans_b : !slot, !slot, !pending -> !pending
      %t = tile.dot_retire %s outstanding 0 : !pending
      // CHECK: scf.if
      // CHECK: %[[RANK:.+]] = sm90.cluster_rank
      // CHECK-DAG: %[[COLUMN:.+]] = arith.remsi %[[RANK]], %{{.+}}
      // CHECK-DAG: %[[ROW:.+]] = arith.muli %[[IN_GROUP]], %{{.+}}
      // CHECK: %[[TO:.+]] = arith.addi %[[COLUMN]], %[[ROW]]
      // CHECK: sm90.mbarrier_arrive_remote %{{.+}}, %[[TO]]
      tile.release %r at %p : !ring
    }
  }
}

// One lane that only waits releases to all peers by itself.
// CHECK-LABEL: sm90.kernel @one_lane
tile.kernel @one_lane(%a: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled cluster = [2, 1]
    roles = [#tile.role<load, warps = 1>, #tile.role<drop, warps = 1>] {
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  // CHECK: sm90.mbarrier_init
  // CHECK: %[[C2:.+]] = arith.constant 2
  // CHECK: sm90.mbarrier_init %{{.+}}, %[[C2]]
  %r = tile.ring "a" from @load to @drop multicast 0 : !ring
  tile.roles {
    tile.role @load {
      %p = tile.cursor %r producer : !ring
      %x = tile.acquire %r at %p : !ring -> !slot
      tile.copy %A[%n, %n] to %x signal %r at %p multicast 0 : !view, !slot, !ring
    }
    tile.role @drop {
      %p = tile.cursor %r consumer : !ring
      %x = tile.wait %r at %p : !ring -> !slot
      // CHECK: sm90.consumer_cursor
      // CHECK: sm90.mbarrier_wait_parity
      // CHECK-NOT: scf.if
      // CHECK: sm90.mbarrier_arrive_remote %[[E:.+]], %[[C0:.+]]
      // CHECK: sm90.mbarrier_arrive_remote %[[E]], %[[C1:.+]]
      tile.release %r at %p : !ring
    }
  }
}
