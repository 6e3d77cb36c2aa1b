// Kernels that keep the protocol pass, and nothing changes.
// RUN: tw-opt %s --split-input-file > %t.before
// RUN: tw-opt %s --split-input-file --tile-verify-async > %t.after
// RUN: diff %t.before %t.after
// RUN: tw-opt %source_root/tests/compiler/tile/gemm-scheduled.mlir --tile-verify-async

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xbf16, #sw>
!ab = !tile.ring<4, !t, !t>
!acc = tensor<64x64xf32, #acc>
!pending = !tile.pending<!acc>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @retired(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
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
tile.kernel @lagging(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
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
      tile.release %ab at %last if %any : !ab
    }
  }
}

// -----

// A loop cut at its ranges: the second one gives back the last stage of the first.
#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x64xbf16, #sw>
!ab = !tile.ring<4, !t, !t>
!acc = tensor<64x64xf32, #acc>
!pending = !tile.pending<!acc>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @two_ranges(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
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
      %end = arith.addi %k, %k : i32
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
      %r2, %last2, %sum2 = scf.for %ll = %k to %end step %c1 iter_args(%q = %r, %previous = %last, %x = %sum) -> (!tile.cursor, !tile.cursor, !pending) : i32 {
        %sa, %sb = tile.wait %ab at %q : !ab -> !tile.slot<!t>, !tile.slot<!t>
        %e = tile.dot_start %sa, %sb, %x trans_b : !tile.slot<!t>, !tile.slot<!t>, !pending -> !pending
        %f = tile.dot_retire %e outstanding 1 : !pending
        %notfirst = arith.cmpi sgt, %ll, %c0 : i32
        tile.release %ab at %previous if %notfirst : !ab
        %q1 = tile.advance %ab at %q : !ab
        scf.yield %q1, %q, %f : !tile.cursor, !tile.cursor, !pending
      }
      %value = tile.dot_wait %sum2 : !pending -> !acc
      %any = arith.cmpi sgt, %end, %c0 : i32
      tile.release %ab at %last2 if %any : !ab
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
tile.kernel @turns(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
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
      tile.turn_pass %turn
      scf.for %i = %c0 to %k step %c1 : i32 {
        tile.turn_wait %turn
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
tile.kernel @branch(%a: !tile.ptr<bf16>, %n: !tile.ptr<i32>, %k: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%k, %k] strides [%ld] : !tile.ptr<bf16> -> !view
  %ab = tile.ring "ab" from @load to @mma : !ab
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %r0 = tile.cursor %ab consumer : !ab
      %some = arith.cmpi sgt, %k, %c0 : i32
      scf.if %some {
        %sa, %sb = tile.wait %ab at %r0 : !ab -> !tile.slot<!t>, !tile.slot<!t>
        tile.release %ab at %r0 : !ab
        %r1 = tile.advance %ab at %r0 : !ab
      }
    }
  }
}

// -----

// Warpgroups that skip each other's stages wait in turn: here, and in what the turn is held around.
#sw = #tile.smem<panel = 64, swizzle = 128>
!t = tensor<64x64xbf16, #sw>
!ring = !tile.ring<2, !t>
tile.kernel @instances(%n: i32) form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 2, split = tiles>] {
  %r = tile.ring "r" from @load to @mma : !ring
  %turn = tile.turn among @mma
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c = tile.cursor %r consumer : !ring
      %i = tile.instance
      %from = tile.advance %r at %c by %i : !ring
      %end = scf.for %unit = %i to %n step %c1 iter_args(%q = %from) -> (!tile.cursor) : i32 {
        tile.turn_wait %turn
        %x = tile.wait %r at %q : !ring -> !tile.slot<!t>
        tile.release %r at %q : !ring
        %q1 = tile.advance %r at %q : !ring
        %q2 = scf.for %j = %c0 to %n step %c1 iter_args(%p = %q1) -> (!tile.cursor) : i32 {
          %y = tile.wait %r at %p : !ring -> !tile.slot<!t>
          tile.release %r at %p : !ring
          %p1 = tile.advance %r at %p : !ring
          scf.yield %p1 : !tile.cursor
        }
        tile.turn_pass %turn
        %q3 = tile.advance %r at %q2 by %n : !ring
        scf.yield %q3 : !tile.cursor
      }
    }
  }
}
