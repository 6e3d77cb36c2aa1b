// RUN: tw-opt %s | tw-opt | FileCheck %s
// RUN: tw-opt %s --mlir-print-op-generic | tw-opt | FileCheck %s
// Layouts and types: defaults are left out, parameters may come in any order.

// CHECK-LABEL: tile.kernel @layouts
tile.kernel @layouts(%n: i32) form = program {
  // CHECK: tile.splat {{.*}} -> tensor<64x64xi32, [[PLAIN:#.*]]>
  %0 = tile.splat %n : i32 -> tensor<64x64xi32, #tile.smem<>>
  // CHECK: tile.splat {{.*}} -> tensor<64x64xi32, [[PLAIN]]>
  %1 = tile.splat %n : i32 -> tensor<64x64xi32, #tile.smem>
  // CHECK: tile.splat {{.*}} -> tensor<64x64xi32, [[PLAIN]]>
  %2 = tile.splat %n : i32 -> tensor<64x64xi32, #tile.smem<panel = 0, pad = 0, swizzle = 0>>
  %3 = tile.splat %n : i32 -> tensor<32x32xi32, #tile.smem<pad = 1>>
  %4 = tile.splat %n : i32 -> tensor<32x32xi32, #tile.smem<xor = [5, 2, 5]>>
  %5 = tile.splat %n : i32 -> tensor<64x64xi32, #tile.smem<swizzle = 32, panel = 8>>
  %6 = tile.splat %n : i32 -> tensor<64x64xi32, #tile.smem<swizzle = 64, panel = 16>>
  %7 = tile.splat %n : i32 -> tensor<128x16xi32, #tile.acc<waves = 2, wgs = [1, 1]>>
  %8 = tile.splat %n : i32 -> tensor<256x16xi32, #tile.acc<wgs = [2, 1], waves = 2>>
  %9 = tile.zero : tensor<64x32xbf16, #tile.operand<wgs = 1, waves = 1>>
  %10 = tile.zero : tensor<128x32xf16, #tile.operand<waves = 2>>
  %11 = tile.zero : tensor<8x128xf32, #tile.blocked<threads = [4, 32], vec = 4>>
  %12 = tile.zero : tensor<8x128xf32, #tile.blocked<vec = 1, threads = [1, 128]>>
  %13 = tile.zero : tensor<128xf32, #tile.slice<0, #tile.blocked<threads = [1, 128]>>>
  %14 = tile.zero : tensor<128xf32, #tile.slice<1, #tile.acc<wgs = [2, 1]>>>
  %15 = tile.zero : tensor<64xf32, #tile.smem<>>
  %16 = tile.zero : tensor<64x16xf32>
}
// Aliases stand at the head of the printed text.
// RUN: tw-opt %s | FileCheck %s --check-prefix=TEXT
// TEXT-DAG: = #tile.smem<pad = 1>
// TEXT-DAG: = #tile.smem<xor = [5, 2, 5]>
// TEXT-DAG: = #tile.smem<panel = 8, swizzle = 32>
// TEXT-DAG: = #tile.smem<panel = 16, swizzle = 64>
// TEXT-DAG: = #tile.acc<wgs = [1, 1], waves = 2>
// TEXT-DAG: = #tile.acc<wgs = [2, 1], waves = 2>
// TEXT-DAG: = #tile.acc<wgs = [2, 1]>
// TEXT-DAG: #tile.operand<wgs = 1>
// TEXT-DAG: #tile.operand<wgs = 1, waves = 2>
// TEXT-DAG: = #tile.blocked<threads = [4, 32], vec = 4>
// TEXT-DAG: = #tile.blocked<threads = [1, 128]>
// TEXT-DAG: #tile.slice<0, #{{.*}}>
// TEXT-DAG: #tile.slice<1, #{{.*}}>
