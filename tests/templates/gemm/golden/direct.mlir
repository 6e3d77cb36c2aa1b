// RUN: tw-opt %s
// Written by test_gemm --update-golden.
#smem = #tile.smem<panel = 64, swizzle = 128>
module {
  tile.program @gemm(%a: !tile.ptr<f16> {tile.name = "a"}, %b: !tile.ptr<f16> {tile.name = "b"}, %c: !tile.ptr<f32> {tile.name = "c"}, %d: !tile.ptr<f32> {tile.name = "d"}, %scale_row: !tile.ptr<f32> {tile.name = "scale_row"}, %bias_row: !tile.ptr<f32> {tile.name = "bias_row"}, %m: i32 {tile.name = "m"}, %n: i32 {tile.name = "n"}, %k: i32 {tile.name = "k"}, %lda: i64 {tile.name = "lda"}, %ldb: i64 {tile.name = "ldb"}, %ldc: i64 {tile.name = "ldc"}, %ldd: i64 {tile.name = "ldd"}, %beta: f32 {tile.name = "beta"}) {
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
    tile.require %ldc ge %4, "ldc must be at least n, the length of a row" : i64
    %5 = arith.extsi %n : i32 to i64
    tile.require %ldd ge %5, "ldd must be at least n, the length of a row" : i64
    %c128_i32 = arith.constant 128 : i32
    %tiles_m = arith.ceildivsi %m, %c128_i32 : i32
    %c64_i32 = arith.constant 64 : i32
    %tiles_n = arith.ceildivsi %n, %c64_i32 : i32
    %c2_i32 = arith.constant 2 : i32
    %pairs_n = arith.ceildivsi %tiles_n, %c2_i32 : i32
    %units = arith.muli %tiles_m, %pairs_n : i32
    %sms = tile.sm_count
    %resident = arith.divsi %sms, %c2_i32 : i32
    %clusters = arith.minsi %units, %resident : i32
    %grid = arith.muli %clusters, %c2_i32 : i32
    tile.launch @gemm_kernel grid(%grid) (%a, %b, %c, %d, %scale_row, %bias_row, %m, %n, %k, %lda, %ldb, %ldc, %ldd, %beta) : !tile.ptr<f16>, !tile.ptr<f16>, !tile.ptr<f32>, !tile.ptr<f32>, !tile.ptr<f32>, !tile.ptr<f32>, i32, i32, i32, i64, i64, i64, i64, f32
  }
  tile.kernel @gemm_kernel(%a: !tile.ptr<f16> {tile.name = "a"}, %b: !tile.ptr<f16> {tile.name = "b"}, %c: !tile.ptr<f32> {tile.name = "c"}, %d: !tile.ptr<f32> {tile.name = "d"}, %scale_row: !tile.ptr<f32> {tile.name = "scale_row"}, %bias_row: !tile.ptr<f32> {tile.name = "bias_row"}, %m: i32 {tile.name = "m"}, %n: i32 {tile.name = "n"}, %k: i32 {tile.name = "k"}, %lda: i64 {tile.name = "lda"}, %ldb: i64 {tile.name = "ldb"}, %ldc: i64 {tile.name = "ldc"}, %ldd: i64 {tile.name = "ldd"}, %beta: f32 {tile.name = "beta"}) form = program cluster = [1, 2] roles = [#tile.role<load, warps = 1, regs = 40>, #tile.role<mma, warpgroups = 2, regs = 232>] {
    %A = tile.view %a[%m, %k] strides[%lda] : <f16> -> <?x?xf16, align = 16>
    %B = tile.view %b[%n, %k] strides[%ldb] : <f16> -> <?x?xf16, align = 16>
    %ab = tile.ring "ab" from @load to @mma multicast 1 : !tile.ring<4, tensor<128x128xf16, #smem>, tensor<64x128xf16, #smem>>
    %D = tile.view %d[%m, %n] strides[%ldd] : <f32> -> <?x?xf32, align = 4>
    %C = tile.view %c[%m, %n] strides[%ldc] : <f32> -> <?x?xf32, align = 4>
    %scale_row_view = tile.view %scale_row[%m] : <f32> -> <?xf32, align = 4>
    %bias_row_view = tile.view %bias_row[%m] : <f32> -> <?xf32, align = 4>
    %0 = tile.raster (%m by 128, %n by 64) order grouped group 4 along 1 : <2>
    tile.for_tiles (%m0, %n0) in %0 : !tile.schedule<2> {
      %c0_i32 = arith.constant 0 : i32
      %1 = tile.zero : tensor<128x64xf32>
      %c128_i32 = arith.constant 128 : i32
      %acc = tile.for %k0 = %c0_i32 to %k step %c128_i32 iter_args(%arg3 = %1) -> (tensor<128x64xf32>) {
        %a_tile = tile.load %A[%m0, %k0] via tma ring %ab multicast 1 : <?x?xf16, align = 16>, !tile.ring<4, tensor<128x128xf16, #smem>, tensor<64x128xf16, #smem>> -> tensor<128x128xf16, #smem>
        %b_tile = tile.load %B[%n0, %k0] via tma ring %ab : <?x?xf16, align = 16>, !tile.ring<4, tensor<128x128xf16, #smem>, tensor<64x128xf16, #smem>> -> tensor<64x128xf16, #smem>
        %9 = tile.dot %a_tile, %b_tile, %arg3 kind wgmma trans_b outstanding 1 : tensor<128x128xf16, #smem>, tensor<64x128xf16, #smem>, tensor<128x64xf32>
        tile.yield %9 : tensor<128x64xf32>
      }
      %c_0 = tile.load %C[%m0, %n0] via direct : <?x?xf32, align = 4> -> tensor<128x64xf32>
      %2 = tile.splat %beta : f32 -> tensor<128x64xf32>
      %3 = math.fma %c_0, %2, %acc : tensor<128x64xf32>
      %scale_row_1 = tile.load %scale_row_view[%m0] via direct : <?xf32, align = 4> -> tensor<128xf32>
      %4 = tile.broadcast %scale_row_1 along 1 : tensor<128xf32> -> tensor<128x64xf32>
      %scale_row_2 = arith.mulf %3, %4 : tensor<128x64xf32>
      %bias_row_3 = tile.load %bias_row_view[%m0] via direct : <?xf32, align = 4> -> tensor<128xf32>
      %5 = tile.broadcast %bias_row_3 along 1 : tensor<128xf32> -> tensor<128x64xf32>
      %bias_row_4 = arith.addf %scale_row_2, %5 : tensor<128x64xf32>
      %cst = arith.constant dense<-1.44269502> : tensor<128x64xf32>
      %6 = arith.mulf %bias_row_4, %cst : tensor<128x64xf32>
      %7 = math.exp2 %6 : tensor<128x64xf32>
      %cst_5 = arith.constant dense<1.000000e+00> : tensor<128x64xf32>
      %8 = arith.addf %7, %cst_5 : tensor<128x64xf32>
      %result = arith.divf %bias_row_4, %8 fastmath<arcp> : tensor<128x64xf32>
      tile.store %result, %D[%m0, %n0] via direct subtile 32 : tensor<128x64xf32>, <?x?xf32, align = 4>
    }
  }
}
