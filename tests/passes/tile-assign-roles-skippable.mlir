// RUN: tw-opt %s --tile-assign-roles | FileCheck %s
// Ranges go with the loop into every role, skippable work only to the role whose tiles it changes. Turns belong to the
// role that takes them.

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!ring = !tile.ring<2, tensor<64x64xbf16, #sw>>
!view = !tile.view<?x?xbf16, align = 16>
!tile = tensor<64x64xf32, #acc>

// CHECK-LABEL: tile.kernel @masked
tile.kernel @masked(%a: !tile.ptr<bf16>, %d: !tile.ptr<f32>, %n: i32, %edge: i32, %ld: i64) form = program
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %D = tile.view %d [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %r = tile.ring "r" from @load to @mma : !ring
  %turn = tile.turn among @mma
  %zero = tile.zero : !tile
  // CHECK:     tile.role @load {
  // CHECK:       tile.for {{.*}} ranges("inner" : %{{.*}} to %arg3, "edge" : %arg3 to %{{.*}}) iter_args
  // CHECK-NOT:     tile.turn_wait
  // CHECK-NOT:     tile.skippable
  // CHECK:     tile.role @mma {
  // CHECK:       tile.for {{.*}} ranges("inner" : %{{.*}} to %arg3, "edge" : %arg3 to %{{.*}}) iter_args
  // CHECK:         tile.turn_wait
  // CHECK:         %[[F:.*]] = tile.map
  // CHECK:         tile.turn_pass
  // CHECK:         tile.skippable in ["inner"](%[[F]]) : tensor<64x64xf32, #acc> {
  // CHECK:           %[[M:.*]] = arith.select %{{.*}}, %[[F]]
  // CHECK-NEXT:      tile.yield %[[M]]
  %sum = tile.for %i = %c0 to %n step %c64 ranges("inner" : %c0 to %edge, "edge" : %edge to %n) iter_args(%x = %zero) -> (!tile) {
    %t = tile.load %A[%i, %c0] via tma ring %r : !view, !ring -> tensor<64x64xbf16, #sw>
    tile.turn_wait %turn
    %f = tile.map ins(%t) : tensor<64x64xbf16, #sw> -> !tile {
    ^bb0(%e: bf16, %row: i32, %col: i32):
      %wide = arith.extf %e : bf16 to f32
      tile.yield %wide : f32
    }
    tile.turn_pass %turn
    %m = tile.skippable in ["inner"] (%f) : !tile {
      %row = tile.coord 0 offset %i : tensor<64x64xi32, #acc>
      %border = tile.splat %edge : i32 -> tensor<64x64xi32, #acc>
      %inside = arith.cmpi slt, %row, %border : tensor<64x64xi32, #acc>
      %masked = arith.select %inside, %f, %zero : tensor<64x64xi1, #acc>, !tile
      tile.yield %masked : !tile
    }
    %y = arith.addf %x, %m : !tile
    tile.yield %y : !tile
  }
  tile.store %sum, %D[%c0, %c0] via direct : !tile, !tile.view<?x?xf32>
}
