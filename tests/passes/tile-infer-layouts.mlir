// RUN: tw-opt %s --tile-infer-layouts | FileCheck %s
// A dot anchors its accumulator; elementwise work, loops, broadcasts and loads take their layouts from it.

#sw = #tile.smem<panel = 64, swizzle = 128>
!ab = !tile.ring<4, tensor<256x64xbf16, #sw>, tensor<128x64xbf16, #sw>>
!matrix = !tile.view<?x?xbf16, align = 16>

// CHECK: #[[ACC:.*]] = #tile.acc<wgs = [2, 1], waves = 2>
// CHECK: #[[WHOLE:.*]] = #tile.acc<wgs = [1, 1], waves = 4>
// CHECK-LABEL: tile.kernel @rows
tile.kernel @rows(%a: !tile.ptr<bf16>, %bias: !tile.ptr<f32>, %m: i32, %k: i32, %lda: i64, %alpha: f32) form = program
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 2>] {
  %A = tile.view %a [%m, %k] strides [%lda] : !tile.ptr<bf16> -> !matrix
  %Bias = tile.view %bias [%m] : !tile.ptr<f32> -> !tile.view<?xf32>
  %ab = tile.ring "ab" from @load to @mma : !ab
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  // CHECK: tile.zero : tensor<256x128xf32, #[[ACC]]>
  %zero = tile.zero : tensor<256x128xf32>
  // CHECK: tile.for {{.*}} -> (tensor<256x128xf32, #[[ACC]]>)
  %acc = tile.for %kk = %c0 to %k step %c64 iter_args(%c = %zero) -> (tensor<256x128xf32>) {
    %ta = tile.load %A[%c0, %kk] via tma ring %ab : !matrix, !ab -> tensor<256x64xbf16, #sw>
    %tb = tile.load %A[%c0, %kk] via tma ring %ab : !matrix, !ab -> tensor<128x64xbf16, #sw>
    // CHECK: tile.dot {{.*}}, tensor<256x128xf32, #[[ACC]]>
    %d = tile.dot %ta, %tb, %c kind wgmma trans_b : tensor<256x64xbf16, #sw>, tensor<128x64xbf16, #sw>, tensor<256x128xf32>
    // CHECK: tile.yield {{.*}} : tensor<256x128xf32, #[[ACC]]>
    tile.yield %d : tensor<256x128xf32>
  }
  // CHECK: tile.splat {{.*}} -> tensor<256x128xf32, #[[ACC]]>
  %av = tile.splat %alpha : f32 -> tensor<256x128xf32>
  %x = arith.mulf %acc, %av : tensor<256x128xf32>
  // CHECK: tile.load {{.*}} -> tensor<128xf32, #tile.slice<0, #[[ACC]]>>
  %bv = tile.load %Bias[%c0] via direct : !tile.view<?xf32> -> tensor<128xf32>
  // CHECK: math.exp2 {{.*}} : tensor<128xf32, #tile.slice<0, #[[ACC]]>>
  %be = math.exp2 %bv : tensor<128xf32>
  %bb = tile.broadcast %be along 0 : tensor<128xf32> -> tensor<256x128xf32>
  %y = arith.addf %x, %bb : tensor<256x128xf32>
  // CHECK: tile.coord 1 : tensor<256x128xi32, #[[ACC]]>
  %col = tile.coord 1 : tensor<256x128xi32>
  // CHECK: arith.constant dense<7> : tensor<256x128xi32, #[[ACC]]>
  %seven = arith.constant dense<7> : tensor<256x128xi32>
  // CHECK: arith.cmpi slt, {{.*}} : tensor<256x128xi32, #[[ACC]]>
  %in = arith.cmpi slt, %col, %seven : tensor<256x128xi32>
  // CHECK: arith.select {{.*}} : tensor<256x128xi1, #[[ACC]]>, tensor<256x128xf32, #[[ACC]]>
  %z = arith.select %in, %y, %zero : tensor<256x128xi1>, tensor<256x128xf32>
  // CHECK: arith.truncf {{.*}} to tensor<256x128xbf16, #[[ACC]]>
  %t = arith.truncf %z : tensor<256x128xf32> to tensor<256x128xbf16>
  // CHECK: tile.store {{.*}} : tensor<256x128xbf16, #[[ACC]]>
  tile.store %t, %A[%c0, %c0] via direct : tensor<256x128xbf16>, !matrix
}

// With split = tiles each warpgroup holds the whole tile.
// CHECK-LABEL: tile.kernel @tiles
tile.kernel @tiles(%a: !tile.ptr<bf16>, %m: i32, %lda: i64) form = program
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 2, split = tiles>] {
  %A = tile.view %a [%m, %m] strides [%lda] : !tile.ptr<bf16> -> !matrix
  %ab = tile.ring "ab" from @load to @mma : !ab
  %c0 = arith.constant 0 : i32
  %zero = tile.zero : tensor<256x128xf32>
  %ta = tile.load %A[%c0, %c0] via tma ring %ab : !matrix, !ab -> tensor<256x64xbf16, #sw>
  %tb = tile.load %A[%c0, %c0] via tma ring %ab : !matrix, !ab -> tensor<128x64xbf16, #sw>
  // CHECK: tile.dot {{.*}}, tensor<256x128xf32, #[[WHOLE]]>
  %d = tile.dot %ta, %tb, %zero kind wgmma trans_b : tensor<256x64xbf16, #sw>, tensor<128x64xbf16, #sw>, tensor<256x128xf32>
  %t = arith.truncf %d : tensor<256x128xf32> to tensor<256x128xbf16>
  tile.store %t, %A[%c0, %c0] via direct : tensor<256x128xbf16>, !matrix
}
