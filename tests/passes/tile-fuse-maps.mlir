// RUN: tw-opt %s --tile-fuse-maps | FileCheck %s
// One map for the elementwise work between tiles that must exist: what is free per element is computed inside.

#acc = #tile.acc<wgs = [1, 1]>
#col = #tile.slice<0, #acc>
#row = #tile.slice<1, #acc>
!matrix = !tile.view<?x?xbf16>
!t = tensor<64x64xf32, #acc>

// CHECK-DAG: #[[ACC:.*]] = #tile.acc
// CHECK-LABEL: tile.kernel @epilogue
// CHECK-SAME: (%{{.*}}: !tile.ptr<bf16>, %{{.*}}: i32, %[[N:.*]]: i32, %{{.*}}: i64, %[[ALPHA:.*]]: f32)
tile.kernel @epilogue(%p: !tile.ptr<bf16>, %m: i32, %n: i32, %ld: i64, %alpha: f32) form = program threads = 128 {
  // CHECK: %[[V:.*]] = tile.view
  // CHECK: %[[B:.*]] = tile.view
  %V = tile.view %p [%m, %m] strides [%ld] : !tile.ptr<bf16> -> !matrix
  %B = tile.view %p [%m] : !tile.ptr<bf16> -> !tile.view<?xbf16>
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
  %c0 = arith.constant 0 : i32
  %x = tile.zero : tensor<64x128xf32, #acc>
  %f = tile.splat %n : i32 -> tensor<64xi32, #row>
  // CHECK: %[[PART:.*]] = tile.extract
  %part = tile.extract %x columns %n : tensor<64x128xf32, #acc> -> !t
  // A column vector is read in the map, again for each row.
  %bv = tile.load %B[%n] via direct : !tile.view<?xbf16> -> tensor<64xbf16, #col>
  %bf = arith.extf %bv : tensor<64xbf16, #col> to tensor<64xf32, #col>
  %bb = tile.broadcast %bf along 0 : tensor<64xf32, #col> -> !t
  %av = tile.splat %alpha : f32 -> !t
  %x0 = arith.mulf %part, %av : !t
  %x1 = arith.addf %x0, %bb : !t
  %c = tile.coord 1 offset %n : tensor<64x64xi32, #acc>
  %r = tile.coord 0 : tensor<64x64xi32, #acc>
  %le = arith.cmpi sle, %c, %r : tensor<64x64xi32, #acc>
  %z = tile.zero : !t
  %half = arith.constant dense<0.5> : !t
  %x2 = arith.select %le, %x1, %z : tensor<64x64xi1, #acc>, !t
  %x3 = math.fma %x2, %half, %x2 : !t
  %rv = tile.load %V[%c0, %n] via direct : !matrix -> tensor<64x64xbf16, #acc>
  %rf = arith.extf %rv : tensor<64x64xbf16, #acc> to !t
  %x4 = arith.addf %x3, %rf : !t
  %y = arith.truncf %x4 : !t to tensor<64x64xbf16, #acc>
  // CHECK-NEXT: %[[Y:.*]] = tile.map ins(%[[PART]]) : tensor<64x64xf32, #[[ACC]]> -> tensor<64x64xbf16, #[[ACC]]> {
  // CHECK-NEXT: ^bb0(%[[E:.*]]: f32, %[[ROW:.*]]: i32, %[[COL:.*]]: i32):
  // CHECK-NEXT: %[[X0:.*]] = arith.mulf %[[E]], %[[ALPHA]] : f32
  // CHECK-NEXT: %[[AT:.*]] = arith.addi %[[N]], %[[COL]] : i32
  // CHECK-NEXT: %[[BV:.*]] = tile.read %[[B]][%[[AT]]]
  // CHECK-NEXT: %[[BF:.*]] = arith.extf %[[BV]] : bf16 to f32
  // CHECK-NEXT: %[[X1:.*]] = arith.addf %[[X0]], %[[BF]] : f32
  // CHECK-NEXT: %[[LE:.*]] = arith.cmpi sle, %[[AT]], %[[ROW]] : i32
  // CHECK-NEXT: %[[Z:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK-NEXT: %[[X2:.*]] = arith.select %[[LE]], %[[X1]], %[[Z]] : f32
  // CHECK-NEXT: %[[HALF:.*]] = arith.constant 5.000000e-01 : f32
  // CHECK-NEXT: %[[X3:.*]] = math.fma %[[X2]], %[[HALF]], %[[X2]] : f32
  // CHECK-NEXT: %[[I:.*]] = arith.addi %[[ZERO]], %[[ROW]] : i32
  // CHECK-NEXT: %[[RV:.*]] = tile.read %[[V]][%[[I]], %[[AT]]]
  // CHECK-NEXT: %[[RF:.*]] = arith.extf %[[RV]] : bf16 to f32
  // CHECK-NEXT: %[[X4:.*]] = arith.addf %[[X3]], %[[RF]] : f32
  // CHECK-NEXT: %[[T:.*]] = arith.truncf %[[X4]] : f32 to bf16
  // CHECK-NEXT: tile.yield %[[T]] : bf16
  // CHECK-NEXT: }
  // CHECK-NEXT: tile.store %[[Y]]
  tile.store %y, %V[%n, %n] via direct : tensor<64x64xbf16, #acc>, !matrix
}

// Vectors along the rows have maps of their own; matrices take them as inputs of slice layout.
// CHECK-LABEL: tile.kernel @row_vectors
tile.kernel @row_vectors(%p: !tile.ptr<bf16>, %m: i32, %n: i32, %ld: i64) form = program threads = 128 {
  %V = tile.view %p [%m, %m] strides [%ld] : !tile.ptr<bf16> -> !matrix
  // CHECK: %[[B:.*]] = tile.view {{.*}} -> <?xbf16
  %B = tile.view %p [%m] : !tile.ptr<bf16> -> !tile.view<?xbf16>
  %c0 = arith.constant 0 : i32
  // CHECK: %[[X:.*]] = tile.load
  %x = tile.load %V[%n, %n] via direct : !matrix -> tensor<64x64xbf16, #acc>
  // CHECK: %[[MAX:.*]] = tile.reduce max %[[X]]
  %max = tile.reduce max %x along 1 : tensor<64x64xbf16, #acc> -> tensor<64xbf16, #row>
  // CHECK: %[[S:.*]] = tile.map ins(%[[MAX]]) : tensor<64xbf16, #tile.slice<1, #[[ACC]]>> -> tensor<64xf32, #tile.slice<1, #[[ACC]]>> {
  // CHECK-NEXT: ^bb0(%[[M:.*]]: bf16, %[[ROW:.*]]: i32):
  // CHECK-NEXT: %[[MF:.*]] = arith.extf %[[M]]
  // CHECK-NEXT: %[[AT:.*]] = arith.addi %{{.*}}, %[[ROW]] : i32
  // CHECK-NEXT: %[[R:.*]] = tile.read %[[B]][%[[AT]]]
  // CHECK-NEXT: %[[RF:.*]] = arith.extf %[[R]]
  // CHECK-NEXT: %[[D:.*]] = arith.divf %[[RF]], %[[MF]]
  // CHECK-NEXT: tile.yield %[[D]]
  %mf = arith.extf %max : tensor<64xbf16, #row> to tensor<64xf32, #row>
  %rs = tile.load %B[%n] via direct : !tile.view<?xbf16> -> tensor<64xbf16, #row>
  %rf = arith.extf %rs : tensor<64xbf16, #row> to tensor<64xf32, #row>
  %scale = arith.divf %rf, %mf : tensor<64xf32, #row>
  %sb = tile.broadcast %scale along 1 : tensor<64xf32, #row> -> !t
  // Also a row vector that is read only: a map that does nothing but read.
  // CHECK: %[[W:.*]] = tile.map ins() -> tensor<64xbf16, #tile.slice<1, #[[ACC]]>> {
  // CHECK-NEXT: ^bb0(%{{.*}}: i32):
  // CHECK-NEXT: arith.addi
  // CHECK-NEXT: tile.read
  // CHECK-NEXT: tile.yield
  %w = tile.load %B[%c0] via direct : !tile.view<?xbf16> -> tensor<64xbf16, #row>
  %wb = tile.broadcast %w along 1 : tensor<64xbf16, #row> -> tensor<64x64xbf16, #acc>
  %wf = arith.extf %wb : tensor<64x64xbf16, #acc> to !t
  // CHECK: tile.map ins(%[[X]], %[[S]], %[[W]]) : tensor<64x64xbf16, #[[ACC]]>, tensor<64xf32, {{.*}}>, tensor<64xbf16, {{.*}}> -> tensor<64x64xbf16, #[[ACC]]> {
  %xf = arith.extf %x : tensor<64x64xbf16, #acc> to !t
  %y0 = arith.mulf %xf, %sb : !t
  %y1 = arith.addf %y0, %wf : !t
  %y = arith.truncf %y1 : !t to tensor<64x64xbf16, #acc>
  tile.store %y, %V[%n, %n] via direct : tensor<64x64xbf16, #acc>, !matrix
}

// Running it again changes nothing: maps with nothing to take in are kept.
// RUN: tw-opt %s --tile-fuse-maps | tw-opt --tile-fuse-maps | FileCheck %s
