// RUN: tw-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-plan-shared-memory),tile-to-sm90,cse)' | FileCheck %s

// Which warps run which role. Roles of warps share the first warpgroups, roles of warpgroups follow;
// the last one needs no branch. Registers move where a role states another number than the launch
// gave to each thread: 65536 / 512 here.
// CHECK-LABEL: sm90.kernel @dispatch
// CHECK-SAME: threads = 512
tile.kernel @dispatch(%n: i32) form = scheduled
    roles = [#tile.role<mma, warpgroups = 2, regs = 160>, #tile.role<load, warps = 1, regs = 40>,
             #tile.role<more, warps = 2, regs = 40>, #tile.role<same, warpgroups = 1, regs = 128>] {
  // CHECK: %[[WARP:.+]] = sm90.warp_id
  // CHECK: %[[C4:.+]] = arith.constant 4
  // CHECK: %[[SINGLE:.+]] = arith.cmpi slt, %[[WARP]], %[[C4]]
  // CHECK: scf.if %[[SINGLE]] {
  // Every warp of the warpgroup gives registers back, those without a role too.
  // CHECK-NEXT: sm90.setmaxnreg_dec registers<40>
  // CHECK: %[[C0:.+]] = arith.constant 0
  // CHECK: %[[WARP0:.+]] = arith.cmpi eq, %[[WARP]], %[[C0]]
  // CHECK: scf.if %[[WARP0]] {
  // CHECK-NEXT: sm90.comment "Role load: 1 warp."
  // CHECK: %[[ONE:.+]] = sm90.elect_one
  // CHECK-NEXT: scf.if %[[ONE]] {
  // CHECK-NEXT: sm90.grid_dependency_wait
  // CHECK-DAG: %[[C1:.+]] = arith.constant 1
  // CHECK-DAG: %[[GE:.+]] = arith.cmpi sge, %[[WARP]], %[[C1]]
  // CHECK-DAG: %[[C3:.+]] = arith.constant 3
  // CHECK-DAG: %[[LT:.+]] = arith.cmpi slt, %[[WARP]], %[[C3]]
  // CHECK: %[[WARPS12:.+]] = arith.andi %[[GE]], %[[LT]]
  // CHECK: scf.if %[[WARPS12]] {
  // CHECK-NEXT: sm90.comment "Role more: 2 warps."
  // CHECK-NOT: sm90.elect_one
  // CHECK-NEXT: sm90.grid_dependency_launch
  // CHECK: } else {
  // CHECK-NEXT: %[[C12:.+]] = arith.constant 12
  // CHECK-NEXT: %[[MMA:.+]] = arith.cmpi slt, %[[WARP]], %[[C12]]
  // CHECK-NEXT: scf.if %[[MMA]] {
  // CHECK-NEXT: sm90.setmaxnreg_inc registers<160>
  // CHECK-NEXT: sm90.comment "Role mma: 2 warpgroups."
  // CHECK: } else {
  // CHECK-NEXT: sm90.comment "Role same: 1 warpgroup."
  // CHECK-NOT: sm90.setmaxnreg
  // The bodies stand in any sequence.
  tile.roles {
    tile.role @same {
    }
    tile.role @more {
      tile.pdl_trigger
    }
    tile.role @load {
      tile.pdl_wait
    }
    tile.role @mma {
    }
  }
}

// One role alone: no branch, and all registers that threads can have.
// CHECK-LABEL: sm90.kernel @alone
// CHECK: sm90.warp_id
// CHECK-NEXT: sm90.setmaxnreg_dec registers<232>
// CHECK-NEXT: sm90.comment "Role mma: 1 warpgroup."
// CHECK-NOT: scf.if
// CHECK: sm90.return
tile.kernel @alone() form = scheduled roles = [#tile.role<mma, warpgroups = 1, regs = 232>] {
  tile.roles {
    tile.role @mma {
    }
  }
}

// A role of one warp is one lane while it only waits, copies and counts; work on tiles takes all.
#blocked = #tile.blocked<threads = [1, 32], vec = 2>
!view = !tile.view<?x?xf32, align = 4>
// CHECK-LABEL: sm90.kernel @whole_warp
tile.kernel @whole_warp(%d: !tile.ptr<f32>, %n: i32, %ld: i64) form = scheduled
    roles = [#tile.role<one, warps = 1>, #tile.role<all, warps = 1>] {
  // CHECK: sm90.comment "Role one: 1 warp."
  // CHECK: sm90.elect_one
  // CHECK: sm90.comment "Role all: 1 warp."
  // CHECK-NOT: sm90.elect_one
  // CHECK: sm90.st_global_if
  %D = tile.view %d [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  tile.roles {
    tile.role @one {
      %c1 = arith.constant 1 : i32
      %m = arith.addi %n, %c1 : i32
    }
    tile.role @all {
      %c0 = arith.constant 0 : i32
      %x = tile.map ins() -> tensor<1x64xf32, #blocked> {
      ^bb0(%row: i32, %col: i32):
        %f = arith.constant 1.0 : f32
        tile.yield %f : f32
      }
      tile.store %x, %D[%c0, %c0] via direct : tensor<1x64xf32, #blocked>, !view
    }
  }
}

// A kernel without roles is one group of threads; its warpgroups count where tiles are accumulators.
#acc = #tile.acc<wgs = [2, 1]>
// CHECK-LABEL: sm90.kernel @no_roles
// CHECK-SAME: threads = 256
// CHECK: %[[WARP:.+]] = sm90.warp_id
// CHECK: %[[GROUP:.+]] = sm90.warpgroup_id
// CHECK: arith.remsi %[[WARP]]
// CHECK: sm90.frag_set
tile.kernel @no_roles(%d: !tile.ptr<f32>, %n: i32, %ld: i64) form = scheduled threads = 256 {
  %c0 = arith.constant 0 : i32
  %D = tile.view %d [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  %x = tile.map ins() -> tensor<128x8xf32, #acc> {
  ^bb0(%row: i32, %col: i32):
    %f = arith.sitofp %row : i32 to f32
    tile.yield %f : f32
  }
  tile.store %x, %D[%c0, %c0] via direct : tensor<128x8xf32, #acc>, !view
}
