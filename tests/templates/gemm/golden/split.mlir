// RUN: tw-opt %s
// Written by test_gemm --update-golden.
#blocked = #tile.blocked<threads = [4, 32], vec = 4>
#smem = #tile.smem<panel = 64, swizzle = 128>
#smem1 = #tile.smem<panel = 32, swizzle = 128>
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
    tile.require %5 eq %c0_i64, "ldd must be a multiple of 8 elements (16 bytes), as the kernel was built for such rows; pad the rows" : i64
    %c64_i32 = arith.constant 64 : i32
    %steps = arith.ceildivsi %k, %c64_i32 : i32
    %c8_i32 = arith.constant 8 : i32
    %6 = arith.ceildivsi %steps, %c8_i32 : i32
    %k_slice = arith.muli %6, %c64_i32 : i32
    %c4_i32 = arith.constant 4 : i32
    %7 = arith.ceildivsi %n, %c4_i32 : i32
    %8 = arith.muli %7, %c4_i32 : i32
    %ldp = arith.extsi %8 : i32 to i64
    %9 = arith.extsi %m : i32 to i64
    %lds = arith.muli %9, %ldp : i64
    %c32_i64 = arith.constant 32 : i64
    %10 = arith.muli %lds, %c32_i64 : i64
    %partials = tile.buffer "partials" %10 : <f32>
    %c128_i32 = arith.constant 128 : i32
    %tiles_m = arith.ceildivsi %m, %c128_i32 : i32
    %tiles_n = arith.ceildivsi %n, %c128_i32 : i32
    %c2_i32 = arith.constant 2 : i32
    %pairs_m = arith.ceildivsi %tiles_m, %c2_i32 : i32
    %units = arith.muli %pairs_m, %tiles_n : i32
    %units_0 = arith.muli %units, %c8_i32 : i32
    %sms = tile.sm_count
    %resident = arith.divsi %sms, %c2_i32 : i32
    %clusters = arith.minsi %units_0, %resident : i32
    %grid = arith.muli %clusters, %c2_i32 : i32
    tile.launch @gemm_partial grid(%grid) (%partials, %a, %b, %m, %n, %k, %lda, %ldb, %lds, %ldp, %k_slice) : !tile.ptr<f32>, !tile.ptr<bf16>, !tile.ptr<bf16>, i32, i32, i32, i64, i64, i64, i64, i32
    %bands = arith.ceildivsi %m, %c8_i32 : i32
    %11 = arith.ceildivsi %n, %c128_i32 : i32
    %tiles = arith.muli %bands, %11 : i32
    %12 = tile.sm_count
    %13 = arith.muli %12, %c8_i32 : i32
    %reduce_grid = arith.minsi %tiles, %13 : i32
    tile.launch @gemm_reduce grid(%reduce_grid) (%partials, %d, %bias, %m, %n, %ldd, %lds, %ldp) : !tile.ptr<f32>, !tile.ptr<bf16>, !tile.ptr<bf16>, i32, i32, i64, i64, i64
  }
  tile.kernel @gemm_partial(%partials: !tile.ptr<f32> {tile.name = "partials"}, %a: !tile.ptr<bf16> {tile.name = "a"}, %b: !tile.ptr<bf16> {tile.name = "b"}, %m: i32 {tile.name = "m"}, %n: i32 {tile.name = "n"}, %k: i32 {tile.name = "k"}, %lda: i64 {tile.name = "lda"}, %ldb: i64 {tile.name = "ldb"}, %lds: i64 {tile.name = "lds"}, %ldp: i64 {tile.name = "ldp"}, %k_slice: i32 {tile.name = "k_slice"}) form = program cluster = [2, 1] roles = [#tile.role<load, warps = 1, regs = 40>, #tile.role<mma, warpgroups = 2, regs = 232>] {
    %c8_i32 = arith.constant 8 : i32
    %A = tile.view %a[%m, %k] strides[%lda] : <bf16> -> <?x?xbf16, align = 16>
    %B = tile.view %b[%n, %k] strides[%ldb] : <bf16> -> <?x?xbf16, align = 16>
    %ab = tile.ring "ab" from @load to @mma multicast 0 : !tile.ring<6, tensor<128x64xbf16, #smem>, tensor<128x64xbf16, #smem>>
    %P = tile.view %partials[%c8_i32, %m, %n] strides[%lds, %ldp] : <f32> -> <?x?x?xf32, align = 16>
    %staging = tile.ring "staging" private @mma : !tile.ring<2, tensor<128x32xf32, #smem1>>
    %0 = tile.raster (%c8_i32 by 1, %m by 128, %n by 128) order grouped group 8 : <3>
    tile.for_tiles (%slice, %m0, %n0) in %0 : !tile.schedule<3> {
      %k_begin = arith.muli %slice, %k_slice : i32
      %1 = arith.addi %k_begin, %k_slice : i32
      %k_end = arith.minsi %1, %k : i32
      %2 = tile.zero : tensor<128x128xf32>
      %c64_i32 = arith.constant 64 : i32
      %acc = tile.for %k0 = %k_begin to %k_end step %c64_i32 iter_args(%arg4 = %2) -> (tensor<128x128xf32>) {
        %a_tile = tile.load %A[%m0, %k0] via tma ring %ab : <?x?xbf16, align = 16>, !tile.ring<6, tensor<128x64xbf16, #smem>, tensor<128x64xbf16, #smem>> -> tensor<128x64xbf16, #smem>
        %b_tile = tile.load %B[%n0, %k0] via tma ring %ab multicast 0 : <?x?xbf16, align = 16>, !tile.ring<6, tensor<128x64xbf16, #smem>, tensor<128x64xbf16, #smem>> -> tensor<128x64xbf16, #smem>
        %3 = tile.dot %a_tile, %b_tile, %arg4 kind wgmma trans_b outstanding 1 : tensor<128x64xbf16, #smem>, tensor<128x64xbf16, #smem>, tensor<128x128xf32>
        tile.yield %3 : tensor<128x128xf32>
      }
      tile.store %acc, %P[%slice, %m0, %n0] via tma staging %staging subtile 32 : tensor<128x128xf32>, <?x?x?xf32, align = 16>, !tile.ring<2, tensor<128x32xf32, #smem1>>
    }
  }
  tile.kernel @gemm_reduce(%partials: !tile.ptr<f32> {tile.name = "partials"}, %d: !tile.ptr<bf16> {tile.name = "d"}, %bias: !tile.ptr<bf16> {tile.name = "bias"}, %m: i32 {tile.name = "m"}, %n: i32 {tile.name = "n"}, %ldd: i64 {tile.name = "ldd"}, %lds: i64 {tile.name = "lds"}, %ldp: i64 {tile.name = "ldp"}) form = program threads = 128 {
    %D = tile.view %d[%m, %n] strides[%ldd] : <bf16> -> <?x?xbf16, align = 16>
    %c8_i32 = arith.constant 8 : i32
    %P = tile.view %partials[%c8_i32, %m, %n] strides[%lds, %ldp] : <f32> -> <?x?x?xf32, align = 16>
    %bias_view = tile.view %bias[%n] : <bf16> -> <?xbf16, align = 4>
    %0 = tile.raster (%m by 8, %n by 128) order row : <2>
    tile.for_tiles (%m0, %n0) in %0 : !tile.schedule<2> {
      %c0_i32 = arith.constant 0 : i32
      %c8_i32_0 = arith.constant 8 : i32
      %c1_i32 = arith.constant 1 : i32
      %1 = tile.zero : tensor<8x128xf32, #blocked>
      %acc = tile.for %slice = %c0_i32 to %c8_i32_0 step %c1_i32 iter_args(%arg3 = %1) -> (tensor<8x128xf32, #blocked>) {
        %partial = tile.load %P[%slice, %m0, %n0] via direct : <?x?x?xf32, align = 16> -> tensor<8x128xf32, #blocked>
        %3 = arith.addf %arg3, %partial : tensor<8x128xf32, #blocked>
        tile.yield %3 : tensor<8x128xf32, #blocked>
      }
      %bias_1 = tile.load %bias_view[%n0] via direct : <?xbf16, align = 4> -> tensor<128xbf16, #tile.slice<0, #blocked>>
      %bias_2 = arith.extf %bias_1 : tensor<128xbf16, #tile.slice<0, #blocked>> to tensor<128xf32, #tile.slice<0, #blocked>>
      %2 = tile.broadcast %bias_2 along 0 : tensor<128xf32, #tile.slice<0, #blocked>> -> tensor<8x128xf32, #blocked>
      %bias_3 = arith.addf %acc, %2 : tensor<8x128xf32, #blocked>
      %cst = arith.constant dense<0.000000e+00> : tensor<8x128xf32, #blocked>
      %relu = arith.maximumf %bias_3, %cst : tensor<8x128xf32, #blocked>
      %result = arith.truncf %relu : tensor<8x128xf32, #blocked> to tensor<8x128xbf16, #blocked>
      tile.store %result, %D[%m0, %n0] via direct : tensor<8x128xbf16, #blocked>, <?x?xbf16, align = 16>
    }
  }
}
