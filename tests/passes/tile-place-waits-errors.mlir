// RUN: tw-opt %s --tile-place-waits --split-input-file --verify-diagnostics

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xbf16, #sw>
!ring = !tile.ring<2, !t>
!acc = tensor<64x64xf32, #acc>
tile.kernel @scaled(%n: i32) form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %x = tile.ring "x" from @load to @mma : !ring
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %r = tile.cursor %x consumer : !ring
      %s = tile.wait %x at %r : !ring -> !tile.slot<!t>
      %z = tile.zero : !acc
      %v = tile.zero : tensor<64xf32, #tile.slice<1, #acc>>
      // expected-error @below {{has scales, which wgmma does not apply; multiply the product of a dot into tile.zero by them and add that}}
      %d = tile.dot %s, %s, %z scales(%v, %v) kind wgmma trans_b
        : !tile.slot<!t>, !tile.slot<!t>, !acc scales tensor<64xf32, #tile.slice<1, #acc>>, tensor<64xf32, #tile.slice<1, #acc>>
      %u = arith.addf %d, %d : !acc
    }
  }
}

// -----

#acc = #tile.acc<wgs = [1, 1]>
tile.kernel @registers(%n: i32) form = scheduled threads = 128 {
  %a = tile.zero : tensor<64x64xbf16, #acc>
  %b = tile.zero : tensor<64x64xbf16>
  %z = tile.zero : tensor<64x64xf32, #acc>
  // expected-error @below {{takes b from 'tensor<64x64xbf16>'; wgmma reads b from shared memory, load it through a ring}}
  %d = tile.dot %a, %b, %z kind wgmma : tensor<64x64xbf16, #acc>, tensor<64x64xbf16>, tensor<64x64xf32, #acc>
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
!t = tensor<64x64xbf16, #sw>
!ring = !tile.ring<2, !t>
tile.kernel @no_layout(%n: i32) form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %x = tile.ring "x" from @load to @mma : !ring
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %r = tile.cursor %x consumer : !ring
      %s = tile.wait %x at %r : !ring -> !tile.slot<!t>
      %z = tile.zero : tensor<64x64xf32>
      // expected-error @below {{accumulates into 'tensor<64x64xf32>', whose layout is not #tile.acc; run tile-infer-layouts first}}
      %d = tile.dot %s, %s, %z kind wgmma : !tile.slot<!t>, !tile.slot<!t>, tensor<64x64xf32>
    }
  }
}

// -----

// The accumulator starts from a tile that is not zero, so it cannot stay in flight.
#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xbf16, #sw>
!ring = !tile.ring<2, !t>
!acc = tensor<64x64xf32, #acc>
tile.kernel @not_zero(%d: !tile.ptr<f32>, %n: i32, %ld: i64, %beta: f32) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %D = tile.view %d [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %x = tile.ring "x" from @load to @mma : !ring
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c1 = arith.constant 1 : i32
      %r0 = tile.cursor %x consumer : !ring
      %z = tile.splat %beta : f32 -> !acc
      %r, %sum = tile.for %i = %c1 to %n step %c1 iter_args(%q = %r0, %c = %z) -> (!tile.cursor, !acc) {
        %s = tile.wait %x at %q : !ring -> !tile.slot<!t>
        // expected-error @below {{asks for outstanding 1, but its result is used before another dot is issued: only an accumulator that a loop carries from tile.zero through dots alone stays in flight; state outstanding 0}}
        %e = tile.dot %s, %s, %c kind wgmma trans_b outstanding 1 : !tile.slot<!t>, !tile.slot<!t>, !acc
        %q1 = tile.advance %x at %q : !ring
        // expected-note @below {{used here}}
        tile.yield %q1, %e : !tile.cursor, !acc
      }
      tile.store %sum, %D[%n, %n] via direct : !acc, !tile.view<?x?xf32>
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
!t = tensor<64x64xbf16, #sw>
!ring = !tile.ring<2, !t>
tile.kernel @copied_out(%d: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %D = tile.view %d [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !tile.view<?x?xbf16, align = 16>
  %x = tile.ring "x" from @load to @mma : !ring
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %r = tile.cursor %x consumer : !ring
      // expected-error @below {{waits for a stage of ring "x" that cannot be released on every path: copy_out reads it at a time that no wait of this role tells}}
      %s = tile.wait %x at %r : !ring -> !tile.slot<!t>
      %o = tile.rebind %s : !tile.slot<!t> -> !tile.slot<!t>
      // expected-note @below {{the stage is read here}}
      tile.copy_out %o to %D[%n, %n] : !tile.slot<!t>, !tile.view<?x?xbf16, align = 16>
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xbf16, #sw>
!ring = !tile.ring<2, !t>
!pending = !tile.pending<tensor<64x64xf32, #acc>>
tile.kernel @never_waited(%n: i32) form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %x = tile.ring "x" from @load to @mma : !ring
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %r = tile.cursor %x consumer : !ring
      // expected-error @below {{cannot be released on every path: a dot still reads it where its block ends; wait for the dot before}}
      %s = tile.wait %x at %r : !ring -> !tile.slot<!t>
      %z = tile.zero : !pending
      // expected-note @below {{the stage is read here}}
      %d = tile.dot_start %s, %s, %z : !tile.slot<!t>, !tile.slot<!t>, !pending -> !pending
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xbf16, #sw>
!ring = !tile.ring<2, !t>
!acc = tensor<64x64xf32, #acc>
tile.kernel @standing_cursor(%d: !tile.ptr<f32>, %n: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %D = tile.view %d [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %x = tile.ring "x" from @load to @mma : !ring
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c1 = arith.constant 1 : i32
      %r0 = tile.cursor %x consumer : !ring
      %z = tile.zero : !acc
      %sum = tile.for %i = %c1 to %n step %c1 iter_args(%c = %z) -> (!acc) {
        // expected-error @below {{cannot be released on every path: the loop around does not carry its cursor}}
        %s = tile.wait %x at %r0 : !ring -> !tile.slot<!t>
        // expected-note @below {{the stage is read here}}
        %e = tile.dot %s, %s, %c kind wgmma trans_b outstanding 1 : !tile.slot<!t>, !tile.slot<!t>, !acc
        tile.yield %e : !acc
      }
      tile.store %sum, %D[%n, %n] via direct : !acc, !tile.view<?x?xf32>
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xbf16, #sw>
!ring = !tile.ring<4, !t>
!acc = tensor<64x64xf32, #acc>
!pending = !tile.pending<!acc>
tile.kernel @two_in_flight(%n: i32) form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %x = tile.ring "x" from @load to @mma : !ring
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c1 = arith.constant 1 : i32
      %r0 = tile.cursor %x consumer : !ring
      %z = tile.zero : !pending
      %r, %sum = tile.for %i = %c1 to %n step %c1 iter_args(%q = %r0, %c = %z) -> (!tile.cursor, !pending) {
        // expected-error @below {{cannot be released on every path: the dot is still in flight one iteration later; lower `outstanding`}}
        %s = tile.wait %x at %q : !ring -> !tile.slot<!t>
        // expected-note @below {{the stage is read here}}
        %e = tile.dot_start %s, %s, %c : !tile.slot<!t>, !tile.slot<!t>, !pending -> !pending
        %f = tile.dot_retire %e outstanding 2 : !pending
        %q1 = tile.advance %x at %q : !ring
        tile.yield %q1, %f : !tile.cursor, !pending
      }
      %v = tile.dot_wait %sum : !pending -> !acc
    }
  }
}

// -----

// The inner loop's last dot is in flight when the outer loop goes on.
#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xbf16, #sw>
!ring = !tile.ring<4, !t>
!acc = tensor<64x64xf32, #acc>
tile.kernel @nested(%d: !tile.ptr<f32>, %n: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %D = tile.view %d [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %x = tile.ring "x" from @load to @mma : !ring
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c1 = arith.constant 1 : i32
      %r0 = tile.cursor %x consumer : !ring
      %z = tile.zero : !acc
      %r, %sum = tile.for %j = %c1 to %n step %c1 iter_args(%p = %r0, %y = %z) -> (!tile.cursor, !acc) {
        %p1, %y1 = tile.for %i = %c1 to %n step %c1 iter_args(%q = %p, %c = %y) -> (!tile.cursor, !acc) {
          // expected-error @below {{cannot be released on every path: no wait behind the loop completes its last dot; state outstanding 0}}
          %s = tile.wait %x at %q : !ring -> !tile.slot<!t>
          // expected-note @below {{the stage is read here}}
          %e = tile.dot %s, %s, %c kind wgmma trans_b outstanding 1 : !tile.slot<!t>, !tile.slot<!t>, !acc
          %q1 = tile.advance %x at %q : !ring
          tile.yield %q1, %e : !tile.cursor, !acc
        }
        tile.yield %p1, %y1 : !tile.cursor, !acc
      }
      tile.store %sum, %D[%n, %n] via direct : !acc, !tile.view<?x?xf32>
    }
  }
}
