// RUN: tw-opt %s --tile-infer-layouts -verify-diagnostics -split-input-file

#row = #tile.blocked<threads = [1, 128]>
#square = #tile.blocked<threads = [8, 16]>
tile.kernel @disagree(%p: !tile.ptr<f32>, %n: i32, %ld: i64) form = program threads = 128 {
  %V = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %c0 = arith.constant 0 : i32
  // expected-note@+1 {{#tile.blocked<threads = [1, 128]> comes from here}}
  %x = tile.load %V[%c0, %c0] via direct : !tile.view<?x?xf32> -> tensor<8x128xf32, #row>
  // expected-note@+1 {{#tile.blocked<threads = [8, 16]> comes from here}}
  %y = tile.load %V[%c0, %c0] via direct : !tile.view<?x?xf32> -> tensor<8x128xf32, #square>
  %xt = tile.extract %x columns %c0 : tensor<8x128xf32, #row> -> tensor<8x128xf32>
  %yt = tile.extract %y columns %c0 : tensor<8x128xf32, #square> -> tensor<8x128xf32>
  // expected-error@+1 {{'arith.addf' op meets two layouts: #tile.blocked<threads = [8, 16]> from 'tile.load' and #tile.blocked<threads = [1, 128]> from 'tile.load'; one of them must change, a tile has one layout}}
  %s = arith.addf %xt, %yt : tensor<8x128xf32>
  tile.store %s, %V[%c0, %c0] via direct : tensor<8x128xf32>, !tile.view<?x?xf32>
}

// -----

tile.kernel @unreached(%p: !tile.ptr<f32>, %n: i32, %ld: i64) form = program threads = 128 {
  %V = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %c0 = arith.constant 0 : i32
  // expected-error@+1 {{'tile.load' op makes a tile 'tensor<8x128xf32>' that no layout reaches}}
  %x = tile.load %V[%c0, %c0] via direct : !tile.view<?x?xf32> -> tensor<8x128xf32>
  %y = math.exp2 %x : tensor<8x128xf32>
  tile.store %y, %V[%c0, %c0] via direct : tensor<8x128xf32>, !tile.view<?x?xf32>
}

// -----

// Each layout is fine where it stands; the tile between them has too few columns for one.
#wide = #tile.blocked<threads = [1, 128]>
tile.kernel @does_not_fit(%p: !tile.ptr<f32>, %n: i32, %ld: i64) form = program threads = 128 {
  %V = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %c0 = arith.constant 0 : i32
  %x = tile.load %V[%c0, %c0] via direct : !tile.view<?x?xf32> -> tensor<8x128xf32, #wide>
  // expected-error@+1 {{'tile.extract' op takes its layout from 'tile.load': layout #tile.blocked<threads = [1, 128]> does not fit: blocked layout: expected a multiple of 128 columns}}
  %y = tile.extract %x columns %c0 : tensor<8x128xf32, #wide> -> tensor<8x64xf32>
  tile.store %y, %V[%c0, %c0] via direct : tensor<8x64xf32>, !tile.view<?x?xf32>
}

// -----

#wide = #tile.blocked<threads = [1, 128]>
tile.kernel @wrong_slice(%p: !tile.ptr<f32>, %n: i32, %ld: i64) form = program threads = 128 {
  %V = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %B = tile.view %p [%n] : !tile.ptr<f32> -> !tile.view<?xf32>
  %c0 = arith.constant 0 : i32
  // expected-note@+1 {{comes from here}}
  %x = tile.load %B[%c0] via direct : !tile.view<?xf32> -> tensor<128xf32, #tile.slice<0, #wide>>
  // expected-error@+1 {{'tile.broadcast' op needs a vector without dimension 1, found layout #tile.slice<0, #tile.blocked<threads = [1, 128]>> from 'tile.load'}}
  %y = tile.broadcast %x along 1 : tensor<128xf32, #tile.slice<0, #wide>> -> tensor<128x128xf32>
  tile.store %y, %V[%c0, %c0] via direct : tensor<128x128xf32>, !tile.view<?x?xf32>
}

// -----

#a = #tile.operand<wgs = 1>
tile.kernel @not_sliceable(%p: !tile.ptr<bf16>, %n: i32, %ld: i64) form = program threads = 128 {
  %V = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !tile.view<?x?xbf16>
  %B = tile.view %p [%n] : !tile.ptr<bf16> -> !tile.view<?xbf16>
  %c0 = arith.constant 0 : i32
  %x = tile.load %V[%c0, %c0] via direct : !tile.view<?x?xbf16> -> tensor<64x64xbf16, #a>
  // expected-error@+1 {{'tile.reduce' op cannot slice #tile.operand<wgs = 1>; vectors are slices of #tile.acc or #tile.blocked}}
  %y = tile.reduce max %x along 1 : tensor<64x64xbf16, #a> -> tensor<64xbf16>
  tile.store %y, %B[%c0] via direct : tensor<64xbf16>, !tile.view<?xbf16>
}

// -----

#wide = #tile.blocked<threads = [1, 128]>
tile.kernel @square_map(%p: !tile.ptr<f32>, %n: i32, %ld: i64) form = program threads = 128 {
  %V = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %B = tile.view %p [%n] : !tile.ptr<f32> -> !tile.view<?xf32>
  %c0 = arith.constant 0 : i32
  %x = tile.load %B[%c0] via direct : !tile.view<?xf32> -> tensor<128xf32>
  // expected-error@+1 {{'tile.map' op input 0 of type 'tensor<128xf32>' may be a row or a column of a square tile; write its layout}}
  %y = tile.map ins(%x) : tensor<128xf32> -> tensor<128x128xf32, #wide> {
  ^bb0(%e: f32, %row: i32, %col: i32):
    tile.yield %e : f32
  }
  tile.store %y, %V[%c0, %c0] via direct : tensor<128x128xf32, #wide>, !tile.view<?x?xf32>
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
!r = !tile.ring<2, tensor<64x64xbf16, #sw>>
tile.kernel @two_consumers(%p: !tile.ptr<bf16>, %n: i32, %ld: i64) form = program
    roles = [#tile.role<load, warps = 1>, #tile.role<m0, warpgroups = 1>, #tile.role<m1, warpgroups = 1>] {
  %V = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !tile.view<?x?xbf16, align = 16>
  %c0 = arith.constant 0 : i32
  // expected-note@+1 {{first ring}}
  %ra = tile.ring "a" from @load to @m0 : !r
  // expected-note@+1 {{second ring}}
  %rb = tile.ring "b" from @load to @m1 : !r
  %a = tile.load %V[%c0, %c0] via tma ring %ra : !tile.view<?x?xbf16, align = 16>, !r -> tensor<64x64xbf16, #sw>
  %b = tile.load %V[%c0, %c0] via tma ring %rb : !tile.view<?x?xbf16, align = 16>, !r -> tensor<64x64xbf16, #sw>
  %zero = tile.zero : tensor<64x64xf32>
  // expected-error@+1 {{'tile.dot' op reads operands that two roles consume, @m0 and @m1; give their rings one consumer}}
  %d = tile.dot %a, %b, %zero kind wgmma trans_b : tensor<64x64xbf16, #sw>, tensor<64x64xbf16, #sw>, tensor<64x64xf32>
  %t = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xbf16>
  tile.store %t, %V[%c0, %c0] via direct : tensor<64x64xbf16>, !tile.view<?x?xbf16, align = 16>
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
tile.kernel @no_ring(%p: !tile.ptr<bf16>, %n: i32, %ld: i64) form = program threads = 128 {
  %V = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !tile.view<?x?xbf16, align = 16>
  %c0 = arith.constant 0 : i32
  %a = tile.load %V[%c0, %c0] via direct : !tile.view<?x?xbf16, align = 16> -> tensor<64x64xbf16>
  %b = tile.zero : tensor<64x64xbf16, #sw>
  %zero = tile.zero : tensor<64x64xf32>
  // expected-error@+1 {{'tile.dot' op has no operand from a ring, so no role computes it; write the accumulator's layout in its type}}
  %d = tile.dot %a, %b, %zero kind wgmma trans_b : tensor<64x64xbf16>, tensor<64x64xbf16, #sw>, tensor<64x64xf32>
  %t = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xbf16>
  tile.store %t, %V[%c0, %c0] via direct : tensor<64x64xbf16>, !tile.view<?x?xbf16, align = 16>
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
!r = !tile.ring<2, tensor<64x64xbf16, #sw>>
tile.kernel @warps(%p: !tile.ptr<bf16>, %n: i32, %ld: i64) form = program
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warps = 2>] {
  %V = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !tile.view<?x?xbf16, align = 16>
  %c0 = arith.constant 0 : i32
  %ra = tile.ring "a" from @load to @mma : !r
  %a = tile.load %V[%c0, %c0] via tma ring %ra : !tile.view<?x?xbf16, align = 16>, !r -> tensor<64x64xbf16, #sw>
  %zero = tile.zero : tensor<64x64xf32>
  // expected-error@+1 {{'tile.dot' op kind wgmma needs whole warpgroups, role @mma has 2 warps; state warpgroups}}
  %d = tile.dot %a, %a, %zero kind wgmma trans_b : tensor<64x64xbf16, #sw>, tensor<64x64xbf16, #sw>, tensor<64x64xf32>
  %t = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xbf16>
  tile.store %t, %V[%c0, %c0] via direct : tensor<64x64xbf16>, !tile.view<?x?xbf16, align = 16>
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
!r = !tile.ring<2, tensor<64x64xbf16, #sw>>
tile.kernel @rows(%p: !tile.ptr<bf16>, %n: i32, %ld: i64) form = program
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 2>] {
  %V = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !tile.view<?x?xbf16, align = 16>
  %c0 = arith.constant 0 : i32
  %ra = tile.ring "a" from @load to @mma : !r
  %a = tile.load %V[%c0, %c0] via tma ring %ra : !tile.view<?x?xbf16, align = 16>, !r -> tensor<64x64xbf16, #sw>
  %zero = tile.zero : tensor<64x64xf32>
  // expected-error@+1 {{'tile.dot' op has 64 rows for 2 warpgroups of role @mma; each takes a multiple of 64}}
  %d = tile.dot %a, %a, %zero kind wgmma trans_b : tensor<64x64xbf16, #sw>, tensor<64x64xbf16, #sw>, tensor<64x64xf32>
  %t = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xbf16>
  tile.store %t, %V[%c0, %c0] via direct : tensor<64x64xbf16>, !tile.view<?x?xbf16, align = 16>
}

// -----

tile.kernel @sparse(%p: !tile.ptr<f32>, %n: i32, %ld: i64) form = program threads = 128 {
  %V = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %c0 = arith.constant 0 : i32
  %x = tile.load %V[%c0, %c0] via direct : !tile.view<?x?xf32> -> tensor<8x128xf32, #tile.blocked<threads = [1, 128]>>
  %e = tile.extract %x columns %c0 : tensor<8x128xf32, #tile.blocked<threads = [1, 128]>> -> tensor<8x128xf32>
  // expected-error@+1 {{'arith.constant' op is a constant tile of elements that are listed otherwise than by dense<…>; write dense<…>}}
  %six = arith.constant sparse<[[0, 0]], 6.0> : tensor<8x128xf32>
  %s = arith.addf %e, %six : tensor<8x128xf32>
  tile.store %s, %V[%c0, %c0] via direct : tensor<8x128xf32>, !tile.view<?x?xf32>
}
