// RUN: tw-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-plan-shared-memory),tile-to-sm90,cse)' | FileCheck %s

// Loops and branches. A carried tile is an array that the yield copies into; cursors and scalars are
// carried as values, a pending accumulator as the question whether a dot has written it.
#acc = #tile.acc<wgs = [1, 1]>
#row = #tile.slice<1, #acc>
#sw = #tile.smem<panel = 64, swizzle = 128>
!t = tensor<64x16xf32, #acc>
!r = tensor<64xf32, #row>
!h = tensor<64x64xbf16, #sw>
!slot = !tile.slot<!h>
!ring = !tile.ring<2, !h>
!pt = !tile.pending<tensor<64x64xf32, #acc>>

// CHECK-LABEL: sm90.kernel @carried
// CHECK-SAME: (%[[N:[^ ]+]]: i32,
tile.kernel @carried(%n: i32, %f: f32) form = scheduled threads = 128 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: %[[ZERO:.+]] = sm90.frag : <8xf32>
  // CHECK: sm90.frag_fill %[[ZERO]]
  %zero = tile.zero : !t
  // CHECK: %[[X:.+]] = sm90.frag : <8xf32>
  // CHECK: sm90.frag_copy %[[ZERO]] to %[[X]]
  // CHECK: %[[Y:.+]] = sm90.frag : <8xf32>
  // CHECK: sm90.frag_copy %[[ZERO]] to %[[Y]]
  // CHECK: %[[SCALARS:.+]]:2 = scf.for %[[I:[^ ]+]] = %c0_i32 to %[[N]] step %c1_i32 iter_args(%[[K:.+]] = %c0_i32, %[[G:.+]] = %{{.+}}) -> (i32, f32)
  %a, %k, %b, %g = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero, %j = %c0, %y = %zero, %h = %f) -> (!t, i32, !t, f32) : i32 {
    // CHECK: %[[OUT:.+]] = sm90.frag : <8xf32>
    // CHECK: sm90.frag_get %[[X]]
    %z = tile.map ins(%x) : !t -> !t {
    ^bb0(%e: f32, %row: i32, %col: i32):
      %q = arith.addf %e, %h : f32
      tile.yield %q : f32
    }
    // CHECK: %[[NEXT:.+]] = arith.addi %[[K]], %[[I]]
    %l = arith.addi %j, %i : i32
    // CHECK: sm90.frag_copy %[[OUT]] to %[[X]]
    // CHECK-NOT: sm90.frag_copy
    // CHECK: scf.yield %[[NEXT]], %[[G]]
    scf.yield %z, %l, %y, %h : !t, i32, !t, f32
  } {tw.unroll}
  // CHECK: } {tw.unroll}
  // CHECK: %[[W:.+]] = sm90.frag : <8xf32>
  // CHECK: sm90.frag_get %[[X]]
  // CHECK: sm90.frag_get %[[Y]]
  // CHECK: arith.sitofp %[[SCALARS]]#0
  %w = tile.map ins(%a, %b) : !t, !t -> !t {
  ^bb0(%e: f32, %d: f32, %row: i32, %col: i32):
    %s = arith.addf %e, %d : f32
    %kf = arith.sitofp %k : i32 to f32
    %q = arith.mulf %s, %kf : f32
    tile.yield %q : f32
  }
}

// A dot in a loop adds to the carried array itself: there is nothing to copy.
// CHECK-LABEL: sm90.kernel @in_place
tile.kernel @in_place(%n: i32) form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %r = tile.ring "a" from @load to @mma : !ring
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %p = tile.cursor %r consumer : !ring
      %a = tile.wait %r at %p : !ring -> !slot
      %zero = tile.zero : tensor<64x64xf32, #acc>
      // CHECK: %[[ZERO:.+]] = sm90.frag : <32xf32>
      // CHECK: %[[X:.+]] = sm90.frag : <32xf32>
      // CHECK: sm90.frag_copy %[[ZERO]] to %[[X]]
      // CHECK-NOT: sm90.frag_copy
      %x = scf.for %i = %c0 to %n step %c1 iter_args(%y = %zero) -> (tensor<64x64xf32, #acc>) : i32 {
        // CHECK: sm90.wgmma_ss %[[X]]
        %s = tile.dot_start %a, %a, %y trans_b : !slot, !slot, tensor<64x64xf32, #acc> -> !pt
        // CHECK: sm90.wgmma_wait %[[X]]
        %z = tile.dot_wait %s : !pt -> tensor<64x64xf32, #acc>
        scf.yield %z : tensor<64x64xf32, #acc>
      }
      // CHECK-NOT: sm90.frag_copy
      // CHECK: sm90.return
    }
  }
}

// Cursors through branches.
// CHECK-LABEL: sm90.kernel @branch
tile.kernel @branch(%n: i32) form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %r = tile.ring "a" from @load to @mma : !ring
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c0 = arith.constant 0 : i32
      // CHECK: %[[P:.+]] = sm90.consumer_cursor
      %p = tile.cursor %r consumer : !ring
      // CHECK: %[[SOME:.+]] = arith.cmpi sgt
      %some = arith.cmpi sgt, %n, %c0 : i32
      // CHECK: %[[Q:.+]]:2 = scf.if %[[SOME]] -> (!sm90.cursor, i32) {
      // CHECK: sm90.mbarrier_wait_parity
      // CHECK: %[[A:.+]] = sm90.advance %[[P]]
      // CHECK: scf.yield %[[A]], %{{.+}} : !sm90.cursor, i32
      // CHECK: } else {
      // CHECK: scf.yield %[[P]], %{{.+}} : !sm90.cursor, i32
      %q, %k = scf.if %some -> (!tile.cursor, i32) {
        %a = tile.wait %r at %p : !ring -> !slot
        %b = tile.advance %r at %p : !ring
        scf.yield %b, %n : !tile.cursor, i32
      } else {
        scf.yield %p, %c0 : !tile.cursor, i32
      }
      // CHECK: sm90.barrier_at %{{.+}}, %[[Q]]#0
      %a = tile.wait %r at %q : !ring -> !slot
      // CHECK: %[[MORE:.+]] = arith.cmpi sgt, %[[Q]]#1
      // CHECK: scf.if %[[MORE]] {
      // CHECK-NOT: else
      // CHECK: sm90.return
      %more = arith.cmpi sgt, %k, %n : i32
      scf.if %more {
        tile.pdl_trigger
      }
    }
  }
}

// Scalars stay what they are; a quotient that may be inexact is a multiplication by the reciprocal.
// CHECK-LABEL: sm90.kernel @scalars
tile.kernel @scalars(%d: !tile.ptr<f32>, %n: i32, %x: f32) form = scheduled threads = 128 {
  %c0 = arith.constant 0 : i32
  %D = tile.view %d [%n] : !tile.ptr<f32> -> !tile.view<?xf32, align = 4>
  // CHECK: %[[E:.+]] = math.exp2 %[[X:.+]] : f32
  // CHECK: %[[R:.+]] = sm90.rcp %[[E]]
  // CHECK: %[[Q:.+]] = arith.mulf %[[X]], %[[R]]
  // CHECK: %[[T:.+]] = sm90.rcp %[[Q]]
  // CHECK: %[[S:.+]] = arith.divf %[[T]], %[[Q]]
  // CHECK: sm90.frag_set %[[S]]
  %e = math.exp2 %x : f32
  %q = arith.divf %x, %e fastmath<arcp> : f32
  %one = arith.constant 1.0 : f32
  %t = arith.divf %one, %q fastmath<arcp> : f32
  %s = arith.divf %t, %q : f32
  %y = tile.map ins() -> !r {
  ^bb0(%row: i32):
    tile.yield %s : f32
  }
  tile.store %y, %D[%c0] via direct : !r, !tile.view<?xf32, align = 4>
}

// Along the columns: within the thread, then over the four lanes that share a row; a partial one
// leaves that out.
// CHECK-LABEL: sm90.kernel @reduce
tile.kernel @reduce(%d: !tile.ptr<f32>, %n: i32) form = scheduled threads = 128 {
  // CHECK: %[[X:.+]] = sm90.frag : <8xf32>
  %x = tile.map ins() -> !t {
  ^bb0(%row: i32, %col: i32):
    %f = arith.constant 1.0 : f32
    tile.yield %f : f32
  }
  // CHECK: %[[MAX:.+]] = sm90.frag : <2xf32>
  // CHECK: %[[NONE:.+]] = arith.constant 0xFF800000 : f32
  // CHECK: sm90.frag_fill %[[MAX]], %[[NONE]]
  // CHECK: scf.for %[[E:[^ ]+]] =
  // CHECK: %[[ROW:.+]] = arith.remsi
  // CHECK: %[[SOFAR:.+]] = sm90.frag_get %[[MAX]][%[[ROW]]]
  // CHECK: %[[V:.+]] = sm90.frag_get %[[X]][%[[E]]]
  // CHECK: %[[M:.+]] = arith.maximumf %[[SOFAR]], %[[V]]
  // CHECK: sm90.frag_set %[[M]] to %[[MAX]][%[[ROW]]]
  // CHECK: } {tw.unroll}
  // CHECK-NEXT: sm90.quad_reduce_max %[[MAX]]
  %m = tile.reduce max %x along 1 : !t -> !r
  // CHECK: %[[SUM:.+]] = sm90.frag : <2xf32>
  // CHECK: sm90.frag_fill %[[SUM]]
  // CHECK: arith.addf
  // CHECK: } {tw.unroll}
  // CHECK-NEXT: sm90.quad_reduce_add %[[SUM]]
  %s = tile.reduce add %x along 1 : !t -> !r
  // CHECK: arith.addf
  // CHECK-NOT: sm90.quad_reduce
  // CHECK: sm90.return
  %p = tile.reduce add %x along 1 partial : !t -> !r
}
