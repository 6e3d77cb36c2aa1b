// RUN: tw-opt %s --tile-place-waits | FileCheck %s
// outstanding 0: each dot is retired where it stands and its own stage given back. The accumulator passes through
// two nested loops (and two dots of one body) in flight and is waited for once, behind the outer one.

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xbf16, #sw>
!ab = !tile.ring<4, !t, !t>
!acc = tensor<64x64xf32, #acc>

// CHECK-LABEL: tile.kernel @retired
tile.kernel @retired(%d: !tile.ptr<f32>, %k: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %D = tile.view %d [%k, %k] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %ab = tile.ring "ab" from @load to @mma : !ab
  tile.roles {
    tile.role @load {
    }
    // CHECK: tile.role @mma {
    tile.role @mma {
      %r0 = tile.cursor %ab consumer : !ab
      // CHECK:      %[[ZERO:.*]] = tile.zero : !tile.pending
      %zero = tile.zero : !acc
      // CHECK-NEXT: %[[OUTER:.*]]:2 = scf.for {{.*}} iter_args(%[[P:.*]] = %{{.*}}, %[[X:.*]] = %[[ZERO]])
      // CHECK-NEXT:   %[[INNER:.*]]:2 = tile.for {{.*}} iter_args(%[[Q:.*]] = %[[P]], %[[Y:.*]] = %[[X]])
      // CHECK-NEXT:     %[[S:.*]]:2 = tile.wait
      // CHECK-NEXT:     %[[E:.*]] = tile.dot_start %[[S]]#0, %[[S]]#1, %[[Y]] trans_b
      // CHECK-NEXT:     %[[F:.*]] = tile.dot_retire %[[E]] outstanding 1
      // CHECK-NEXT:     %[[G:.*]] = tile.dot_start %[[S]]#1, %[[S]]#0, %[[F]] trans_b
      // CHECK-NEXT:     %[[H:.*]] = tile.dot_retire %[[G]] outstanding 0
      // CHECK-NEXT:     tile.release %{{.*}} at %[[Q]] :
      // CHECK-NEXT:     tile.advance
      // CHECK-NEXT:     tile.yield %{{.*}}, %[[H]]
      // CHECK-NEXT:   }
      // CHECK-NEXT:   scf.yield %[[INNER]]#0, %[[INNER]]#1
      // CHECK-NEXT: }
      // CHECK-NEXT: tile.dot_wait %[[OUTER]]#1 : <tensor<64x64xf32, #acc>>
      %r, %sum = scf.for %i = %c0 to %k step %c1 iter_args(%p = %r0, %x = %zero) -> (!tile.cursor, !acc) : i32 {
        %p1, %x1 = tile.for %kk = %c0 to %i step %c1 iter_args(%q = %p, %y = %x) -> (!tile.cursor, !acc) {
          %a, %b = tile.wait %ab at %q : !ab -> !tile.slot<!t>, !tile.slot<!t>
          %e = tile.dot %a, %b, %y kind wgmma trans_b outstanding 1 : !tile.slot<!t>, !tile.slot<!t>, !acc
          %f = tile.dot %b, %a, %e kind wgmma trans_b : !tile.slot<!t>, !tile.slot<!t>, !acc
          %q1 = tile.advance %ab at %q : !ab
          tile.yield %q1, %f : !tile.cursor, !acc
        }
        scf.yield %p1, %x1 : !tile.cursor, !acc
      }
      tile.store %sum, %D[%c0, %c0] via direct : !acc, !tile.view<?x?xf32>
    }
  }
}
