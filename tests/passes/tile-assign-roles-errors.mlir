// RUN: tw-opt %s --tile-assign-roles --split-input-file --verify-diagnostics

// A register tile has no way from one role to another.
#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!ring = !tile.ring<2, tensor<64x64xbf16, #sw>>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @crosses(%a: !tile.ptr<bf16>, %n: i32, %ld: i64) form = program
    roles = [#tile.role<load, warps = 1>, #tile.role<left, warpgroups = 1>, #tile.role<right, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %l = tile.ring "l" from @load to @left : !ring
  %r = tile.ring "r" from @load to @right : !ring
  %x = tile.load %A[%c0, %c0] via tma ring %l : !view, !ring -> tensor<64x64xbf16, #sw>
  // expected-note @below {{the tile comes from here}}
  %y = tile.load %A[%c0, %n] via tma ring %r : !view, !ring -> tensor<64x64xbf16, #sw>
  // expected-error @below {{takes 'tensor<64x64xbf16, #tile.smem<panel = 64, swizzle = 128>>' from role @right to role @left; a register tile stays in its role, pass it through a ring}}
  %z = tile.map ins(%x, %y) : tensor<64x64xbf16, #sw>, tensor<64x64xbf16, #sw> -> tensor<64x64xbf16, #acc> {
  ^bb0(%e: bf16, %f: bf16, %row: i32, %col: i32):
    %s = arith.addf %e, %f : bf16
    tile.yield %s : bf16
  }
  tile.store %z, %A[%c0, %c0] via direct : tensor<64x64xbf16, #acc>, !view
}

// -----

// A store staged by one role of what another computes.
#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!ring = !tile.ring<2, tensor<64x64xbf16, #sw>>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @staged_elsewhere(%a: !tile.ptr<bf16>, %n: i32, %ld: i64) form = program
    roles = [#tile.role<load, warps = 1>, #tile.role<left, warpgroups = 1>, #tile.role<right, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %l = tile.ring "l" from @load to @left : !ring
  %st = tile.ring "staging" private @right : !ring
  %x = tile.load %A[%c0, %c0] via tma ring %l : !view, !ring -> tensor<64x64xbf16, #sw>
  %z = tile.map ins(%x) : tensor<64x64xbf16, #sw> -> tensor<64x64xbf16, #acc> {
  ^bb0(%e: bf16, %row: i32, %col: i32):
    tile.yield %e : bf16
  }
  // expected-error @below {{belongs to role @left and to role @right: its tiles and rings must be those of one role}}
  tile.store %z, %A[%c0, %c0] via tma staging %st : tensor<64x64xbf16, #acc>, !view, !ring
}

// -----

// A scalar that only one role can compute decides where another role loads.
#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!ring = !tile.ring<2, tensor<64x64xbf16, #sw>>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @scalar(%a: !tile.ptr<bf16>, %n: i32, %ld: i64) form = program
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %r = tile.ring "r" from @load to @mma : !ring
  %x = tile.load %A[%c0, %c0] via tma ring %r : !view, !ring -> tensor<64x64xbf16, #sw>
  %z = tile.map ins(%x) : tensor<64x64xbf16, #sw> -> tensor<64x64xi1, #acc> {
  ^bb0(%e: bf16, %row: i32, %col: i32):
    %large = arith.cmpf ogt, %e, %e : bf16
    tile.yield %large : i1
  }
  // expected-error @below {{belongs to role @mma, but role @load needs its result; only scalars that every role can compute and tiles in rings reach another role}}
  %any = tile.any %z : tensor<64x64xi1, #acc>
  // expected-note @below {{needed here}}
  scf.if %any {
    %y = tile.load %A[%c0, %n] via tma ring %r : !view, !ring -> tensor<64x64xbf16, #sw>
  }
}

// -----

// No ring tells which of two roles stores.
#acc = #tile.acc<wgs = [1, 1]>
!view = !tile.view<?x?xf32>
tile.kernel @nobody(%a: !tile.ptr<f32>, %n: i32, %ld: i64) form = program
    roles = [#tile.role<left, warpgroups = 1>, #tile.role<right, warpgroups = 1>] {
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  %x = tile.load %A[%n, %n] via direct : !view -> tensor<64x64xf32, #acc>
  // expected-error @below {{no ring says which role runs this: its tiles come from none, and the rings of the kernel have several roles as consumers}}
  tile.store %x, %A[%n, %n] via direct : tensor<64x64xf32, #acc>, !view
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
!ring = !tile.ring<2, tensor<64x64xbf16, #sw>>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @mechanism(%a: !tile.ptr<bf16>, %n: i32, %ld: i64) form = program
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %r = tile.ring "r" from @load to @mma : !ring
  // expected-error @below {{rings are filled by TMA only; use via tma and a ring without `full threads`}}
  %x = tile.load %A[%n, %n] via cp_async ring %r : !view, !ring -> tensor<64x64xbf16, #sw>
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
!ring = !tile.ring<2, tensor<64x64xbf16, #sw>>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @own_ring(%a: !tile.ptr<bf16>, %n: i32, %ld: i64) form = program
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %r = tile.ring "r" private @mma : !ring
  // expected-error @below {{fills ring "r", which is private to @mma; a load goes from one role to another}}
  %x = tile.load %A[%n, %n] via tma ring %r : !view, !ring -> tensor<64x64xbf16, #sw>
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
!ab = !tile.ring<2, tensor<64x64xbf16, #sw>, tensor<32x64xbf16, #sw>>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @order(%a: !tile.ptr<bf16>, %n: i32, %ld: i64) form = program
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %r = tile.ring "ab" from @load to @mma : !ab
  // expected-error @below {{is load 1 of ring "ab" in its body and fills slot 1 of a stage, which holds 'tensor<64x64xbf16, #tile.smem<panel = 64, swizzle = 128>>'}}
  %y = tile.load %A[%n, %n] via tma ring %r : !view, !ab -> tensor<32x64xbf16, #sw>
  %x = tile.load %A[%n, %n] via tma ring %r : !view, !ab -> tensor<64x64xbf16, #sw>
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
!ab = !tile.ring<2, tensor<64x64xbf16, #sw>, tensor<32x64xbf16, #sw>>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @half_a_stage(%a: !tile.ptr<bf16>, %n: i32, %ld: i64) form = program
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %r = tile.ring "ab" from @load to @mma : !ab
  // expected-error @below {{is the last load of ring "ab" in its body, which has 1; a stage has 2 slots and a body fills whole stages}}
  %x = tile.load %A[%n, %n] via tma ring %r : !view, !ab -> tensor<64x64xbf16, #sw>
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!ring = !tile.ring<2, tensor<64x64xbf16, #sw>>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @drained(%a: !tile.ptr<bf16>, %n: i32, %ld: i64) form = program
    roles = [#tile.role<mma, warpgroups = 1>, #tile.role<drain, warps = 1>] {
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %r = tile.ring "out" from @mma to @drain : !ring
  %z = tile.zero : tensor<64x64xbf16, #acc>
  // expected-error @below {{is staged in ring "out" from @mma to @drain; a staging ring is private to the role that stores}}
  tile.store %z, %A[%n, %n] via tma staging %r : tensor<64x64xbf16, #acc>, !view, !ring
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!ring = !tile.ring<2, tensor<64x64xbf16, #sw>>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @too_wide(%a: !tile.ptr<bf16>, %n: i32, %ld: i64) form = program roles = [#tile.role<mma, warpgroups = 1>] {
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %r = tile.ring "out" private @mma : !ring
  %z = tile.zero : tensor<64x128xbf16, #acc>
  // expected-error @below {{stages 'tensor<64x128xbf16, #tile.acc<wgs = [1, 1]>>' in slots of '!tile.ring<2, tensor<64x64xbf16, #tile.smem<panel = 64, swizzle = 128>>>'; they must be of one size, cut the tile with `subtile` and tile-split-epilogue}}
  tile.store %z, %A[%n, %n] via tma staging %r : tensor<64x128xbf16, #acc>, !view, !ring
}

// -----

#acc = #tile.acc<wgs = [1, 1]>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @uncut(%a: !tile.ptr<bf16>, %n: i32, %ld: i64) form = program roles = [#tile.role<mma, warpgroups = 1>] {
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %z = tile.zero : tensor<64x128xbf16, #acc>
  // expected-error @below {{still states a subtile; run tile-split-epilogue first}}
  tile.store %z, %A[%n, %n] via direct subtile 64 : tensor<64x128xbf16, #acc>, !view
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
!ring = !tile.ring<2, tensor<64x64xbf16, #sw>>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @plain_store(%a: !tile.ptr<bf16>, %n: i32, %ld: i64) form = program
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %r = tile.ring "r" from @load to @mma : !ring
  %x = tile.load %A[%n, %n] via tma ring %r : !view, !ring -> tensor<64x64xbf16, #sw>
  // expected-error @below {{takes 'tensor<64x64xbf16, #tile.smem<panel = 64, swizzle = 128>>', which lies in a slot of a ring; only tile.dot and tile.map read slots, bring it into registers with a tile.map}}
  tile.store %x, %A[%n, %n] via direct : tensor<64x64xbf16, #sw>, !view
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!ring = !tile.ring<2, tensor<64x64xbf16, #sw>>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @carried_slot(%a: !tile.ptr<bf16>, %n: i32, %ld: i64) form = program
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %r = tile.ring "r" from @load to @mma : !ring
  %zero = tile.zero : tensor<64x64xf32, #acc>
  %x = tile.load %A[%n, %n] via tma ring %r : !view, !ring -> tensor<64x64xbf16, #sw>
  // expected-error @below {{hands on 'tensor<64x64xbf16, #tile.smem<panel = 64, swizzle = 128>>', which lies in a slot of a ring; use it in the body that loads it}}
  %last, %sum = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x, %s = %zero) -> (tensor<64x64xbf16, #sw>, tensor<64x64xf32, #acc>) : i32 {
    %d = tile.dot %y, %y, %s kind wgmma trans_b : tensor<64x64xbf16, #sw>, tensor<64x64xbf16, #sw>, tensor<64x64xf32, #acc>
    %next = tile.load %A[%i, %n] via tma ring %r : !view, !ring -> tensor<64x64xbf16, #sw>
    scf.yield %next, %d : tensor<64x64xbf16, #sw>, tensor<64x64xf32, #acc>
  }
  %half = arith.truncf %sum : tensor<64x64xf32, #acc> to tensor<64x64xbf16, #acc>
  tile.store %half, %A[%n, %n] via direct : tensor<64x64xbf16, #acc>, !view
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
!ring = !tile.ring<2, tensor<64x64xbf16, #sw>>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @skipped_load(%a: !tile.ptr<bf16>, %n: i32, %ld: i64) form = program
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %r = tile.ring "r" from @load to @mma : !ring
  // expected-error @below {{walks a ring: what may be left out must not load or store}}
  %m = tile.skippable in ["inner"] (%n) : i32 {
    %x = tile.load %A[%n, %n] via tma ring %r : !view, !ring -> tensor<64x64xbf16, #sw>
    tile.yield %n : i32
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
!ring = !tile.ring<2, tensor<64x64xbf16, #sw>>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @while(%a: !tile.ptr<bf16>, %n: i32, %ld: i64) form = program
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %r = tile.ring "r" from @load to @mma : !ring
  // expected-error @below {{cannot be divided among roles; control flow around tiles is tile.for_tiles, tile.for, scf.for and scf.if}}
  scf.while : () -> () {
    %go = arith.cmpi sgt, %n, %n : i32
    scf.condition(%go)
  } do {
    %x = tile.load %A[%n, %n] via tma ring %r : !view, !ring -> tensor<64x64xbf16, #sw>
    scf.yield
  }
}

// -----

tile.kernel @ordered(%n: i32) form = program roles = [#tile.role<mma, warpgroups = 1>] {
  %c1 = arith.constant 1 : i32
  // expected-error @below {{still states an order; run tile-rotate first}}
  tile.for %i = %n to %n step %c1 order [#tile.at<"a">] {
    tile.step "a" {
      tile.yield
    }
  }
}

// -----

tile.kernel @steps(%n: i32) form = program roles = [#tile.role<mma, warpgroups = 1>] {
  %c1 = arith.constant 1 : i32
  tile.for %i = %n to %n step %c1 {
    // expected-error @below {{still stands in the loop; run tile-rotate first}}
    tile.step "a" {
      tile.yield
    }
  }
}

// -----

tile.kernel @rows(%a: !tile.ptr<f32>, %n: i32, %ld: i64) form = program roles = [#tile.role<mma, warpgroups = 1>] {
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %rows = tile.coord 0 : tensor<64xi32>
  // expected-error @below {{has no scheduled form yet; load the rows with tile.load}}
  %x = tile.gather %A rows %rows at %n : !tile.view<?x?xf32>, tensor<64xi32> -> tensor<64x64xf32>
}

// -----

// expected-error @below {{has no roles and no threads; state one of them}}
tile.kernel @who(%n: i32) form = program {
}
