// RUN: tw-opt %s -verify-diagnostics -split-input-file
// Every way in which a layout, a type or another attribute can be wrong.

// expected-error@+1 {{panel and pad are not negative, found -1 and 0}}
!t = tensor<64x64xf32, #tile.smem<panel = -1>>

// -----

// expected-error@+1 {{swizzle is 0, 32, 64 or 128 bytes, found 16}}
!t = tensor<64x64xf32, #tile.smem<swizzle = 16>>

// -----

// expected-error@+1 {{a TMA swizzle excludes xor and pad}}
!t = tensor<64x64xf32, #tile.smem<swizzle = 32, pad = 1>>

// -----

// expected-error@+1 {{xor has three numbers [bits, base, shift], found 2}}
!t = tensor<64x64xf32, #tile.smem<xor = [1, 2]>>

// -----

// expected-error@+1 {{unknown parameter 'swizle', expected one of panel, pad, swizzle, xor}}
!t = tensor<64x64xf32, #tile.smem<swizle = 32>>

// -----

// expected-error@+1 {{a tile in shared memory has 1 or 2 dimensions, found 3}}
!t = tensor<2x64x64xf32, #tile.smem<>>

// -----

// expected-error@+1 {{a tile in shared memory holds integers or floats, found 'index'}}
!t = tensor<64x64xindex, #tile.smem<>>

// -----

// expected-error@+1 {{layout #tile.smem<panel = 48> does not fit: expected columns in whole panels of 48, found 64 columns}}
!t = tensor<64x64xf32, #tile.smem<panel = 48>>

// -----

// expected-error@+1 {{does not fit: expected a swizzle(b, m, s) of address bits 0 to 19, found (9, 9, 9)}}
!t = tensor<64x64xf32, #tile.smem<xor = [9, 9, 9]>>

// -----

// expected-error@+1 {{does not fit: expected a swizzle(b, m, s) with s >= b, so that it is its own inverse, found b = 3, s = 2}}
!t = tensor<64x64xf32, #tile.smem<xor = [3, 4, 2]>>

// -----

// expected-error@+1 {{does not fit: expected a swizzle(b, m, s) that moves whole elements of 4 bytes, found m = 1, which moves pieces of 2 bytes}}
!t = tensor<64x64xf32, #tile.smem<xor = [3, 1, 3]>>

// -----

// expected-error@+1 {{warpgroups and waves are at least 1, found [0, 1] and 1}}
!t = tensor<64x64xf32, #tile.acc<wgs = [0, 1]>>

// -----

// expected-error@+1 {{expected wgs = [rows, columns]}}
!t = tensor<64x64xf32, #tile.acc<wgs = [1]>>

// -----

// expected-error@+1 {{layout #tile.acc<wgs = [1, 1]> does not fit a tile of rank 1}}
!t = tensor<64xf32, #tile.acc<wgs = [1, 1]>>

// -----

// expected-error@+1 {{does not fit: acc layout: expected 128 rows (64 x 2 warpgroups x 1 waves), found 64}}
!t = tensor<64x64xf32, #tile.acc<wgs = [2, 1]>>

// -----

// expected-error@+1 {{does not fit: acc layout: expected a multiple of 16 columns, found 8}}
!t = tensor<64x8xf32, #tile.acc<wgs = [1, 2]>>

// -----

// expected-error@+1 {{warpgroups and waves are at least 1, found 1 and 0}}
!t = tensor<64x64xf16, #tile.operand<waves = 0>>

// -----

// expected-error@+1 {{layout #tile.operand<wgs = 1> holds 16-bit elements, found 'f32'}}
!t = tensor<64x64xf32, #tile.operand<wgs = 1>>

// -----

// expected-error@+1 {{layout #tile.operand<wgs = 1> holds 16-bit elements, found 'index'}}
!t = tensor<64x64xindex, #tile.operand<wgs = 1>>

// -----

// expected-error@+1 {{does not fit: operand layout: expected a multiple of 16 columns, found 8}}
!t = tensor<64x8xf16, #tile.operand<wgs = 1>>

// -----

// expected-error@+1 {{threads and vec are at least 1, found [1, 0] and 1}}
!t = tensor<64x64xf32, #tile.blocked<threads = [1, 0]>>

// -----

// expected-error@+1 {{expected threads = [rows, columns]}}
!t = tensor<64x64xf32, #tile.blocked<vec = 2>>

// -----

// expected-error@+1 {{does not fit: blocked layout: expected a multiple of 5 rows, found 64}}
!t = tensor<64x64xf32, #tile.blocked<threads = [5, 32]>>

// -----

// expected-error@+1 {{does not fit: blocked layout: expected a multiple of 128 columns (32 threads x vec 4), found 64}}
!t = tensor<64x64xf32, #tile.blocked<threads = [1, 32], vec = 4>>

// -----

// expected-error@+1 {{a slice removes dimension 0 or 1, found 2}}
!t = tensor<64xf32, #tile.slice<2, #tile.acc<wgs = [1, 1]>>>

// -----

// expected-error@+1 {{a slice's parent is #tile.acc or #tile.blocked, found #tile.operand<wgs = 1>}}
!t = tensor<64xf32, #tile.slice<1, #tile.operand<wgs = 1>>>

// -----

// expected-error@+1 {{layout #tile.slice<1, #tile.acc<wgs = [1, 1]>> does not fit a tile of rank 2}}
!t = tensor<64x64xf32, #tile.slice<1, #tile.acc<wgs = [1, 1]>>>

// -----

// expected-error@+1 {{does not fit: acc layout: expected 64 rows (64 x 1 warpgroups x 1 waves), found 32}}
!t = tensor<32xf32, #tile.slice<1, #tile.acc<wgs = [1, 1]>>>

// -----

// expected-error@+1 {{a view has 1 to 5 dimensions, found 6}}
!t = !tile.view<?x?x?x?x?x?xf32>

// -----

// expected-error@+1 {{a view's elements are integers or floats, found 'index'}}
!t = !tile.view<?xindex>

// -----

// expected-error@+1 {{align must be a power of two of at least the element's 4 bytes, found 2}}
!t = !tile.view<?xf32, align = 2>

// -----

// expected-error@+1 {{align must be a power of two of at least the element's 4 bytes, found 12}}
!t = !tile.view<?xf32, align = 12>

// -----

// expected-error@+1 {{a slot holds a tile with a #tile.smem layout, found 'tensor<64x64xf32>'}}
!t = !tile.slot<tensor<64x64xf32>>

// -----

// expected-error@+1 {{a ring has 1 to 32 stages, found 0}}
!t = !tile.ring<0, tensor<64x64xf32, #tile.smem<>>>

// -----

// expected-error@+1 {{a ring's slots are tiles with a #tile.smem layout, found 'f32'}}
!t = !tile.ring<2, f32>

// -----

// expected-error@+1 {{a role has a name}}
#r = #tile.role<"", warps = 1>

// -----

// expected-error@+1 {{role a states either warps or warpgroups, found 0 and 0}}
#r = #tile.role<a>

// -----

// expected-error@+1 {{role a states either warps or warpgroups, found 1 and 1}}
#r = #tile.role<a, warps = 1, warpgroups = 1>

// -----

// expected-error@+1 {{role a has 1 to 4 warps or 1 to 7 warpgroups}}
#r = #tile.role<a, warps = 5>

// -----

// expected-error@+1 {{role a has 1 to 4 warps or 1 to 7 warpgroups}}
#r = #tile.role<a, warpgroups = 8>

// -----

// expected-error@+1 {{role a: regs is a multiple of 8 from 24 to 256, found 100}}
#r = #tile.role<a, warps = 1, regs = 100>

// -----

// expected-error@+1 {{split is rows or tiles, found columns}}
#r = #tile.role<a, warps = 1, split = columns>

// -----

// expected-error@+1 {{unknown parameter 'threads', expected one of warps, warpgroups, regs, split}}
#r = #tile.role<a, threads = 1>

// -----

// expected-error@+1 {{an order entry names a step and a lag of 0 or 1, found "qk" and 2}}
#a = #tile.at<"qk", 2>

// -----

// expected-error@+1 {{an order entry names a step and a lag of 0 or 1, found "" and 0}}
#a = #tile.at<"">
