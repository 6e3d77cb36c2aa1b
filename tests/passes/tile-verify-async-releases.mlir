// RUN: tw-opt %s --tile-verify-async --split-input-file --verify-diagnostics
// A stage that was waited for is read only until its release, and released once on every path.

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xbf16, #sw>
!ab = !tile.ring<4, !t, !t>
!acc = tensor<64x64xf32, #acc>
!pending = !tile.pending<!acc>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @kept(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
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
        // expected-error @below {{takes a stage that is never released: who fills the ring would wait for ever}}
        %sa, %sb = tile.wait %ab at %q : !ab -> !tile.slot<!t>, !tile.slot<!t>
        %e = tile.dot_start %sa, %sb, %x trans_b : !tile.slot<!t>, !tile.slot<!t>, !pending -> !pending
        %f = tile.dot_retire %e outstanding 0 : !pending
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
tile.kernel @released_twice(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
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
        // expected-note @below {{given back here}}
        tile.release %ab at %q : !ab
        // expected-error @below {{gives back a stage a second time}}
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
tile.kernel @dot_in_flight(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
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
        // expected-note @below {{read here}}
        %e = tile.dot_start %sa, %sb, %x trans_b : !tile.slot<!t>, !tile.slot<!t>, !pending -> !pending
        // expected-error @below {{gives back a stage that a dot may still read; wait for the dot first}}
        tile.release %ab at %q : !ab
        %q1 = tile.advance %ab at %q : !ab
        scf.yield %q1, %e : !tile.cursor, !pending
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
tile.kernel @read_later(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
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
        // expected-error @below {{gives back a stage that is read later}}
        tile.release %ab at %q : !ab
        // expected-note @below {{read here}}
        %h = tile.fragment_load %sa : !tile.slot<!t> -> tensor<64x64xbf16, #acc>
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
tile.kernel @guarded(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
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
        // expected-note @below {{the stage is taken here}}
        %sa, %sb = tile.wait %ab at %q : !ab -> !tile.slot<!t>, !tile.slot<!t>
        %e = tile.dot_start %sa, %sb, %x trans_b : !tile.slot<!t>, !tile.slot<!t>, !pending -> !pending
        %f = tile.dot_retire %e outstanding 0 : !pending
        %odd = arith.cmpi sgt, %kk, %c1 : i32
        // expected-error @below {{gives back a stage, but not once on every path behind the wait for it}}
        tile.release %ab at %q if %odd : !ab
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
tile.kernel @on_one_path(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
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
        // expected-note @below {{the stage is taken here}}
        %sa, %sb = tile.wait %ab at %q : !ab -> !tile.slot<!t>, !tile.slot<!t>
        %e = tile.dot_start %sa, %sb, %x trans_b : !tile.slot<!t>, !tile.slot<!t>, !pending -> !pending
        %f = tile.dot_retire %e outstanding 0 : !pending
        %odd = arith.cmpi sgt, %kk, %c1 : i32
        scf.if %odd {
          // expected-error @below {{gives back a stage, but not once on every path behind the wait for it}}
          tile.release %ab at %q : !ab
        }
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
tile.kernel @not_held(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
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
      // expected-error @below {{gives back a stage that this role does not hold at this cursor}}
      tile.release %ab at %r0 : !ab
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
tile.kernel @written_by_reader(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
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
        %v = tile.zero : tensor<64x64xbf16, #acc>
        // expected-error @below {{writes a slot that this role reads; tile.rebind it to use its bytes again}}
        tile.fragment_store %v, %sa : tensor<64x64xbf16, #acc>, !tile.slot<!t>
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
