// RUN: tw-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-plan-shared-memory),tile-to-sm90,cse)' | FileCheck %s

// What a kernel takes: tensor maps first, then pointers that it accesses, then scalars; nothing that
// it does not use. `parameters` says how each follows from the arguments of the tile kernel.
#sw = #tile.smem<panel = 64, swizzle = 128>
#sw64 = #tile.smem<panel = 32, swizzle = 64>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x128xbf16, #sw>
!u = tensor<128x32xbf16, #sw64>
!view = !tile.view<?x?xbf16, align = 16>
!batched = !tile.view<?x?x?xbf16, align = 16>
!ring = !tile.ring<2, !t, !t, !u>

// CHECK-LABEL: sm90.kernel @parameters
// CHECK-SAME: (%[[MAP0:[^ ]+]]: !sm90.tensor_map, %[[MAP1:[^ ]+]]: !sm90.tensor_map, %[[IN:[^ ]+]]: !sm90.ptr<const f32>, %[[OUT:[^ ]+]]: !sm90.ptr<f32>, %[[N:[^ ]+]]: i32, %[[F:[^ ]+]]: f32)
// CHECK-SAME: parameters = [
// One map for each box that a view is moved in: panels of 64 columns, 64 rows; the contiguous
// dimension first, strides in bytes.
// CHECK-SAME: {argument = 0 : i64, box = array<i64: 64, 64>, dims = {{\[\[}}"arg", 6], ["add", ["arg", 5], 1]], element = bf16, kind = "map", strides = {{\[\[}}"mul", ["arg", 7], 2]], swizzle = 128 : i64}
// Leading dimensions are 1 in a box.
// CHECK-SAME: {argument = 1 : i64, box = array<i64: 32, 128, 1>, dims = {{\[\[}}"arg", 6], ["ceildiv", ["arg", 5], 2], ["max", ["arg", 5], ["min", ["arg", 6], 3]]], element = bf16, kind = "map"
// CHECK-SAME: strides = {{\[\[}}"mul", ["mul", ["arg", 7], 4], 2], ["mul", ["sub", ["div", ["arg", 7], 8], ["mod", ["arg", 7], 8]], 2]], swizzle = 64 : i64}
// CHECK-SAME: {argument = 2 : i64, kind = "pointer", type = !tile.ptr<f32>}
// CHECK-SAME: {argument = 3 : i64, kind = "pointer", type = !tile.ptr<f32>}
// CHECK-SAME: {argument = 6 : i64, kind = "scalar", type = i32}
// CHECK-SAME: {argument = 9 : i64, kind = "scalar", type = f32}]
tile.kernel @parameters(%a: !tile.ptr<bf16> {tile.name = "a"}, %b: !tile.ptr<bf16> {tile.name = "b"}, %x: !tile.ptr<f32>, %y: !tile.ptr<f32>,
                        %unused: !tile.ptr<f32>, %m: i32, %n: i32, %ld: i64, %idle: i32, %f: f32) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i64
  %c8 = arith.constant 8 : i64
  %m1 = arith.addi %m, %c1 : i32
  %half = arith.ceildivsi %m, %c2 : i32
  %least = arith.minsi %n, %c3 : i32
  %most = arith.maxsi %m, %least : i32
  %ld4 = arith.muli %ld, %c4 : i64
  %units = arith.divsi %ld, %c8 : i64
  %rest = arith.remsi %ld, %c8 : i64
  %ldb = arith.subi %units, %rest : i64
  %A = tile.view %a [%m1, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %B = tile.view %b [%most, %half, %n] strides [%ldb, %ld4] : !tile.ptr<bf16> -> !batched
  %X = tile.view %x [%n] : !tile.ptr<f32> -> !tile.view<?xf32, align = 4>
  %Y = tile.view %y [%n] : !tile.ptr<f32> -> !tile.view<?xf32, align = 4>
  // CHECK: sm90.prefetch_tensormap %[[MAP0]]
  // CHECK-NEXT: sm90.prefetch_tensormap %[[MAP1]]
  // CHECK-NOT: sm90.prefetch_tensormap
  %r = tile.ring "ab" from @load to @mma : !ring
  tile.roles {
    tile.role @load {
      %p = tile.cursor %r producer : !ring
      %s0, %s1, %s2 = tile.acquire %r at %p : !ring -> !tile.slot<!t>, !tile.slot<!t>, !tile.slot<!u>
      // The same box of the same view: the same map, once for each panel.
      // CHECK: sm90.tma_load %[[MAP0]][
      // CHECK: sm90.tma_load %[[MAP0]][
      // CHECK: sm90.tma_load %[[MAP0]][
      // CHECK: sm90.tma_load %[[MAP0]][
      tile.copy %A[%c0, %c0] to %s0 signal %r at %p : !view, !tile.slot<!t>, !ring
      tile.copy %A[%n, %c0] to %s1 signal %r at %p : !view, !tile.slot<!t>, !ring
      // CHECK: sm90.tma_load %[[MAP1]][%{{.+}}, %{{.+}}, %{{.+}}]
      tile.copy %B[%n, %c0, %c0] to %s2 signal %r at %p : !batched, !tile.slot<!u>, !ring
    }
    tile.role @mma {
      %v = tile.map ins() -> tensor<64xf32, #tile.slice<1, #acc>> {
      ^bb0(%row: i32):
        // CHECK: sm90.ld_global_if %[[IN]]
        %e = tile.read %X[%row] : !tile.view<?xf32, align = 4> -> f32
        %g = arith.mulf %e, %f : f32
        tile.yield %g : f32
      }
      // CHECK: sm90.st_global_if {{.*}} to %[[OUT]]
      tile.store %v, %Y[%c0] via direct : tensor<64xf32, #tile.slice<1, #acc>>, !tile.view<?xf32, align = 4>
    }
  }
}

// Two names in one kernel for two numbers: the second number has none.
// CHECK-LABEL: sm90.kernel @names
tile.kernel @names(%a: !tile.ptr<bf16> {tile.name = "a"}, %n: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %r = tile.ring "r" from @load to @mma : !tile.ring<2, !t, !u>
  tile.roles {
    tile.role @load {
      %p = tile.cursor %r producer : !tile.ring<2, !t, !u>
      // CHECK: sm90.slot_at {{.*}} bytes<kATileBytes = 16384>
      // CHECK: sm90.slot_at {{.*}} bytes<8192>
      %s0, %s1 = tile.acquire %r at %p : !tile.ring<2, !t, !u> -> !tile.slot<!t>, !tile.slot<!u>
      tile.copy %A[%c0, %c0] to %s0 signal %r at %p : !view, !tile.slot<!t>, !tile.ring<2, !t, !u>
      tile.copy %A[%c0, %c0] to %s1 signal %r at %p : !view, !tile.slot<!u>, !tile.ring<2, !t, !u>
    }
    tile.role @mma {
    }
  }
}
