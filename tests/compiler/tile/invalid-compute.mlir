// RUN: tw-opt %s -verify-diagnostics -split-input-file
// Tile arithmetic and memory accesses that cannot be.

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  // expected-error@+1 {{'tile.load' op a view of rank 2 takes as many coordinates, found 1}}
  %t = tile.load %v[%n] via direct : !tile.view<?x?xf32> -> tensor<64x64xf32>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n] : !tile.ptr<f32> -> !tile.view<?xf32>
  // expected-error@+1 {{'tile.load' op a tile of rank 2 does not fit a view of rank 1}}
  %t = tile.load %v[%n] via direct : !tile.view<?xf32> -> tensor<64x64xf32>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  // expected-error@+1 {{'tile.load' op the view holds 'f32', the tile 'bf16'}}
  %t = tile.load %v[%n, %n] via direct : !tile.view<?x?xf32> -> tensor<64x64xbf16>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  // expected-error@+1 {{'tile.load' op result #0 must be tile of known extents, but got 'tensor<?x64xf32>'}}
  %t = tile.load %v[%n, %n] via direct : !tile.view<?x?xf32> -> tensor<?x64xf32>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  // expected-error@+1 {{'tile.zero' op result #0 must be tile of known extents or accumulator of an issued, unfinished dot; only dot_start, dot_wait and yields take it, but got 'tensor<64x0xf32>'}}
  %t = tile.zero : tensor<64x0xf32>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  // expected-error@+1 {{'tile.load' op a load cannot be via reduce_add}}
  %t = tile.load %v[%n, %n] via reduce_add : !tile.view<?x?xf32> -> tensor<64x64xf32>
}

// -----

#sw = #tile.smem<panel = 32, swizzle = 128>
!r = !tile.ring<2, tensor<64x64xf32, #sw>>
tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %r = tile.ring "r" from @load to @mma : !r
  // expected-error@+1 {{'tile.load' op via direct reads into registers: it takes no ring and no multicast}}
  %t = tile.load %v[%n, %n] via direct ring %r : !tile.view<?x?xf32>, !r -> tensor<64x64xf32, #sw>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  // expected-error@+1 {{'tile.load' op via direct reads into registers: it takes no ring and no multicast}}
  %t = tile.load %v[%n, %n] via direct multicast 0 : !tile.view<?x?xf32> -> tensor<64x64xf32>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  // expected-error@+1 {{'tile.load' op via cp_async fills a slot: name its ring}}
  %t = tile.load %v[%n, %n] via cp_async : !tile.view<?x?xf32> -> tensor<64x64xf32>
}

// -----

#sw = #tile.smem<panel = 32, swizzle = 128>
!r = !tile.ring<2, tensor<64x64xf32, #sw>>
tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %r = tile.ring "r" from @load to @mma : !r
  // expected-error@+1 {{'tile.load' op via tma needs a view with align = 16 or more, found 4; use via direct or via cp_async}}
  %t = tile.load %v[%n, %n] via tma ring %r : !tile.view<?x?xf32>, !r -> tensor<64x64xf32, #sw>
}

// -----

#sw = #tile.smem<panel = 32, swizzle = 128>
!r = !tile.ring<2, tensor<512x64xf32, #sw>>
tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32, align = 16>
  %r = tile.ring "r" from @load to @mma : !r
  // expected-error@+1 {{'tile.load' op via tma moves at most 256 rows at once, found 512}}
  %t = tile.load %v[%n, %n] via tma ring %r : !tile.view<?x?xf32, align = 16>, !r -> tensor<512x64xf32, #sw>
}

// -----

#sw = #tile.smem<pad = 1>
!r = !tile.ring<2, tensor<64x64xf32, #sw>>
tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32, align = 16>
  %r = tile.ring "r" from @load to @mma : !r
  // expected-error@+1 {{'tile.load' op via tma cannot write the layout #tile.smem<pad = 1>; use swizzle = 0, 32, 64 or 128 without padding}}
  %t = tile.load %v[%n, %n] via tma ring %r : !tile.view<?x?xf32, align = 16>, !r -> tensor<64x64xf32, #sw>
}

// -----

#sw = #tile.smem<panel = 32, swizzle = 128>
!r = !tile.ring<2, tensor<64x64xf32, #sw>>
tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %r = tile.ring "r" from @load to @mma : !r
  // expected-error@+1 {{'tile.load' op multicast needs via tma}}
  %t = tile.load %v[%n, %n] via cp_async ring %r multicast 0 : !tile.view<?x?xf32>, !r -> tensor<64x64xf32, #sw>
}

// -----

#sw = #tile.smem<panel = 32, swizzle = 128>
!r = !tile.ring<2, tensor<64x64xf32, #sw>>
tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32, align = 16>
  %r = tile.ring "r" from @load to @mma : !r
  // expected-error@+1 {{'tile.load' op multicast names cluster axis 0 or 1, found 2}}
  %t = tile.load %v[%n, %n] via tma ring %r multicast 2 : !tile.view<?x?xf32, align = 16>, !r -> tensor<64x64xf32, #sw>
}

// -----

#sw = #tile.smem<panel = 32, swizzle = 128>
!r = !tile.ring<2, tensor<64x64xf32, #sw>>
tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32, align = 16>
  %r = tile.ring "r" from @load to @mma : !r
  // expected-error@+1 {{'tile.load' op the ring has no slot for 'tensor<64x32xf32, #tile.smem<panel = 32, swizzle = 128>>', it has '!tile.ring<2, tensor<64x64xf32, #tile.smem<panel = 32, swizzle = 128>>>'}}
  %t = tile.load %v[%n, %n] via tma ring %r : !tile.view<?x?xf32, align = 16>, !r -> tensor<64x32xf32, #sw>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n] : !tile.ptr<f32> -> !tile.view<?xf32>
  %i = tile.splat %n : i32 -> tensor<32xi32>
  // expected-error@+1 {{'tile.gather' op gathers rows of a two-dimensional view into a two-dimensional tile}}
  %t = tile.gather %v rows %i at %n : !tile.view<?xf32>, tensor<32xi32> -> tensor<32x64xf32>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %i = tile.splat %n : i32 -> tensor<32xi32>
  // expected-error@+1 {{'tile.gather' op the view holds 'f32', the tile 'bf16'}}
  %t = tile.gather %v rows %i at %n : !tile.view<?x?xf32>, tensor<32xi32> -> tensor<32x64xbf16>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %i = tile.splat %n : i32 -> tensor<32xi32>
  // expected-error@+1 {{'tile.gather' op needs one index for each of the tile's 64 rows, found 'tensor<32xi32>'}}
  %t = tile.gather %v rows %i at %n : !tile.view<?x?xf32>, tensor<32xi32> -> tensor<64x64xf32>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %t = tile.splat %x : f32 -> tensor<64x64xf32>
  // expected-error@+1 {{'tile.store' op a view of rank 2 takes as many coordinates, found 1}}
  tile.store %t, %v[%n] via direct : tensor<64x64xf32>, !tile.view<?x?xf32>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %t = tile.splat %x : f32 -> tensor<64x64xf32>
  // expected-error@+1 {{'tile.store' op a store is via tma, direct or reduce_add, found bulk}}
  tile.store %t, %v[%n, %n] via bulk : tensor<64x64xf32>, !tile.view<?x?xf32>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32, align = 16>
  %t = tile.splat %x : f32 -> tensor<64x64xf32>
  // expected-error@+1 {{'tile.store' op via tma goes through shared memory: name its staging ring}}
  tile.store %t, %v[%n, %n] via tma : tensor<64x64xf32>, !tile.view<?x?xf32, align = 16>
}

// -----

#sw = #tile.smem<panel = 32, swizzle = 128>
!r = !tile.ring<2, tensor<64x64xf32, #sw>>
tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %r = tile.ring "r" from @load to @mma : !r
  %t = tile.splat %x : f32 -> tensor<64x64xf32>
  // expected-error@+1 {{'tile.store' op via tma needs a view with align = 16 or more, found 4; use via direct or via cp_async}}
  tile.store %t, %v[%n, %n] via tma staging %r : tensor<64x64xf32>, !tile.view<?x?xf32>, !r
}

// -----

#sw = #tile.smem<panel = 32, swizzle = 128>
!r = !tile.ring<2, tensor<64x64xf32, #sw>>
tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %r = tile.ring "r" from @load to @mma : !r
  %t = tile.splat %x : f32 -> tensor<64x64xf32>
  // expected-error@+1 {{'tile.store' op via direct writes from registers: it takes no staging ring}}
  tile.store %t, %v[%n, %n] via direct staging %r : tensor<64x64xf32>, !tile.view<?x?xf32>, !r
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %t = tile.splat %x : f32 -> tensor<64x64xf32>
  // expected-error@+1 {{'tile.store' op subtile divides the tile's columns, found 48 in 'tensor<64x64xf32>'}}
  tile.store %t, %v[%n, %n] via direct subtile 48 : tensor<64x64xf32>, !tile.view<?x?xf32>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %t = tile.splat %x : f32 -> tensor<64x64xf32>
  // expected-error@+1 {{'tile.store' op subtile divides the tile's columns, found 0 in 'tensor<64x64xf32>'}}
  tile.store %t, %v[%n, %n] via direct subtile 0 : tensor<64x64xf32>, !tile.view<?x?xf32>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %a = tile.zero : tensor<64x32xbf16>
  %b = tile.zero : tensor<32x48xbf16>
  %c = tile.zero : tensor<64x48xf32>
  %v = tile.zero : tensor<32xbf16>
  // expected-error@+1 {{'tile.dot' op operands and accumulator are two-dimensional}}
  %d = tile.dot %v, %b, %c kind fma : tensor<32xbf16>, tensor<32x48xbf16>, tensor<64x48xf32>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %a = tile.zero : tensor<64x32xbf16>
  %b = tile.zero : tensor<32x48xbf16>
  %c = tile.zero : tensor<64x48xf32>
  // expected-error@+1 {{'tile.dot' op a has 32 columns of k, b has 48}}
  %d = tile.dot %a, %b, %c kind fma trans_b : tensor<64x32xbf16>, tensor<32x48xbf16>, tensor<64x48xf32>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %a = tile.zero : tensor<64x32xbf16>
  %b = tile.zero : tensor<32x48xbf16>
  %c = tile.zero : tensor<64x48xf32>
  %e = tile.zero : tensor<48x64xf32>
  // expected-error@+1 {{'tile.dot' op the product is 64x48, the accumulator is 'tensor<48x64xf32>'}}
  %d = tile.dot %a, %b, %e kind fma : tensor<64x32xbf16>, tensor<32x48xbf16>, tensor<48x64xf32>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %a = tile.zero : tensor<64x32xbf16>
  %b = tile.zero : tensor<32x48xbf16>
  %c = tile.zero : tensor<64x48xf32>
  %s = tile.zero : tensor<64xf32>
  // expected-error@+1 {{'tile.dot' op scales come in pairs}}
  %d = "tile.dot"(%a, %b, %c, %s) <{kind = #tile<dot_kind fma>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (tensor<64x32xbf16>, tensor<32x48xbf16>, tensor<64x48xf32>, tensor<64xf32>) -> tensor<64x48xf32>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %a = tile.zero : tensor<64x32xbf16>
  %b = tile.zero : tensor<32x48xbf16>
  %c = tile.zero : tensor<64x48xf32>
  // expected-error@+1 {{'tile.dot' op outstanding is 0 or 1, found 2}}
  %d = tile.dot %a, %b, %c kind fma outstanding 2 : tensor<64x32xbf16>, tensor<32x48xbf16>, tensor<64x48xf32>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %a = tile.zero : tensor<64x32xbf16>
  %b = tile.zero : tensor<32x48xbf16>
  %c = tile.zero : tensor<64x48xf32>
  %e = tile.zero : tensor<64x48xbf16>
  // expected-error@+1 {{'tile.dot' op kind wgmma multiplies bf16 by bf16 or f16 by f16 into f32, found 'bf16', 'bf16' and 'bf16'}}
  %d = tile.dot %a, %b, %e kind wgmma : tensor<64x32xbf16>, tensor<32x48xbf16>, tensor<64x48xbf16>
}

// -----

#b = #tile.blocked<threads = [32, 4]>
tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %a = tile.zero : tensor<64x32xbf16>
  %b = tile.zero : tensor<32x48xbf16>
  %c = tile.zero : tensor<64x48xf32>
  %e = tile.zero : tensor<32x64xbf16, #b>
  %f = tile.zero : tensor<64x64xf32>
  // expected-error@+1 {{'tile.dot' op kind wgmma takes b from shared memory, found 'tensor<32x64xbf16, #tile.blocked<threads = [32, 4]>>'}}
  %d = tile.dot %a, %e, %f kind wgmma : tensor<64x32xbf16>, tensor<32x64xbf16, #b>, tensor<64x64xf32>
}

// -----

#b = #tile.blocked<threads = [32, 4]>
tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %a = tile.zero : tensor<64x32xbf16>
  %b = tile.zero : tensor<32x48xbf16>
  %c = tile.zero : tensor<64x48xf32>
  %e = tile.zero : tensor<32x64xbf16>
  %f = tile.zero : tensor<64x64xf32, #b>
  // expected-error@+1 {{'tile.dot' op kind wgmma accumulates in #tile.acc, found 'tensor<64x64xf32, #tile.blocked<threads = [32, 4]>>'}}
  %d = tile.dot %a, %e, %f kind wgmma : tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<64x64xf32, #b>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %a = tile.zero : tensor<64x32xbf16>
  %b = tile.zero : tensor<32x48xbf16>
  %c = tile.zero : tensor<64x48xf32>
  %e = tile.zero : tensor<32x12xbf16>
  %f = tile.zero : tensor<64x12xf32>
  // expected-error@+1 {{'tile.dot' op kind wgmma needs n a multiple of 8 and k a multiple of 16, found 12 and 32}}
  %d = tile.dot %a, %e, %f kind wgmma : tensor<64x32xbf16>, tensor<32x12xbf16>, tensor<64x12xf32>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  // expected-error@+1 {{'tile.splat' op fills a tile of 'bf16' with 'f32'}}
  %t = tile.splat %x : f32 -> tensor<64x64xbf16>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  // expected-error@+1 {{'tile.coord' op dimension 2 of a tile of rank 2}}
  %t = tile.coord 2 : tensor<64x64xi32>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %t = tile.splat %x : f32 -> tensor<64x64xf32>
  // expected-error@+1 {{'tile.broadcast' op broadcasts a vector along dimension 0 or 1 of a matrix}}
  %b = tile.broadcast %t along 0 : tensor<64x64xf32> -> tensor<64x64xf32>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %w = tile.zero : tensor<64xf32>
  // expected-error@+1 {{'tile.broadcast' op broadcasts a vector along dimension 0 or 1 of a matrix}}
  %b = tile.broadcast %w along 2 : tensor<64xf32> -> tensor<64x64xf32>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %w = tile.zero : tensor<64xf32>
  // expected-error@+1 {{'tile.broadcast' op along 0 of 'tensor<64x32xf32>' needs 32 elements of 'f32', found 'tensor<64xf32>'}}
  %b = tile.broadcast %w along 0 : tensor<64xf32> -> tensor<64x32xf32>
}

// -----

#acc = #tile.acc<wgs = [1, 1]>
tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %w = tile.zero : tensor<64xf32, #tile.slice<0, #acc>>
  // expected-error@+1 {{'tile.broadcast' op along 1 of 'tensor<64x64xf32, #tile.acc<wgs = [1, 1]>>' needs the layout #tile.slice<1, #tile.acc<wgs = [1, 1]>>, found 'tensor<64xf32, #tile.slice<0, #tile.acc<wgs = [1, 1]>>>'}}
  %b = tile.broadcast %w along 1 : tensor<64xf32, #tile.slice<0, #acc>> -> tensor<64x64xf32, #acc>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %t = tile.splat %x : f32 -> tensor<64x64xf32>
  // expected-error@+1 {{'tile.extract' op takes whole rows and a divisor of the columns, found 'tensor<64x48xf32>' of 'tensor<64x64xf32>'}}
  %e = tile.extract %t columns %n : tensor<64x64xf32> -> tensor<64x48xf32>
}

// -----

#acc = #tile.acc<wgs = [1, 1]>
tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %t = tile.zero : tensor<64x64xf32, #acc>
  // expected-error@+1 {{'tile.extract' op keeps the layout, found 'tensor<64x32xf32, #tile.blocked<threads = [4, 32]>>' of 'tensor<64x64xf32, #tile.acc<wgs = [1, 1]>>'}}
  %e = tile.extract %t columns %n : tensor<64x64xf32, #acc> -> tensor<64x32xf32, #tile.blocked<threads = [4, 32]>>
}

// -----

#row = #tile.slice<1, #tile.acc<wgs = [1, 1]>>
tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %t = tile.zero : tensor<64xf32, #row>
  // expected-error@+1 {{'tile.extract' op takes columns, and 'tensor<64xf32, #tile.slice<1, #tile.acc<wgs = [1, 1]>>>' has one element for each row}}
  %e = tile.extract %t columns %n : tensor<64xf32, #row> -> tensor<64xf32, #row>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  // expected-error@+1 {{'tile.load' op holds a vector that is read via direct, found 'tensor<64x64xf32>' via direct}}
  %t = tile.load %v[%n, %n] via direct held : !tile.view<?x?xf32> -> tensor<64x64xf32>
}

// -----

#acc = #tile.acc<wgs = [1, 2]>
tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %t = tile.zero : tensor<64x64xf32, #acc>
  // expected-error@+1 {{'tile.extract' op cannot take columns of #tile.acc<wgs = [1, 2]>: its 2 warpgroups along the columns would hold other ones}}
  %e = tile.extract %t columns %n : tensor<64x64xf32, #acc> -> tensor<64x32xf32, #acc>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %t = tile.splat %x : f32 -> tensor<64x64xf32>
  // expected-error@+1 {{'tile.reduce' op reduces a matrix along dimension 0 or 1 to a vector}}
  %m = tile.reduce max %t along 2 : tensor<64x64xf32> -> tensor<64xf32>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %t = tile.splat %x : f32 -> tensor<64x64xf32>
  // expected-error@+1 {{'tile.reduce' op along 1 of 'tensor<64x64xf32>' gives 64 elements of 'f32', found 'tensor<32xf32>'}}
  %m = tile.reduce max %t along 1 : tensor<64x64xf32> -> tensor<32xf32>
}

// -----

#acc = #tile.acc<wgs = [1, 1]>
tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %t = tile.zero : tensor<64x64xf32, #acc>
  // expected-error@+1 {{'tile.reduce' op along 0 of 'tensor<64x64xf32, #tile.acc<wgs = [1, 1]>>' needs the layout #tile.slice<0, #tile.acc<wgs = [1, 1]>>, found 'tensor<64xf32, #tile.slice<1, #tile.acc<wgs = [1, 1]>>>'}}
  %m = tile.reduce max %t along 0 : tensor<64x64xf32, #acc> -> tensor<64xf32, #tile.slice<1, #acc>>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  // expected-error@+1 {{'tile.read' op a view of rank 2 takes as many coordinates, found 1}}
  %e = tile.read %v[%n] : !tile.view<?x?xf32> -> f32
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  // expected-error@+1 {{'tile.read' op reads 'bf16' from a view of 'f32'}}
  %e = tile.read %v[%n, %n] : !tile.view<?x?xf32> -> bf16
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  // expected-error@+1 {{'tile.atomic_add' op operand #0 must be pointer to i32 counters, but got '!tile.ptr<f32>'}}
  %e = tile.atomic_add %p, %n : !tile.ptr<f32>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  // expected-error@+1 {{'tile.semaphore_wait' op operand #0 must be pointer to i32 counters, but got '!tile.ptr<f32>'}}
  tile.semaphore_wait %p[%n], %n : !tile.ptr<f32>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32, %ld: i64, %x: f32) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  // expected-error@+1 {{'tile.semaphore_post' op operand #0 must be pointer to i32 counters, but got '!tile.ptr<f32>'}}
  tile.semaphore_post %p[%n] : !tile.ptr<f32>
}
