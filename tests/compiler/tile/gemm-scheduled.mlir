// RUN: tw-opt %s | tw-opt | FileCheck %s
// The same GEMM (with bias alone) as it stands after the rewrites: what tile-to-sm90 lowers one to one.

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [2, 1]>
!ta = tensor<128x64xbf16, #sw>
!tb = tensor<256x64xbf16, #sw>
!ab = !tile.ring<4, !ta, !tb>
!staging = !tile.ring<2, !ta>
!matrix = !tile.view<?x?xbf16, align = 16>
!pending = !tile.pending<tensor<128x256xf32, #acc>>

// CHECK-LABEL: tile.kernel @gemm
tile.kernel @gemm(%a: !tile.ptr<bf16> {tile.name = "a"}, %b: !tile.ptr<bf16> {tile.name = "b"}, %d: !tile.ptr<bf16> {tile.name = "d"},
                  %bias: !tile.ptr<bf16> {tile.name = "bias"}, %m: i32 {tile.name = "m"}, %n: i32 {tile.name = "n"}, %k: i32 {tile.name = "k"},
                  %lda: i64 {tile.name = "lda"}, %ldb: i64 {tile.name = "ldb"}, %ldd: i64 {tile.name = "ldd"}, %alpha: f32 {tile.name = "alpha"})
    form = scheduled cluster = [2, 1]
    roles = [#tile.role<load, warps = 1, regs = 40>, #tile.role<mma, warpgroups = 2, regs = 232>] {
  %A = tile.view %a [%m, %k] strides [%lda] : !tile.ptr<bf16> -> !matrix
  %B = tile.view %b [%n, %k] strides [%ldb] : !tile.ptr<bf16> -> !matrix
  %D = tile.view %d [%m, %n] strides [%ldd] : !tile.ptr<bf16> -> !matrix
  %Bias = tile.view %bias [%n] : !tile.ptr<bf16> -> !tile.view<?xbf16>
  // CHECK: tile.ring "ab" from @load to @mma multicast 0
  %ab = tile.ring "ab" from @load to @mma multicast 0 : !ab
  // CHECK: tile.ring "staging" private @mma
  %st = tile.ring "staging" private @mma : !staging
  %s = tile.raster (%m by 128, %n by 256) order grouped group 8 along 0 : !tile.schedule<2>
  tile.roles {
    tile.role @load {
      %c0 = arith.constant 0 : i32
      %c64 = arith.constant 64 : i32
      %p0 = tile.cursor %ab producer : !ab
      %first, %end, %step = tile.schedule_range %s : !tile.schedule<2>
      %pe = scf.for %t = %first to %end step %step iter_args(%p = %p0) -> (!tile.cursor) : i32 {
        %mi, %ni = tile.decode %s, %t : !tile.schedule<2> -> i32, i32
        %p1 = scf.for %kk = %c0 to %k step %c64 iter_args(%q = %p) -> (!tile.cursor) : i32 {
          %sa, %sb = tile.acquire %ab at %q : !ab -> !tile.slot<!ta>, !tile.slot<!tb>
          tile.copy %A[%mi, %kk] to %sa signal %ab at %q : !matrix, !tile.slot<!ta>, !ab
          tile.copy %B[%ni, %kk] to %sb signal %ab at %q multicast 0 : !matrix, !tile.slot<!tb>, !ab
          %q1 = tile.advance %ab at %q : !ab
          scf.yield %q1 : !tile.cursor
        }
        scf.yield %p1 : !tile.cursor
      }
    }
    tile.role @mma {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c4 = arith.constant 4 : i32
      %c64 = arith.constant 64 : i32
      %r0 = tile.cursor %ab consumer : !ab
      %s0 = tile.cursor %st producer : !staging
      %first, %end, %step = tile.schedule_range %s : !tile.schedule<2>
      %re:2 = scf.for %t = %first to %end step %step iter_args(%r = %r0, %u = %s0) -> (!tile.cursor, !tile.cursor) : i32 {
        %mi, %ni = tile.decode %s, %t : !tile.schedule<2> -> i32, i32
        %zero = tile.zero : !pending
        %loop:3 = scf.for %kk = %c0 to %k step %c64 iter_args(%q = %r, %previous = %r, %acc = %zero) -> (!tile.cursor, !tile.cursor, !pending) : i32 {
          %sa, %sb = tile.wait %ab at %q : !ab -> !tile.slot<!ta>, !tile.slot<!tb>
          %e = tile.dot_start %sa, %sb, %acc trans_b : !tile.slot<!ta>, !tile.slot<!tb>, !pending -> !pending
          %f = tile.dot_retire %e outstanding 1 : !pending
          %notfirst = arith.cmpi sgt, %kk, %c0 : i32
          tile.release %ab at %previous if %notfirst : !ab
          %q1 = tile.advance %ab at %q : !ab
          scf.yield %q1, %q, %f : !tile.cursor, !tile.cursor, !pending
        }
        %value = tile.dot_wait %loop#2 : !pending -> tensor<128x256xf32, #acc>
        %any = arith.cmpi sgt, %k, %c0 : i32
        tile.release %ab at %loop#1 if %any : !ab
        %u1 = scf.for %j = %c0 to %c4 step %c1 iter_args(%v = %u) -> (!tile.cursor) : i32 {
          %column = arith.muli %j, %c64 : i32
          %part = tile.extract %value columns %column : tensor<128x256xf32, #acc> -> tensor<128x64xf32, #acc>
          %nj = arith.addi %ni, %column : i32
          %y = tile.map ins(%part) : tensor<128x64xf32, #acc> -> tensor<128x64xbf16, #acc> {
          ^bb0(%e: f32, %row: i32, %col: i32):
            %x = arith.mulf %e, %alpha : f32
            %nc = arith.addi %nj, %col : i32
            %bv = tile.read %Bias[%nc] : !tile.view<?xbf16> -> bf16
            %bf = arith.extf %bv : bf16 to f32
            %z = arith.addf %x, %bf : f32
            %w = arith.truncf %z : f32 to bf16
            tile.yield %w : bf16
          }
          %so = tile.acquire %st at %v : !staging -> !tile.slot<!ta>
          tile.fragment_store %y, %so : tensor<128x64xbf16, #acc>, !tile.slot<!ta>
          tile.copy_out %so to %D[%mi, %nj] : !tile.slot<!ta>, !matrix
          %v1 = tile.advance %st at %v : !staging
          scf.yield %v1 : !tile.cursor
        } {tw.unroll}
        scf.yield %loop#0, %u1 : !tile.cursor, !tile.cursor
      }
      tile.drain
    }
  }
}
