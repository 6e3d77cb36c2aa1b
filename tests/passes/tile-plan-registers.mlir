// RUN: tw-opt %s --tile-plan-registers | FileCheck %s

// What each role's tiles hold at their most, plus 40 registers for the scalars of a role that has
// tiles and 24 for one that has none.
#acc = #tile.acc<wgs = [1, 1]>
#row = #tile.slice<1, #acc>
#sw = #tile.smem<panel = 64, swizzle = 128>
!slot = !tile.slot<tensor<64x64xbf16, #sw>>
!ring = !tile.ring<2, tensor<64x64xbf16, #sw>, tensor<64x64xbf16, #sw>>
!t = tensor<64x64xf32, #acc>
!h = tensor<64x64xbf16, #acc>
!wide = tensor<64x128xf32, #acc>
!r = tensor<64xf32, #row>
!p = !tile.pending<!t>
!view = !tile.view<?x?xf32, align = 4>

// An accumulator stays where it is through dots, loops, waits and extracts: 32 registers.
// CHECK-LABEL: tile.kernel @in_place
tile.kernel @in_place(%d: !tile.ptr<f32>, %n: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1, regs = 40>, #tile.role<mma, warpgroups = 1, regs = 232>] {
  %D = tile.view %d [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  %ab = tile.ring "ab" from @load to @mma : !ring
  tile.roles {
    // CHECK: tile.role @load attributes {register_estimate = 24 : i64}
    tile.role @load {
    }
    // CHECK: tile.role @mma attributes {register_estimate = 72 : i64}
    tile.role @mma {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %cur = tile.cursor %ab consumer : !ring
      %a, %b = tile.wait %ab at %cur : !ring -> !slot, !slot
      %zero = tile.zero : !p
      %acc = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero) -> (!p) : i32 {
        %s = tile.dot_start %a, %b, %x trans_b : !slot, !slot, !p -> !p
        %u = tile.dot_retire %s outstanding 1 : !p
        scf.yield %u : !p
      }
      %v = tile.dot_wait %acc : !p -> !t
      %w = tile.dot_start %a, %b, %v trans_b : !slot, !slot, !t -> !p
      %y = tile.dot_wait %w : !p -> !t
      %z = tile.extract %y columns %c0 : !t -> tensor<64x16xf32, #acc>
      tile.store %z, %D[%c0, %c0] via direct : tensor<64x16xf32, #acc>, !view
      tile.store %y, %D[%c0, %c0] via direct : !t, !view
    }
  }
}

// A dot on a tile that is needed afterwards, or in the next iteration, gets registers of its own.
// CHECK-LABEL: tile.kernel @copied
tile.kernel @copied(%d: !tile.ptr<f32>, %n: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>, #tile.role<again, warpgroups = 1>] {
  %D = tile.view %d [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  %ab = tile.ring "ab" from @load to @mma : !ring
  %cd = tile.ring "cd" from @load to @again : !ring
  tile.roles {
    tile.role @load {
    }
    // CHECK: tile.role @mma attributes {register_estimate = 104 : i64}
    tile.role @mma {
      %c0 = arith.constant 0 : i32
      %cur = tile.cursor %ab consumer : !ring
      %a, %b = tile.wait %ab at %cur : !ring -> !slot, !slot
      %zero = tile.zero : !p
      %s = tile.dot_start %a, %b, %zero trans_b : !slot, !slot, !p -> !p
      %v = tile.dot_wait %s : !p -> !t
      %w = tile.dot_start %a, %b, %v trans_b : !slot, !slot, !t -> !p
      %y = tile.dot_wait %w : !p -> !t
      tile.store %y, %D[%c0, %c0] via direct : !t, !view
      tile.store %v, %D[%c0, %c0] via direct : !t, !view
    }
    // CHECK: tile.role @again attributes {register_estimate = 104 : i64}
    tile.role @again {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %cur = tile.cursor %cd consumer : !ring
      %a, %b = tile.wait %cd at %cur : !ring -> !slot, !slot
      %zero = tile.zero : !p
      %s = tile.dot_start %a, %b, %zero trans_b : !slot, !slot, !p -> !p
      %v = tile.dot_wait %s : !p -> !t
      scf.for %i = %c0 to %n step %c1 : i32 {
        %w = tile.dot_start %a, %b, %v trans_b : !slot, !slot, !t -> !p
        %y = tile.dot_wait %w : !p -> !t
        tile.store %y, %D[%i, %c0] via direct : !t, !view
      }
    }
  }
}

// Two accumulators that begin with one zero are two: 32 + 32, and 32 for the tile that lives across
// the loop although nothing in it is used there.
// CHECK-LABEL: tile.kernel @across
tile.kernel @across(%d: !tile.ptr<f32>, %n: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %D = tile.view %d [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  %ab = tile.ring "ab" from @load to @mma : !ring
  tile.roles {
    tile.role @load {
    }
    // CHECK: tile.role @mma attributes {register_estimate = 136 : i64}
    tile.role @mma {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %cur = tile.cursor %ab consumer : !ring
      %a, %b = tile.wait %ab at %cur : !ring -> !slot, !slot
      %first = tile.map ins() -> !t {
      ^bb0(%row: i32, %col: i32):
        %f = arith.constant 1.0 : f32
        tile.yield %f : f32
      }
      %zero = tile.zero : !p
      %acc:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero, %y = %zero) -> (!p, !p) : i32 {
        %s = tile.dot_start %a, %b, %x trans_b : !slot, !slot, !p -> !p
        %t = tile.dot_start %b, %a, %y trans_b : !slot, !slot, !p -> !p
        scf.yield %s, %t : !p, !p
      }
      %v = tile.dot_wait %acc#0 : !p -> !t
      %w = tile.dot_wait %acc#1 : !p -> !t
      tile.store %v, %D[%c0, %c0] via direct : !t, !view
      tile.store %w, %D[%c0, %c0] via direct : !t, !view
      tile.store %first, %D[%c0, %c0] via direct : !t, !view
    }
  }
}

// Sixteen-bit tiles are packed in pairs (16), one value for each row is two registers; a carried
// tile takes over the registers of a value that ends with it.
// CHECK-LABEL: tile.kernel @sizes
tile.kernel @sizes(%d: !tile.ptr<f32>, %n: i32, %ld: i64) form = scheduled
    roles = [#tile.role<mma, warpgroups = 1>] {
  %D = tile.view %d [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  tile.roles {
    // CHECK: tile.role @mma attributes {register_estimate = 90 : i64}
    tile.role @mma {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %x = tile.map ins() -> !t {
      ^bb0(%row: i32, %col: i32):
        %f = arith.constant 1.0 : f32
        tile.yield %f : f32
      }
      %h = tile.map ins(%x) : !t -> !h {
      ^bb0(%e: f32, %row: i32, %col: i32):
        %f = arith.truncf %e : f32 to bf16
        tile.yield %f : bf16
      }
      %r = tile.reduce add %x along 1 : !t -> !r
      %y = scf.for %i = %c0 to %n step %c1 iter_args(%z = %x) -> (!t) : i32 {
        scf.yield %z : !t
      }
      tile.store %y, %D[%c0, %c0] via direct : !t, !view
      %s = tile.map ins(%h, %r) : !h, !r -> !t {
      ^bb0(%e: bf16, %g: f32, %row: i32, %col: i32):
        tile.yield %g : f32
      }
      tile.store %s, %D[%c0, %c0] via direct : !t, !view
    }
  }
}
