// RUN: tw-opt %s --tile-verify-async --split-input-file --verify-diagnostics
// Accumulators in flight, turns, what warps do together, named barriers.

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xbf16, #sw>
!ab = !tile.ring<4, !t, !t>
!acc = tensor<64x64xf32, #acc>
!pending = !tile.pending<!acc>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @not_awaited(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%k, %k] strides [%ld] : !tile.ptr<bf16> -> !view
  %ab = tile.ring "ab" from @load to @mma : !ab
  tile.roles {
    tile.role @load {
      %p0 = tile.cursor %ab producer : !ab
      scf.for %kk = %c0 to %k step %c1 iter_args(%p = %p0) -> (!tile.cursor) : i32 {
        %sa, %sb = tile.acquire %ab at %p : !ab -> !tile.slot<!t>, !tile.slot<!t>
        tile.copy %A[%kk, %c0] to %sa signal %ab at %p : !view, !tile.slot<!t>, !ab
        tile.copy %A[%kk, %k] to %sb signal %ab at %p : !view, !tile.slot<!t>, !ab
        %p1 = tile.advance %ab at %p : !ab
        scf.yield %p1 : !tile.cursor
      }
    }
    tile.role @mma {
      %r0 = tile.cursor %ab consumer : !ab
      %zero = tile.zero : !pending
      // expected-error @below {{leaves an accumulator in flight that nothing waits for; add a tile.dot_wait}}
      %r, %sum = scf.for %kk = %c0 to %k step %c1 iter_args(%q = %r0, %x = %zero) -> (!tile.cursor, !pending) : i32 {
        %sa, %sb = tile.wait %ab at %q : !ab -> !tile.slot<!t>, !tile.slot<!t>
        %e = tile.dot_start %sa, %sb, %x trans_b : !tile.slot<!t>, !tile.slot<!t>, !pending -> !pending
        %f = tile.dot_retire %e outstanding 0 : !pending
        tile.release %ab at %q : !ab
        %q1 = tile.advance %ab at %q : !ab
        scf.yield %q1, %f : !tile.cursor, !pending
      }
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xbf16, #sw>
!ab = !tile.ring<4, !t, !t>
!acc = tensor<64x64xf32, #acc>
!pending = !tile.pending<!acc>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @awaited_twice(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%k, %k] strides [%ld] : !tile.ptr<bf16> -> !view
  %ab = tile.ring "ab" from @load to @mma : !ab
  tile.roles {
    tile.role @load {
      %p0 = tile.cursor %ab producer : !ab
      scf.for %kk = %c0 to %k step %c1 iter_args(%p = %p0) -> (!tile.cursor) : i32 {
        %sa, %sb = tile.acquire %ab at %p : !ab -> !tile.slot<!t>, !tile.slot<!t>
        tile.copy %A[%kk, %c0] to %sa signal %ab at %p : !view, !tile.slot<!t>, !ab
        tile.copy %A[%kk, %k] to %sb signal %ab at %p : !view, !tile.slot<!t>, !ab
        %p1 = tile.advance %ab at %p : !ab
        scf.yield %p1 : !tile.cursor
      }
    }
    tile.role @mma {
      %r0 = tile.cursor %ab consumer : !ab
      %zero = tile.zero : !pending
      %r, %sum = scf.for %kk = %c0 to %k step %c1 iter_args(%q = %r0, %x = %zero) -> (!tile.cursor, !pending) : i32 {
        %sa, %sb = tile.wait %ab at %q : !ab -> !tile.slot<!t>, !tile.slot<!t>
        %e = tile.dot_start %sa, %sb, %x trans_b : !tile.slot<!t>, !tile.slot<!t>, !pending -> !pending
        %f = tile.dot_retire %e outstanding 0 : !pending
        tile.release %ab at %q : !ab
        %q1 = tile.advance %ab at %q : !ab
        scf.yield %q1, %f : !tile.cursor, !pending
      }
      // expected-note @below {{taken here}}
      %value = tile.dot_wait %sum : !pending -> !acc
      // expected-error @below {{takes an accumulator in flight that another op has taken; use what that op results in}}
      %again = tile.dot_wait %sum : !pending -> !acc
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xbf16, #sw>
!ab = !tile.ring<4, !t, !t>
!acc = tensor<64x64xf32, #acc>
!pending = !tile.pending<!acc>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @two_waits(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%k, %k] strides [%ld] : !tile.ptr<bf16> -> !view
  %ab = tile.ring "ab" from @load to @mma : !ab
  %turn = tile.turn among @mma
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      // expected-note @below {{before it comes this one}}
      tile.turn_wait %turn
      // expected-error @below {{waits for a turn that its warpgroup holds: it would wait for ever}}
      tile.turn_wait %turn
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xbf16, #sw>
!ab = !tile.ring<4, !t, !t>
!acc = tensor<64x64xf32, #acc>
!pending = !tile.pending<!acc>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @pass_first(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%k, %k] strides [%ld] : !tile.ptr<bf16> -> !view
  %ab = tile.ring "ab" from @load to @mma : !ab
  %turn = tile.turn among @mma
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      // expected-error @below {{passes a turn that its warpgroup does not hold}}
      tile.turn_pass %turn
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xbf16, #sw>
!ab = !tile.ring<4, !t, !t>
!acc = tensor<64x64xf32, #acc>
!pending = !tile.pending<!acc>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @two_passes(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%k, %k] strides [%ld] : !tile.ptr<bf16> -> !view
  %ab = tile.ring "ab" from @load to @mma : !ab
  %turn = tile.turn among @mma
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      tile.turn_wait %turn
      // expected-note @below {{before it comes this one}}
      tile.turn_pass %turn
      // expected-error @below {{passes a turn that its warpgroup does not hold}}
      tile.turn_pass %turn
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xbf16, #sw>
!ab = !tile.ring<4, !t, !t>
!acc = tensor<64x64xf32, #acc>
!pending = !tile.pending<!acc>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @never_passed(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%k, %k] strides [%ld] : !tile.ptr<bf16> -> !view
  %ab = tile.ring "ab" from @load to @mma : !ab
  %turn = tile.turn among @mma
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      // expected-error @below {{takes a turn that its role never passes on}}
      tile.turn_wait %turn
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xbf16, #sw>
!ab = !tile.ring<4, !t, !t>
!acc = tensor<64x64xf32, #acc>
!pending = !tile.pending<!acc>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @taken_in_a_branch(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%k, %k] strides [%ld] : !tile.ptr<bf16> -> !view
  %ab = tile.ring "ab" from @load to @mma : !ab
  %turn = tile.turn among @mma
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %some = arith.cmpi sgt, %k, %c0 : i32
      scf.if %some {
        // expected-error @below {{takes a turn in a loop or branch and does not pass it there}}
        tile.turn_wait %turn
      }
      tile.turn_pass %turn
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xbf16, #sw>
!ab = !tile.ring<4, !t, !t>
!acc = tensor<64x64xf32, #acc>
!pending = !tile.pending<!acc>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @passed_in_a_loop(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%k, %k] strides [%ld] : !tile.ptr<bf16> -> !view
  %ab = tile.ring "ab" from @load to @mma : !ab
  %turn = tile.turn among @mma
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      // expected-note @below {{before it comes this one}}
      tile.turn_wait %turn
      scf.for %i = %c0 to %k step %c1 : i32 {
        // expected-error @below {{passes a turn in a loop or branch around which it is held}}
        tile.turn_pass %turn
      }
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xbf16, #sw>
!ab = !tile.ring<4, !t, !t>
!acc = tensor<64x64xf32, #acc>
!pending = !tile.pending<!acc>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @divergent_dot(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%k, %k] strides [%ld] : !tile.ptr<bf16> -> !view
  %ab = tile.ring "ab" from @load to @mma : !ab
  tile.roles {
    tile.role @load {
      %p0 = tile.cursor %ab producer : !ab
      scf.for %kk = %c0 to %k step %c1 iter_args(%p = %p0) -> (!tile.cursor) : i32 {
        %sa, %sb = tile.acquire %ab at %p : !ab -> !tile.slot<!t>, !tile.slot<!t>
        tile.copy %A[%kk, %c0] to %sa signal %ab at %p : !view, !tile.slot<!t>, !ab
        tile.copy %A[%kk, %k] to %sb signal %ab at %p : !view, !tile.slot<!t>, !ab
        %p1 = tile.advance %ab at %p : !ab
        scf.yield %p1 : !tile.cursor
      }
    }
    tile.role @mma {
      %r0 = tile.cursor %ab consumer : !ab
      %sa, %sb = tile.wait %ab at %r0 : !ab -> !tile.slot<!t>, !tile.slot<!t>
      %zero = tile.zero : !pending
      %large = tile.map ins(%sa) : !tile.slot<!t> -> tensor<64x64xi1, #acc> {
      ^bb0(%e: bf16, %row: i32, %col: i32):
        %more = arith.cmpf ogt, %e, %e : bf16
        tile.yield %more : i1
      }
      // expected-note @below {{warps may differ from here on}}
      %some = tile.any %large : tensor<64x64xi1, #acc>
      %true = arith.constant true
      %none = arith.xori %some, %true : i1
      scf.if %none {
        // expected-error @below {{is run by all warps of its role together, but stands in a scf.if that some of them may skip}}
        %d = tile.dot_start %sa, %sb, %zero trans_b : !tile.slot<!t>, !tile.slot<!t>, !pending -> !pending
        %v = tile.dot_wait %d : !pending -> !acc
      }
      tile.release %ab at %r0 : !ab
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xbf16, #sw>
!ab = !tile.ring<4, !t, !t>
!acc = tensor<64x64xf32, #acc>
!pending = !tile.pending<!acc>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @divergent_loop(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%k, %k] strides [%ld] : !tile.ptr<bf16> -> !view
  %ab = tile.ring "ab" from @load to @mma : !ab
  tile.roles {
    tile.role @load {
      %p0 = tile.cursor %ab producer : !ab
      scf.for %kk = %c0 to %k step %c1 iter_args(%p = %p0) -> (!tile.cursor) : i32 {
        %sa, %sb = tile.acquire %ab at %p : !ab -> !tile.slot<!t>, !tile.slot<!t>
        tile.copy %A[%kk, %c0] to %sa signal %ab at %p : !view, !tile.slot<!t>, !ab
        tile.copy %A[%kk, %k] to %sb signal %ab at %p : !view, !tile.slot<!t>, !ab
        %p1 = tile.advance %ab at %p : !ab
        scf.yield %p1 : !tile.cursor
      }
    }
    tile.role @mma {
      %r0 = tile.cursor %ab consumer : !ab
      // expected-note @below {{warps may differ from here on}}
      %ticket = tile.atomic_add %n, %c1 : !tile.ptr<i32>
      %trips = arith.addi %ticket, %c1 : i32
      %r = scf.for %i = %c0 to %trips step %c1 iter_args(%q = %r0) -> (!tile.cursor) : i32 {
        // expected-error @below {{is run by all warps of its role together, but stands in a scf.for that some of them may skip}}
        %sa, %sb = tile.wait %ab at %q : !ab -> !tile.slot<!t>, !tile.slot<!t>
        tile.release %ab at %q : !ab
        %q1 = tile.advance %ab at %q : !ab
        scf.yield %q1 : !tile.cursor
      }
    }
  }
}

// -----

// expected-error @below {{needs 17 named barriers, a CTA has 16: 1 for the CTA + 4 for a turn of @mma + 4 for a turn of @mma + 4 for a turn of @mma + 4 for a turn of @mma}}
tile.kernel @many_turns(%n: i32) form = scheduled roles = [#tile.role<mma, warpgroups = 4>] {
  %t0 = tile.turn among @mma
  %t1 = tile.turn among @mma
  %t2 = tile.turn among @mma
  %t3 = tile.turn among @mma
  tile.roles {
    tile.role @mma {
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
!t = tensor<64x64xbf16, #sw>
!ring = !tile.ring<2, !t>
tile.kernel @no_turn() form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 2, split = tiles>] {
  %r = tile.ring "r" from @load to @mma : !ring
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c = tile.cursor %r consumer : !ring
      // expected-error @below {{waits for a stage of ring "r" out of turn; warpgroups of role @mma skip each other's stages, and a barrier several rounds behind looks like a full one: wait between a turn_wait and its turn_pass}}
      %x = tile.wait %r at %c : !ring -> !tile.slot<!t>
      tile.release %r at %c : !ring
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
!t = tensor<64x64xbf16, #sw>
!ring = !tile.ring<2, !t>
tile.kernel @after_turn() form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 2, split = tiles>] {
  %r = tile.ring "r" from @load to @mma : !ring
  %turn = tile.turn among @mma
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c = tile.cursor %r consumer : !ring
      tile.turn_wait %turn
      tile.turn_pass %turn
      // expected-error @below {{waits for a stage of ring "r" out of turn}}
      %x = tile.wait %r at %c : !ring -> !tile.slot<!t>
      tile.release %r at %c : !ring
    }
  }
}

// -----

// The turn of another role says nothing.
#sw = #tile.smem<panel = 64, swizzle = 128>
!t = tensor<64x64xbf16, #sw>
!ring = !tile.ring<2, !t>
tile.kernel @other_turn() form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 2, split = tiles>] {
  %r = tile.ring "r" from @load to @mma : !ring
  %turn = tile.turn among @load
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c = tile.cursor %r consumer : !ring
      // expected-error @below {{waits for a stage of ring "r" out of turn}}
      %x = tile.wait %r at %c : !ring -> !tile.slot<!t>
      tile.release %r at %c : !ring
    }
  }
}
