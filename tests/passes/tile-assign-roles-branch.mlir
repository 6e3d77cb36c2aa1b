// RUN: tw-opt %s --tile-assign-roles | FileCheck %s
// A branch around work of two roles stands in both; where it is not taken, the cursors stay where they are.

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!ring = !tile.ring<2, tensor<64x64xbf16, #sw>>
!view = !tile.view<?x?xbf16, align = 16>
!tile = tensor<64x64xf32, #acc>

// CHECK-LABEL: tile.kernel @branch
tile.kernel @branch(%a: !tile.ptr<bf16>, %d: !tile.ptr<f32>, %n: i32, %ld: i64) form = program
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %D = tile.view %d [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %r = tile.ring "r" from @load to @mma : !ring
  // CHECK: %[[COND:.*]] = arith.cmpi
  %cond = arith.cmpi sgt, %n, %c0 : i32
  // CHECK:      tile.role @load {
  // CHECK:        %[[P:.*]] = tile.cursor
  // CHECK-NEXT:   scf.if %[[COND]] -> (!tile.cursor) {
  // CHECK:          tile.copy
  // CHECK-NEXT:     %[[P1:.*]] = tile.advance
  // CHECK-NEXT:     scf.yield %[[P1]]
  // CHECK-NEXT:   } else {
  // CHECK-NEXT:     scf.yield %[[P]]
  // CHECK:      tile.role @mma {
  // CHECK:        %[[R:.*]] = tile.cursor
  // CHECK:        %[[V:.*]]:2 = scf.if %[[COND]] -> (!tile.cursor, tensor<64x64xf32, #acc>) {
  // CHECK:          tile.wait
  // CHECK:          %[[F:.*]] = tile.map
  // CHECK:          %[[R1:.*]] = tile.advance
  // CHECK-NEXT:     scf.yield %[[R1]], %[[F]]
  // CHECK-NEXT:   } else {
  // CHECK-NEXT:     scf.yield %[[R]], %
  // CHECK:        tile.store %[[V]]#1
  %zero = tile.zero : !tile
  %v = scf.if %cond -> (!tile) {
    %t = tile.load %A[%c0, %c0] via tma ring %r : !view, !ring -> tensor<64x64xbf16, #sw>
    %f = tile.map ins(%t) : tensor<64x64xbf16, #sw> -> !tile {
    ^bb0(%e: bf16, %row: i32, %col: i32):
      %wide = arith.extf %e : bf16 to f32
      tile.yield %wide : f32
    }
    scf.yield %f : !tile
  } else {
    scf.yield %zero : !tile
  }
  tile.store %v, %D[%c0, %c0] via direct : !tile, !tile.view<?x?xf32>
}
