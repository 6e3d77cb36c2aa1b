// RUN: tw-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-plan-shared-memory),tile-to-sm90,cse)' | FileCheck %s

// Staged stores. A slot of a private ring is free again when the thread that stores from it has seen
// its older stores read; a fence by every writer and a barrier hand what is written to that thread.
#sw = #tile.smem<panel = 64, swizzle = 128>
#sw32 = #tile.smem<panel = 16, swizzle = 32>
#f32 = #tile.smem<panel = 32, swizzle = 128>
#acc = #tile.acc<wgs = [2, 1]>
#waves = #tile.acc<wgs = [1, 1], waves = 2>
!t = tensor<128x64xbf16, #sw>
!slot = !tile.slot<!t>
!ring = !tile.ring<2, !t>
!view = !tile.view<?x?xbf16, align = 16>
!fview = !tile.view<?x?xf32, align = 16>

// CHECK-LABEL: sm90.kernel @bf16
// CHECK-SAME: box = array<i64: 64, 64>
tile.kernel @bf16(%d: !tile.ptr<bf16> {tile.name = "d"}, %n: i32, %ld: i64) form = scheduled roles = [#tile.role<mma, warpgroups = 2>] {
  %D = tile.view %d [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  // No barrier is set up; the map is fetched early.
  // CHECK: sm90.prefetch_tensormap
  // CHECK-NOT: sm90.mbarrier
  // CHECK-NOT: sm90.cta_sync
  %st = tile.ring "staging" private @mma : !ring
  tile.roles {
    tile.role @mma {
      // CHECK: %[[LANE:.+]] = sm90.lane_id
      // CHECK: %[[GROUP:.+]] = sm90.warpgroup_id
      // CHECK: %[[WARP:.+]] = arith.remsi
      // CHECK: %[[WARP0:.+]] = arith.cmpi eq, %[[WARP]]
      // CHECK: %[[ONE:.+]] = sm90.elect_one
      // CHECK: %[[LEADER:.+]] = arith.andi %[[WARP0]], %[[ONE]]
      %c = tile.cursor %st producer : !ring
      %y = tile.map ins() -> tensor<128x64xbf16, #acc> {
      ^bb0(%row: i32, %col: i32):
        %f = arith.constant 1.0 : bf16
        tile.yield %f : bf16
      }
      // CHECK: } {tw.unroll}
      // CHECK-NEXT: scf.if %[[LEADER]] {
      // CHECK-NEXT: sm90.bulk_wait_read outstanding<1>
      // CHECK-NEXT: }
      // CHECK: %[[BARRIER:.+]] = arith.addi %[[GROUP]], %[[C1:.+]] : i32
      // CHECK-NEXT: sm90.barrier_sync %[[BARRIER]] threads<128>
      // CHECK: %[[S:.+]] = sm90.slot_at {{.*}} bytes<kDTileBytes = 16384>
      %s = tile.acquire %st at %c : !ring -> !slot
      // CHECK: sm90.frag_pack
      // CHECK: scf.for %[[J:[^ ]+]] = %{{.+}} to %[[C4:.+]] step
      // CHECK: %[[CHUNK:.+]] = arith.muli %[[J]], %c32_i32
      // CHECK: %[[O:.+]] = sm90.swizzle %{{.+}} mode<128>
      // CHECK: %[[FIRST:.+]] = arith.muli %[[J]], %[[C4]]
      // CHECK: %[[TO:.+]] = arith.addi %[[S]], %[[O]]
      // CHECK: sm90.stmatrix %{{.+}}[%[[FIRST]]] to %[[TO]] x<4> : <16xi32>
      tile.fragment_store %y, %s : tensor<128x64xbf16, #acc>, !slot
      // Each warpgroup stores its own rows.
      // CHECK: sm90.fence_proxy_async_shared
      // CHECK-NEXT: sm90.barrier_sync %[[BARRIER]] threads<128>
      // CHECK-NEXT: scf.if %[[LEADER]] {
      // CHECK-NEXT: %[[ROW:.+]] = arith.addi %[[N:.+]], %[[ROWS:.+]] : i32
      // CHECK: %[[BYTES:.+]] = arith.muli %[[ROWS]], %{{.+}}
      // CHECK: %[[FROM:.+]] = arith.addi %[[S]], %[[BYTES]]
      // CHECK: sm90.tma_store %[[FROM]] to %{{.+}}[%[[N]], %[[ROW]]]
      // CHECK-NEXT: sm90.bulk_commit
      tile.copy_out %s to %D[%n, %n] : !slot, !view
      // CHECK: scf.if %[[LEADER]] {
      // CHECK-NEXT: sm90.bulk_wait_read outstanding<0>
      tile.drain
    }
  }
}

// Rows of 128 bytes of fp32, two panels of them, in two waves: register pairs by 8-byte stores. An
// extract lies further on in the registers, its waves are those of the whole tile.
// CHECK-LABEL: sm90.kernel @fp32
// CHECK-SAME: box = array<i64: 32, 128>
tile.kernel @fp32(%d: !tile.ptr<f32> {tile.name = "d"}, %n: i32, %ld: i64) form = scheduled roles = [#tile.role<mma, warpgroups = 1>] {
  %D = tile.view %d [%n, %n] strides [%ld] : !tile.ptr<f32> -> !fview
  %st = tile.ring "staging" private @mma : !tile.ring<1, tensor<128x64xf32, #f32>>
  tile.roles {
    tile.role @mma {
      %c64 = arith.constant 64 : i32
      %c = tile.cursor %st producer : !tile.ring<1, tensor<128x64xf32, #f32>>
      // CHECK: %[[X:.+]] = sm90.frag : <128xf32>
      %x = tile.map ins() -> tensor<128x128xf32, #waves> {
      ^bb0(%row: i32, %col: i32):
        %f = arith.constant 1.0 : f32
        tile.yield %f : f32
      }
      %y = tile.extract %x columns %c64 : tensor<128x128xf32, #waves> -> tensor<128x64xf32, #waves>
      // One stage: all stores must have been read.
      // CHECK: sm90.bulk_wait_read outstanding<0>
      // CHECK: %[[S:.+]] = sm90.slot_at
      %s = tile.acquire %st at %c : !tile.ring<1, tensor<128x64xf32, #f32>> -> !tile.slot<tensor<128x64xf32, #f32>>
      // First wave: registers 32 on for the first panel, 48 on for the second.
      // CHECK: scf.for %[[J:[^ ]+]] = %{{.+}} to %[[C8:.+]] step
      // CHECK: sm90.swizzle %{{.+}} mode<128>
      // CHECK: %[[PAIR:.+]] = arith.muli %[[J]], %[[C2:.+]] : i32
      // CHECK: %[[R:.+]] = arith.addi %[[PAIR]], %[[C32:.+]] : i32
      // CHECK: sm90.st_shared_v2 %[[X]][%[[R]]]
      // CHECK: scf.for %[[J:[^ ]+]] =
      // CHECK: %[[PAIR:.+]] = arith.muli %[[J]], %[[C2]]
      // CHECK: %[[P:.+]] = arith.addi %[[PAIR]], %c16_i32
      // CHECK: %[[R:.+]] = arith.addi %[[P]], %[[C32]]
      // CHECK: sm90.st_shared_v2 %[[X]][%[[R]]]
      // Second wave: 64 registers later, 64 rows further down.
      // CHECK: scf.for %[[J:[^ ]+]] =
      // CHECK: %[[PAIR:.+]] = arith.muli %[[J]], %[[C2]]
      // CHECK: %[[W:.+]] = arith.addi %[[PAIR]], %c64_i32
      // CHECK: %[[R:.+]] = arith.addi %[[W]], %[[C32]]
      // CHECK: sm90.st_shared_v2 %[[X]][%[[R]]]
      // CHECK: scf.for %[[J:[^ ]+]] =
      // CHECK: arith.addi %{{.+}}, %c80_i32
      // CHECK: sm90.st_shared_v2 %[[X]]
      tile.fragment_store %y, %s : tensor<128x64xf32, #waves>, !tile.slot<tensor<128x64xf32, #f32>>
      // A panel is one box: 32 columns further, 16384 bytes.
      // CHECK: sm90.fence_proxy_async_shared
      // CHECK: sm90.tma_store %[[S]] to %[[MAP:.+]][%[[N:.+]], %[[N]]]
      // CHECK: %[[NEXT:.+]] = arith.addi %[[N]], %{{.+}}
      // CHECK: %[[FROM:.+]] = arith.addi %[[S]], %{{.+}}
      // CHECK: sm90.tma_store %[[FROM]] to %[[MAP]][%[[NEXT]], %[[N]]]
      // CHECK-NEXT: sm90.bulk_commit
      tile.copy_out %s to %D[%n, %n] : !tile.slot<tensor<128x64xf32, #f32>>, !fview
    }
  }
}

// Two roles store at once: their warpgroups meet at barriers of their own. Narrow rows, an addition
// in memory.
// CHECK-LABEL: sm90.kernel @two_roles
tile.kernel @two_roles(%d: !tile.ptr<f32>, %n: i32, %ld: i64) form = scheduled
    roles = [#tile.role<left, warpgroups = 2>, #tile.role<right, warpgroups = 1>] {
  %D = tile.view %d [%n, %n] strides [%ld] : !tile.ptr<f32> -> !fview
  %l = tile.ring "l" private @left : !tile.ring<1, tensor<128x8xf32, #tile.smem<panel = 8, swizzle = 32>>>
  %r = tile.ring "r" private @right : !tile.ring<1, tensor<64x8xf32, #tile.smem<panel = 8, swizzle = 32>>>
  tile.roles {
    tile.role @left {
      %c = tile.cursor %l producer : !tile.ring<1, tensor<128x8xf32, #tile.smem<panel = 8, swizzle = 32>>>
      // CHECK: %[[C1:.+]] = arith.constant 1
      // CHECK: %[[BARRIER:.+]] = arith.addi %{{.+}}, %[[C1]]
      // CHECK: sm90.barrier_sync %[[BARRIER]] threads<128>
      %s = tile.acquire %l at %c : !tile.ring<1, tensor<128x8xf32, #tile.smem<panel = 8, swizzle = 32>>> -> !tile.slot<tensor<128x8xf32, #tile.smem<panel = 8, swizzle = 32>>>
      // CHECK: sm90.tma_reduce_add
      // CHECK: sm90.bulk_commit
      tile.copy_out %s to %D[%n, %n] reduce_add : !tile.slot<tensor<128x8xf32, #tile.smem<panel = 8, swizzle = 32>>>, !fview
    }
    tile.role @right {
      %c = tile.cursor %r producer : !tile.ring<1, tensor<64x8xf32, #tile.smem<panel = 8, swizzle = 32>>>
      // CHECK: %[[C3:.+]] = arith.constant 3
      // CHECK: sm90.barrier_sync %[[C3]] threads<128>
      %s = tile.acquire %r at %c : !tile.ring<1, tensor<64x8xf32, #tile.smem<panel = 8, swizzle = 32>>> -> !tile.slot<tensor<64x8xf32, #tile.smem<panel = 8, swizzle = 32>>>
      %x = tile.map ins() -> tensor<64x8xf32, #tile.acc<wgs = [1, 1]>> {
      ^bb0(%row: i32, %col: i32):
        %f = arith.constant 1.0 : f32
        tile.yield %f : f32
      }
      // CHECK: sm90.swizzle %{{.+}} mode<32>
      tile.fragment_store %x, %s : tensor<64x8xf32, #tile.acc<wgs = [1, 1]>>, !tile.slot<tensor<64x8xf32, #tile.smem<panel = 8, swizzle = 32>>>
      // CHECK: sm90.barrier_sync %[[C3]] threads<128>
      // CHECK: sm90.tma_store
      tile.copy_out %s to %D[%n, %n] : !tile.slot<tensor<64x8xf32, #tile.smem<panel = 8, swizzle = 32>>>, !fview
    }
  }
}

// What is packed inside a loop is packed again behind it.
// CHECK-LABEL: sm90.kernel @packed_inside
tile.kernel @packed_inside(%d: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled roles = [#tile.role<mma, warpgroups = 2>] {
  %D = tile.view %d [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %st = tile.ring "staging" private @mma : !ring
  tile.roles {
    tile.role @mma {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c = tile.cursor %st producer : !ring
      %y = tile.map ins() -> tensor<128x64xbf16, #acc> {
      ^bb0(%row: i32, %col: i32):
        %f = arith.constant 1.0 : bf16
        tile.yield %f : bf16
      }
      // CHECK: scf.for
      // CHECK: sm90.frag_pack
      // CHECK: sm90.stmatrix %[[P:[^ ]+]][
      // CHECK: sm90.tma_store
      // CHECK: sm90.frag_pack %{{.+}} to %[[Q:.+]] as
      // CHECK: sm90.stmatrix %[[Q]][
      %e = scf.for %i = %c0 to %n step %c1 iter_args(%k = %c) -> (!tile.cursor) : i32 {
        %s = tile.acquire %st at %k : !ring -> !slot
        tile.fragment_store %y, %s : tensor<128x64xbf16, #acc>, !slot
        tile.copy_out %s to %D[%i, %n] : !slot, !view
        %l = tile.advance %st at %k : !ring
        scf.yield %l : !tile.cursor
      }
      %s = tile.acquire %st at %e : !ring -> !slot
      tile.fragment_store %y, %s : tensor<128x64xbf16, #acc>, !slot
    }
  }
}
