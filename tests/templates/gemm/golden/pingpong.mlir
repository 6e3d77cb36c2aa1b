// RUN: tw-opt %s
// Written by test_gemm --update-golden.
#smem = #tile.smem<panel = 64, swizzle = 128>
module {
  tile.program @gemm(%a: !tile.ptr<bf16> {tile.name = "a"}, %b: !tile.ptr<bf16> {tile.name = "b"}, %d: !tile.ptr<bf16> {tile.name = "d"}, %bias: !tile.ptr<bf16> {tile.name = "bias"}, %m: i32 {tile.name = "m"}, %n: i32 {tile.name = "n"}, %k: i32 {tile.name = "k"}, %lda: i64 {tile.name = "lda"}, %ldb: i64 {tile.name = "ldb"}, %ldd: i64 {tile.name = "ldd"}) {
    %c0_i32 = arith.constant 0 : i32
    tile.require %m ge %c0_i32, "m must be 0 or more" : i32
    %c2147475456_i32 = arith.constant 2147475456 : i32
    tile.require %m le %c2147475456_i32, "m must be at most 2147475456; split the problem" : i32
    tile.require %n ge %c0_i32, "n must be 0 or more" : i32
    tile.require %n le %c2147475456_i32, "n must be at most 2147475456; split the problem" : i32
    tile.require %k ge %c0_i32, "k must be 0 or more" : i32
    tile.require %k le %c2147475456_i32, "k must be at most 2147475456; split the problem" : i32
    %0 = arith.extsi %k : i32 to i64
    tile.require %lda ge %0, "lda must be at least k, the length of a row" : i64
    %c8_i64 = arith.constant 8 : i64
    %1 = arith.remsi %lda, %c8_i64 : i64
    %c0_i64 = arith.constant 0 : i64
    tile.require %1 eq %c0_i64, "lda must be a multiple of 8 elements (16 bytes), as bulk copies read A; pad the rows" : i64
    %2 = arith.extsi %k : i32 to i64
    tile.require %ldb ge %2, "ldb must be at least k, the length of a row" : i64
    %3 = arith.remsi %ldb, %c8_i64 : i64
    tile.require %3 eq %c0_i64, "ldb must be a multiple of 8 elements (16 bytes), as bulk copies read B; pad the rows" : i64
    %4 = arith.extsi %n : i32 to i64
    tile.require %ldd ge %4, "ldd must be at least n, the length of a row" : i64
    %5 = arith.remsi %ldd, %c8_i64 : i64
    tile.require %5 eq %c0_i64, "ldd must be a multiple of 8 elements (16 bytes), as bulk copies write D; pad the rows" : i64
    %c8_i32 = arith.constant 8 : i32
    %6 = arith.remsi %n, %c8_i32 : i32
    tile.require %6 eq %c0_i32, "n must be a multiple of 8, as bulk copies write D in pieces of 16 bytes; use store direct" : i32
    %c128_i32 = arith.constant 128 : i32
    %tiles_m = arith.ceildivsi %m, %c128_i32 : i32
    %tiles_n = arith.ceildivsi %n, %c128_i32 : i32
    %c2_i32 = arith.constant 2 : i32
    %pairs_m = arith.ceildivsi %tiles_m, %c2_i32 : i32
    %units = arith.muli %pairs_m, %tiles_n : i32
    %sms = tile.sm_count
    %resident = arith.divsi %sms, %c2_i32 : i32
    %clusters = arith.minsi %units, %resident : i32
    %grid = arith.muli %clusters, %c2_i32 : i32
    tile.launch @gemm_kernel grid(%grid) (%a, %b, %d, %bias, %m, %n, %k, %lda, %ldb, %ldd) : !tile.ptr<bf16>, !tile.ptr<bf16>, !tile.ptr<bf16>, !tile.ptr<bf16>, i32, i32, i32, i64, i64, i64
  }
  tile.kernel @gemm_kernel(%a: !tile.ptr<bf16> {tile.name = "a"}, %b: !tile.ptr<bf16> {tile.name = "b"}, %d: !tile.ptr<bf16> {tile.name = "d"}, %bias: !tile.ptr<bf16> {tile.name = "bias"}, %m: i32 {tile.name = "m"}, %n: i32 {tile.name = "n"}, %k: i32 {tile.name = "k"}, %lda: i64 {tile.name = "lda"}, %ldb: i64 {tile.name = "ldb"}, %ldd: i64 {tile.name = "ldd"}) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1, regs = 40>, #tile.role<mma, warpgroups = 2, regs = 232, split = tiles>] {
    %A = tile.view %a[%m, %k] strides[%lda] : <bf16> -> <?x?xbf16, align = 16>
    %B = tile.view %b[%n, %k] strides[%ldb] : <bf16> -> <?x?xbf16, align = 16>
    %ab = tile.ring "ab" from @load to @mma multicast 0 : !tile.ring<6, tensor<128x64xbf16, #smem>, tensor<128x64xbf16, #smem>>
    %D = tile.view %d[%m, %n] strides[%ldd] : <bf16> -> <?x?xbf16, align = 16>
    %bias_view = tile.view %bias[%n] : <bf16> -> <?xbf16, align = 4>
    %staging = tile.ring "staging" private @mma : !tile.ring<1, tensor<128x64xbf16, #smem>>
    %0 = tile.raster (%m by 128, %n by 128) order grouped group 8 : <2>
    tile.for_tiles (%m0, %n0) in %0 : !tile.schedule<2> {
      %c0_i32 = arith.constant 0 : i32
      %1 = tile.zero : tensor<128x128xf32>
      %c64_i32 = arith.constant 64 : i32
      %acc = tile.for %k0 = %c0_i32 to %k step %c64_i32 iter_args(%arg3 = %1) -> (tensor<128x128xf32>) {
        %a_tile = tile.load %A[%m0, %k0] via tma ring %ab : <?x?xbf16, align = 16>, !tile.ring<6, tensor<128x64xbf16, #smem>, tensor<128x64xbf16, #smem>> -> tensor<128x64xbf16, #smem>
        %b_tile = tile.load %B[%n0, %k0] via tma ring %ab multicast 0 : <?x?xbf16, align = 16>, !tile.ring<6, tensor<128x64xbf16, #smem>, tensor<128x64xbf16, #smem>> -> tensor<128x64xbf16, #smem>
        %3 = tile.dot %a_tile, %b_tile, %arg3 kind wgmma trans_b outstanding 1 : tensor<128x64xbf16, #smem>, tensor<128x64xbf16, #smem>, tensor<128x128xf32>
        tile.yield %3 : tensor<128x128xf32>
      }
      %bias_0 = tile.load %bias_view[%n0] via direct held : <?xbf16, align = 4> -> tensor<128xbf16>
      %bias_1 = arith.extf %bias_0 : tensor<128xbf16> to tensor<128xf32>
      %2 = tile.broadcast %bias_1 along 0 : tensor<128xf32> -> tensor<128x128xf32>
      %bias_2 = arith.addf %acc, %2 : tensor<128x128xf32>
      %result = arith.truncf %bias_2 : tensor<128x128xf32> to tensor<128x128xbf16>
      tile.store %result, %D[%m0, %n0] via tma staging %staging subtile 64 : tensor<128x128xbf16>, <?x?xbf16, align = 16>, !tile.ring<1, tensor<128x64xbf16, #smem>>
    }
  }
}
