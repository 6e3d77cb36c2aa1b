// RUN: tw-opt %s --tile-infer-layouts | FileCheck %s
// Layouts in the text are anchors like those of dots; dead tiles need none.

#rows = #tile.blocked<threads = [4, 32], vec = 4>
#sw = #tile.smem<panel = 64, swizzle = 128>
!ab = !tile.ring<2, tensor<64x64xbf16, #sw>>
!matrix = !tile.view<?x?xbf16, align = 16>

// Sums two halves of a workspace: no dot anywhere.
// CHECK: #[[ROWS:.*]] = #tile.blocked<threads = [4, 32], vec = 4>
// CHECK-LABEL: tile.kernel @reduction
tile.kernel @reduction(%p: !tile.ptr<f32> {tile.name = "p"}, %n: i32 {tile.name = "n"}, %ld: i64 {tile.name = "ld"}) form = program threads = 128 {
  %V = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32, align = 16>
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  // CHECK-NOT: tile.splat
  %dead = tile.splat %ld : i64 -> tensor<4x128xi64>
  %first = tile.load %V[%c0, %c0] via direct : !tile.view<?x?xf32, align = 16> -> tensor<4x128xf32, #rows>
  // CHECK: tile.for {{.*}} -> (tensor<4x128xf32, #[[ROWS]]>)
  %sum = tile.for %i = %c4 to %n step %c4 iter_args(%s = %first) -> (tensor<4x128xf32, #rows>) {
    // CHECK: tile.load {{.*}} -> tensor<4x128xf32, #[[ROWS]]>
    %next = tile.load %V[%i, %c0] via direct : !tile.view<?x?xf32, align = 16> -> tensor<4x128xf32, #rows>
    %t = arith.addf %s, %next : tensor<4x128xf32, #rows>
    tile.yield %t : tensor<4x128xf32, #rows>
  }
  // A column sum: its slice, and what the slice is used for.
  // CHECK: tile.reduce add {{.*}} -> tensor<128xf32, #tile.slice<0, #[[ROWS]]>>
  %col = tile.reduce add %sum along 0 : tensor<4x128xf32, #rows> -> tensor<128xf32>
  // CHECK: tile.broadcast {{.*}} -> tensor<4x128xf32, #[[ROWS]]>
  %back = tile.broadcast %col along 0 : tensor<128xf32> -> tensor<4x128xf32>
  // CHECK: arith.truncf {{.*}} to tensor<4x128xbf16, #[[ROWS]]>
  %half = arith.truncf %back : tensor<4x128xf32> to tensor<4x128xbf16>
  %wide = arith.extf %half : tensor<4x128xbf16> to tensor<4x128xf32>
  tile.store %wide, %V[%c0, %c0] via direct : tensor<4x128xf32>, !tile.view<?x?xf32, align = 16>
}

// A gather's index vector runs along its rows; an FMA dot takes what its accumulator says.
// CHECK-LABEL: tile.kernel @gathered
tile.kernel @gathered(%p: !tile.ptr<f32> {tile.name = "p"}, %i: !tile.ptr<i32> {tile.name = "i"}, %n: i32 {tile.name = "n"}, %ld: i64 {tile.name = "ld"}) form = program threads = 128 {
  %V = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %I = tile.view %i [%n] : !tile.ptr<i32> -> !tile.view<?xi32>
  %c0 = arith.constant 0 : i32
  // CHECK: tile.load {{.*}} -> tensor<4xi32, #tile.slice<1, #[[ROWS]]>>
  %rows = tile.load %I[%c0] via direct : !tile.view<?xi32> -> tensor<4xi32>
  %g = tile.gather %V rows %rows at %c0 : !tile.view<?x?xf32>, tensor<4xi32> -> tensor<4x128xf32, #rows>
  // CHECK: tile.zero : tensor<4x128xf32, #[[ROWS]]>
  %zero = tile.zero : tensor<4x128xf32>
  %fq = tile.zero : tensor<128x128xf32, #rows>
  %d = tile.dot %g, %fq, %zero kind fma : tensor<4x128xf32, #rows>, tensor<128x128xf32, #rows>, tensor<4x128xf32>
  %cut = tile.extract %g columns %c0 : tensor<4x128xf32, #rows> -> tensor<4x128xf32>
  %r = arith.addf %d, %cut : tensor<4x128xf32>
  // CHECK: arith.cmpf ogt, {{.*}} : tensor<4x128xf32, #[[ROWS]]>
  %pos = arith.cmpf ogt, %r, %zero : tensor<4x128xf32>
  %any = tile.any %pos : tensor<4x128xi1>
  scf.if %any {
    tile.store %r, %V[%c0, %c0] via direct : tensor<4x128xf32>, !tile.view<?x?xf32>
  }
}

// A written accumulator layout wins over what the dot would imply.
// CHECK-LABEL: tile.kernel @split_columns
tile.kernel @split_columns(%p: !tile.ptr<bf16> {tile.name = "p"}, %n: i32 {tile.name = "n"}, %ld: i64 {tile.name = "ld"}) form = program
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 2>] {
  %V = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !matrix
  %ab = tile.ring "ab" from @load to @mma : !ab
  %c0 = arith.constant 0 : i32
  %a = tile.load %V[%c0, %c0] via tma ring %ab : !matrix, !ab -> tensor<64x64xbf16, #sw>
  %zero = tile.zero : tensor<64x64xf32, #tile.acc<wgs = [1, 2]>>
  %d = tile.dot %a, %a, %zero kind wgmma trans_b : tensor<64x64xbf16, #sw>, tensor<64x64xbf16, #sw>, tensor<64x64xf32, #tile.acc<wgs = [1, 2]>>
  // CHECK: tile.reduce max {{.*}} -> tensor<64xf32, #tile.slice<1, #[[SPLIT:.*]]>>
  %t = tile.reduce max %d along 1 : tensor<64x64xf32, #tile.acc<wgs = [1, 2]>> -> tensor<64xf32>
  // CHECK: tile.broadcast {{.*}} -> tensor<64x64xf32, #[[SPLIT]]>
  %b = tile.broadcast %t along 1 : tensor<64xf32> -> tensor<64x64xf32>
  // CHECK: arith.truncf {{.*}} to tensor<64x64xbf16, #[[SPLIT]]>
  %u = arith.truncf %b : tensor<64x64xf32> to tensor<64x64xbf16>
  tile.store %u, %V[%c0, %c0] via direct : tensor<64x64xbf16>, !matrix
}
