// RUN: tw-opt %source_root/tests/compiler/tile/gemm-program.mlir --tile-infer-layouts --tile-split-epilogue | FileCheck %s --check-prefixes=CHECK,SPLIT
// RUN: tw-opt %source_root/tests/compiler/tile/gemm-program.mlir --tile-infer-layouts --tile-split-epilogue --tile-fuse-maps | FileCheck %s --check-prefixes=CHECK,FUSED
// The canonical GEMM on its way from program form: its epilogue comes to stand as in gemm-scheduled.mlir.

// CHECK: #[[ACC:.*]] = #tile.acc<wgs = [2, 1]>
// CHECK: tile.kernel @gemm_kernel
// CHECK: %[[BIAS:.*]] = tile.view %bias
// CHECK: tile.for_tiles (%[[MI:.*]], %[[NI:.*]]) in
// CHECK: %[[ACC_VALUE:.*]] = tile.for {{.*}} -> (tensor<128x256xf32, #[[ACC]]>)
// CHECK: scf.for %[[J:.*]] = %c0{{.*}} to %c4{{.*}} step %c1
// CHECK-NEXT: %[[COLUMN:.*]] = arith.muli %[[J]], %c64
// CHECK-NEXT: %[[NJ:.*]] = arith.addi %[[NI]], %[[COLUMN]]
// CHECK-NEXT: %[[PART:.*]] = tile.extract %[[ACC_VALUE]] columns %[[COLUMN]] : tensor<128x256xf32, #[[ACC]]> -> tensor<128x64xf32, #[[ACC]]>

// SPLIT: tile.splat %alpha : f32 -> tensor<128x64xf32, #[[ACC]]>
// SPLIT: tile.load %[[BIAS]][%[[NJ]]] {{.*}} -> tensor<64xbf16, #tile.slice<0, #[[ACC]]>>
// SPLIT: math.tanh {{.*}} : tensor<128x64xf32, #[[ACC]]>
// SPLIT: tile.load %{{.*}}[%[[MI]], %[[NJ]]] {{.*}} -> tensor<128x64xbf16, #[[ACC]]>
// SPLIT: arith.truncf

// FUSED-NEXT: tile.map ins(%[[PART]]) : tensor<128x64xf32, #[[ACC]]> -> tensor<128x64xbf16, #[[ACC]]> {
// FUSED-NEXT: ^bb0(%[[E:.*]]: f32, %[[ROW:.*]]: i32, %[[COL:.*]]: i32):
// FUSED-NEXT: %[[X:.*]] = arith.mulf %[[E]], %alpha : f32
// FUSED-NEXT: %[[NC:.*]] = arith.addi %[[NJ]], %[[COL]] : i32
// FUSED-NEXT: %[[BV:.*]] = tile.read %[[BIAS]][%[[NC]]]
// FUSED-NEXT: %[[BF:.*]] = arith.extf %[[BV]] : bf16 to f32
// FUSED-NEXT: arith.addf %[[X]], %[[BF]] : f32
// FUSED: math.tanh {{.*}} : f32
// FUSED: tile.read %{{.*}}[%{{.*}}, %[[NC]]]
// FUSED: arith.truncf {{.*}} : f32 to bf16
// FUSED-NEXT: tile.yield
// FUSED-NEXT: }

// CHECK: tile.store {{.*}}[%[[MI]], %[[NJ]]] via tma staging {{.*}} : tensor<128x64xbf16, #[[ACC]]>
// CHECK-NEXT: } {tw.unroll}
