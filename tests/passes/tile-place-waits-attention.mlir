// RUN: tw-opt %s --tile-assign-roles --tile-place-waits --tile-verify-async | FileCheck %s
// Attention, every other step of the chain included: K and V in rings of their own, S = Q·Kᵀ is used in its iteration,
// O += P·V stays in flight through the loop with P in registers.
#qs = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [2, 1]>
#row = #tile.slice<1, #acc>
!q = tensor<128x64xbf16, #qs>
!qr = !tile.ring<1, !q>
!kr = !tile.ring<2, !q>
!s = tensor<128x128xf32, #acc>
!o = tensor<128x64xf32, #acc>
!matrix = !tile.view<?x?xbf16, align = 16>

// CHECK-LABEL: tile.kernel @attention
// CHECK:      tile.role @load {
// CHECK-COUNT-3: tile.copy
// CHECK:      tile.role @mma {
// CHECK:        %[[Q:.*]] = tile.wait
// CHECK:        %[[L:.*]]:4 = tile.for {{.*}} iter_args(%[[CK:.*]] = %{{.*}}, %[[CV:.*]] = %{{.*}}, %[[O:.*]] = %{{.*}}, %{{.*}} = %{{.*}}) -> (!tile.cursor, !tile.cursor, !tile.pending<tensor<128x64xf32, #acc>>, tensor<128xf32
// CHECK:          %[[K:.*]] = tile.wait %{{.*}} at %[[CK]]
// CHECK:          tile.turn_wait
// CHECK:          %[[S:.*]] = tile.dot_start %[[Q]], %[[K]]
// CHECK-NEXT:     tile.turn_pass
// CHECK-NEXT:     %[[E:.*]] = tile.dot_wait %[[S]]
// CHECK-NEXT:     tile.release %{{.*}} at %[[CK]] :
// CHECK-NEXT:     math.exp2 %[[E]]
// CHECK:          %[[P:.*]] = arith.truncf
// CHECK:          %[[V:.*]] = tile.wait %{{.*}} at %[[CV]]
// CHECK-NEXT:     %[[D:.*]] = tile.dot_start %[[P]], %[[V]], %[[O]]
// CHECK-NEXT:     %[[R:.*]] = tile.dot_retire %[[D]] outstanding 0
// CHECK-NEXT:     tile.release %{{.*}} at %[[CV]] :
// CHECK:          tile.yield %{{.*}}, %{{.*}}, %[[R]]
// CHECK:        tile.release
// CHECK-NEXT:   tile.dot_wait %[[L]]#2
// CHECK:        tile.copy_out
// CHECK:        tile.drain
tile.kernel @attention(%q: !tile.ptr<bf16>, %k: !tile.ptr<bf16>, %v: !tile.ptr<bf16>, %d: !tile.ptr<bf16>, %n: i32, %ld: i64)
    form = program roles = [#tile.role<load, warps = 1, regs = 40>, #tile.role<mma, warpgroups = 2, regs = 232>] {
  %c64 = arith.constant 64 : i32
  %Q = tile.view %q [%n, %c64] strides [%ld] : !tile.ptr<bf16> -> !matrix
  %K = tile.view %k [%n, %c64] strides [%ld] : !tile.ptr<bf16> -> !matrix
  %V = tile.view %v [%n, %c64] strides [%ld] : !tile.ptr<bf16> -> !matrix
  %O = tile.view %d [%n, %c64] strides [%ld] : !tile.ptr<bf16> -> !matrix
  %qr = tile.ring "q" from @load to @mma : !qr
  %kr = tile.ring "k" from @load to @mma : !kr
  %vr = tile.ring "v" from @load to @mma : !kr
  %st = tile.ring "staging" private @mma : !qr
  %turn = tile.turn among @mma
  %s = tile.raster (%n by 128) order row : !tile.schedule<1>
  tile.for_tiles (%mi) in %s : !tile.schedule<1> {
    %c0 = arith.constant 0 : i32
    %c128 = arith.constant 128 : i32
    %tq = tile.load %Q[%mi, %c0] via tma ring %qr : !matrix, !qr -> !q
    %o0 = tile.zero : !o
    %l0 = tile.zero : tensor<128xf32, #row>
    %o, %l = tile.for %j = %c0 to %n step %c128 iter_args(%oi = %o0, %li = %l0) -> (!o, tensor<128xf32, #row>) {
      %tk = tile.load %K[%j, %c0] via tma ring %kr : !matrix, !kr -> !q
      %z = tile.zero : !s
      tile.turn_wait %turn
      %sc = tile.dot %tq, %tk, %z kind wgmma trans_b : !q, !q, !s
      tile.turn_pass %turn
      %e = math.exp2 %sc : !s
      %r = tile.reduce add %e along 1 : !s -> tensor<128xf32, #row>
      %l1 = arith.addf %li, %r : tensor<128xf32, #row>
      %p = arith.truncf %e : !s to tensor<128x128xbf16, #acc>
      %tv = tile.load %V[%j, %c0] via tma ring %vr : !matrix, !kr -> !q
      %o1 = tile.dot %p, %tv, %oi kind wgmma : tensor<128x128xbf16, #acc>, !q, !o
      tile.yield %o1, %l1 : !o, tensor<128xf32, #row>
    }
    %lb = tile.broadcast %l along 1 : tensor<128xf32, #row> -> !o
    %on = arith.divf %o, %lb : !o
    %oh = arith.truncf %on : !o to tensor<128x64xbf16, #acc>
    tile.store %oh, %O[%mi, %c0] via tma staging %st : tensor<128x64xbf16, #acc>, !matrix, !qr
  }
}
