// RUN: tw-opt %s --tile-assign-roles | FileCheck %s
// What a ring brings is a slot to dots and maps.

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!ring = !tile.ring<2, tensor<64x64xbf16, #sw>>
!view = !tile.view<?x?xbf16, align = 16>
!half = tensor<64x64xbf16, #acc>

// CHECK-LABEL: tile.kernel @slots
tile.kernel @slots(%a: !tile.ptr<bf16>, %n: i32, %ld: i64) form = program
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %r = tile.ring "r" from @load to @mma : !ring
  // CHECK:     tile.role @mma {
  // CHECK:       %[[SLOT:.*]] = tile.wait
  // CHECK-NEXT:  %[[X:.*]] = tile.map ins(%[[SLOT]]) : !tile.slot<tensor<64x64xbf16, #smem>> -> tensor<64x64xbf16, #acc>
  // CHECK:       tile.dot %[[X]], %[[SLOT]], %{{.*}} : tensor<64x64xbf16, #acc>, !tile.slot<tensor<64x64xbf16, #smem>>, tensor
  // CHECK:       tile.map ins(%{{.*}}, %[[SLOT]]) : tensor<64x64xf32, #acc>, !tile.slot<tensor<64x64xbf16, #smem>>
  %t = tile.load %A[%c0, %c0] via tma ring %r : !view, !ring -> tensor<64x64xbf16, #sw>
  %x = tile.map ins(%t) : tensor<64x64xbf16, #sw> -> !half {
  ^bb0(%e: bf16, %row: i32, %col: i32):
    %twice = arith.addf %e, %e : bf16
    tile.yield %twice : bf16
  }
  %zero = tile.zero : tensor<64x64xf32, #acc>
  %p = tile.dot %x, %t, %zero kind wgmma : !half, tensor<64x64xbf16, #sw>, tensor<64x64xf32, #acc>
  %y = tile.map ins(%p, %t) : tensor<64x64xf32, #acc>, tensor<64x64xbf16, #sw> -> !half {
  ^bb0(%s: f32, %e: bf16, %row: i32, %col: i32):
    %short = arith.truncf %s : f32 to bf16
    %sum = arith.addf %short, %e : bf16
    tile.yield %sum : bf16
  }
  tile.store %y, %A[%c0, %c0] via direct : !half, !view
}
