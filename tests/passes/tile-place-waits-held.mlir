// RUN: tw-opt %s --tile-place-waits | FileCheck %s
// What is held is on its way to the registers while the loop's last dots are in flight: the wait for them comes behind.

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
#col = #tile.slice<0, #acc>
!t = tensor<64x64xbf16, #sw>
!ab = !tile.ring<4, !t, !t>
!acc = tensor<64x64xf32, #acc>

// CHECK-LABEL: tile.kernel @reads_early
tile.kernel @reads_early(%d: !tile.ptr<f32>, %bias: !tile.ptr<bf16>, %k: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %D = tile.view %d [%k, %k] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %B = tile.view %bias [%k] : !tile.ptr<bf16> -> !tile.view<?xbf16>
  %ab = tile.ring "ab" from @load to @mma : !ab
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %r0 = tile.cursor %ab consumer : !ab
      %zero = tile.zero : !acc
      // CHECK: %[[L:.*]]:3 = tile.for
      // CHECK: tile.yield
      // CHECK-NEXT: }
      // CHECK-NEXT: %[[B:.*]] = tile.load %{{.*}} via direct held
      // CHECK-NEXT: %[[F:.*]] = arith.extf %[[B]]
      // CHECK-NEXT: tile.dot_wait %[[L]]#2
      %r, %sum = tile.for %kk = %c0 to %k step %c64 iter_args(%q = %r0, %c = %zero) -> (!tile.cursor, !acc) {
        %a, %b = tile.wait %ab at %q : !ab -> !tile.slot<!t>, !tile.slot<!t>
        %e = tile.dot %a, %b, %c kind wgmma trans_b outstanding 1 : !tile.slot<!t>, !tile.slot<!t>, !acc
        %q1 = tile.advance %ab at %q : !ab
        tile.yield %q1, %e : !tile.cursor, !acc
      }
      %v = tile.load %B[%c0] via direct held : !tile.view<?xbf16> -> tensor<64xbf16, #col>
      %f = arith.extf %v : tensor<64xbf16, #col> to tensor<64xf32, #col>
      %w = tile.broadcast %f along 0 : tensor<64xf32, #col> -> !acc
      %y = arith.addf %sum, %w : !acc
      tile.store %y, %D[%c0, %c0] via direct : !acc, !tile.view<?x?xf32>
    }
  }
}
