// RUN: tw-opt %s --tile-plan-shared-memory --split-input-file --verify-diagnostics

// expected-error @below {{shared memory is planned for the scheduled form}}
tile.kernel @program() form = program {
}

// -----

// 232,448 bytes are there; a stage more than fits.
#sw = #tile.smem<panel = 64, swizzle = 128>
// expected-error @below {{needs 237680 bytes of shared memory, a CTA has 232448: 229376 (ring "ab", 7 stages of 32768) + 8192 (ring "staging", 1 stages of 8192) + 112 (barriers of "ab")}}
tile.kernel @too_much() form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %ab = tile.ring "ab" from @load to @mma : !tile.ring<7, tensor<256x64xbf16, #sw>>
  %st = tile.ring "staging" private @mma : !tile.ring<1, tensor<64x64xbf16, #sw>>
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
    }
  }
}

// -----

// The next stage would begin inside a period of the swizzle.
#sw = #tile.smem<panel = 64, swizzle = 128>
tile.kernel @stages() form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  // expected-error @below {{slot 1 has 512 bytes, stages need a multiple of 1024}}
  %ab = tile.ring "ab" from @load to @mma : !tile.ring<2, tensor<8x64xbf16, #sw>, tensor<4x64xbf16, #sw>>
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
tile.kernel @inside() form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      // expected-error @below {{stands at the top of its kernel: barriers are set up before the roles begin}}
      %st = tile.ring "staging" private @mma : !tile.ring<1, tensor<64x64xbf16, #sw>>
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
// expected-error @below {{needs 294912 bytes of shared memory, a CTA has 232448: 294912 (ring "staging", 3 stages of 32768 for each of 3 warpgroups); use fewer stages or smaller tiles}}
tile.kernel @instances() form = scheduled roles = [#tile.role<mma, warpgroups = 3, split = tiles>] {
  %st = tile.ring "staging" private @mma : !tile.ring<3, tensor<256x64xbf16, #sw>>
  tile.roles {
    tile.role @mma {
    }
  }
}
