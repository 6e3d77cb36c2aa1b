// RUN: tw-opt %s --tile-assign-roles | FileCheck %s
// The i-th load of a ring in a body fills the i-th slot; a body that loads more fills several stages. A reader's
// cursor is advanced as late as possible: the release will stand before.

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!one = !tile.ring<2, tensor<64x64xbf16, #sw>>
!view = !tile.view<?x?xbf16, align = 16>
!tile = tensor<64x64xf32, #acc>

// CHECK-LABEL: tile.kernel @stages
tile.kernel @stages(%a: !tile.ptr<bf16>, %d: !tile.ptr<f32>, %n: i32, %ld: i64) form = program
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %D = tile.view %d [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %r = tile.ring "r" from @load to @mma : !one
  // CHECK:      tile.role @load {
  // CHECK:        %[[P0:.*]] = tile.cursor
  // CHECK-NEXT:   %[[S0:.*]] = tile.acquire %{{.*}} at %[[P0]]
  // CHECK-NEXT:   tile.copy {{.*}} to %[[S0]] signal %{{.*}} at %[[P0]]
  // CHECK-NEXT:   %[[P1:.*]] = tile.advance %{{.*}} at %[[P0]]
  // CHECK-NEXT:   %[[S1:.*]] = tile.acquire %{{.*}} at %[[P1]]
  // CHECK-NEXT:   tile.copy {{.*}} to %[[S1]] signal %{{.*}} at %[[P1]]
  // CHECK-NEXT:   %[[P2:.*]] = tile.advance %{{.*}} at %[[P1]]
  // CHECK-NEXT:   scf.for {{.*}} iter_args(%{{.*}} = %[[P2]])
  // CHECK:      tile.role @mma {
  // CHECK:        %[[R0:.*]] = tile.cursor
  // CHECK:        %[[W0:.*]] = tile.wait %{{.*}} at %[[R0]]
  // CHECK-NEXT:   %[[R1:.*]] = tile.advance %{{.*}} at %[[R0]]
  // CHECK-NEXT:   %[[W1:.*]] = tile.wait %{{.*}} at %[[R1]]
  // CHECK-NEXT:   tile.dot %[[W0]], %[[W1]]
  // CHECK-NEXT:   %[[R2:.*]] = tile.advance %{{.*}} at %[[R1]]
  // CHECK-NEXT:   scf.for {{.*}} iter_args(%{{.*}} = %[[R2]]
  %zero = tile.zero : !tile
  %x = tile.load %A[%c0, %c0] via tma ring %r : !view, !one -> tensor<64x64xbf16, #sw>
  %y = tile.load %A[%c0, %n] via tma ring %r : !view, !one -> tensor<64x64xbf16, #sw>
  %p = tile.dot %x, %y, %zero kind wgmma : tensor<64x64xbf16, #sw>, tensor<64x64xbf16, #sw>, !tile
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %p) -> (!tile) : i32 {
    %z = tile.load %A[%i, %c0] via tma ring %r : !view, !one -> tensor<64x64xbf16, #sw>
    %f = tile.map ins(%z) : tensor<64x64xbf16, #sw> -> !tile {
    ^bb0(%e: bf16, %row: i32, %col: i32):
      %wide = arith.extf %e : bf16 to f32
      tile.yield %wide : f32
    }
    %t = arith.addf %s, %f : !tile
    scf.yield %t : !tile
  }
  tile.store %sum, %D[%c0, %c0] via direct : !tile, !tile.view<?x?xf32>
}
