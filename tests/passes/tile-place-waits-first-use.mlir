// RUN: tw-opt %s --tile-place-waits | FileCheck %s
// Two dots of one body, as in the steady state of attention: S(t + 1) = Q·Kᵀ, O += P(t)·V. Each is waited for where its
// result is first used, with the groups issued after it still in flight; K and V go back right there. Q, which every
// iteration reads, goes back behind the loop. O is used in each iteration, so it does not stay in flight.

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xbf16, #sw>
!ring = !tile.ring<2, !t>
!s = tensor<64x64xf32, #acc>
!p = tensor<64x64xbf16, #acc>

// CHECK-LABEL: tile.kernel @steady
tile.kernel @steady(%d: !tile.ptr<f32>, %n: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %D = tile.view %d [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  // CHECK: %[[QR:.*]] = tile.ring "q"
  %qr = tile.ring "q" from @load to @mma : !ring
  // CHECK: %[[KR:.*]] = tile.ring "k"
  %kr = tile.ring "k" from @load to @mma : !ring
  // CHECK: %[[VR:.*]] = tile.ring "v"
  %vr = tile.ring "v" from @load to @mma : !ring
  // CHECK: %[[TURN:.*]] = tile.turn
  %turn = tile.turn among @mma
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %cq = tile.cursor %qr consumer : !ring
      %ck0 = tile.cursor %kr consumer : !ring
      %cv0 = tile.cursor %vr consumer : !ring
      %zero = tile.zero : !s
      %p0 = tile.zero : !p
      // CHECK: %[[Q:.*]] = tile.wait %[[QR]]
      %q = tile.wait %qr at %cq : !ring -> !tile.slot<!t>
      // CHECK-NEXT: scf.for {{.*}} iter_args(%[[CK:.*]] = %{{.*}}, %[[CV:.*]] = %{{.*}}, %[[PI:.*]] = %{{.*}}, %[[OI:.*]] = %{{.*}})
      // CHECK-NEXT:   %[[K:.*]] = tile.wait %[[KR]] at %[[CK]]
      // CHECK-NEXT:   tile.turn_wait %[[TURN]]
      // CHECK-NEXT:   %[[Z:.*]] = tile.zero : !tile.pending
      // CHECK-NEXT:   %[[SP:.*]] = tile.dot_start %[[Q]], %[[K]], %[[Z]] trans_b
      // CHECK-NEXT:   %[[V:.*]] = tile.wait %[[VR]] at %[[CV]]
      // CHECK-NEXT:   %[[OP:.*]] = tile.dot_start %[[PI]], %[[V]], %[[OI]] :
      // CHECK-NEXT:   tile.turn_pass %[[TURN]]
      // CHECK-NEXT:   %[[S:.*]] = tile.dot_wait %[[SP]] outstanding 1
      // CHECK-NEXT:   tile.release %[[KR]] at %[[CK]] :
      // CHECK-NEXT:   math.exp2 %[[S]]
      // CHECK-NEXT:   arith.truncf
      // CHECK-NEXT:   %[[O:.*]] = tile.dot_wait %[[OP]] :
      // CHECK-NEXT:   tile.release %[[VR]] at %[[CV]] :
      // CHECK-NEXT:   arith.addf %[[O]], %[[O]]
      // CHECK:      }
      // CHECK-NEXT: tile.release %[[QR]]
      %ck, %cv, %p, %o = scf.for %j = %c0 to %n step %c1 iter_args(%cki = %ck0, %cvi = %cv0, %pi = %p0, %oi = %zero)
          -> (!tile.cursor, !tile.cursor, !p, !s) : i32 {
        %k = tile.wait %kr at %cki : !ring -> !tile.slot<!t>
        tile.turn_wait %turn
        %sc = tile.dot %q, %k, %zero kind wgmma trans_b : !tile.slot<!t>, !tile.slot<!t>, !s
        %v = tile.wait %vr at %cvi : !ring -> !tile.slot<!t>
        %ou = tile.dot %pi, %v, %oi kind wgmma : !p, !tile.slot<!t>, !s
        tile.turn_pass %turn
        %e = math.exp2 %sc : !s
        %pn = arith.truncf %e : !s to !p
        %on = arith.addf %ou, %ou : !s
        %ckn = tile.advance %kr at %cki : !ring
        %cvn = tile.advance %vr at %cvi : !ring
        scf.yield %ckn, %cvn, %pn, %on : !tile.cursor, !tile.cursor, !p, !s
      }
      tile.store %o, %D[%c0, %c0] via direct : !s, !tile.view<?x?xf32>
    }
  }
}
