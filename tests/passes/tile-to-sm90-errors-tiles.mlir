// RUN: tw-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-plan-shared-memory),tile-to-sm90)' --split-input-file --verify-diagnostics

// The threads of a role are those that its tiles count on.
#acc = #tile.acc<wgs = [2, 1]>
tile.kernel @other_warpgroups() form = scheduled threads = 128 {
  // expected-error @below {{has a tile for 256 threads in warpgroups, 'tensor<128x8xf32, #tile.acc<wgs = [2, 1]>>', in a role of 128 in warpgroups}}
  %x = tile.map ins() -> tensor<128x8xf32, #acc> {
  ^bb0(%row: i32, %col: i32):
    %f = arith.constant 1.0 : f32
    tile.yield %f : f32
  }
}

// -----

#acc = #tile.acc<wgs = [1, 1]>
tile.kernel @warps() form = scheduled roles = [#tile.role<mma, warps = 4>] {
  tile.roles {
    tile.role @mma {
      // expected-error @below {{has a tile for 128 threads in warpgroups, 'tensor<64x8xf32, #tile.acc<wgs = [1, 1]>>', in a role of 128 in warps}}
      %x = tile.map ins() -> tensor<64x8xf32, #acc> {
      ^bb0(%row: i32, %col: i32):
        %f = arith.constant 1.0 : f32
        tile.yield %f : f32
      }
    }
  }
}

// -----

#blocked = #tile.blocked<threads = [2, 32]>
tile.kernel @fewer_threads() form = scheduled threads = 128 {
  // expected-error @below {{has a tile for 64 threads, 'tensor<2x32xf32, #tile.blocked<threads = [2, 32]>>', in a role of 128 in warps}}
  %x = tile.map ins() -> tensor<2x32xf32, #blocked> {
  ^bb0(%row: i32, %col: i32):
    %f = arith.constant 1.0 : f32
    tile.yield %f : f32
  }
}

// -----

#operand = #tile.operand<wgs = 1>
tile.kernel @operand() form = scheduled threads = 128 {
  // expected-error @below {{has a lowering for tiles in #tile.acc, #tile.blocked and slices of them, found 'tensor<64x16xbf16, #tile.operand<wgs = 1>>'}}
  %x = tile.map ins() -> tensor<64x16xbf16, #operand> {
  ^bb0(%row: i32, %col: i32):
    %f = arith.constant 1.0 : bf16
    tile.yield %f : bf16
  }
}

// -----

#acc = #tile.acc<wgs = [1, 1]>
#blocked = #tile.blocked<threads = [4, 32]>
tile.kernel @two_layouts() form = scheduled threads = 128 {
  // expected-error @below {{has results in two layouts, 'tensor<64x32xf32, #tile.acc<wgs = [1, 1]>>' and 'tensor<64x32xf32, #tile.blocked<threads = [4, 32]>>'}}
  %x, %y = tile.map ins() -> tensor<64x32xf32, #acc>, tensor<64x32xf32, #blocked> {
  ^bb0(%row: i32, %col: i32):
    %f = arith.constant 1.0 : f32
    tile.yield %f, %f : f32, f32
  }
}

// -----

#acc = #tile.acc<wgs = [1, 1]>
#blocked = #tile.blocked<threads = [4, 32]>
tile.kernel @other_threads_hold() form = scheduled threads = 128 {
  %x = tile.zero : tensor<64x32xf32, #blocked>
  // expected-error @below {{reads 'tensor<64x32xf32, #tile.blocked<threads = [4, 32]>>', which other threads hold than those of 'tensor<64x32xf32, #tile.acc<wgs = [1, 1]>>'}}
  %y = tile.map ins(%x) : tensor<64x32xf32, #blocked> -> tensor<64x32xf32, #acc> {
  ^bb0(%e: f32, %row: i32, %col: i32):
    tile.yield %e : f32
  }
}

// -----

#acc = #tile.acc<wgs = [1, 1]>
tile.kernel @integers() form = scheduled threads = 128 {
  // expected-error @below {{has a lowering for float results, found 'tensor<64x8xi32, #tile.acc<wgs = [1, 1]>>'}}
  %x = tile.map ins() -> tensor<64x8xi32, #acc> {
  ^bb0(%row: i32, %col: i32):
    tile.yield %row : i32
  }
}

// -----

#acc = #tile.acc<wgs = [1, 1]>
tile.kernel @region_in_a_map(%n: i32) form = scheduled threads = 128 {
  %x = tile.map ins() -> tensor<64x8xf32, #acc> {
  ^bb0(%row: i32, %col: i32):
    %some = arith.cmpi sgt, %row, %n : i32
    // expected-error @below {{has no lowering inside a tile.map}}
    %f = scf.if %some -> (f32) {
      %a = arith.constant 1.0 : f32
      scf.yield %a : f32
    } else {
      %b = arith.constant 2.0 : f32
      scf.yield %b : f32
    }
    tile.yield %f : f32
  }
}

// -----

#xor = #tile.smem<xor = [2, 3, 3]>
#acc = #tile.acc<wgs = [1, 1]>
!ring = !tile.ring<1, tensor<64x64xbf16, #xor>>
tile.kernel @other_swizzle() form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %r = tile.ring "r" from @load to @mma : !ring
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c = tile.cursor %r consumer : !ring
      %s = tile.wait %r at %c : !ring -> !tile.slot<tensor<64x64xbf16, #xor>>
      // expected-error @below {{reads slots of its results' shape in rows or in a TMA layout, found 'tensor<64x64xbf16, #tile.smem<xor = [2, 3, 3]>>'}}
      %x = tile.map ins(%s) : !tile.slot<tensor<64x64xbf16, #xor>> -> tensor<64x64xbf16, #acc> {
      ^bb0(%e: bf16, %row: i32, %col: i32):
        tile.yield %e : bf16
      }
    }
  }
}

// -----

// Columns of a tile.
#acc = #tile.acc<wgs = [1, 1]>
tile.kernel @narrow_columns() form = scheduled threads = 128 {
  %c0 = arith.constant 0 : i32
  %x = tile.map ins() -> tensor<64x16xbf16, #acc> {
  ^bb0(%row: i32, %col: i32):
    %f = arith.constant 1.0 : bf16
    tile.yield %f : bf16
  }
  // expected-error @below {{has a lowering for f32 columns of a whole #tile.acc tile, found 'tensor<64x8xbf16, #tile.acc<wgs = [1, 1]>>' of 'tensor<64x16xbf16, #tile.acc<wgs = [1, 1]>>'}}
  %y = tile.extract %x columns %c0 : tensor<64x16xbf16, #acc> -> tensor<64x8xbf16, #acc>
}

// -----

#acc = #tile.acc<wgs = [1, 1]>
tile.kernel @columns_of_columns() form = scheduled threads = 128 {
  %c0 = arith.constant 0 : i32
  %x = tile.zero : tensor<64x32xf32, #acc>
  %y = tile.extract %x columns %c0 : tensor<64x32xf32, #acc> -> tensor<64x16xf32, #acc>
  // expected-error @below {{has a lowering for f32 columns of a whole #tile.acc tile}}
  %z = tile.extract %y columns %c0 : tensor<64x16xf32, #acc> -> tensor<64x8xf32, #acc>
}

// -----

#acc = #tile.acc<wgs = [1, 1]>
tile.kernel @any_column(%n: i32) form = scheduled threads = 128 {
  %c4 = arith.constant 4 : i32
  %column = arith.muli %n, %c4 : i32
  %x = tile.zero : tensor<64x32xf32, #acc>
  // expected-error @below {{begins at a multiple of 8 columns, which must follow from constants and loop steps}}
  %y = tile.extract %x columns %column : tensor<64x32xf32, #acc> -> tensor<64x16xf32, #acc>
}

// -----

// Reductions.
#acc = #tile.acc<wgs = [1, 1]>
#row = #tile.slice<1, #acc>
tile.kernel @min() form = scheduled threads = 128 {
  %x = tile.zero : tensor<64x8xf32, #acc>
  // expected-error @below {{has a lowering for max and add along the columns of a whole #tile.acc tile}}
  %m = tile.reduce min %x along 1 : tensor<64x8xf32, #acc> -> tensor<64xf32, #row>
}

// -----

#acc = #tile.acc<wgs = [1, 1]>
#column = #tile.slice<0, #acc>
tile.kernel @down() form = scheduled threads = 128 {
  %x = tile.zero : tensor<64x8xf32, #acc>
  // expected-error @below {{has a lowering for max and add along the columns of a whole #tile.acc tile}}
  %m = tile.reduce add %x along 0 : tensor<64x8xf32, #acc> -> tensor<8xf32, #column>
}

// -----

// Stores.
#acc = #tile.acc<wgs = [1, 1]>
#sw = #tile.smem<panel = 64, swizzle = 128>
!view = !tile.view<?x?xbf16, align = 16>
!ring = !tile.ring<1, tensor<64x64xbf16, #sw>>
tile.kernel @unstaged(%d: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled roles = [#tile.role<mma, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %D = tile.view %d [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %r = tile.ring "r" private @mma : !ring
  tile.roles {
    tile.role @mma {
      %x = tile.map ins() -> tensor<64x64xbf16, #acc> {
      ^bb0(%row: i32, %col: i32):
        %f = arith.constant 1.0 : bf16
        tile.yield %f : bf16
      }
      // expected-error @below {{via tma is lowered from acquire, fragment_store and copy_out; run tile-assign-roles first}}
      tile.store %x, %D[%c0, %c0] via tma staging %r : tensor<64x64xbf16, #acc>, !view, !ring
    }
  }
}

// -----

#acc = #tile.acc<wgs = [1, 1]>
tile.kernel @adds_16_bits(%d: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled threads = 128 {
  %c0 = arith.constant 0 : i32
  %D = tile.view %d [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !tile.view<?x?xbf16, align = 16>
  %x = tile.map ins() -> tensor<64x64xbf16, #acc> {
  ^bb0(%row: i32, %col: i32):
    %f = arith.constant 1.0 : bf16
    tile.yield %f : bf16
  }
  // expected-error @below {{via reduce_add adds f32, found 'tensor<64x64xbf16, #tile.acc<wgs = [1, 1]>>'}}
  tile.store %x, %D[%c0, %c0] via reduce_add : tensor<64x64xbf16, #acc>, !tile.view<?x?xbf16, align = 16>
}

// -----

#acc = #tile.acc<wgs = [1, 1]>
#row = #tile.slice<1, #acc>
tile.kernel @adds_copies(%d: !tile.ptr<f32>, %n: i32) form = scheduled threads = 128 {
  %c0 = arith.constant 0 : i32
  %D = tile.view %d [%n] : !tile.ptr<f32> -> !tile.view<?xf32, align = 4>
  %x = tile.zero : tensor<64x8xf32, #acc>
  %s = tile.reduce add %x along 1 : tensor<64x8xf32, #acc> -> tensor<64xf32, #row>
  // expected-error @below {{via reduce_add needs one thread for each element, found}}
  tile.store %s, %D[%c0] via reduce_add : tensor<64xf32, #row>, !tile.view<?xf32, align = 4>
}

// -----

#acc = #tile.acc<wgs = [1, 1]>
#sw = #tile.smem<panel = 64, swizzle = 128>
!ring = !tile.ring<1, tensor<64x64xbf16, #sw>>
tile.kernel @transposed() form = scheduled roles = [#tile.role<mma, warpgroups = 1>] {
  %r = tile.ring "r" private @mma : !ring
  tile.roles {
    tile.role @mma {
      %c = tile.cursor %r producer : !ring
      %s = tile.acquire %r at %c : !ring -> !tile.slot<tensor<64x64xbf16, #sw>>
      %x = tile.map ins() -> tensor<64x64xbf16, #acc> {
      ^bb0(%row: i32, %col: i32):
        %f = arith.constant 1.0 : bf16
        tile.yield %f : bf16
      }
      // expected-error @below {{has a lowering for whole rows of #tile.acc only, found 'tensor<64x64xbf16, #tile.acc<wgs = [1, 1]>>' transposed}}
      tile.fragment_store %x, %s trans : tensor<64x64xbf16, #acc>, !tile.slot<tensor<64x64xbf16, #sw>>
    }
  }
}

// -----

#acc = #tile.acc<wgs = [1, 1]>
#padded = #tile.smem<pad = 8>
!ring = !tile.ring<1, tensor<64x64xbf16, #padded>>
tile.kernel @padded() form = scheduled roles = [#tile.role<mma, warpgroups = 1>] {
  %r = tile.ring "r" private @mma : !ring
  tile.roles {
    tile.role @mma {
      %c = tile.cursor %r producer : !ring
      %s = tile.acquire %r at %c : !ring -> !tile.slot<tensor<64x64xbf16, #padded>>
      %x = tile.map ins() -> tensor<64x64xbf16, #acc> {
      ^bb0(%row: i32, %col: i32):
        %f = arith.constant 1.0 : bf16
        tile.yield %f : bf16
      }
      // expected-error @below {{writes slots in a TMA layout, found 'tensor<64x64xbf16, #tile.smem<pad = 8>>'}}
      tile.fragment_store %x, %s : tensor<64x64xbf16, #acc>, !tile.slot<tensor<64x64xbf16, #padded>>
    }
  }
}

// -----

#acc = #tile.acc<wgs = [1, 1]>
#narrow = #tile.smem<panel = 8>
!ring = !tile.ring<1, tensor<64x64xbf16, #narrow>>
tile.kernel @narrow_panels() form = scheduled roles = [#tile.role<mma, warpgroups = 1>] {
  %r = tile.ring "r" private @mma : !ring
  tile.roles {
    tile.role @mma {
      %c = tile.cursor %r producer : !ring
      %s = tile.acquire %r at %c : !ring -> !tile.slot<tensor<64x64xbf16, #narrow>>
      %x = tile.map ins() -> tensor<64x64xbf16, #acc> {
      ^bb0(%row: i32, %col: i32):
        %f = arith.constant 1.0 : bf16
        tile.yield %f : bf16
      }
      // expected-error @below {{stmatrix writes 16 columns at once, found panels of 8}}
      tile.fragment_store %x, %s : tensor<64x64xbf16, #acc>, !tile.slot<tensor<64x64xbf16, #narrow>>
    }
  }
}

// -----

#acc = #tile.acc<wgs = [1, 1]>
#narrow = #tile.smem<panel = 4>
!ring = !tile.ring<1, tensor<64x64xf32, #narrow>>
tile.kernel @narrow_panels_f32() form = scheduled roles = [#tile.role<mma, warpgroups = 1>] {
  %r = tile.ring "r" private @mma : !ring
  tile.roles {
    tile.role @mma {
      %c = tile.cursor %r producer : !ring
      %s = tile.acquire %r at %c : !ring -> !tile.slot<tensor<64x64xf32, #narrow>>
      %x = tile.zero : tensor<64x64xf32, #acc>
      // expected-error @below {{writes 8 columns at once, found panels of 4}}
      tile.fragment_store %x, %s : tensor<64x64xf32, #acc>, !tile.slot<tensor<64x64xf32, #narrow>>
    }
  }
}
