// RUN: tw-opt %s --tile-plan-shared-memory | FileCheck %s

#sw = #tile.smem<panel = 64, swizzle = 128>
#sw32 = #tile.smem<panel = 16, swizzle = 32>
#flat = #tile.smem<>
!a = tensor<64x64xbf16, #sw>
!b = tensor<8x16xbf16, #sw32>
!v = tensor<64xf32, #flat>

// Stages of a slot lie together, slots in the order of the rings, barriers behind all slots: a full
// and an empty one of 8 bytes for each stage. Stores guard a private ring by themselves.
// CHECK-LABEL: tile.kernel @rings
// CHECK-SAME: attributes {shared_bytes = 58976 : i64}
tile.kernel @rings() form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  // CHECK: tile.ring "ab" from @load to @mma {barrier_offset = 58880 : i64, slot_offsets = array<i64: 0, 24576>}
  %ab = tile.ring "ab" from @load to @mma : !tile.ring<3, !a, !a>
  // CHECK: tile.ring "staging" private @mma {slot_offsets = array<i64: 49152>}
  %st = tile.ring "staging" private @mma : !tile.ring<1, !a>
  // CHECK: tile.ring "small" from @load to @mma {barrier_offset = 58928 : i64, slot_offsets = array<i64: 57344, 58112>}
  %sm = tile.ring "small" from @load to @mma : !tile.ring<3, !b, !v>
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
    }
  }
}

// A slot begins at a multiple of its layout's alignment.
// CHECK-LABEL: tile.kernel @alignment
// CHECK-SAME: attributes {shared_bytes = 9248 : i64}
tile.kernel @alignment() form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  // CHECK: slot_offsets = array<i64: 0>
  %v = tile.ring "v" from @load to @mma : !tile.ring<1, !v>
  // CHECK: slot_offsets = array<i64: 1024>
  %a = tile.ring "a" from @load to @mma : !tile.ring<1, !a>
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
    }
  }
}

// Each warpgroup that takes whole tiles has the private rings of its role for itself.
// CHECK-LABEL: tile.kernel @instances
// CHECK-SAME: attributes {shared_bytes = 57376 : i64}
tile.kernel @instances() form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 3, split = tiles>] {
  // CHECK: tile.ring "staging" private @mma {slot_offsets = array<i64: 0>}
  %st = tile.ring "staging" private @mma : !tile.ring<1, !a>
  // CHECK: tile.ring "ab" from @load to @mma {barrier_offset = 57344 : i64, slot_offsets = array<i64: 24576, 40960>}
  %ab = tile.ring "ab" from @load to @mma : !tile.ring<2, !a, !a>
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
    }
  }
}

// CHECK-LABEL: tile.kernel @none
// CHECK-SAME: threads = 128 attributes {shared_bytes = 0 : i64}
tile.kernel @none() form = scheduled threads = 128 {
}
