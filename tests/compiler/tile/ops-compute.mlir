// RUN: tw-opt %s | tw-opt | FileCheck %s
// RUN: tw-opt %s --mlir-print-op-generic | tw-opt | FileCheck %s
// Tile arithmetic and memory accesses: every op, every optional part.

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1], waves = 1>
#row = #tile.slice<1, #acc>
!matrix = !tile.view<?x?xbf16, align = 16>
!r = !tile.ring<2, tensor<64x64xbf16, #sw>>
!s = tensor<64x64xbf16, #sw>
!t = tensor<64x64xf32, #acc>

// CHECK-DAG: #[[SW:.*]] = #tile.smem<panel = 64, swizzle = 128>
// CHECK-DAG: #[[ACC:.*]] = #tile.acc<wgs = [1, 1]>
// CHECK-LABEL: tile.kernel @compute
tile.kernel @compute(%p: !tile.ptr<bf16> {tile.name = "p"}, %i: !tile.ptr<i32> {tile.name = "i"}, %n: i32 {tile.name = "n"}, %ld: i64 {tile.name = "ld"}, %alpha: f32 {tile.name = "alpha"})
    form = program cluster = [2, 2] roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  // CHECK: %[[V:.*]] = tile.view
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !matrix
  %ring = tile.ring "r" from @load to @mma : !r
  // CHECK: tile.load %[[V]][%n, %n] via tma ring %{{.*}} multicast 1 hint evict_first oob undef : <?x?xbf16, align = 16>, !tile.ring<2, tensor<64x64xbf16, #[[SW]]>> -> tensor<64x64xbf16, #[[SW]]>
  %a = tile.load %v[%n, %n] via tma ring %ring multicast 1 hint evict_first oob undef : !matrix, !r -> !s
  // CHECK: tile.load %[[V]][%n, %n] via bulk ring %{{.*}} hint evict_last : <
  %a1 = tile.load %v[%n, %n] via bulk ring %ring hint evict_last : !matrix, !r -> !s
  // CHECK: tile.load %[[V]][%n, %n] via cp_async ring %{{.*}} oob zero : <
  %a2 = tile.load %v[%n, %n] via cp_async ring %ring oob zero : !matrix, !r -> !s
  // CHECK: %[[B:.*]] = tile.load %[[V]][%n, %n] via direct {note = "n"} : <?x?xbf16, align = 16> -> tensor<64x64xbf16, #[[ACC]]>
  %b = tile.load %v[%n, %n] via direct {note = "n"} : !matrix -> tensor<64x64xbf16, #acc>
  // CHECK: tile.load %[[V]][%n, %n] via direct held : <?x?xbf16, align = 16> -> tensor<64xbf16, #tile.slice<0, #[[ACC]]>>
  %held = tile.load %v[%n, %n] via direct held : !matrix -> tensor<64xbf16, #tile.slice<0, #acc>>
  // CHECK: tile.extract %{{.*}} columns %n : tensor<64xbf16, #tile.slice<0, #[[ACC]]>> -> tensor<16xbf16, #tile.slice<0, #[[ACC]]>>
  %part = tile.extract %held columns %n : tensor<64xbf16, #tile.slice<0, #acc>> -> tensor<16xbf16, #tile.slice<0, #acc>>
  // CHECK: tile.load %[[V]][%n, %n] via direct : <?x?xbf16, align = 16> -> tensor<64xbf16>
  %b1 = tile.load %v[%n, %n] via direct : !matrix -> tensor<64xbf16>
  // CHECK: tile.splat %n : i32 -> tensor<64xi32>
  %rows = tile.splat %n : i32 -> tensor<64xi32>
  // CHECK: tile.gather %[[V]] rows %{{.*}} at %n : <?x?xbf16, align = 16>, tensor<64xi32> -> tensor<64x64xbf16>
  %g = tile.gather %v rows %rows at %n : !matrix, tensor<64xi32> -> tensor<64x64xbf16>
  // CHECK: tile.store %[[B]], %[[V]][%n, %n] via tma staging %{{.*}} subtile 64 : tensor<64x64xbf16, #[[ACC]]>, <?x?xbf16, align = 16>, !tile.ring
  tile.store %b, %v[%n, %n] via tma staging %ring subtile 64 : tensor<64x64xbf16, #acc>, !matrix, !r
  // CHECK: tile.store %[[B]], %[[V]][%n, %n] via direct : tensor<64x64xbf16, #[[ACC]]>, <?x?xbf16, align = 16>
  tile.store %b, %v[%n, %n] via direct : tensor<64x64xbf16, #acc>, !matrix
  // CHECK: tile.store %[[B]], %[[V]][%n, %n] via reduce_add subtile 8 : tensor
  tile.store %b, %v[%n, %n] via reduce_add subtile 8 : tensor<64x64xbf16, #acc>, !matrix
  // CHECK: %[[ZERO:.*]] = tile.zero : tensor<64x64xf32, #[[ACC]]>
  %zero = tile.zero : !t
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %[[ZERO]] kind wgmma : tensor<64x64xbf16, #[[SW]]>, tensor<64x64xbf16, #[[SW]]>, tensor<64x64xf32, #[[ACC]]>
  %d = tile.dot %a, %a1, %zero kind wgmma : !s, !s, !t
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} kind wgmma trans_a trans_b outstanding 1 : tensor
  %d1 = tile.dot %a, %a1, %d kind wgmma trans_a trans_b outstanding 1 : !s, !s, !t
  %sc = tile.splat %alpha : f32 -> tensor<64xf32>
  // CHECK: tile.dot %[[B]], %{{.*}}, %{{.*}} scales(%[[SC:.*]], %[[SC]]) kind wgmma : tensor<64x64xbf16, #[[ACC]]>, tensor<64x64xbf16, #[[SW]]>, tensor<64x64xf32, #[[ACC]]> scales tensor<64xf32>, tensor<64xf32>
  %d2 = tile.dot %b, %a1, %d1 scales(%sc, %sc) kind wgmma : tensor<64x64xbf16, #acc>, !s, !t scales tensor<64xf32>, tensor<64xf32>
  // CHECK: tile.dot %[[B]], %[[B]], %{{.*}} kind fma trans_a : tensor
  %d3 = tile.dot %b, %b, %d2 kind fma trans_a : tensor<64x64xbf16, #acc>, tensor<64x64xbf16, #acc>, !t
  // CHECK: tile.coord 0 : tensor<64x64xi32>
  %c0 = tile.coord 0 : tensor<64x64xi32>
  // CHECK: tile.coord 1 offset %n : tensor<64x64xi32, #[[ACC]]>
  %c1 = tile.coord 1 offset %n : tensor<64x64xi32, #acc>
  // CHECK: %[[RED:.*]] = tile.reduce max %{{.*}} along 1 partial : tensor<64x64xf32, #[[ACC]]> -> tensor<64xf32, #tile.slice<1, #[[ACC]]>>
  %m = tile.reduce max %d3 along 1 partial : !t -> tensor<64xf32, #row>
  // CHECK: tile.reduce add %{{.*}} along 0 : tensor<64x64xf32, #[[ACC]]> -> tensor<64xf32>
  %m1 = tile.reduce add %d3 along 0 : !t -> tensor<64xf32>
  // CHECK: tile.reduce min %{{.*}} along 1 : tensor
  %m2 = tile.reduce min %d3 along 1 : !t -> tensor<64xf32, #row>
  // CHECK: tile.reduce_finish max %[[RED]] : tensor<64xf32, #tile.slice<1, #[[ACC]]>>
  %f = tile.reduce_finish max %m : tensor<64xf32, #row>
  // CHECK: tile.broadcast %{{.*}} along 1 : tensor<64xf32, #tile.slice<1, #[[ACC]]>> -> tensor<64x64xf32, #[[ACC]]>
  %bb = tile.broadcast %f along 1 : tensor<64xf32, #row> -> !t
  // CHECK: tile.extract %{{.*}} columns %n : tensor<64x64xf32, #[[ACC]]> -> tensor<64x16xf32, #[[ACC]]>
  %e = tile.extract %bb columns %n : !t -> tensor<64x16xf32, #acc>
  // CHECK: tile.map ins(%{{.*}}, %[[B]]) : tensor<64x64xf32, #[[ACC]]>, tensor<64x64xbf16, #[[ACC]]> -> tensor<64x64xf32, #[[ACC]]>, tensor<64x64xbf16> {
  // CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: bf16, %[[ROW:.*]]: i32, %[[COL:.*]]: i32):
  %map:2 = tile.map ins(%bb, %b) : !t, tensor<64x64xbf16, #acc> -> !t, tensor<64x64xbf16> {
  ^bb0(%x: f32, %y: bf16, %row: i32, %col: i32):
    // CHECK-NEXT: %[[READ:.*]] = tile.read %[[V]][%[[ROW]], %[[COL]]] : <?x?xbf16, align = 16> -> bf16
    %read = tile.read %v[%row, %col] : !matrix -> bf16
    // CHECK-NEXT: tile.yield %[[X]], %[[READ]] : f32, bf16
    tile.yield %x, %read : f32, bf16
  }
  // A map without inputs, of a vector: one coordinate.
  // CHECK: tile.map ins() attributes {note = "n"} -> tensor<64xi32> {
  // CHECK-NEXT: ^bb0(%[[AT:.*]]: i32):
  // CHECK-NEXT: tile.yield %[[AT]] : i32
  %iota = tile.map ins() attributes {note = "n"} -> tensor<64xi32> {
  ^bb0(%at: i32):
    tile.yield %at : i32
  }
  %lt = arith.cmpi slt, %c1, %c1 : tensor<64x64xi32, #acc>
  // CHECK: tile.any %{{.*}} : tensor<64x64xi1, #[[ACC]]>
  %any = tile.any %lt : tensor<64x64xi1, #acc>
  // CHECK: tile.atomic_add %i, %n : <i32>
  %old = tile.atomic_add %i, %n : !tile.ptr<i32>
  // CHECK: tile.semaphore_wait %i[%n], %{{.*}} : <i32>
  tile.semaphore_wait %i[%n], %old : !tile.ptr<i32>
  // CHECK: tile.semaphore_post %i[%n] : <i32>
  tile.semaphore_post %i[%n] : !tile.ptr<i32>
  // CHECK: tile.pdl_wait
  tile.pdl_wait
  // CHECK: tile.pdl_trigger
  tile.pdl_trigger
}
