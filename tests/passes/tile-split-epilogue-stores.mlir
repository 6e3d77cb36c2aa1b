// RUN: tw-opt %s --tile-split-epilogue | FileCheck %s
// Stores that follow each other with one `subtile` share a loop; others get loops of their own.

#acc = #tile.acc<wgs = [1, 1]>
!matrix = !tile.view<?x?xf32>
!t = tensor<64x64xf32, #acc>

// The activation and what it was computed from: the common part is computed once, and the residual, which is read
// between the stores, is read between their slices.
// CHECK-LABEL: tile.kernel @shared
tile.kernel @shared(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %r: !tile.ptr<f32>, %m: i32, %n: i32, %ld: i64) form = program threads = 128 {
  // CHECK: %[[AUX:.*]] = tile.view
  // CHECK: %[[D:.*]] = tile.view
  // CHECK: %[[R:.*]] = tile.view
  %Aux = tile.view %p [%m, %m] strides [%ld] : !tile.ptr<f32> -> !matrix
  %D = tile.view %q [%m, %m] strides [%ld] : !tile.ptr<f32> -> !matrix
  %R = tile.view %r [%m, %m] strides [%ld] : !tile.ptr<f32> -> !matrix
  %c0 = arith.constant 0 : i32
  // CHECK-COUNT-1: scf.for
  // CHECK: %[[X:.*]] = tile.load %[[R]]
  // CHECK: %[[Y:.*]] = math.exp2 %[[X]] : tensor<64x32xf32
  // CHECK: tile.store %[[Y]], %[[AUX]]
  // CHECK: %[[Z:.*]] = math.tanh %[[Y]] : tensor<64x32xf32
  // CHECK: %[[W:.*]] = tile.load %[[R]]
  // CHECK: %[[S:.*]] = arith.addf %[[Z]], %[[W]]
  // CHECK: tile.store %[[S]], %[[D]]
  // CHECK-NOT: scf.for
  %x = tile.load %R[%c0, %c0] via direct : !matrix -> !t
  %y = math.exp2 %x : !t
  tile.store %y, %Aux[%c0, %c0] via direct subtile 32 : !t, !matrix
  %z = math.tanh %y : !t
  %w = tile.load %R[%n, %c0] via direct : !matrix -> !t
  %s = arith.addf %z, %w : !t
  tile.store %s, %D[%c0, %c0] via direct subtile 32 : !t, !matrix
}

// A residual in place: what was read before the first store is read before its slice, even if only the second
// store's chain needs it.
// CHECK-LABEL: tile.kernel @in_place
tile.kernel @in_place(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %m: i32, %n: i32, %ld: i64) form = program threads = 128 {
  // CHECK: %[[C:.*]] = tile.view
  // CHECK: %[[D:.*]] = tile.view
  %C = tile.view %p [%m, %m] strides [%ld] : !tile.ptr<f32> -> !matrix
  %D = tile.view %q [%m, %m] strides [%ld] : !tile.ptr<f32> -> !matrix
  %c0 = arith.constant 0 : i32
  // CHECK: scf.for
  // CHECK: %[[ONE:.*]] = arith.constant dense
  // CHECK: %[[OLD:.*]] = tile.load %[[C]]
  // CHECK: tile.store %[[ONE]], %[[C]]
  // CHECK: tile.store %[[OLD]], %[[D]]
  %x = tile.load %C[%c0, %c0] via direct : !matrix -> !t
  %one = arith.constant dense<1.0> : !t
  tile.store %one, %C[%c0, %c0] via direct subtile 32 : !t, !matrix
  tile.store %x, %D[%c0, %c0] via direct subtile 32 : !t, !matrix
}

// Two widths, then a store of the whole tile between two that would fit together.
// CHECK-LABEL: tile.kernel @apart
tile.kernel @apart(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %m: i32, %n: i32, %ld: i64) form = program threads = 128 {
  %C = tile.view %p [%m, %m] strides [%ld] : !tile.ptr<f32> -> !matrix
  %D = tile.view %q [%m, %m] strides [%ld] : !tile.ptr<f32> -> !matrix
  %c0 = arith.constant 0 : i32
  %one = arith.constant dense<1.0> : !t
  // CHECK: scf.for
  // CHECK: tile.store {{.*}} tensor<64x32xf32
  // CHECK: scf.for
  // CHECK: tile.store {{.*}} tensor<64x16xf32
  // CHECK: tile.store {{.*}} tensor<64x64xf32
  // CHECK: scf.for
  // CHECK: tile.store {{.*}} tensor<64x16xf32
  tile.store %one, %C[%c0, %c0] via direct subtile 32 : !t, !matrix
  tile.store %one, %D[%c0, %c0] via direct subtile 16 : !t, !matrix
  tile.store %one, %C[%c0, %c0] via direct : !t, !matrix
  tile.store %one, %D[%c0, %c0] via direct subtile 16 : !t, !matrix
}

// A load of what the first store wrote, at another place, keeps the stores apart: the second loop reads after the first.
// CHECK-LABEL: tile.kernel @read_back
tile.kernel @read_back(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %m: i32, %n: i32, %ld: i64) form = program threads = 128 {
  %C = tile.view %p [%m, %m] strides [%ld] : !tile.ptr<f32> -> !matrix
  %D = tile.view %q [%m, %m] strides [%ld] : !tile.ptr<f32> -> !matrix
  %c0 = arith.constant 0 : i32
  %one = arith.constant dense<1.0> : !t
  // CHECK: scf.for
  // CHECK: tile.store
  // CHECK: scf.for
  // CHECK: tile.load
  // CHECK: tile.store
  tile.store %one, %C[%c0, %c0] via direct subtile 32 : !t, !matrix
  %x = tile.load %C[%c0, %n] via direct : !matrix -> !t
  tile.store %x, %D[%n, %c0] via direct subtile 32 : !t, !matrix
}

// So do two stores to one view at different columns: the later one must win where they overlap.
// CHECK-LABEL: tile.kernel @overlap
tile.kernel @overlap(%p: !tile.ptr<f32>, %m: i32, %n: i32, %ld: i64) form = program threads = 128 {
  %C = tile.view %p [%m, %m] strides [%ld] : !tile.ptr<f32> -> !matrix
  %c0 = arith.constant 0 : i32
  %c40 = arith.constant 40 : i32
  %one = arith.constant dense<1.0> : !t
  %two = arith.constant dense<2.0> : !t
  // CHECK: scf.for
  // CHECK: tile.store
  // CHECK: scf.for
  // CHECK: tile.store
  tile.store %one, %C[%c0, %c0] via direct subtile 32 : !t, !matrix
  tile.store %two, %C[%c0, %c40] via direct subtile 32 : !t, !matrix
}
