// RUN: tw-opt %s --tile-place-waits | FileCheck %s
// outstanding 1: the accumulator stays in flight through the loop, each iteration gives back the stage of the one
// before, and what stands behind the loop gives back the last. Both guards hold for a loop without trips.

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xbf16, #sw>
!ab = !tile.ring<4, !t, !t>
!acc = tensor<64x64xf32, #acc>

// CHECK-LABEL: tile.kernel @in_flight
tile.kernel @in_flight(%d: !tile.ptr<f32>, %k: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  // CHECK: %[[C0:.*]] = arith.constant 0
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %D = tile.view %d [%k, %k] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %ab = tile.ring "ab" from @load to @mma : !ab
  tile.roles {
    tile.role @load {
    }
    // CHECK: tile.role @mma {
    tile.role @mma {
      // CHECK-NEXT: %[[R:.*]] = tile.cursor
      %r0 = tile.cursor %ab consumer : !ab
      // CHECK-NEXT: %[[ZERO:.*]] = tile.zero : !tile.pending<tensor<64x64xf32, #acc>>
      %zero = tile.zero : !acc
      // CHECK-NEXT: %[[L:.*]]:3 = tile.for %[[KK:.*]] = %[[C0]] to %[[K:.*]] step %{{.*}} iter_args(%[[Q:.*]] = %[[R]], %[[PREVIOUS:.*]] = %[[R]], %[[ACC:.*]] = %[[ZERO]]) -> (!tile.cursor, !tile.cursor, !tile.pending<tensor<64x64xf32, #acc>>) {
      // CHECK-NEXT:   %[[S:.*]]:2 = tile.wait %{{.*}} at %[[Q]]
      // CHECK-NEXT:   %[[E:.*]] = tile.dot_start %[[S]]#0, %[[S]]#1, %[[ACC]] trans_b
      // CHECK-NEXT:   %[[F:.*]] = tile.dot_retire %[[E]] outstanding 1
      // CHECK-NEXT:   %[[NOT_FIRST:.*]] = arith.cmpi sgt, %[[KK]], %[[C0]]
      // CHECK-NEXT:   tile.release %{{.*}} at %[[PREVIOUS]] if %[[NOT_FIRST]]
      // CHECK-NEXT:   %[[Q1:.*]] = tile.advance %{{.*}} at %[[Q]]
      // CHECK-NEXT:   tile.yield %[[Q1]], %[[Q]], %[[F]]
      // CHECK-NEXT: }
      // CHECK-NEXT: %[[VALUE:.*]] = tile.dot_wait %[[L]]#2 : <tensor<64x64xf32, #acc>>
      // CHECK-NEXT: %[[ANY:.*]] = arith.cmpi sgt, %[[K]], %[[C0]]
      // CHECK-NEXT: tile.release %{{.*}} at %[[L]]#1 if %[[ANY]]
      // CHECK-NEXT: tile.store %[[VALUE]]
      %r, %sum = tile.for %kk = %c0 to %k step %c64 iter_args(%q = %r0, %c = %zero) -> (!tile.cursor, !acc) {
        %a, %b = tile.wait %ab at %q : !ab -> !tile.slot<!t>, !tile.slot<!t>
        %e = tile.dot %a, %b, %c kind wgmma trans_b outstanding 1 : !tile.slot<!t>, !tile.slot<!t>, !acc
        %q1 = tile.advance %ab at %q : !ab
        tile.yield %q1, %e : !tile.cursor, !acc
      }
      tile.store %sum, %D[%c0, %c0] via direct : !acc, !tile.view<?x?xf32>
    }
  }
}
