// RUN: tw-opt %s --tile-place-waits | FileCheck %s
// A stage goes back after the last of its readers: ordinary reads are done where they stand, in a branch where the
// branch ends. A stage that nothing reads goes back at once. Dots of CUDA cores are ordinary readers.

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xbf16, #sw>
!ring = !tile.ring<2, !t>
!half = tensor<64x64xbf16, #acc>

// CHECK-LABEL: tile.kernel @readers
tile.kernel @readers(%a: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %cond = arith.cmpi sgt, %n, %c0 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !tile.view<?x?xbf16>
  %x = tile.ring "x" from @load to @mma : !ring
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      // CHECK: %[[R0:.*]] = tile.cursor
      %r0 = tile.cursor %x consumer : !ring
      // CHECK: tile.wait
      // CHECK-NEXT: tile.release %{{.*}} at %[[R0]]
      %unread = tile.wait %x at %r0 : !ring -> !tile.slot<!t>
      // CHECK-NEXT: %[[R1:.*]] = tile.advance
      %r1 = tile.advance %x at %r0 : !ring
      // CHECK: tile.wait
      %s = tile.wait %x at %r1 : !ring -> !tile.slot<!t>
      // CHECK-NEXT: tile.fragment_load
      %f = tile.fragment_load %s : !tile.slot<!t> -> !half
      // CHECK-NEXT: tile.map
      // CHECK-NOT: tile.release
      %g = tile.map ins(%s) : !tile.slot<!t> -> !half {
      ^bb0(%e: bf16, %row: i32, %col: i32):
        tile.yield %e : bf16
      }
      // CHECK: arith.addf
      %h = arith.addf %f, %g : !half
      // CHECK-NEXT: scf.if
      scf.if %cond {
        // CHECK-NEXT: %[[Z:.*]] = tile.zero : !tile.pending
        // CHECK-NEXT: %[[P:.*]] = tile.dot_start %{{.*}}, %{{.*}}, %[[Z]]
        // CHECK-NEXT: %[[V:.*]] = tile.dot_wait %[[P]]
        %zero = tile.zero : tensor<64x64xf32, #acc>
        %p = tile.dot %h, %s, %zero kind wgmma : !half, !tile.slot<!t>, tensor<64x64xf32, #acc>
        // CHECK-NEXT: arith.truncf %[[V]]
        %o = arith.truncf %p : tensor<64x64xf32, #acc> to !half
        // CHECK-NEXT: tile.store
        tile.store %o, %A[%c0, %c0] via direct : !half, !tile.view<?x?xbf16>
        // CHECK-NEXT: }
      }
      // CHECK-NEXT: tile.release %{{.*}} at %[[R1]]
    }
  }
}
