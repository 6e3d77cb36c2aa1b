// RUN: tw-opt %s --tile-place-waits | FileCheck %s
// A turn that is passed on behind a loop is passed while the loop's last dots are in flight: the wait for them, and
// what it gives back, come behind it.

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xbf16, #sw>
!ab = !tile.ring<4, !t, !t>
!acc = tensor<64x64xf32, #acc>

// CHECK-LABEL: tile.kernel @passes_early
tile.kernel @passes_early(%d: !tile.ptr<f32>, %k: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 2, split = tiles>] {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %D = tile.view %d [%k, %k] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  // CHECK: %[[AB:.*]] = tile.ring
  %ab = tile.ring "ab" from @load to @mma : !ab
  // CHECK: %[[TURN:.*]] = tile.turn
  %turn = tile.turn among @mma
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %r0 = tile.cursor %ab consumer : !ab
      %zero = tile.zero : !acc
      tile.turn_wait %turn
      // CHECK: %[[L:.*]]:3 = tile.for
      // CHECK: tile.yield
      // CHECK-NEXT: }
      // CHECK-NEXT: tile.turn_pass %[[TURN]]
      // CHECK-NEXT: %[[VALUE:.*]] = tile.dot_wait %[[L]]#2
      // CHECK-NEXT: %[[ANY:.*]] = arith.cmpi sgt
      // CHECK-NEXT: tile.release %[[AB]] at %[[L]]#1 if %[[ANY]]
      // CHECK-NEXT: tile.store %[[VALUE]]
      %r, %sum = tile.for %kk = %c0 to %k step %c64 iter_args(%q = %r0, %c = %zero) -> (!tile.cursor, !acc) {
        %a, %b = tile.wait %ab at %q : !ab -> !tile.slot<!t>, !tile.slot<!t>
        %e = tile.dot %a, %b, %c kind wgmma trans_b outstanding 1 : !tile.slot<!t>, !tile.slot<!t>, !acc
        %q1 = tile.advance %ab at %q : !ab
        tile.yield %q1, %e : !tile.cursor, !acc
      }
      tile.turn_pass %turn
      tile.store %sum, %D[%c0, %c0] via direct : !acc, !tile.view<?x?xf32>
    }
  }
}
