// SPDX-License-Identifier: Apache-2.0
//
// A GEMM with an epilogue that no C++ of this repository names, in the program form of the `tile`
// dialect:
//
//   D = clamp(y · sigmoid(1.702 · y), -1, 6)        y = A · Bᵀ + bias
//
// A is M x K, B is N x K, D is M x N, bias has N elements; all bf16, sums and epilogue in fp32.
// Rows lie lda, ldb and ldd elements apart.
//
//   tilewright compile examples/quick_gelu_gemm.mlir -o quick_gelu.cubin
//   tilewright compile examples/quick_gelu_gemm.mlir --check -s m=200,n=136,k=72,lda=72,ldb=72,ldd=136

#sw = #tile.smem<panel = 64, swizzle = 128>
!ab = !tile.ring<4, tensor<128x64xbf16, #sw>, tensor<256x64xbf16, #sw>>
!staging = !tile.ring<2, tensor<128x64xbf16, #sw>>
!matrix = !tile.view<?x?xbf16, align = 16>

// The host side: what must hold, and the grid. CTAs come in pairs that are neighbours along M.
tile.program @quick_gelu_gemm(
    %a: !tile.ptr<bf16> {tile.name = "a"}, %b: !tile.ptr<bf16> {tile.name = "b"},
    %bias: !tile.ptr<bf16> {tile.name = "bias"}, %d: !tile.ptr<bf16> {tile.name = "d"},
    %m: i32 {tile.name = "m"}, %n: i32 {tile.name = "n"}, %k: i32 {tile.name = "k"},
    %lda: i64 {tile.name = "lda"}, %ldb: i64 {tile.name = "ldb"}, %ldd: i64 {tile.name = "ldd"}) {
  // TMA steps from row to row in multiples of 16 bytes.
  %none = arith.constant 0 : i64
  %c8 = arith.constant 8 : i64
  %rest_a = arith.remsi %lda, %c8 : i64
  %rest_b = arith.remsi %ldb, %c8 : i64
  %rest_d = arith.remsi %ldd, %c8 : i64
  tile.require %rest_a eq %none, "lda must be a multiple of 8 elements" : i64
  tile.require %rest_b eq %none, "ldb must be a multiple of 8 elements" : i64
  tile.require %rest_d eq %none, "ldd must be a multiple of 8 elements" : i64

  %c2 = arith.constant 2 : i32
  %c128 = arith.constant 128 : i32
  %c256 = arith.constant 256 : i32
  %rows = arith.ceildivsi %m, %c128 : i32
  %columns = arith.ceildivsi %n, %c256 : i32
  %pairs = arith.ceildivsi %rows, %c2 : i32
  %work = arith.muli %pairs, %columns : i32
  %sms = tile.sm_count
  %slots = arith.divsi %sms, %c2 : i32
  %clusters = arith.minsi %work, %slots : i32
  %grid = arith.muli %clusters, %c2 : i32
  tile.launch @quick_gelu_gemm_kernel grid(%grid) (%a, %b, %bias, %d, %m, %n, %k, %lda, %ldb, %ldd)
    : !tile.ptr<bf16>, !tile.ptr<bf16>, !tile.ptr<bf16>, !tile.ptr<bf16>, i32, i32, i32, i64, i64, i64
}

tile.kernel @quick_gelu_gemm_kernel(
    %a: !tile.ptr<bf16> {tile.name = "a"}, %b: !tile.ptr<bf16> {tile.name = "b"},
    %bias: !tile.ptr<bf16> {tile.name = "bias"}, %d: !tile.ptr<bf16> {tile.name = "d"},
    %m: i32 {tile.name = "m"}, %n: i32 {tile.name = "n"}, %k: i32 {tile.name = "k"},
    %lda: i64 {tile.name = "lda"}, %ldb: i64 {tile.name = "ldb"}, %ldd: i64 {tile.name = "ldd"})
    form = program cluster = [2, 1]
    roles = [#tile.role<load, warps = 1, regs = 40>, #tile.role<mma, warpgroups = 2, regs = 232>] {
  %A = tile.view %a [%m, %k] strides [%lda] : !tile.ptr<bf16> -> !matrix
  %B = tile.view %b [%n, %k] strides [%ldb] : !tile.ptr<bf16> -> !matrix
  %D = tile.view %d [%m, %n] strides [%ldd] : !tile.ptr<bf16> -> !matrix
  %Bias = tile.view %bias [%n] : !tile.ptr<bf16> -> !tile.view<?xbf16>
  %ab = tile.ring "ab" from @load to @mma multicast 0 : !ab
  %staging = tile.ring "staging" private @mma : !staging

  %tiles = tile.raster (%m by 128, %n by 256) order grouped group 8 along 0 : !tile.schedule<2>
  tile.for_tiles (%row, %column) in %tiles : !tile.schedule<2> {
    %zero = tile.zero : tensor<128x256xf32>
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %sums = tile.for %at = %c0 to %k step %c64 iter_args(%partial = %zero) -> (tensor<128x256xf32>) {
      %ta = tile.load %A[%row, %at] via tma ring %ab : !matrix, !ab -> tensor<128x64xbf16, #sw>
      %tb = tile.load %B[%column, %at] via tma ring %ab multicast 0 : !matrix, !ab -> tensor<256x64xbf16, #sw>
      %next = tile.dot %ta, %tb, %partial kind wgmma trans_b outstanding 1
        : tensor<128x64xbf16, #sw>, tensor<256x64xbf16, #sw>, tensor<128x256xf32>
      tile.yield %next : tensor<128x256xf32>
    }

    // y = sums + bias, the same for every row.
    %bias16 = tile.load %Bias[%column] via direct : !tile.view<?xbf16> -> tensor<256xbf16>
    %bias32 = arith.extf %bias16 : tensor<256xbf16> to tensor<256xf32>
    %bias_rows = tile.broadcast %bias32 along 0 : tensor<256xf32> -> tensor<128x256xf32>
    %y = arith.addf %sums, %bias_rows : tensor<128x256xf32>

    // y · sigmoid(1.702 · y) = y / (1 + exp(-1.702 · y)); `arcp` allows y times the reciprocal, which
    // costs a fraction of a division that rounds correctly.
    %factor = arith.constant dense<-1.702> : tensor<128x256xf32>
    %one = arith.constant dense<1.0> : tensor<128x256xf32>
    %scaled = arith.mulf %y, %factor : tensor<128x256xf32>
    %power = math.exp %scaled : tensor<128x256xf32>
    %denominator = arith.addf %power, %one : tensor<128x256xf32>
    %gated = arith.divf %y, %denominator fastmath<arcp> : tensor<128x256xf32>

    %lowest = arith.constant dense<-1.0> : tensor<128x256xf32>
    %highest = arith.constant dense<6.0> : tensor<128x256xf32>
    %raised = arith.maximumf %gated, %lowest : tensor<128x256xf32>
    %clamped = arith.minimumf %raised, %highest : tensor<128x256xf32>

    %result = arith.truncf %clamped : tensor<128x256xf32> to tensor<128x256xbf16>
    tile.store %result, %D[%row, %column] via tma staging %staging subtile 64 : tensor<128x256xbf16>, !matrix, !staging
  }
}
