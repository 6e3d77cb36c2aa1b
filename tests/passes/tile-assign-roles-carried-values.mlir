// RUN: tw-opt %s --tile-assign-roles | FileCheck %s
// A role keeps the scalars and the loop-carried values that its work needs and nothing else.

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!ring = !tile.ring<2, tensor<64x64xbf16, #sw>>
!view = !tile.view<?x?xbf16, align = 16>
!tile = tensor<64x64xf32, #acc>

// CHECK-LABEL: tile.kernel @carried
tile.kernel @carried(%a: !tile.ptr<bf16>, %d: !tile.ptr<f32>, %n: i32, %ld: i64) form = program
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  // Scalars in front of the work stay in the kernel, where every role sees them.
  // CHECK: %[[C0:.*]] = arith.constant 0
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %D = tile.view %d [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  // CHECK: %[[RING:.*]] = tile.ring "r"
  %r = tile.ring "r" from @load to @mma : !ring
  %zero = tile.zero : !tile
  // The row that is loaded next goes with the load, the sum and the count with the arithmetic.
  // CHECK:     tile.role @load {
  // CHECK-NOT:   tile.zero
  // CHECK:       scf.for {{.*}} iter_args(%[[P:.*]] = %{{.*}}, %[[ROW:.*]] = %[[C0]]) -> (!tile.cursor, i32)
  // CHECK:         tile.copy %{{.*}}[%[[ROW]], %[[C0]]]
  // CHECK:         %[[NEXT:.*]] = arith.muli %[[ROW]]
  // CHECK-NOT:     arith.addf
  // CHECK:         scf.yield %{{.*}}, %[[NEXT]]
  // CHECK-NOT:   scf.for
  // CHECK:     tile.role @mma {
  // CHECK:       tile.zero
  // CHECK:       scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %[[C0]]) -> (!tile.cursor, tensor<64x64xf32, #acc>, i32)
  // CHECK-NOT:     arith.muli
  // CHECK:         arith.addf
  // CHECK:       scf.for
  // CHECK:         tile.store
  %sum, %row, %count = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero, %at = %c0, %seen = %c0)
      -> (!tile, i32, i32) : i32 {
    %t = tile.load %A[%at, %c0] via tma ring %r : !view, !ring -> tensor<64x64xbf16, #sw>
    %f = tile.map ins(%t) : tensor<64x64xbf16, #sw> -> !tile {
    ^bb0(%e: bf16, %row: i32, %col: i32):
      %wide = arith.extf %e : bf16 to f32
      tile.yield %wide : f32
    }
    %y = arith.addf %x, %f : !tile
    %next = arith.muli %at, %i : i32
    %counted = arith.addi %seen, %c1 : i32
    scf.yield %y, %next, %counted : !tile, i32, i32
  }
  // A loop without work of a role is not in it.
  scf.for %i = %c0 to %count step %c1 : i32 {
    tile.store %sum, %D[%i, %c0] via direct : !tile, !tile.view<?x?xf32>
  }
}
