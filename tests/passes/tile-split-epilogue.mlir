// RUN: tw-opt %s --tile-split-epilogue | FileCheck %s
// Everything elementwise behind a store with `subtile` is recomputed slice by slice; the rest is cut.

#acc = #tile.acc<wgs = [1, 1]>
#col = #tile.slice<0, #acc>
#row = #tile.slice<1, #acc>
!matrix = !tile.view<?x?xf32>

// CHECK-DAG: #[[ACC:.*]] = #tile.acc
// CHECK-LABEL: tile.kernel @chain
// CHECK-SAME: (%{{.*}}: !tile.ptr<f32>, %{{.*}}: !tile.ptr<f32>, %{{.*}}: i32, %[[N:.*]]: i32, %{{.*}}: i64, %[[ALPHA:.*]]: f32)
tile.kernel @chain(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %m: i32, %n: i32, %ld: i64, %alpha: f32) form = program threads = 128 {
  // CHECK: %[[V:.*]] = tile.view
  %V = tile.view %p [%m, %m] strides [%ld] : !tile.ptr<f32> -> !matrix
  // CHECK: %[[B:.*]] = tile.view
  %B = tile.view %q [%m] : !tile.ptr<f32> -> !tile.view<?xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: %[[LOOP:.*]] = scf.for
  %zero = tile.zero : tensor<64x64xf32, #acc>
  %acc = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero) -> (tensor<64x64xf32, #acc>) : i32 {
    scf.yield %x : tensor<64x64xf32, #acc>
  }
  // A row vector, reduced along the columns outside the chain, stays whole.
  // CHECK: %[[SUM:.*]] = tile.reduce add %[[LOOP]] along 1
  %sum = tile.reduce add %acc along 1 : tensor<64x64xf32, #acc> -> tensor<64xf32, #row>
  // CHECK-NOT: arith.mulf
  // CHECK: scf.for %[[J:.*]] = %c0{{.*}} to %c4{{.*}} step %c1{{.*}} : i32 {
  // CHECK: %[[COLUMN:.*]] = arith.muli %[[J]], %c16
  // CHECK: %[[NJ:.*]] = arith.addi %[[N]], %[[COLUMN]]
  %av = tile.splat %alpha : f32 -> tensor<64x64xf32, #acc>
  %x0 = arith.mulf %acc, %av : tensor<64x64xf32, #acc>
  // A column vector is loaded slice by slice.
  %bv = tile.load %B[%n] via direct : !tile.view<?xf32> -> tensor<64xf32, #col>
  %be = math.exp2 %bv : tensor<64xf32, #col>
  %bb = tile.broadcast %be along 0 : tensor<64xf32, #col> -> tensor<64x64xf32, #acc>
  %x1 = arith.addf %x0, %bb : tensor<64x64xf32, #acc>
  %sb = tile.broadcast %sum along 1 : tensor<64xf32, #row> -> tensor<64x64xf32, #acc>
  %x2 = arith.divf %x1, %sb : tensor<64x64xf32, #acc>
  // Coordinates count from the tile's first column.
  %c = tile.coord 1 : tensor<64x64xi32, #acc>
  %d = tile.coord 1 offset %n : tensor<64x64xi32, #acc>
  %lt = arith.cmpi slt, %c, %d : tensor<64x64xi32, #acc>
  %r = tile.coord 0 offset %n : tensor<64x64xi32, #acc>
  %seven = arith.constant dense<7> : tensor<64x64xi32, #acc>
  %ne = arith.cmpi ne, %r, %seven : tensor<64x64xi32, #acc>
  %and = arith.andi %lt, %ne : tensor<64x64xi1, #acc>
  %y = arith.select %and, %x2, %zero : tensor<64x64xi1, #acc>, tensor<64x64xf32, #acc>
  // The condition comes first, for it is the first operand.
  // CHECK: %[[C:.*]] = tile.coord 1 offset %[[COLUMN]] : tensor<64x16xi32, #[[ACC]]>
  // CHECK: %[[D:.*]] = tile.coord 1 offset %[[NJ]] : tensor<64x16xi32, #[[ACC]]>
  // CHECK: %[[EQ:.*]] = arith.cmpi slt, %[[C]], %[[D]]
  // CHECK: %[[R:.*]] = tile.coord 0 offset %[[N]] : tensor<64x16xi32, #[[ACC]]>
  // CHECK: %[[SEVEN:.*]] = arith.constant dense<7> : tensor<64x16xi32, #[[ACC]]>
  // CHECK: %[[NE:.*]] = arith.cmpi ne, %[[R]], %[[SEVEN]]
  // CHECK: %[[AND:.*]] = arith.andi %[[EQ]], %[[NE]]
  // CHECK: %[[E:.*]] = tile.extract %[[LOOP]] columns %[[COLUMN]] : tensor<64x64xf32, #[[ACC]]> -> tensor<64x16xf32, #[[ACC]]>
  // CHECK: %[[A:.*]] = tile.splat %[[ALPHA]] : f32 -> tensor<64x16xf32, #[[ACC]]>
  // CHECK: %[[X0:.*]] = arith.mulf %[[E]], %[[A]] : tensor<64x16xf32, #[[ACC]]>
  // CHECK: %[[BV:.*]] = tile.load %[[B]][%[[NJ]]] via direct : {{.*}} -> tensor<16xf32, #tile.slice<0, #[[ACC]]>>
  // CHECK: %[[EX:.*]] = math.exp2 %[[BV]] : tensor<16xf32, #tile.slice<0, #[[ACC]]>>
  // CHECK: %[[BB:.*]] = tile.broadcast %[[EX]] along 0 : tensor<16xf32, {{.*}}> -> tensor<64x16xf32, #[[ACC]]>
  // CHECK: %[[X1:.*]] = arith.addf %[[X0]], %[[BB]]
  // CHECK: %[[SB:.*]] = tile.broadcast %[[SUM]] along 1 : tensor<64xf32, {{.*}}> -> tensor<64x16xf32, #[[ACC]]>
  // CHECK: %[[X2:.*]] = arith.divf %[[X1]], %[[SB]]
  // CHECK: %[[Z:.*]] = tile.zero : tensor<64x16xf32, #[[ACC]]>
  // CHECK: %[[Y:.*]] = arith.select %[[AND]], %[[X2]], %[[Z]]
  // CHECK: tile.store %[[Y]], %[[V]][%[[N]], %[[NJ]]] via direct : tensor<64x16xf32, #[[ACC]]>
  // CHECK-NEXT: } {tw.unroll}
  tile.store %y, %V[%n, %n] via direct subtile 16 : tensor<64x64xf32, #acc>, !matrix
  // CHECK-NOT: tile.store
}

// One sub-tile is the whole tile: nothing to cut.
// CHECK-LABEL: tile.kernel @whole
tile.kernel @whole(%p: !tile.ptr<f32>, %m: i32, %n: i32, %ld: i64, %alpha: f32) form = program threads = 128 {
  %V = tile.view %p [%m, %m] strides [%ld] : !tile.ptr<f32> -> !matrix
  %x = tile.splat %alpha : f32 -> tensor<64x64xf32, #acc>
  // CHECK-NOT: scf.for
  // CHECK: tile.store {{.*}} via direct : tensor<64x64xf32, #[[ACC]]>
  tile.store %x, %V[%n, %n] via direct subtile 64 : tensor<64x64xf32, #acc>, !matrix
}

// Leading coordinates of a view of higher rank stay.
// CHECK-LABEL: tile.kernel @batched
// CHECK-SAME: (%{{.*}}: !tile.ptr<f32>, %{{.*}}: i32, %[[N:.*]]: i32
tile.kernel @batched(%p: !tile.ptr<f32>, %m: i32, %n: i32, %ld: i64) form = program threads = 128 {
  %V = tile.view %p [%m, %m, %m] strides [%ld, %ld] : !tile.ptr<f32> -> !tile.view<?x?x?xf32>
  // CHECK: %[[COLUMN:.*]] = arith.addi %[[N]]
  // CHECK: %[[X:.*]] = tile.load %{{.*}}[%[[N]], %[[N]], %[[COLUMN]]] via direct : {{.*}} -> tensor<64x8xf32, #[[ACC]]>
  // CHECK: %[[Y:.*]] = arith.negf %[[X]]
  // CHECK: tile.store %[[Y]], %{{.*}}[%[[N]], %[[N]], %[[COLUMN]]] via direct : tensor<64x8xf32, #[[ACC]]>
  %x = tile.load %V[%n, %n, %n] via direct : !tile.view<?x?x?xf32> -> tensor<64x64xf32, #acc>
  %y = arith.negf %x : tensor<64x64xf32, #acc>
  tile.store %y, %V[%n, %n, %n] via direct subtile 8 : tensor<64x64xf32, #acc>, !tile.view<?x?x?xf32>
}
