// RUN: tw-opt %s --tile-split-epilogue | FileCheck %s
// A vector that is held is read once, ahead of the slices, and cut; what is computed from it alone is too.

#acc = #tile.acc<wgs = [1, 1]>
#col = #tile.slice<0, #acc>

// CHECK-DAG: #[[ACC:.*]] = #tile.acc
// CHECK-LABEL: tile.kernel @held
tile.kernel @held(%p: !tile.ptr<f32>, %q: !tile.ptr<bf16>, %n: i32, %ld: i64) form = program threads = 128 {
  %V = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %B = tile.view %q [%n] : !tile.ptr<bf16> -> !tile.view<?xbf16>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = tile.zero : tensor<64x64xf32, #acc>
  // CHECK: %[[SUM:.*]] = scf.for
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero) -> (tensor<64x64xf32, #acc>) : i32 {
    scf.yield %x : tensor<64x64xf32, #acc>
  }
  // CHECK: %[[B:.*]] = tile.load %{{.*}} via direct held
  // CHECK: %[[F:.*]] = arith.extf %[[B]]
  %b = tile.load %B[%n] via direct held : !tile.view<?xbf16> -> tensor<64xbf16, #col>
  %f = arith.extf %b : tensor<64xbf16, #col> to tensor<64xf32, #col>
  // CHECK: scf.for
  // CHECK: %[[COLUMN:.*]] = arith.muli
  // CHECK-NOT: tile.load
  // CHECK: tile.extract %[[SUM]] columns %[[COLUMN]]
  // CHECK: %[[PART:.*]] = tile.extract %[[F]] columns %[[COLUMN]] : tensor<64xf32, #tile.slice<0, #[[ACC]]>> -> tensor<16xf32, #tile.slice<0, #[[ACC]]>>
  // CHECK: tile.broadcast %[[PART]] along 0
  %r = tile.broadcast %f along 0 : tensor<64xf32, #col> -> tensor<64x64xf32, #acc>
  %y = arith.addf %sum, %r : tensor<64x64xf32, #acc>
  // CHECK: tile.store
  tile.store %y, %V[%c0, %c0] via direct subtile 16 : tensor<64x64xf32, #acc>, !tile.view<?x?xf32>
}
