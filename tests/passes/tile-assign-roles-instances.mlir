// RUN: tw-opt %s --tile-assign-roles | FileCheck %s
// Warpgroups that take whole tiles each: instance i of n begins i units behind the first and goes on by n units.
// In the ring that both read, each passes the stages of the other's tile, and waits for stages in turn: a full
// barrier that is several rounds behind looks like one that is complete.

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xbf16, #sw>
!ab = !tile.ring<3, !t, !t>
!staging = !tile.ring<2, !t>
!view = !tile.view<?x?xbf16, align = 16>
!s = tensor<64x64xf32, #acc>

// CHECK-LABEL: tile.kernel @pingpong
// CHECK: %[[AB:.*]] = tile.ring "ab"
// CHECK: %[[S:.*]] = tile.raster
// CHECK: %[[TURN:.*]] = tile.turn among @mma
// Who fills the ring fills it for all tiles in order.
// CHECK: tile.role @load
// CHECK: %[[FIRST:.*]], %[[END:.*]], %[[STEP:.*]] = tile.schedule_range %[[S]]
// CHECK-NEXT: scf.for %{{.*}} = %[[FIRST]] to %[[END]] step %[[STEP]]
// CHECK: tile.role @mma
// CHECK: %[[AT:.*]] = tile.cursor %[[AB]] consumer
// CHECK: %[[FIRST:.*]], %[[END:.*]], %[[STEP:.*]] = tile.schedule_range %[[S]]
// CHECK-NEXT: %[[I:.*]] = tile.instance
// CHECK-NEXT: %[[AHEAD:.*]] = arith.muli %[[I]], %[[STEP]]
// CHECK-NEXT: %[[OWN:.*]] = arith.addi %[[FIRST]], %[[AHEAD]]
// CHECK-NEXT: %[[TWO:.*]] = arith.constant 2
// CHECK-NEXT: %[[STRIDE:.*]] = arith.muli %[[STEP]], %[[TWO]]
// CHECK: %[[C64:.*]] = arith.constant 64
// CHECK-NEXT: %[[TRIPS:.*]] = arith.ceildivsi %k, %[[C64]]
// CHECK-NEXT: %[[BEFORE:.*]] = arith.muli %[[I]], %[[TRIPS]]
// CHECK-NEXT: %[[START:.*]] = tile.advance %[[AB]] at %[[AT]] by %[[BEFORE]]
// CHECK: scf.for %[[UNIT:.*]] = %[[OWN]] to %[[END]] step %[[STRIDE]] iter_args(%[[C:.*]] = %[[START]], %{{.*}}
// CHECK-NEXT: tile.decode %[[S]], %[[UNIT]]
// CHECK: tile.turn_wait %[[TURN]]
// CHECK-NEXT: %[[LOOP:.*]]:2 = tile.for {{.*}} iter_args(%{{.*}} = %[[C]]
// CHECK: tile.wait
// CHECK: tile.dot
// CHECK: }
// CHECK-NEXT: tile.turn_pass %[[TURN]]
// CHECK: tile.copy_out
// CHECK: %[[NEXT:.*]] = tile.advance %[[AB]] at %[[LOOP]]#0 by %[[TRIPS]]
// CHECK-NEXT: scf.yield %[[NEXT]]
tile.kernel @pingpong(%a: !tile.ptr<bf16>, %d: !tile.ptr<bf16>, %m: i32, %k: i32 {tile.name = "k"}, %ld: i64) form = program
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 2, split = tiles>] {
  %A = tile.view %a [%m, %k] strides [%ld] : !tile.ptr<bf16> -> !view
  %D = tile.view %d [%m, %m] strides [%ld] : !tile.ptr<bf16> -> !view
  %ab = tile.ring "ab" from @load to @mma : !ab
  %st = tile.ring "staging" private @mma : !staging
  %s = tile.raster (%m by 64, %m by 64) order row : !tile.schedule<2>
  tile.for_tiles (%mi, %ni) in %s : !tile.schedule<2> {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %zero = tile.zero : !s
    %acc = tile.for %kk = %c0 to %k step %c64 iter_args(%x = %zero) -> (!s) {
      %l = tile.load %A[%mi, %kk] via tma ring %ab : !view, !ab -> !t
      %r = tile.load %A[%ni, %kk] via tma ring %ab : !view, !ab -> !t
      %y = tile.dot %l, %r, %x kind wgmma trans_b outstanding 1 : !t, !t, !s
      tile.yield %y : !s
    }
    %h = arith.truncf %acc : !s to tensor<64x64xbf16, #acc>
    tile.store %h, %D[%mi, %ni] via tma staging %st : tensor<64x64xbf16, #acc>, !view, !staging
  }
}

// Trips may be counted in the body from what is the same for all tiles, and loops may begin anywhere; three
// warpgroups pass two tiles each time.
// CHECK-LABEL: tile.kernel @three
// CHECK: tile.role @mma
// CHECK: %[[I:.*]] = tile.instance
// CHECK: %[[HALF:.*]] = arith.divsi %k,
// CHECK: %[[LENGTH:.*]] = arith.subi %k, %[[HALF]]
// CHECK-NEXT: %[[COUNT:.*]] = arith.ceildivsi %[[LENGTH]],
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0
// CHECK-NEXT: %[[TRIPS:.*]] = arith.maxsi %[[COUNT]], %[[ZERO]]
// CHECK-NEXT: %[[STAGES:.*]] = arith.muli %[[TRIPS]], %c2
// CHECK-NEXT: %[[ALL:.*]] = arith.addi %[[STAGES]], %c1
// CHECK-NEXT: %[[BEFORE:.*]] = arith.muli %[[I]], %[[ALL]]
// CHECK-NEXT: tile.advance %{{.*}} by %[[BEFORE]]
// CHECK: %[[SKIP:.*]] = arith.muli %[[ALL]], %c2
// CHECK: scf.for
// CHECK: tile.turn_wait
// CHECK-NEXT: tile.wait
// CHECK: tile.for
// CHECK-COUNT-2: tile.wait
// CHECK: tile.turn_pass
// CHECK: tile.advance %{{.*}} by %[[SKIP]]
tile.kernel @three(%a: !tile.ptr<bf16>, %d: !tile.ptr<f32>, %m: i32, %k: i32 {tile.name = "k"}, %ld: i64) form = program
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 3, split = tiles>] {
  %A = tile.view %a [%m, %m] strides [%ld] : !tile.ptr<bf16> -> !view
  %D = tile.view %d [%m, %m] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %r = tile.ring "r" from @load to @mma : !tile.ring<4, !t>
  %s = tile.raster (%m by 64, %m by 64) order row : !tile.schedule<2>
  tile.for_tiles (%mi, %ni) in %s : !tile.schedule<2> {
    %c2 = arith.constant 2 : i32
    %c64 = arith.constant 64 : i32
    %zero = tile.zero : !s
    %half = arith.divsi %k, %c2 : i32
    %q = tile.load %A[%mi, %ni] via tma ring %r : !view, !tile.ring<4, !t> -> !t
    %acc = tile.for %kk = %half to %k step %c64 iter_args(%x = %zero) -> (!s) {
      %l = tile.load %A[%mi, %kk] via tma ring %r : !view, !tile.ring<4, !t> -> !t
      %b = tile.load %A[%ni, %kk] via tma ring %r : !view, !tile.ring<4, !t> -> !t
      %y = tile.dot %l, %b, %x kind wgmma trans_b : !t, !t, !s
      %z = tile.dot %q, %b, %y kind wgmma trans_b : !t, !t, !s
      tile.yield %z : !s
    }
    tile.store %acc, %D[%mi, %ni] via direct : !s, !tile.view<?x?xf32>
  }
}
