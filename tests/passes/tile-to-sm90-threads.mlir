// RUN: tw-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-plan-shared-memory),tile-to-sm90,cse)' | FileCheck %s

// Slots that threads fill or read. A writer's stores are handed to the asynchronous side by a fence
// of its own and an arrival of its own; a reader arrives for itself, as an arrival orders only the
// accesses of its thread.
#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xbf16, #sw>
!r = tensor<64x64xbf16, #acc>
!slot = !tile.slot<!t>
!ring = !tile.ring<2, !t>
!view = !tile.view<?x?xbf16, align = 16>

// CHECK-LABEL: sm90.kernel @filled_by_threads
tile.kernel @filled_by_threads(%d: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled
    roles = [#tile.role<make, warpgroups = 1>, #tile.role<mma, warpgroups = 1>] {
  // 128 threads fill, one thread of the warpgroup that multiplies gives back.
  // CHECK: %[[C128:.+]] = arith.constant 128
  // CHECK: sm90.mbarrier_init %{{.+}}, %[[C128]]
  // CHECK: sm90.mbarrier_init %{{.+}}, %[[C1:.+]]
  %r = tile.ring "a" from @make to @mma full threads : !ring
  tile.roles {
    tile.role @make {
      %p = tile.cursor %r producer : !ring
      // CHECK: %[[P:.+]] = sm90.producer_cursor
      // CHECK: sm90.mbarrier_wait_parity
      // CHECK-NOT: sm90.mbarrier_arrive_expect_tx
      %x = tile.acquire %r at %p : !ring -> !slot
      %y = tile.map ins() -> !r {
      ^bb0(%row: i32, %col: i32):
        %f = arith.constant 1.0 : bf16
        tile.yield %f : bf16
      }
      // CHECK: sm90.stmatrix
      tile.fragment_store %y, %x : !r, !slot
      // CHECK: sm90.fence_proxy_async_shared
      // CHECK: %[[FULL:.+]] = sm90.barrier_at %{{.+}}, %[[P]]
      // CHECK-NEXT: sm90.mbarrier_arrive %[[FULL]]
      tile.commit %r at %p : !ring
    }
    tile.role @mma {
    }
  }
}

// CHECK-LABEL: sm90.kernel @read_by_threads
tile.kernel @read_by_threads(%a: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled cluster = [2, 2]
    roles = [#tile.role<load, warps = 1>, #tile.role<add, warpgroups = 1>] {
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  // All 128 threads of two CTAs.
  // CHECK: sm90.mbarrier_init
  // CHECK: %[[C256:.+]] = arith.constant 256
  // CHECK: sm90.mbarrier_init %{{.+}}, %[[C256]]
  %r = tile.ring "a" from @load to @add multicast 1 : !ring
  tile.roles {
    tile.role @load {
      %p = tile.cursor %r producer : !ring
      %x = tile.acquire %r at %p : !ring -> !slot
      tile.copy %A[%n, %n] to %x signal %r at %p multicast 1 : !view, !slot, !ring
    }
    tile.role @add {
      %p = tile.cursor %r consumer : !ring
      %x = tile.wait %r at %p : !ring -> !slot
      // CHECK: sm90.consumer_cursor
      // CHECK: scf.for
      // CHECK: sm90.ld_shared
      // CHECK: } {tw.unroll}
      %y = tile.map ins(%x) : !slot -> !r {
      ^bb0(%e: bf16, %row: i32, %col: i32):
        tile.yield %e : bf16
      }
      // CHECK-NOT: scf.if
      // CHECK: %[[RANK:.+]] = sm90.cluster_rank
      // CHECK: %[[COLUMN:.+]] = arith.remsi %[[RANK]], %[[C2:.+]]
      // CHECK: %[[EMPTY:.+]] = sm90.barrier_at
      // CHECK: sm90.mbarrier_arrive_remote %[[EMPTY]], %[[COLUMN]]
      // CHECK: %[[OTHER:.+]] = arith.addi %[[COLUMN]], %[[C2]]
      // CHECK: sm90.mbarrier_arrive_remote %[[EMPTY]], %[[OTHER]]
      tile.release %r at %p : !ring
    }
  }
}

// Under another layout they are the same bytes: a reader of the rebound slot is a reader.
// CHECK-LABEL: sm90.kernel @rebound
tile.kernel @rebound(%a: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<add, warpgroups = 1>] {
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  // CHECK: sm90.mbarrier_init
  // CHECK: %[[C128:.+]] = arith.constant 128
  // CHECK: sm90.mbarrier_init %{{.+}}, %[[C128]]
  %r = tile.ring "a" from @load to @add : !ring
  tile.roles {
    tile.role @load {
      %p = tile.cursor %r producer : !ring
      %x = tile.acquire %r at %p : !ring -> !slot
      tile.copy %A[%n, %n] to %x signal %r at %p : !view, !slot, !ring
    }
    tile.role @add {
      %p = tile.cursor %r consumer : !ring
      %x = tile.wait %r at %p : !ring -> !slot
      %v = tile.rebind %x : !slot -> !tile.slot<tensor<64x32xf32, #tile.smem<panel = 32, swizzle = 128>>>
      // CHECK: sm90.ld_shared %{{.+}} as f32
      %y = tile.map ins(%v) : !tile.slot<tensor<64x32xf32, #tile.smem<panel = 32, swizzle = 128>>> -> tensor<64x32xf32, #acc> {
      ^bb0(%e: f32, %row: i32, %col: i32):
        tile.yield %e : f32
      }
      // CHECK-NOT: scf.if
      // CHECK: sm90.mbarrier_arrive %
      tile.release %r at %p : !ring
    }
  }
}

// In a role of several threads one of them arms the bytes and issues the copies.
// CHECK-LABEL: sm90.kernel @copied_by_warps
tile.kernel @copied_by_warps(%a: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 2>, #tile.role<mma, warpgroups = 1>] {
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  // CHECK: %[[FIRST:.+]] = arith.cmpi eq
  %r = tile.ring "a" from @load to @mma : !ring
  tile.roles {
    tile.role @load {
      %p = tile.cursor %r producer : !ring
      // CHECK-NOT: sm90.elect_one
      // CHECK: sm90.mbarrier_wait_parity
      // CHECK: scf.if %[[FIRST]] {
      // CHECK: sm90.mbarrier_arrive_expect_tx
      // CHECK-NEXT: }
      // CHECK: scf.if %[[FIRST]] {
      // CHECK: sm90.tma_load
      // CHECK-NEXT: }
      %x = tile.acquire %r at %p : !ring -> !slot
      tile.copy %A[%n, %n] to %x signal %r at %p : !view, !slot, !ring
    }
    tile.role @mma {
    }
  }
}
