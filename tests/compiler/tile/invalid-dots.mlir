// RUN: tw-opt %s -verify-diagnostics -split-input-file
// Fragments and dots of the scheduled form that cannot be.

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!s = tensor<64x64xbf16, #sw>
!slot = !tile.slot<!s>
!r = !tile.ring<2, !s>
!matrix = !tile.view<?x?xbf16, align = 16>
!pending = !tile.pending<tensor<64x64xf32, #acc>>
tile.kernel @k(%p: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !matrix
  %r = tile.ring "r" from @load to @mma : !r
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c = tile.cursor %r consumer : !r
      %a = tile.wait %r at %c : !r -> !slot
      %t = tile.zero : tensor<64x32xbf16, #acc>
      // expected-error@+1 {{'tile.fragment_store' op writes 'tensor<64x32xbf16, #tile.acc<wgs = [1, 1]>>' into a slot of 'tensor<64x64xbf16, #tile.smem<panel = 64, swizzle = 128>>'}}
      tile.fragment_store %t, %a : tensor<64x32xbf16, #acc>, !slot
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!s = tensor<64x64xbf16, #sw>
!slot = !tile.slot<!s>
!r = !tile.ring<2, !s>
!matrix = !tile.view<?x?xbf16, align = 16>
!pending = !tile.pending<tensor<64x64xf32, #acc>>
tile.kernel @k(%p: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !matrix
  %r = tile.ring "r" from @load to @mma : !r
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c = tile.cursor %r consumer : !r
      %a = tile.wait %r at %c : !r -> !slot
      // expected-error@+1 {{'tile.fragment_load' op reads a slot of 'tensor<64x64xbf16, #tile.smem<panel = 64, swizzle = 128>>' as 'tensor<64x64xf32, #tile.acc<wgs = [1, 1]>>'}}
      %t = tile.fragment_load %a : !slot -> tensor<64x64xf32, #acc>
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!s = tensor<64x64xbf16, #sw>
!slot = !tile.slot<!s>
!r = !tile.ring<2, !s>
!matrix = !tile.view<?x?xbf16, align = 16>
!pending = !tile.pending<tensor<64x64xf32, #acc>>
tile.kernel @k(%p: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !matrix
  %r = tile.ring "r" from @load to @mma : !r
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c = tile.cursor %r consumer : !r
      %a = tile.wait %r at %c : !r -> !slot
      // expected-error@+1 {{'tile.rebind' op the new layout needs 16384 bytes, the slot has 8192}}
      %t = tile.rebind %a : !slot -> !tile.slot<tensor<64x64xf32, #tile.smem<>>>
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!s = tensor<64x64xbf16, #sw>
!slot = !tile.slot<!s>
!r = !tile.ring<2, !s>
!matrix = !tile.view<?x?xbf16, align = 16>
!pending = !tile.pending<tensor<64x64xf32, #acc>>
tile.kernel @k(%p: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !matrix
  %r = tile.ring "r" from @load to @mma : !r
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c = tile.cursor %r consumer : !r
      %a = tile.wait %r at %c : !r -> !slot
      %z = tile.zero : !pending
      %t = tile.zero : tensor<64x64xbf16, #tile.blocked<threads = [4, 32]>>
      // expected-error@+1 {{'tile.dot_start' op a register operand is K-major in #tile.acc or #tile.operand, found 'tensor<64x64xbf16, #tile.blocked<threads = [4, 32]>>'}}
      %d = tile.dot_start %t, %a, %z : tensor<64x64xbf16, #tile.blocked<threads = [4, 32]>>, !slot, !pending -> !pending
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!s = tensor<64x64xbf16, #sw>
!slot = !tile.slot<!s>
!r = !tile.ring<2, !s>
!matrix = !tile.view<?x?xbf16, align = 16>
!pending = !tile.pending<tensor<64x64xf32, #acc>>
tile.kernel @k(%p: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !matrix
  %r = tile.ring "r" from @load to @mma : !r
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c = tile.cursor %r consumer : !r
      %a = tile.wait %r at %c : !r -> !slot
      %z = tile.zero : !pending
      %b = tile.rebind %a : !slot -> !tile.slot<tensor<64xbf16, #tile.smem<>>>
      // expected-error@+1 {{'tile.dot_start' op operands and accumulator are two-dimensional}}
      %d = tile.dot_start %b, %a, %z : !tile.slot<tensor<64xbf16, #tile.smem<>>>, !slot, !pending -> !pending
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!s = tensor<64x64xbf16, #sw>
!slot = !tile.slot<!s>
!r = !tile.ring<2, !s>
!matrix = !tile.view<?x?xbf16, align = 16>
!pending = !tile.pending<tensor<64x64xf32, #acc>>
tile.kernel @k(%p: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !matrix
  %r = tile.ring "r" from @load to @mma : !r
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c = tile.cursor %r consumer : !r
      %a = tile.wait %r at %c : !r -> !slot
      %z = tile.zero : !pending
      %b = tile.rebind %a : !slot -> !tile.slot<tensor<64x32xbf16, #tile.smem<>>>
      // expected-error@+1 {{'tile.dot_start' op a has 32 columns of k, b has 64}}
      %d = tile.dot_start %b, %a, %z : !tile.slot<tensor<64x32xbf16, #tile.smem<>>>, !slot, !pending -> !pending
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!s = tensor<64x64xbf16, #sw>
!slot = !tile.slot<!s>
!r = !tile.ring<2, !s>
!matrix = !tile.view<?x?xbf16, align = 16>
!pending = !tile.pending<tensor<64x64xf32, #acc>>
tile.kernel @k(%p: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !matrix
  %r = tile.ring "r" from @load to @mma : !r
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c = tile.cursor %r consumer : !r
      %a = tile.wait %r at %c : !r -> !slot
      %z = tile.zero : !pending
      %b = tile.rebind %a : !slot -> !tile.slot<tensor<64x32xbf16, #tile.smem<>>>
      // expected-error@+1 {{'tile.dot_start' op the product is 64x32, the accumulator is 'tensor<64x64xf32, #tile.acc<wgs = [1, 1]>>'}}
      %d = tile.dot_start %a, %b, %z : !slot, !tile.slot<tensor<64x32xbf16, #tile.smem<>>>, !pending -> !pending
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!s = tensor<64x64xbf16, #sw>
!slot = !tile.slot<!s>
!r = !tile.ring<2, !s>
!matrix = !tile.view<?x?xbf16, align = 16>
!pending = !tile.pending<tensor<64x64xf32, #acc>>
tile.kernel @k(%p: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !matrix
  %r = tile.ring "r" from @load to @mma : !r
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c = tile.cursor %r consumer : !r
      %a = tile.wait %r at %c : !r -> !slot
      %z = tile.zero : !pending
      %t = tile.zero : tensor<64x64xf32>
      // expected-error@+1 {{'tile.dot_start' op the accumulator has layout #tile.acc, found 'tensor<64x64xf32>'}}
      %d = tile.dot_start %a, %a, %t : !slot, !slot, tensor<64x64xf32> -> !pending
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!s = tensor<64x64xbf16, #sw>
!slot = !tile.slot<!s>
!r = !tile.ring<2, !s>
!matrix = !tile.view<?x?xbf16, align = 16>
!pending = !tile.pending<tensor<64x64xf32, #acc>>
tile.kernel @k(%p: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !matrix
  %r = tile.ring "r" from @load to @mma : !r
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c = tile.cursor %r consumer : !r
      %a = tile.wait %r at %c : !r -> !slot
      %z = tile.zero : !pending
      // expected-error@+1 {{'tile.dot_start' op results in '!tile.pending<tensor<64x64xf32>>' from an accumulator 'tensor<64x64xf32, #tile.acc<wgs = [1, 1]>>'}}
      %d = tile.dot_start %a, %a, %z : !slot, !slot, !pending -> !tile.pending<tensor<64x64xf32>>
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!s = tensor<64x64xbf16, #sw>
!slot = !tile.slot<!s>
!r = !tile.ring<2, !s>
!matrix = !tile.view<?x?xbf16, align = 16>
!pending = !tile.pending<tensor<64x64xf32, #acc>>
tile.kernel @k(%p: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !matrix
  %r = tile.ring "r" from @load to @mma : !r
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c = tile.cursor %r consumer : !r
      %a = tile.wait %r at %c : !r -> !slot
      %z = tile.zero : !pending
      %b = tile.rebind %a : !slot -> !tile.slot<tensor<64x64xf16, #sw>>
      // expected-error@+1 {{'tile.dot_start' op multiplies bf16 by bf16 or f16 by f16 into f32, found 'bf16', 'f16' and 'f32'}}
      %d = tile.dot_start %a, %b, %z : !slot, !tile.slot<tensor<64x64xf16, #sw>>, !pending -> !pending
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!s = tensor<64x64xbf16, #sw>
!slot = !tile.slot<!s>
!r = !tile.ring<2, !s>
!matrix = !tile.view<?x?xbf16, align = 16>
!pending = !tile.pending<tensor<64x64xf32, #acc>>
tile.kernel @k(%p: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !matrix
  %r = tile.ring "r" from @load to @mma : !r
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c = tile.cursor %r consumer : !r
      %a = tile.wait %r at %c : !r -> !slot
      %z = tile.zero : !pending
      %b = tile.rebind %a : !slot -> !tile.slot<tensor<64x8xbf16, #tile.smem<>>>
      %e = tile.rebind %a : !slot -> !tile.slot<tensor<8x64xbf16, #tile.smem<>>>
      // expected-error@+1 {{'tile.dot_start' op needs n a multiple of 8 and k a multiple of 16, found 64 and 8}}
      %d = tile.dot_start %b, %e, %z : !tile.slot<tensor<64x8xbf16, #tile.smem<>>>, !tile.slot<tensor<8x64xbf16, #tile.smem<>>>, !pending -> !pending
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!s = tensor<64x64xbf16, #sw>
!slot = !tile.slot<!s>
!r = !tile.ring<2, !s>
!matrix = !tile.view<?x?xbf16, align = 16>
!pending = !tile.pending<tensor<64x64xf32, #acc>>
tile.kernel @k(%p: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !matrix
  %r = tile.ring "r" from @load to @mma : !r
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c = tile.cursor %r consumer : !r
      %a = tile.wait %r at %c : !r -> !slot
      %z = tile.zero : !pending
      // expected-error@+1 {{'tile.dot_wait' op results in 'tensor<64x64xf32>' from '!tile.pending<tensor<64x64xf32, #tile.acc<wgs = [1, 1]>>>'}}
      %t = tile.dot_wait %z : !pending -> tensor<64x64xf32>
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!s = tensor<64x64xbf16, #sw>
!slot = !tile.slot<!s>
!r = !tile.ring<2, !s>
!matrix = !tile.view<?x?xbf16, align = 16>
!pending = !tile.pending<tensor<64x64xf32, #acc>>
tile.kernel @k(%p: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !matrix
  %r = tile.ring "r" from @load to @mma : !r
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c = tile.cursor %r consumer : !r
      %a = tile.wait %r at %c : !r -> !slot
      %z = tile.zero : !pending
      // expected-error@+1 {{'tile.dot_retire' op outstanding is 0 to 7, found 8}}
      %t = tile.dot_retire %z outstanding 8 : !pending
    }
  }
}
