// RUN: tw-opt %s --tile-assign-roles --split-input-file --verify-diagnostics
// What keeps tiles from being dealt out to the warpgroups of a role.

// All tiles must take equally many stages: here the tile says how far its loop goes.
#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xbf16, #sw>
!ring = !tile.ring<3, !t>
!view = !tile.view<?x?xbf16, align = 16>
!s = tensor<64x64xbf16, #acc>
tile.kernel @ragged(%a: !tile.ptr<bf16>, %k: i32, %ld: i64) form = program
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 2, split = tiles>] {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %A = tile.view %a [%k, %k] strides [%ld] : !tile.ptr<bf16> -> !view
  %r = tile.ring "r" from @load to @mma : !ring
  %s = tile.raster (%k by 64, %k by 64) order row : !tile.schedule<2>
  // expected-note @below {{differs from tile to tile}}
  tile.for_tiles (%mi, %ni) in %s : !tile.schedule<2> {
    %end = arith.addi %mi, %c64 : i32
    // expected-error @below {{takes a number of stages that its tile decides; warpgroups of role @mma skip the stages of each other's tiles, so all tiles take equally many: state split = rows}}
    tile.for %kk = %c0 to %end step %c64 {
      %x = tile.load %A[%mi, %kk] via tma ring %r : !view, !ring -> !t
      %y = tile.map ins(%x) : !t -> !s {
      ^bb0(%e: bf16, %row: i32, %col: i32):
        tile.yield %e : bf16
      }
      tile.store %y, %A[%c0, %c0] via direct : !s, !view
      tile.yield
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xbf16, #sw>
!ring = !tile.ring<3, !t>
!view = !tile.view<?x?xbf16, align = 16>
!s = tensor<64x64xbf16, #acc>
tile.kernel @branch(%a: !tile.ptr<bf16>, %k: i32, %ld: i64) form = program
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 2, split = tiles>] {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %A = tile.view %a [%k, %k] strides [%ld] : !tile.ptr<bf16> -> !view
  %r = tile.ring "r" from @load to @mma : !ring
  %s = tile.raster (%k by 64, %k by 64) order row : !tile.schedule<2>
  %some = arith.cmpi sgt, %k, %c64 : i32
  tile.for_tiles (%mi, %ni) in %s : !tile.schedule<2> {
    // expected-error @below {{takes stages of ring "r" for some tiles only; warpgroups of role @mma skip the stages of each other's tiles, so all tiles take equally many: state split = rows}}
    scf.if %some {
      %x = tile.load %A[%mi, %ni] via tma ring %r : !view, !ring -> !t
      %y = tile.map ins(%x) : !t -> !s {
      ^bb0(%e: bf16, %row: i32, %col: i32):
        tile.yield %e : bf16
      }
      tile.store %y, %A[%c0, %c0] via direct : !s, !view
    }
  }
}

// -----

// Outside of the loop over tiles every warpgroup would do it.
#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xbf16, #sw>
!ring = !tile.ring<3, !t>
!view = !tile.view<?x?xbf16, align = 16>
!s = tensor<64x64xbf16, #acc>
tile.kernel @outside(%a: !tile.ptr<bf16>, %k: i32, %ld: i64) form = program
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 2, split = tiles>] {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %A = tile.view %a [%k, %k] strides [%ld] : !tile.ptr<bf16> -> !view
  %r = tile.ring "r" from @load to @mma : !ring
  %s = tile.raster (%k by 64, %k by 64) order row : !tile.schedule<2>
  // expected-error @below {{stands outside of tile.for_tiles, where each of the role's warpgroups would do it; state split = rows for role @mma}}
  %x = tile.load %A[%c0, %c0] via tma ring %r : !view, !ring -> !t
  %y = tile.map ins(%x) : !t -> !s {
  ^bb0(%e: bf16, %row: i32, %col: i32):
    tile.yield %e : bf16
  }
  tile.store %y, %A[%c0, %c0] via direct : !s, !view
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xbf16, #sw>
!ring = !tile.ring<3, !t>
!view = !tile.view<?x?xbf16, align = 16>
!s = tensor<64x64xbf16, #acc>
tile.kernel @twice(%a: !tile.ptr<bf16>, %k: i32, %ld: i64) form = program
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 2, split = tiles>] {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %A = tile.view %a [%k, %k] strides [%ld] : !tile.ptr<bf16> -> !view
  %r = tile.ring "r" from @load to @mma : !ring
  %s = tile.raster (%k by 64, %k by 64) order row : !tile.schedule<2>
  tile.for_tiles (%mi, %ni) in %s : !tile.schedule<2> {
    %x = tile.load %A[%mi, %ni] via tma ring %r : !view, !ring -> !t
    %y = tile.map ins(%x) : !t -> !s {
    ^bb0(%e: bf16, %row: i32, %col: i32):
      tile.yield %e : bf16
    }
    tile.store %y, %A[%c0, %c0] via direct : !s, !view
  }
  // expected-error @below {{is a second loop over tiles, at whose start the warpgroups stand at stages that the first one's tiles decide; state split = rows for role @mma}}
  tile.for_tiles (%mi, %ni) in %s : !tile.schedule<2> {
    %x = tile.load %A[%mi, %ni] via tma ring %r : !view, !ring -> !t
    %y = tile.map ins(%x) : !t -> !s {
    ^bb0(%e: bf16, %row: i32, %col: i32):
      tile.yield %e : bf16
    }
    tile.store %y, %A[%c0, %c0] via direct : !s, !view
  }
}

// -----

// Which warpgroup would fill a stage?
#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xbf16, #sw>
!ring = !tile.ring<3, !t>
!view = !tile.view<?x?xbf16, align = 16>
!s = tensor<64x64xbf16, #acc>
tile.kernel @fills(%a: !tile.ptr<bf16>, %k: i32, %ld: i64) form = program
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 2, split = tiles>] {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %A = tile.view %a [%k, %k] strides [%ld] : !tile.ptr<bf16> -> !view
  // expected-error @below {{is filled by role @mma, whose warpgroups take whole tiles each: which of them fills a stage is not settled; state split = rows for role @mma}}
  %o = tile.ring "out" from @mma to @load : !ring
  %r = tile.ring "r" from @load to @mma : !ring
  %s = tile.raster (%k by 64, %k by 64) order row : !tile.schedule<2>
  tile.for_tiles (%mi, %ni) in %s : !tile.schedule<2> {
    %x = tile.load %A[%mi, %ni] via tma ring %r : !view, !ring -> !t
    %y = tile.map ins(%x) : !t -> !s {
    ^bb0(%e: bf16, %row: i32, %col: i32):
      tile.yield %e : bf16
    }
    tile.store %y, %A[%c0, %c0] via direct : !s, !view
  }
}
