// SPDX-License-Identifier: Apache-2.0
//
// O = (scale * Q K^T) V, for packed rows of 128 elements in bf16: attention without softmax. The
// second dot has A in registers, and B with rows along K in two swizzled panels.

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [2, 1]>

!matrix = !tile.view<?x128xbf16, align = 16>
!smem = tensor<128x128xbf16, #sw>
!staged = tensor<128x64xbf16, #sw>
!scores = tensor<128x128xf32, #acc>
!weights = tensor<128x128xbf16, #acc>
!output = tensor<128x128xf32, #acc>

tile.program @chain(
    %q: !tile.ptr<bf16> {tile.name = "q"}, %k: !tile.ptr<bf16> {tile.name = "k"},
    %v: !tile.ptr<bf16> {tile.name = "v"}, %o: !tile.ptr<bf16> {tile.name = "o"},
    %queries: i32 {tile.name = "queries"}, %keys: i32 {tile.name = "keys"},
    %scale: f32 {tile.name = "scale"}) {
  %grid = tile.sm_count
  tile.launch @chain_kernel grid(%grid) (%q, %k, %v, %o, %queries, %keys, %scale)
    : !tile.ptr<bf16>, !tile.ptr<bf16>, !tile.ptr<bf16>, !tile.ptr<bf16>, i32, i32, f32
}

tile.kernel @chain_kernel(
    %q: !tile.ptr<bf16> {tile.name = "q"}, %k: !tile.ptr<bf16> {tile.name = "k"},
    %v: !tile.ptr<bf16> {tile.name = "v"}, %o: !tile.ptr<bf16> {tile.name = "o"},
    %queries: i32 {tile.name = "queries"}, %keys: i32 {tile.name = "keys"},
    %scale: f32 {tile.name = "scale"})
    form = program
    roles = [#tile.role<load, warps = 1, regs = 40>,
             #tile.role<mma, warpgroups = 2, regs = 232, split = rows>] {
  %c0 = arith.constant 0 : i32
  %c128 = arith.constant 128 : i32
  %row = arith.extsi %c128 : i32 to i64
  %Q = tile.view %q [%queries, %c128] strides [%row] : !tile.ptr<bf16> -> !matrix
  %K = tile.view %k [%keys, %c128] strides [%row] : !tile.ptr<bf16> -> !matrix
  %V = tile.view %v [%keys, %c128] strides [%row] : !tile.ptr<bf16> -> !matrix
  %O = tile.view %o [%queries, %c128] strides [%row] : !tile.ptr<bf16> -> !matrix

  %q_ring = tile.ring "q" from @load to @mma : !tile.ring<1, !smem>
  %k_ring = tile.ring "k" from @load to @mma : !tile.ring<2, !smem>
  %v_ring = tile.ring "v" from @load to @mma : !tile.ring<2, !smem>
  %staging = tile.ring "o" private @mma : !tile.ring<2, !staged>

  %tiles = tile.raster (%queries by 128) order row : !tile.schedule<1>
  tile.for_tiles (%m) in %tiles : !tile.schedule<1> {
    %q_tile = tile.load %Q[%m, %c0] via tma ring %q_ring : !matrix, !tile.ring<1, !smem> -> !smem
    %o_init = tile.zero : !output
    %o_sum = tile.for %j = %c0 to %keys step %c128 iter_args(%o_acc = %o_init) -> (!output) {
      %k_tile = tile.load %K[%j, %c0] via tma ring %k_ring : !matrix, !tile.ring<2, !smem> -> !smem
      %zero = tile.zero : !scores
      %s = tile.dot %q_tile, %k_tile, %zero kind wgmma trans_b : !smem, !smem, !scores
      %factor = tile.splat %scale : f32 -> !scores
      %scaled = arith.mulf %s, %factor : !scores
      %p = arith.truncf %scaled : !scores to !weights
      %v_tile = tile.load %V[%j, %c0] via tma ring %v_ring : !matrix, !tile.ring<2, !smem> -> !smem
      %next = tile.dot %p, %v_tile, %o_acc kind wgmma : !weights, !smem, !output
      tile.yield %next : !output
    }
    %o_tile = arith.truncf %o_sum : !output to !weights
    tile.store %o_tile, %O[%m, %c0] via tma staging %staging subtile 64 : !weights, !matrix, !tile.ring<2, !staged>
  }
}
