// RUN: tw-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-plan-shared-memory),tile-to-sm90)' --split-input-file --verify-diagnostics

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!ring = !tile.ring<1, tensor<64x64xbf16, #sw>, tensor<512x64xbf16, #sw>>
!p = !tile.pending<tensor<64x512xf32, #acc>>
tile.kernel @too_wide() form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %r = tile.ring "r" from @load to @mma : !ring
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c = tile.cursor %r consumer : !ring
      %a, %b = tile.wait %r at %c : !ring -> !tile.slot<tensor<64x64xbf16, #sw>>, !tile.slot<tensor<512x64xbf16, #sw>>
      %z = tile.zero : !p
      // expected-error @below {{a warpgroup multiplies 8 to 256 columns in steps of 8, found 512}}
      %s = tile.dot_start %a, %b, %z trans_b : !tile.slot<tensor<64x64xbf16, #sw>>, !tile.slot<tensor<512x64xbf16, #sw>>, !p -> !p
    }
  }
}

// -----

#flat = #tile.smem<>
#acc = #tile.acc<wgs = [1, 1]>
!ring = !tile.ring<1, tensor<64x64xbf16, #flat>>
!p = !tile.pending<tensor<64x64xf32, #acc>>
tile.kernel @flat() form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %r = tile.ring "r" from @load to @mma : !ring
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c = tile.cursor %r consumer : !ring
      %a = tile.wait %r at %c : !ring -> !tile.slot<tensor<64x64xbf16, #flat>>
      %z = tile.zero : !p
      // expected-error @below {{operands lie in panels of one swizzle row of 32, 64 or 128 bytes}}
      %s = tile.dot_start %a, %a, %z trans_b : !tile.slot<tensor<64x64xbf16, #flat>>, !tile.slot<tensor<64x64xbf16, #flat>>, !p -> !p
    }
  }
}

// -----

#sw = #tile.smem<panel = 32, swizzle = 64>
#acc = #tile.acc<wgs = [1, 1]>
!ring = !tile.ring<1, tensor<64x64xbf16, #sw>>
!p = !tile.pending<tensor<64x64xf32, #acc>>
tile.kernel @narrow_transposed() form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %r = tile.ring "r" from @load to @mma : !ring
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c = tile.cursor %r consumer : !ring
      %a = tile.wait %r at %c : !ring -> !tile.slot<tensor<64x64xbf16, #sw>>
      %z = tile.zero : !p
      // expected-error @below {{MN-major operands lie in 128-byte panels}}
      %s = tile.dot_start %a, %a, %z : !tile.slot<tensor<64x64xbf16, #sw>>, !tile.slot<tensor<64x64xbf16, #sw>>, !p -> !p
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#wide = #tile.acc<wgs = [1, 2]>
!ring = !tile.ring<1, tensor<64x64xbf16, #sw>>
!p = !tile.pending<tensor<64x64xf32, #wide>>
tile.kernel @half_a_panel() form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 2>] {
  %r = tile.ring "r" from @load to @mma : !ring
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c = tile.cursor %r consumer : !ring
      %a = tile.wait %r at %c : !ring -> !tile.slot<tensor<64x64xbf16, #sw>>
      %z = tile.zero : !p
      // expected-error @below {{the 32 columns of a warpgroup do not begin at a panel of 64 columns}}
      %s = tile.dot_start %a, %a, %z : !tile.slot<tensor<64x64xbf16, #sw>>, !tile.slot<tensor<64x64xbf16, #sw>>, !p -> !p
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [2, 1]>
!ring = !tile.ring<1, tensor<128x64xbf16, #sw>>
!p = !tile.pending<tensor<128x128xf32, #acc>>
tile.kernel @other_warpgroups() form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %r = tile.ring "r" from @load to @mma : !ring
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c = tile.cursor %r consumer : !ring
      %a = tile.wait %r at %c : !ring -> !tile.slot<tensor<128x64xbf16, #sw>>
      %z = tile.zero : !p
      // expected-error @below {{has a tile for 256 threads in warpgroups}}
      %s = tile.dot_start %a, %a, %z trans_b : !tile.slot<tensor<128x64xbf16, #sw>>, !tile.slot<tensor<128x64xbf16, #sw>>, !p -> !p
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 2]>
#rows = #tile.acc<wgs = [2, 1]>
!ring = !tile.ring<1, tensor<64x128xbf16, #sw>>
!p = !tile.pending<tensor<128x128xf32, #tile.acc<wgs = [1, 2], waves = 2>>>
tile.kernel @rows_elsewhere() form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 2>] {
  %r = tile.ring "r" from @load to @mma : !ring
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c = tile.cursor %r consumer : !ring
      %b = tile.wait %r at %c : !ring -> !tile.slot<tensor<64x128xbf16, #sw>>
      %a = tile.map ins() -> tensor<128x64xbf16, #rows> {
      ^bb0(%row: i32, %col: i32):
        %f = arith.constant 1.0 : bf16
        tile.yield %f : bf16
      }
      %z = tile.zero : !p
      // expected-error @below {{takes a from registers that hold the accumulator's rows, found 'tensor<128x64xbf16, #tile.acc<wgs = [2, 1]>>'}}
      %s = tile.dot_start %a, %b, %z : tensor<128x64xbf16, #rows>, !tile.slot<tensor<64x128xbf16, #sw>>, !p -> !p
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!ring = !tile.ring<1, tensor<64x64xbf16, #sw>>
!t = tensor<64x64xf32, #acc>
!p = !tile.pending<!t>
tile.kernel @columns_as_accumulator() form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %r = tile.ring "r" from @load to @mma : !ring
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c0 = arith.constant 0 : i32
      %c = tile.cursor %r consumer : !ring
      %a = tile.wait %r at %c : !ring -> !tile.slot<tensor<64x64xbf16, #sw>>
      %x = tile.zero : tensor<64x128xf32, #acc>
      %y = tile.extract %x columns %c0 : tensor<64x128xf32, #acc> -> !t
      // expected-error @below {{accumulates in a whole tile, found columns of one}}
      %s = tile.dot_start %a, %a, %y trans_b : !tile.slot<tensor<64x64xbf16, #sw>>, !tile.slot<tensor<64x64xbf16, #sw>>, !t -> !p
    }
  }
}
