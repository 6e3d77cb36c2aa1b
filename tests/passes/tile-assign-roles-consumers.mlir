// RUN: tw-opt %s --tile-assign-roles | FileCheck %s
// Two roles that compute: each gets the tiles of the rings that it reads. Free tiles are made in both, and who
// waits for a grid that ran before is everybody.

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!ring = !tile.ring<2, tensor<64x64xbf16, #sw>>
!view = !tile.view<?x?xbf16, align = 16>
!half = tensor<64x64xbf16, #acc>
!tile = tensor<64x64xf32, #acc>

// CHECK-LABEL: tile.kernel @consumers
tile.kernel @consumers(%a: !tile.ptr<bf16>, %d: !tile.ptr<f32>, %n: i32, %ld: i64, %alpha: f32) form = program
    roles = [#tile.role<load, warps = 1>, #tile.role<left, warpgroups = 1>, #tile.role<right, warpgroups = 1>] {
  %c0 = arith.constant 0 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %D = tile.view %d [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %l = tile.ring "l" from @load to @left : !ring
  %r = tile.ring "r" from @load to @right : !ring
  // CHECK: tile.pdl_wait
  // CHECK: tile.roles
  tile.pdl_wait
  // CHECK: tile.role @load
  // CHECK-COUNT-2: tile.copy
  // CHECK-NOT: tile.splat
  // CHECK: tile.pdl_trigger
  // CHECK: tile.role @left
  // CHECK: tile.wait
  // CHECK: tile.splat
  // CHECK: arith.mulf
  // CHECK: tile.store
  // CHECK: tile.pdl_trigger
  // CHECK: tile.role @right
  // CHECK: tile.wait
  // CHECK: tile.splat
  // CHECK: arith.addf
  // CHECK: tile.store
  // CHECK: tile.pdl_trigger
  %x = tile.load %A[%c0, %c0] via tma ring %l : !view, !ring -> tensor<64x64xbf16, #sw>
  %y = tile.load %A[%c0, %n] via tma ring %r : !view, !ring -> tensor<64x64xbf16, #sw>
  %al = tile.splat %alpha : f32 -> !tile
  %xf = tile.map ins(%x) : tensor<64x64xbf16, #sw> -> !tile {
  ^bb0(%e: bf16, %row: i32, %col: i32):
    %wide = arith.extf %e : bf16 to f32
    tile.yield %wide : f32
  }
  %xs = arith.mulf %xf, %al : !tile
  tile.store %xs, %D[%c0, %c0] via direct : !tile, !tile.view<?x?xf32>
  %yf = tile.map ins(%y) : tensor<64x64xbf16, #sw> -> !tile {
  ^bb0(%e: bf16, %row: i32, %col: i32):
    %wide = arith.extf %e : bf16 to f32
    tile.yield %wide : f32
  }
  %ys = arith.addf %yf, %al : !tile
  tile.store %ys, %D[%c0, %n] via direct : !tile, !tile.view<?x?xf32>
  tile.pdl_trigger
}
