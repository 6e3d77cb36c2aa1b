// RUN: tw-opt %s --tile-rotate --tile-assign-roles --tile-place-waits --tile-verify-async | FileCheck %s
// Attention rotated by an order: in the steady state K and V go back as soon as the dot that reads them is known to be
// done, S first, with O += P·V of the iteration before still in flight; Q goes back behind everything.

#qs = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [2, 1]>
#row = #tile.slice<1, #acc>
!q = tensor<128x64xbf16, #qs>
!qr = !tile.ring<1, !q>
!kr = !tile.ring<2, !q>
!s = tensor<128x128xf32, #acc>
!p = tensor<128x128xbf16, #acc>
!o = tensor<128x64xf32, #acc>
!v = tensor<128xf32, #row>
!matrix = !tile.view<?x?xbf16, align = 16>

// CHECK-LABEL: tile.kernel @attention
// The load role sees K of an iteration before V of the one before.
// CHECK:      tile.role @load {
// CHECK:        %[[KV:.*]]:2 = tile.for
// CHECK:          tile.copy %[[K:.*]][%{{.*}}] to
// CHECK:          tile.copy %[[V:.*]][%{{.*}}] to
// CHECK:      tile.role @mma {
// CHECK:        %[[Q:.*]] = tile.wait %[[QR:.*]] at %[[CQ:.*]] :
// CHECK:        scf.if
// CHECK:          tile.for {{.*}} iter_args(%[[CK:.*]] = %{{.*}}, %[[CV:.*]] = %{{.*}}, %[[P:.*]] = %{{.*}}, %[[O:.*]] = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK-NEXT:       tile.turn_wait
// CHECK-NEXT:       %[[SK:.*]] = tile.wait %[[KR:.*]] at %[[CK]]
// CHECK-NEXT:       %[[Z:.*]] = tile.zero
// CHECK-NEXT:       %[[S:.*]] = tile.dot_start %[[Q]], %[[SK]], %[[Z]]
// CHECK-NEXT:       %[[SV:.*]] = tile.wait %[[VR:.*]] at %[[CV]]
// CHECK-NEXT:       %[[D:.*]] = tile.dot_start %[[P]], %[[SV]], %[[O]]
// CHECK-NEXT:       tile.turn_pass
// CHECK-NEXT:       %[[E:.*]] = tile.dot_wait %[[S]] outstanding 1
// CHECK-NEXT:       tile.release %[[KR]] at %[[CK]] :
// CHECK-NEXT:       math.exp2 %[[E]]
// CHECK:            %[[W:.*]] = tile.dot_wait %[[D]] :
// CHECK-NEXT:       tile.release %[[VR]] at %[[CV]] :
// CHECK-NEXT:       arith.mulf %[[W]]
// CHECK:            tile.yield
// CHECK:          tile.dot_start
// CHECK:          tile.dot_wait
// CHECK-NEXT:     tile.release %[[VR]]
// CHECK-NEXT:     scf.yield
// CHECK:        } else {
// CHECK:        }
// CHECK-NEXT:   tile.release %[[QR]] at %[[CQ]] :
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
    %l0 = tile.zero : !v
    %o, %l = tile.for %j = %c0 to %n step %c128 order [#tile.at<"turn_wait">, #tile.at<"qk", 0>, #tile.at<"pv", 1>, #tile.at<"turn_pass">, #tile.at<"softmax", 0>, #tile.at<"rescale", 0>] turn(%turn)
        iter_args(%oi = %o0, %li = %l0) -> (!o, !v) {
      %sc = tile.step "qk" -> (!s) {
        %tk = tile.load %K[%j, %c0] via tma ring %kr : !matrix, !kr -> !q
        %z = tile.zero : !s
        %x = tile.dot %tq, %tk, %z kind wgmma trans_b : !q, !q, !s
        tile.yield %x : !s
      }
      %e, %l1 = tile.step "softmax" -> (!s, !v) {
        %x = math.exp2 %sc : !s
        %r = tile.reduce add %x along 1 : !s -> !v
        %y = arith.addf %li, %r : !v
        tile.yield %x, %y : !s, !v
      }
      %p, %or = tile.step "rescale" -> (!p, !o) {
        %x = arith.truncf %e : !s to !p
        %b = tile.broadcast %l1 along 1 : !v -> !o
        %y = arith.mulf %oi, %b : !o
        tile.yield %x, %y : !p, !o
      }
      %o1 = tile.step "pv" -> (!o) {
        %tv = tile.load %V[%j, %c0] via tma ring %vr : !matrix, !kr -> !q
        %x = tile.dot %p, %tv, %or kind wgmma : !p, !q, !o
        tile.yield %x : !o
      }
      tile.yield %o1, %l1 : !o, !v
    }
    %lb = tile.broadcast %l along 1 : !v -> !o
    %on = arith.divf %o, %lb : !o
    %oh = arith.truncf %on : !o to tensor<128x64xbf16, #acc>
    tile.store %oh, %O[%mi, %c0] via tma staging %st : tensor<128x64xbf16, #acc>, !matrix, !qr
  }
}
