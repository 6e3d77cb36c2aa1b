// RUN: tw-opt %s --tile-verify-async --split-input-file --verify-diagnostics
// A stage given back one iteration later: not too early, guarded in the first iteration, and the last one behind the loop.

// The stage of the iteration before is given back while two groups may be in flight.
#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xbf16, #sw>
!ab = !tile.ring<4, !t, !t>
!acc = tensor<64x64xf32, #acc>
!pending = !tile.pending<!acc>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @lag_too_short(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
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
      %r, %last, %sum = scf.for %kk = %c0 to %k step %c1 iter_args(%q = %r0, %previous = %r0, %x = %zero) -> (!tile.cursor, !tile.cursor, !pending) : i32 {
        %sa, %sb = tile.wait %ab at %q : !ab -> !tile.slot<!t>, !tile.slot<!t>
        // expected-note @below {{read here}}
        %e = tile.dot_start %sa, %sb, %x trans_b : !tile.slot<!t>, !tile.slot<!t>, !pending -> !pending
        %f = tile.dot_retire %e outstanding 2 : !pending
        %notfirst = arith.cmpi sgt, %kk, %c0 : i32
        // expected-error @below {{gives back a stage that a dot may still read; wait for the dot first}}
        tile.release %ab at %previous if %notfirst : !ab
        %q1 = tile.advance %ab at %q : !ab
        scf.yield %q1, %q, %f : !tile.cursor, !tile.cursor, !pending
      }
      %value = tile.dot_wait %sum : !pending -> !acc
      %any = arith.cmpi sgt, %k, %c0 : i32
      tile.release %ab at %last if %any : !ab
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
tile.kernel @lag_without_guard(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
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
      %r, %last, %sum = scf.for %kk = %c0 to %k step %c1 iter_args(%q = %r0, %previous = %r0, %x = %zero) -> (!tile.cursor, !tile.cursor, !pending) : i32 {
        // expected-note @below {{the stage is taken here}}
        %sa, %sb = tile.wait %ab at %q : !ab -> !tile.slot<!t>, !tile.slot<!t>
        %e = tile.dot_start %sa, %sb, %x trans_b : !tile.slot<!t>, !tile.slot<!t>, !pending -> !pending
        %f = tile.dot_retire %e outstanding 1 : !pending
        %notfirst = arith.cmpi sgt, %kk, %c0 : i32
        // expected-error @below {{gives back the stage of the iteration before and needs the guard that there was one: counter or upper bound greater than the lower bound}}
        tile.release %ab at %previous : !ab
        %q1 = tile.advance %ab at %q : !ab
        scf.yield %q1, %q, %f : !tile.cursor, !tile.cursor, !pending
      }
      %value = tile.dot_wait %sum : !pending -> !acc
      %any = arith.cmpi sgt, %k, %c0 : i32
      tile.release %ab at %last if %any : !ab
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
tile.kernel @lag_with_wrong_guard(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
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
      %r, %last, %sum = scf.for %kk = %c0 to %k step %c1 iter_args(%q = %r0, %previous = %r0, %x = %zero) -> (!tile.cursor, !tile.cursor, !pending) : i32 {
        // expected-note @below {{the stage is taken here}}
        %sa, %sb = tile.wait %ab at %q : !ab -> !tile.slot<!t>, !tile.slot<!t>
        %e = tile.dot_start %sa, %sb, %x trans_b : !tile.slot<!t>, !tile.slot<!t>, !pending -> !pending
        %f = tile.dot_retire %e outstanding 1 : !pending
        %notfirst = arith.cmpi sge, %kk, %c0 : i32
        // expected-error @below {{gives back the stage of the iteration before and needs the guard that there was one}}
        tile.release %ab at %previous if %notfirst : !ab
        %q1 = tile.advance %ab at %q : !ab
        scf.yield %q1, %q, %f : !tile.cursor, !tile.cursor, !pending
      }
      %value = tile.dot_wait %sum : !pending -> !acc
      %any = arith.cmpi sgt, %k, %c0 : i32
      tile.release %ab at %last if %any : !ab
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
tile.kernel @last_kept(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
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
      // expected-note @below {{the loop}}
      %r, %last, %sum = scf.for %kk = %c0 to %k step %c1 iter_args(%q = %r0, %previous = %r0, %x = %zero) -> (!tile.cursor, !tile.cursor, !pending) : i32 {
        // expected-error @below {{takes a stage that is not released behind the last iteration of its loop}}
        %sa, %sb = tile.wait %ab at %q : !ab -> !tile.slot<!t>, !tile.slot<!t>
        %e = tile.dot_start %sa, %sb, %x trans_b : !tile.slot<!t>, !tile.slot<!t>, !pending -> !pending
        %f = tile.dot_retire %e outstanding 1 : !pending
        %notfirst = arith.cmpi sgt, %kk, %c0 : i32
        tile.release %ab at %previous if %notfirst : !ab
        %q1 = tile.advance %ab at %q : !ab
        scf.yield %q1, %q, %f : !tile.cursor, !tile.cursor, !pending
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
tile.kernel @last_too_early(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
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
      %r, %last, %sum = scf.for %kk = %c0 to %k step %c1 iter_args(%q = %r0, %previous = %r0, %x = %zero) -> (!tile.cursor, !tile.cursor, !pending) : i32 {
        %sa, %sb = tile.wait %ab at %q : !ab -> !tile.slot<!t>, !tile.slot<!t>
        // expected-note @below {{read here}}
        %e = tile.dot_start %sa, %sb, %x trans_b : !tile.slot<!t>, !tile.slot<!t>, !pending -> !pending
        %f = tile.dot_retire %e outstanding 1 : !pending
        %notfirst = arith.cmpi sgt, %kk, %c0 : i32
        tile.release %ab at %previous if %notfirst : !ab
        %q1 = tile.advance %ab at %q : !ab
        scf.yield %q1, %q, %f : !tile.cursor, !tile.cursor, !pending
      }
      %any = arith.cmpi sgt, %k, %c0 : i32
      // expected-error @below {{gives back a stage that a dot may still read; wait for the dot first}}
      tile.release %ab at %last if %any : !ab
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
tile.kernel @lag_twice(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
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
      %r, %last, %sum = scf.for %kk = %c0 to %k step %c1 iter_args(%q = %r0, %previous = %r0, %x = %zero) -> (!tile.cursor, !tile.cursor, !pending) : i32 {
        %sa, %sb = tile.wait %ab at %q : !ab -> !tile.slot<!t>, !tile.slot<!t>
        %e = tile.dot_start %sa, %sb, %x trans_b : !tile.slot<!t>, !tile.slot<!t>, !pending -> !pending
        %f = tile.dot_retire %e outstanding 1 : !pending
        %notfirst = arith.cmpi sgt, %kk, %c0 : i32
        // expected-note @below {{given back here}}
        tile.release %ab at %previous if %notfirst : !ab
        // expected-error @below {{gives back a stage a second time}}
        tile.release %ab at %previous if %notfirst : !ab
        %q1 = tile.advance %ab at %q : !ab
        scf.yield %q1, %q, %f : !tile.cursor, !tile.cursor, !pending
      }
      %value = tile.dot_wait %sum : !pending -> !acc
      %any = arith.cmpi sgt, %k, %c0 : i32
      tile.release %ab at %last if %any : !ab
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
tile.kernel @last_twice(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
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
      %r, %last, %sum = scf.for %kk = %c0 to %k step %c1 iter_args(%q = %r0, %previous = %r0, %x = %zero) -> (!tile.cursor, !tile.cursor, !pending) : i32 {
        %sa, %sb = tile.wait %ab at %q : !ab -> !tile.slot<!t>, !tile.slot<!t>
        %e = tile.dot_start %sa, %sb, %x trans_b : !tile.slot<!t>, !tile.slot<!t>, !pending -> !pending
        %f = tile.dot_retire %e outstanding 1 : !pending
        %notfirst = arith.cmpi sgt, %kk, %c0 : i32
        tile.release %ab at %previous if %notfirst : !ab
        %q1 = tile.advance %ab at %q : !ab
        scf.yield %q1, %q, %f : !tile.cursor, !tile.cursor, !pending
      }
      %value = tile.dot_wait %sum : !pending -> !acc
      %any = arith.cmpi sgt, %k, %c0 : i32
      // expected-note @below {{given back here}}
      tile.release %ab at %last if %any : !ab
      // expected-error @below {{gives back a stage a second time}}
      tile.release %ab at %last if %any : !ab
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
tile.kernel @lag_on_one_path(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
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
      %r, %last, %sum = scf.for %kk = %c0 to %k step %c1 iter_args(%q = %r0, %previous = %r0, %x = %zero) -> (!tile.cursor, !tile.cursor, !pending) : i32 {
        // expected-note @below {{the stage is taken here}}
        %sa, %sb = tile.wait %ab at %q : !ab -> !tile.slot<!t>, !tile.slot<!t>
        %e = tile.dot_start %sa, %sb, %x trans_b : !tile.slot<!t>, !tile.slot<!t>, !pending -> !pending
        %f = tile.dot_retire %e outstanding 1 : !pending
        %notfirst = arith.cmpi sgt, %kk, %c0 : i32
        scf.if %notfirst {
          // expected-error @below {{gives back the stage of the iteration before, but not on every path}}
          tile.release %ab at %previous if %notfirst : !ab
        }
        %q1 = tile.advance %ab at %q : !ab
        scf.yield %q1, %q, %f : !tile.cursor, !tile.cursor, !pending
      }
      %value = tile.dot_wait %sum : !pending -> !acc
      %any = arith.cmpi sgt, %k, %c0 : i32
      tile.release %ab at %last if %any : !ab
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
tile.kernel @last_on_one_path(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
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
      %r, %last, %sum = scf.for %kk = %c0 to %k step %c1 iter_args(%q = %r0, %previous = %r0, %x = %zero) -> (!tile.cursor, !tile.cursor, !pending) : i32 {
        // expected-note @below {{the stage is taken here}}
        %sa, %sb = tile.wait %ab at %q : !ab -> !tile.slot<!t>, !tile.slot<!t>
        %e = tile.dot_start %sa, %sb, %x trans_b : !tile.slot<!t>, !tile.slot<!t>, !pending -> !pending
        %f = tile.dot_retire %e outstanding 1 : !pending
        %notfirst = arith.cmpi sgt, %kk, %c0 : i32
        tile.release %ab at %previous if %notfirst : !ab
        %q1 = tile.advance %ab at %q : !ab
        scf.yield %q1, %q, %f : !tile.cursor, !tile.cursor, !pending
      }
      %value = tile.dot_wait %sum : !pending -> !acc
      %any = arith.cmpi sgt, %k, %c0 : i32
      scf.if %any {
        // expected-error @below {{gives back the last stage of a loop, but not on every path}}
        tile.release %ab at %last if %any : !ab
      }
    }
  }
}
