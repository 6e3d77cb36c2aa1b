// RUN: tw-opt %s | tw-opt | FileCheck %s
// The canonical GEMM of program form: D = gelu(alpha·A·Bᵀ + bias) + residual, a cluster of two CTAs along M.

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [2, 1]>
!ab = !tile.ring<4, tensor<128x64xbf16, #sw>, tensor<256x64xbf16, #sw>>
!staging = !tile.ring<2, tensor<128x64xbf16, #sw>>
!matrix = !tile.view<?x?xbf16, align = 16>

// CHECK-LABEL: tile.program @gemm
tile.program @gemm(%a: !tile.ptr<bf16> {tile.name = "a"}, %b: !tile.ptr<bf16> {tile.name = "b"}, %d: !tile.ptr<bf16> {tile.name = "d"},
                   %bias: !tile.ptr<bf16> {tile.name = "bias"}, %r: !tile.ptr<bf16> {tile.name = "residual"},
                   %m: i32 {tile.name = "m"}, %n: i32 {tile.name = "n"}, %k: i32 {tile.name = "k"},
                   %lda: i64 {tile.name = "lda"}, %ldb: i64 {tile.name = "ldb"}, %ldd: i64 {tile.name = "ldd"},
                   %ldr: i64 {tile.name = "ldr"}, %alpha: f32 {tile.name = "alpha"}) {
  %c2 = arith.constant 2 : i32
  %c128 = arith.constant 128 : i32
  %c256 = arith.constant 256 : i32
  %tm = arith.ceildivsi %m, %c128 : i32
  %tn = arith.ceildivsi %n, %c256 : i32
  %pairs = arith.ceildivsi %tm, %c2 : i32
  %units = arith.muli %pairs, %tn : i32
  %sms = tile.sm_count
  %slots = arith.divsi %sms, %c2 : i32
  %clusters = arith.minsi %units, %slots : i32
  %grid = arith.muli %clusters, %c2 : i32
  %zero = arith.constant 0 : i64
  %c8 = arith.constant 8 : i64
  %rem = arith.remsi %lda, %c8 : i64
  tile.require %rem eq %zero, "lda must be a multiple of 8 elements" : i64
  // CHECK: tile.launch @gemm_kernel grid
  tile.launch @gemm_kernel grid(%grid) (%a, %b, %d, %bias, %r, %m, %n, %k, %lda, %ldb, %ldd, %ldr, %alpha)
    : !tile.ptr<bf16>, !tile.ptr<bf16>, !tile.ptr<bf16>, !tile.ptr<bf16>, !tile.ptr<bf16>, i32, i32, i32, i64, i64, i64, i64, f32
}

// CHECK: tile.kernel @gemm_kernel
// CHECK-SAME: form = program cluster = [2, 1]
tile.kernel @gemm_kernel(%a: !tile.ptr<bf16> {tile.name = "a"}, %b: !tile.ptr<bf16> {tile.name = "b"}, %d: !tile.ptr<bf16> {tile.name = "d"},
                         %bias: !tile.ptr<bf16> {tile.name = "bias"}, %r: !tile.ptr<bf16> {tile.name = "residual"},
                         %m: i32 {tile.name = "m"}, %n: i32 {tile.name = "n"}, %k: i32 {tile.name = "k"},
                         %lda: i64 {tile.name = "lda"}, %ldb: i64 {tile.name = "ldb"}, %ldd: i64 {tile.name = "ldd"},
                         %ldr: i64 {tile.name = "ldr"}, %alpha: f32 {tile.name = "alpha"})
    form = program cluster = [2, 1]
    roles = [#tile.role<load, warps = 1, regs = 40>, #tile.role<mma, warpgroups = 2, regs = 232>] {
  %A = tile.view %a [%m, %k] strides [%lda] : !tile.ptr<bf16> -> !matrix
  %B = tile.view %b [%n, %k] strides [%ldb] : !tile.ptr<bf16> -> !matrix
  %D = tile.view %d [%m, %n] strides [%ldd] : !tile.ptr<bf16> -> !matrix
  %R = tile.view %r [%m, %n] strides [%ldr] : !tile.ptr<bf16> -> !matrix
  %Bias = tile.view %bias [%n] : !tile.ptr<bf16> -> !tile.view<?xbf16>
  %ab = tile.ring "ab" from @load to @mma multicast 0 : !ab
  %st = tile.ring "staging" private @mma : !staging
  %s = tile.raster (%m by 128, %n by 256) order grouped group 8 along 0 : !tile.schedule<2>
  tile.for_tiles (%mi, %ni) in %s : !tile.schedule<2> {
    %zero = tile.zero : tensor<128x256xf32>
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %acc = tile.for %kk = %c0 to %k step %c64 iter_args(%c = %zero) -> (tensor<128x256xf32>) {
      %ta = tile.load %A[%mi, %kk] via tma ring %ab : !matrix, !ab -> tensor<128x64xbf16, #sw>
      %tb = tile.load %B[%ni, %kk] via tma ring %ab multicast 0 : !matrix, !ab -> tensor<256x64xbf16, #sw>
      // CHECK: tile.dot {{.*}} kind wgmma trans_b outstanding 1
      %e = tile.dot %ta, %tb, %c kind wgmma trans_b outstanding 1
        : tensor<128x64xbf16, #sw>, tensor<256x64xbf16, #sw>, tensor<128x256xf32>
      tile.yield %e : tensor<128x256xf32>
    }
    %av = tile.splat %alpha : f32 -> tensor<128x256xf32>
    %x0 = arith.mulf %acc, %av : tensor<128x256xf32>
    %bv = tile.load %Bias[%ni] via direct : !tile.view<?xbf16> -> tensor<256xbf16>
    %bf = arith.extf %bv : tensor<256xbf16> to tensor<256xf32>
    %bb = tile.broadcast %bf along 0 : tensor<256xf32> -> tensor<128x256xf32>
    %x1 = arith.addf %x0, %bb : tensor<128x256xf32>
    // gelu(x) = 0.5·x·(1 + tanh(sqrt(2/pi)·(x + 0.044715·x³)))
    %half = arith.constant dense<5.000000e-01> : tensor<128x256xf32>
    %one = arith.constant dense<1.000000e+00> : tensor<128x256xf32>
    %k0 = arith.constant dense<0.797884583> : tensor<128x256xf32>
    %k1 = arith.constant dense<0.044715> : tensor<128x256xf32>
    %sq = arith.mulf %x1, %x1 : tensor<128x256xf32>
    %in = math.fma %sq, %k1, %one : tensor<128x256xf32>
    %sx = arith.mulf %x1, %k0 : tensor<128x256xf32>
    %arg = arith.mulf %sx, %in : tensor<128x256xf32>
    %th = math.tanh %arg : tensor<128x256xf32>
    %hx = arith.mulf %x1, %half : tensor<128x256xf32>
    %g = math.fma %hx, %th, %hx : tensor<128x256xf32>
    %rv = tile.load %R[%mi, %ni] via direct : !matrix -> tensor<128x256xbf16>
    %rf = arith.extf %rv : tensor<128x256xbf16> to tensor<128x256xf32>
    %x2 = arith.addf %g, %rf : tensor<128x256xf32>
    %y = arith.truncf %x2 : tensor<128x256xf32> to tensor<128x256xbf16>
    // CHECK: tile.store {{.*}} via tma staging {{.*}} subtile 64
    tile.store %y, %D[%mi, %ni] via tma staging %st subtile 64 : tensor<128x256xbf16>, !matrix, !staging
  }
}
