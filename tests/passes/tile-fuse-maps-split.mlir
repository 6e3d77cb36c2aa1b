// RUN: tw-opt %s --tile-fuse-maps | FileCheck %s
// Where one map ends and another begins.

#acc = #tile.acc<wgs = [1, 1]>
#row = #tile.slice<1, #acc>
!matrix = !tile.view<?x?xf32>
!t = tensor<64x64xf32, #acc>

// Two results of one piece of work that are both wanted behind it: one map.
// CHECK-LABEL: tile.kernel @two_results
tile.kernel @two_results(%p: !tile.ptr<f32>, %m: i32, %n: i32, %ld: i64) form = program threads = 128 {
  %V = tile.view %p [%m, %m] strides [%ld] : !tile.ptr<f32> -> !matrix
  %c0 = arith.constant 0 : i32
  %x = tile.load %V[%c0, %c0] via direct : !matrix -> !t
  // CHECK: %[[R:.*]]:2 = tile.map ins() -> tensor<64x64xf32, {{.*}}>, tensor<64x64xf32, {{.*}}> {
  // CHECK: %[[E:.*]] = math.exp2
  // CHECK: %[[S:.*]] = math.sin %[[E]]
  // CHECK: %[[C:.*]] = math.cos %[[E]]
  // CHECK: tile.yield %[[S]], %[[C]]
  %e = math.exp2 %x : !t
  %s = math.sin %e : !t
  %c = math.cos %e : !t
  // CHECK: tile.store %[[R]]#0
  // CHECK: tile.store %[[R]]#1
  tile.store %s, %V[%c0, %c0] via direct : !t, !matrix
  tile.store %c, %V[%n, %c0] via direct : !t, !matrix
}

// What two maps need that cannot be one (a store stands between) is a map of its own, held in registers.
// CHECK-LABEL: tile.kernel @shared_work
tile.kernel @shared_work(%p: !tile.ptr<f32>, %m: i32, %n: i32, %ld: i64) form = program threads = 128 {
  %V = tile.view %p [%m, %m] strides [%ld] : !tile.ptr<f32> -> !matrix
  %c0 = arith.constant 0 : i32
  %x = tile.load %V[%c0, %c0] via direct : !matrix -> !t
  // CHECK: %[[E:.*]] = tile.map ins()
  // CHECK: math.exp2
  %e = math.exp2 %x : !t
  // CHECK: %[[S:.*]] = tile.map ins(%[[E]])
  // CHECK: tile.store %[[S]]
  %s = math.sin %e : !t
  tile.store %s, %V[%c0, %c0] via direct : !t, !matrix
  // CHECK: %[[C:.*]] = tile.map ins(%[[E]])
  // CHECK: tile.store %[[C]]
  %c = math.cos %e : !t
  tile.store %c, %V[%n, %c0] via direct : !t, !matrix
}

// A tile that a reduction needs exists; the rest of the work starts from it.
// CHECK-LABEL: tile.kernel @softmax
tile.kernel @softmax(%p: !tile.ptr<f32>, %m: i32, %n: i32, %ld: i64) form = program threads = 128 {
  %V = tile.view %p [%m, %m] strides [%ld] : !tile.ptr<f32> -> !matrix
  %c0 = arith.constant 0 : i32
  // A load that a reduction needs stays a load.
  // CHECK: %[[X:.*]] = tile.load
  %x = tile.load %V[%c0, %c0] via direct : !matrix -> !t
  // CHECK: %[[MAX:.*]] = tile.reduce max %[[X]]
  %max = tile.reduce max %x along 1 : !t -> tensor<64xf32, #row>
  %mb = tile.broadcast %max along 1 : tensor<64xf32, #row> -> !t
  // CHECK: %[[E:.*]] = tile.map ins(%[[X]], %[[MAX]])
  // CHECK: %[[D:.*]] = arith.subf
  // CHECK: math.exp2 %[[D]]
  %d = arith.subf %x, %mb : !t
  %e = math.exp2 %d : !t
  // CHECK: %[[SUM:.*]] = tile.reduce add %[[E]]
  %sum = tile.reduce add %e along 1 : !t -> tensor<64xf32, #row>
  %sb = tile.broadcast %sum along 1 : tensor<64xf32, #row> -> !t
  // CHECK: %[[Y:.*]] = tile.map ins(%[[E]], %[[SUM]])
  // CHECK: arith.divf
  // CHECK: tile.store %[[Y]]
  %y = arith.divf %e, %sb : !t
  tile.store %y, %V[%c0, %c0] via direct : !t, !matrix
}

// Work stays outside the loop that uses it; what is free goes in, however far up it was hoisted.
// CHECK-LABEL: tile.kernel @loop
tile.kernel @loop(%p: !tile.ptr<f32>, %m: i32, %n: i32, %ld: i64, %alpha: f32) form = program threads = 128 {
  %V = tile.view %p [%m, %m] strides [%ld] : !tile.ptr<f32> -> !matrix
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %col = tile.coord 1 : tensor<64x64xi32, #acc>
  %lim = tile.splat %n : i32 -> tensor<64x64xi32, #acc>
  %mask = arith.cmpi slt, %col, %lim : tensor<64x64xi32, #acc>
  // A loop's start value that is no zero is a map.
  // CHECK: %[[INIT:.*]] = tile.map ins() -> tensor<64x64xf32
  // CHECK-NEXT: ^bb0
  // CHECK-NEXT: tile.yield %{{.*}} : f32
  %init = tile.splat %alpha : f32 -> !t
  // CHECK: %[[X:.*]] = tile.load
  %x = tile.load %V[%c0, %c0] via direct : !matrix -> !t
  // CHECK: %[[E:.*]] = tile.map ins()
  // CHECK: math.exp2
  %e = math.exp2 %x : !t
  // CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[INIT]])
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init) -> (!t) : i32 {
    // The load would be repeated in each iteration: it is held.
    // CHECK: %[[NEXT:.*]] = tile.map ins(%[[ACC]], %[[E]], %[[X]])
    // CHECK: arith.cmpi
    // CHECK: arith.select
    // CHECK: scf.yield %[[NEXT]]
    %s = arith.addf %acc, %e : !t
    %kept = arith.select %mask, %s, %x : tensor<64x64xi1, #acc>, !t
    scf.yield %kept : !t
  }
  tile.store %y, %V[%c0, %c0] via direct : !t, !matrix
}

// A load is not read later than a write that may change it.
// CHECK-LABEL: tile.kernel @overwritten
tile.kernel @overwritten(%p: !tile.ptr<f32>, %m: i32, %n: i32, %ld: i64) form = program threads = 128 {
  %V = tile.view %p [%m, %m] strides [%ld] : !tile.ptr<f32> -> !matrix
  %c0 = arith.constant 0 : i32
  // CHECK: %[[X:.*]] = tile.load
  %x = tile.load %V[%c0, %c0] via direct : !matrix -> !t
  %z = tile.zero : !t
  tile.store %z, %V[%c0, %c0] via direct : !t, !matrix
  // CHECK: tile.map ins(%[[X]])
  %y = arith.negf %x : !t
  tile.store %y, %V[%n, %c0] via direct : !t, !matrix
}

// Work on register tiles keeps its place among waits; what is only read moves to its use.
// CHECK-LABEL: tile.kernel @waits
tile.kernel @waits(%p: !tile.ptr<f32>, %m: i32, %n: i32, %ld: i64) form = program threads = 128 {
  %V = tile.view %p [%m, %m] strides [%ld] : !tile.ptr<f32> -> !matrix
  %c0 = arith.constant 0 : i32
  %x = tile.load %V[%c0, %c0] via direct : !matrix -> tensor<64x128xf32, #acc>
  %part = tile.extract %x columns %c0 : tensor<64x128xf32, #acc> -> !t
  %r = tile.load %V[%c0, %c0] via direct : !matrix -> !t
  %re = math.exp2 %r : !t
  // CHECK: %[[D:.*]] = tile.map ins(%{{.*}})
  // CHECK: math.sin
  %d = math.sin %part : !t
  // CHECK: tile.pdl_wait
  tile.pdl_wait
  // CHECK: tile.map ins(%[[D]])
  // CHECK: math.exp2
  // CHECK: arith.addf
  %y = arith.addf %d, %re : !t
  tile.store %y, %V[%n, %c0] via direct : !t, !matrix
}

// Cheap work on what is read is repeated rather than held; a transcendental function is not.
// CHECK-LABEL: tile.kernel @repeated
tile.kernel @repeated(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %m: i32, %n: i32, %ld: i64) form = program threads = 128 {
  %V = tile.view %p [%m, %m] strides [%ld] : !tile.ptr<f32> -> !matrix
  %c0 = arith.constant 0 : i32
  %x = tile.load %V[%c0, %c0] via direct : !matrix -> !t
  %h = arith.mulf %x, %x : !t
  // CHECK: tile.map ins() -> tensor<64xf32
  // CHECK: %[[A:.*]] = tile.map ins(%{{.*}})
  // CHECK: tile.read
  // CHECK: arith.mulf
  %v = tile.splat %ld : i64 -> tensor<64xi64, #row>
  %f = arith.sitofp %v : tensor<64xi64, #row> to tensor<64xf32, #row>
  %g = math.exp2 %f : tensor<64xf32, #row>
  %gb = tile.broadcast %g along 1 : tensor<64xf32, #row> -> !t
  %a = math.powf %h, %gb : !t
  %max = tile.reduce max %a along 1 : !t -> tensor<64xf32, #row>
  %mb = tile.broadcast %max along 1 : tensor<64xf32, #row> -> !t
  // CHECK: tile.map ins(%[[A]], %{{.*}})
  // CHECK: tile.read
  // CHECK: arith.mulf
  %b0 = arith.divf %a, %mb : !t
  %b = arith.divf %b0, %h : !t
  tile.store %b, %V[%n, %c0] via direct : !t, !matrix
}
