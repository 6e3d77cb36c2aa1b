// RUN: tw-opt %s -verify-diagnostics -split-input-file
// Rings, roles and copies that cannot be.

#sw = #tile.smem<panel = 64, swizzle = 128>
// expected-error@+1 {{'tile.ring' op stands in a tile.kernel}}
%r = tile.ring "r" from @load to @mma : !tile.ring<2, tensor<64x64xbf16, #sw>>

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!s = tensor<64x64xbf16, #sw>
!slot = !tile.slot<!s>
!r = !tile.ring<2, !s>
!matrix = !tile.view<?x?xbf16, align = 16>
!pending = !tile.pending<tensor<64x64xf32, #acc>>
tile.kernel @k(%p: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  // expected-error@+1 {{'tile.ring' op the kernel has no role @store}}
  %r = tile.ring "r" from @load to @store : !r
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
  // expected-error@+1 {{'tile.ring' op multicast names a cluster axis of at least two CTAs, found axis 1}}
  %r = tile.ring "r" from @load to @mma multicast 1 : !r
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
  // expected-error@+1 {{full is tma or threads, found bulk}}
  %r = tile.ring "r" from @load to @mma full bulk : !r
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
  // expected-error@+1 {{'tile.roles' op role @mma has no body}}
  tile.roles {
    tile.role @load {
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
  tile.roles {
    tile.role @load {
    }
    // expected-error@+1 {{'tile.role' op role @load has a body already}}
    tile.role @load {
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
  tile.roles {
    // expected-error@+1 {{'tile.drain' op only tile.role stands in tile.roles}}
    tile.drain
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
  tile.roles {
    // expected-error@+1 {{'tile.role' op the kernel has no role @store}}
    tile.role @store {
    }
    tile.role @load {
    }
    tile.role @mma {
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
  %b = arith.constant dense<true> : tensor<64x64xi1>
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      // expected-error@+1 {{'tile.any' op uses 'tensor<64x64xi1>' from outside role @mma; only scalars and handles enter a role}}
      %a = tile.any %b : tensor<64x64xi1>
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
      // expected-error@+1 {{'tile.wait' op a stage of '!tile.ring<2, tensor<64x64xbf16, #tile.smem<panel = 64, swizzle = 128>>>' has 1 slots, found 2}}
      %a, %b = tile.wait %r at %c : !r -> !slot, !slot
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
      // expected-error@+1 {{'tile.wait' op expected a slot of 'tensor<64x64xbf16, #tile.smem<panel = 64, swizzle = 128>>', found '!tile.slot<tensor<64x64xf16, #tile.smem<panel = 64, swizzle = 128>>>'}}
      %a = tile.wait %r at %c : !r -> !tile.slot<tensor<64x64xf16, #sw>>
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
      // expected-error@+1 {{'tile.acquire' op ring "r" is produced by @load, not by @mma}}
      %a = tile.acquire %r at %c : !r -> !slot
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
      %c = tile.cursor %r consumer : !r
      // expected-error@+1 {{'tile.wait' op ring "r" is consumed by @mma, not by @load}}
      %a = tile.wait %r at %c : !r -> !slot
    }
    tile.role @mma {
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
  %s = tile.raster (%n by 64) order row : !tile.schedule<1>
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      // expected-error@+1 {{'tile.decode' op a schedule of rank 1 has as many coordinates, found 2}}
      %i, %j = tile.decode %s, %n : !tile.schedule<1> -> i32, i32
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
      %c = tile.cursor %r producer : !r
      %a = tile.acquire %r at %c : !r -> !slot
      // expected-error@+1 {{'tile.copy' op a view of rank 2 takes as many coordinates, found 1}}
      tile.copy %v[%n] to %a signal %r at %c : !matrix, !slot, !r
    }
    tile.role @mma {
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
  %w = builtin.unrealized_conversion_cast %n : i32 to !tile.view<?x?xf16, align = 16>
  tile.roles {
    tile.role @load {
      %c = tile.cursor %r producer : !r
      %a = tile.acquire %r at %c : !r -> !slot
      // expected-error@+1 {{'tile.copy' op the view holds 'f16', the slot 'bf16'}}
      tile.copy %w[%n, %n] to %a signal %r at %c : !tile.view<?x?xf16, align = 16>, !slot, !r
    }
    tile.role @mma {
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
  %w = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !tile.view<?x?xbf16>
  tile.roles {
    tile.role @load {
      %c = tile.cursor %r producer : !r
      %a = tile.acquire %r at %c : !r -> !slot
      // expected-error@+1 {{'tile.copy' op asynchronous copies need a view with align = 16 or more, found 2}}
      tile.copy %w[%n, %n] to %a signal %r at %c : !tile.view<?x?xbf16>, !slot, !r
    }
    tile.role @mma {
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
  %q = tile.ring "q" private @mma : !tile.ring<1, tensor<64x64xbf16, #tile.smem<pad = 8>>>
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c = tile.cursor %q producer : !tile.ring<1, tensor<64x64xbf16, #tile.smem<pad = 8>>>
      %b = tile.acquire %q at %c : !tile.ring<1, tensor<64x64xbf16, #tile.smem<pad = 8>>> -> !tile.slot<tensor<64x64xbf16, #tile.smem<pad = 8>>>
      // expected-error@+1 {{'tile.copy_out' op the slot's layout #tile.smem<pad = 8> is none that TMA can move}}
      tile.copy_out %b to %v[%n, %n] : !tile.slot<tensor<64x64xbf16, #tile.smem<pad = 8>>>, !matrix
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
      %c = tile.cursor %r producer : !r
      %a = tile.acquire %r at %c : !r -> !slot
      // expected-error@+1 {{'tile.copy' op multicast along axis 0 into ring "r", whose releases do not reach that axis; state multicast on the ring}}
      tile.copy %v[%n, %n] to %a signal %r at %c multicast 0 : !matrix, !slot, !r
    }
    tile.role @mma {
    }
  }
}

// -----

tile.kernel @k() form = scheduled roles = [#tile.role<mma, warpgroups = 2>] {
  tile.roles {
    tile.role @mma {
      // expected-error@+1 {{'tile.instance' op stands in a role with split = tiles, whose warpgroups are instances}}
      %i = tile.instance
    }
  }
}

// -----

tile.kernel @k() form = scheduled roles = [#tile.role<mma, warpgroups = 2, split = tiles>] {
  // expected-error@+1 {{'tile.instance' op stands in a role with split = tiles, whose warpgroups are instances}}
  %i = tile.instance
}

// -----

// A value that is used before its loop defines it is no reason to crash while the text is read.
#fwd = #tile.acc<wgs = [1, 1]>
!fwd = !tile.pending<tensor<64x64xf32, #fwd>>
tile.kernel @used_before_defined(%n: i32) form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c1 = arith.constant 1 : i32
      // expected-error@+1 {{operand is unlinked}}
      %r = tile.for %i = %c1 to %n step %c1 iter_args(%c = %f) -> (!fwd) {
        %f = tile.dot_retire %c outstanding 1 : !fwd
        tile.yield %f : !fwd
      }
    }
  }
}
