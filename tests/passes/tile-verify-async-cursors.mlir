// RUN: tw-opt %s --tile-verify-async --split-input-file --verify-diagnostics
// Cursors are used, then advanced, once per path; acquired stages are filled once and completely.

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xbf16, #sw>
!ab = !tile.ring<4, !t, !t>
!acc = tensor<64x64xf32, #acc>
!pending = !tile.pending<!acc>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @twice_advanced(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
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
        // expected-note @below {{advanced here}}
        %p1 = tile.advance %ab at %p : !ab
        // expected-error @below {{advances a cursor a second time}}
        %p2 = tile.advance %ab at %p : !ab
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
      %value = tile.dot_wait %sum : !pending -> !acc
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
tile.kernel @standing(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%k, %k] strides [%ld] : !tile.ptr<bf16> -> !view
  %ab = tile.ring "ab" from @load to @mma : !ab
  tile.roles {
    tile.role @load {
      %p0 = tile.cursor %ab producer : !ab
      scf.for %kk = %c0 to %k step %c1 iter_args(%p = %p0) -> (!tile.cursor) : i32 {
        // expected-error @below {{takes a stage, but its cursor is not advanced once on every path behind: the next round would take the same stage}}
        %sa, %sb = tile.acquire %ab at %p : !ab -> !tile.slot<!t>, !tile.slot<!t>
        tile.copy %A[%kk, %c0] to %sa signal %ab at %p : !view, !tile.slot<!t>, !ab
        tile.copy %A[%kk, %k] to %sb signal %ab at %p : !view, !tile.slot<!t>, !ab
        scf.yield %p : !tile.cursor
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
      %value = tile.dot_wait %sum : !pending -> !acc
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
tile.kernel @passed(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%k, %k] strides [%ld] : !tile.ptr<bf16> -> !view
  %ab = tile.ring "ab" from @load to @mma : !ab
  tile.roles {
    tile.role @load {
      %p0 = tile.cursor %ab producer : !ab
      scf.for %kk = %c0 to %k step %c1 iter_args(%p = %p0) -> (!tile.cursor) : i32 {
        // expected-note @below {{advanced here}}
        %p1 = tile.advance %ab at %p : !ab
        // expected-error @below {{stands at a cursor that has been advanced; use the advanced one}}
        %sa, %sb = tile.acquire %ab at %p : !ab -> !tile.slot<!t>, !tile.slot<!t>
        tile.copy %A[%kk, %c0] to %sa signal %ab at %p : !view, !tile.slot<!t>, !ab
        tile.copy %A[%kk, %k] to %sb signal %ab at %p : !view, !tile.slot<!t>, !ab
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
      %value = tile.dot_wait %sum : !pending -> !acc
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
tile.kernel @taken_twice(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
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
        // expected-note @below {{taken here}}
        %sa, %sb = tile.wait %ab at %q : !ab -> !tile.slot<!t>, !tile.slot<!t>
        // expected-error @below {{takes the stage of this cursor a second time}}
        %sc, %sd = tile.wait %ab at %q : !ab -> !tile.slot<!t>, !tile.slot<!t>
        %e = tile.dot_start %sa, %sb, %x trans_b : !tile.slot<!t>, !tile.slot<!t>, !pending -> !pending
        %f = tile.dot_retire %e outstanding 0 : !pending
        tile.release %ab at %q : !ab
        %q1 = tile.advance %ab at %q : !ab
        scf.yield %q1, %f : !tile.cursor, !pending
      }
      %value = tile.dot_wait %sum : !pending -> !acc
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
tile.kernel @skipped(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
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
      // expected-note @below {{the cursor comes from here}}
      %r0 = tile.cursor %ab consumer : !ab
      // expected-error @below {{passes a stage that this role neither acquired nor waited for}}
      %skipped = tile.advance %ab at %r0 : !ab
      %zero = tile.zero : !pending
      %r, %sum = scf.for %kk = %c0 to %k step %c1 iter_args(%q = %skipped, %x = %zero) -> (!tile.cursor, !pending) : i32 {
        %sa, %sb = tile.wait %ab at %q : !ab -> !tile.slot<!t>, !tile.slot<!t>
        %e = tile.dot_start %sa, %sb, %x trans_b : !tile.slot<!t>, !tile.slot<!t>, !pending -> !pending
        %f = tile.dot_retire %e outstanding 0 : !pending
        tile.release %ab at %q : !ab
        %q1 = tile.advance %ab at %q : !ab
        scf.yield %q1, %f : !tile.cursor, !pending
      }
      %value = tile.dot_wait %sum : !pending -> !acc
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
tile.kernel @half_filled(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%k, %k] strides [%ld] : !tile.ptr<bf16> -> !view
  %ab = tile.ring "ab" from @load to @mma : !ab
  tile.roles {
    tile.role @load {
      %p0 = tile.cursor %ab producer : !ab
      scf.for %kk = %c0 to %k step %c1 iter_args(%p = %p0) -> (!tile.cursor) : i32 {
        // expected-error @below {{counts on a copy into slot 2 of ring "ab", but none runs on every path: its reader would wait for ever}}
        %sa, %sb = tile.acquire %ab at %p : !ab -> !tile.slot<!t>, !tile.slot<!t>
        tile.copy %A[%kk, %c0] to %sa signal %ab at %p : !view, !tile.slot<!t>, !ab
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
      %value = tile.dot_wait %sum : !pending -> !acc
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
tile.kernel @filled_twice(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%k, %k] strides [%ld] : !tile.ptr<bf16> -> !view
  %ab = tile.ring "ab" from @load to @mma : !ab
  tile.roles {
    tile.role @load {
      %p0 = tile.cursor %ab producer : !ab
      scf.for %kk = %c0 to %k step %c1 iter_args(%p = %p0) -> (!tile.cursor) : i32 {
        // expected-note @below {{the stage is acquired here}}
        %sa, %sb = tile.acquire %ab at %p : !ab -> !tile.slot<!t>, !tile.slot<!t>
        tile.copy %A[%kk, %c0] to %sa signal %ab at %p : !view, !tile.slot<!t>, !ab
        // expected-error @below {{fills slot 1 of a stage whose barrier counts one copy, and is not alone}}
        tile.copy %A[%kk, %k] to %sa signal %ab at %p : !view, !tile.slot<!t>, !ab
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
      %value = tile.dot_wait %sum : !pending -> !acc
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
tile.kernel @maybe_filled(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%k, %k] strides [%ld] : !tile.ptr<bf16> -> !view
  %ab = tile.ring "ab" from @load to @mma : !ab
  tile.roles {
    tile.role @load {
      %p0 = tile.cursor %ab producer : !ab
      scf.for %kk = %c0 to %k step %c1 iter_args(%p = %p0) -> (!tile.cursor) : i32 {
        // expected-error @below {{counts on a copy into slot 2 of ring "ab", but none runs on every path}}
        %sa, %sb = tile.acquire %ab at %p : !ab -> !tile.slot<!t>, !tile.slot<!t>
        tile.copy %A[%kk, %c0] to %sa signal %ab at %p : !view, !tile.slot<!t>, !ab
        %odd = arith.cmpi sgt, %kk, %c1 : i32
        scf.if %odd {
          // expected-note @below {{not on every path}}
          tile.copy %A[%kk, %k] to %sb signal %ab at %p : !view, !tile.slot<!t>, !ab
        }
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
      %value = tile.dot_wait %sum : !pending -> !acc
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
tile.kernel @other_stage(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%k, %k] strides [%ld] : !tile.ptr<bf16> -> !view
  %ab = tile.ring "ab" from @load to @mma : !ab
  tile.roles {
    tile.role @load {
      %p0 = tile.cursor %ab producer : !ab
      scf.for %kk = %c0 to %k step %c1 iter_args(%p = %p0) -> (!tile.cursor) : i32 {
        // expected-note @below {{the slot comes from here}}
        %sa, %sb = tile.acquire %ab at %p : !ab -> !tile.slot<!t>, !tile.slot<!t>
        tile.copy %A[%kk, %c0] to %sa signal %ab at %p : !view, !tile.slot<!t>, !ab
        // expected-error @below {{signals another stage than that of its slot}}
        tile.copy %A[%kk, %k] to %sb signal %ab at %p0 : !view, !tile.slot<!t>, !ab
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
      %value = tile.dot_wait %sum : !pending -> !acc
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
tile.kernel @copied_by_reader(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
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
        // expected-note @below {{the slot comes from here}}
        %sa, %sb = tile.wait %ab at %q : !ab -> !tile.slot<!t>, !tile.slot<!t>
        // expected-error @below {{fills a slot that this role did not acquire}}
        tile.copy %A[%kk, %k] to %sb signal %ab at %q : !view, !tile.slot<!t>, !ab
        %e = tile.dot_start %sa, %sb, %x trans_b : !tile.slot<!t>, !tile.slot<!t>, !pending -> !pending
        %f = tile.dot_retire %e outstanding 0 : !pending
        tile.release %ab at %q : !ab
        %q1 = tile.advance %ab at %q : !ab
        scf.yield %q1, %f : !tile.cursor, !pending
      }
      %value = tile.dot_wait %sum : !pending -> !acc
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
tile.kernel @uncommitted(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%k, %k] strides [%ld] : !tile.ptr<bf16> -> !view
  %ab = tile.ring "ab" from @load to @mma full threads : !ab
  tile.roles {
    tile.role @load {
      %p0 = tile.cursor %ab producer : !ab
      scf.for %kk = %c0 to %k step %c1 iter_args(%p = %p0) -> (!tile.cursor) : i32 {
        // expected-error @below {{takes a stage of ring "ab" that is not committed once on every path: its reader would wait for ever}}
        %sa, %sb = tile.acquire %ab at %p : !ab -> !tile.slot<!t>, !tile.slot<!t>
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
      %value = tile.dot_wait %sum : !pending -> !acc
    }
  }
}
