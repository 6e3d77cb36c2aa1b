// RUN: tw-opt %s --tile-assign-roles | FileCheck %s
// A kernel whose threads all do the same has no roles: its tiles become a loop, the rest stays.

#blocked = #tile.blocked<threads = [4, 32], vec = 4>
!tile = tensor<4x128xf32, #blocked>
!view = !tile.view<?x?xf32, align = 16>

// CHECK-LABEL: tile.kernel @reduce
// CHECK-SAME: form = scheduled threads = 128
tile.kernel @reduce(%p: !tile.ptr<f32>, %d: !tile.ptr<f32>, %m: i32, %n: i32, %parts: i32, %ld: i64) form = program threads = 128 {
  %c0 = arith.constant 0 : i32
  %P = tile.view %p [%m, %n] strides [%ld] : !tile.ptr<f32> -> !view
  %D = tile.view %d [%m, %n] strides [%ld] : !tile.ptr<f32> -> !view
  // CHECK: %[[S:.*]] = tile.raster
  %s = tile.raster (%m by 4, %n by 128) order row : !tile.schedule<2>
  // CHECK-NEXT: %[[FIRST:.*]], %[[END:.*]], %[[STEP:.*]] = tile.schedule_range %[[S]]
  // CHECK-NEXT: scf.for %[[T:.*]] = %[[FIRST]] to %[[END]] step %[[STEP]]  : i32 {
  // CHECK-NEXT:   %[[AT:.*]]:2 = tile.decode %[[S]], %[[T]]
  // CHECK-NEXT:   %[[ONE:.*]] = arith.constant 1
  // CHECK-NEXT:   %[[ZERO:.*]] = tile.zero
  // CHECK-NEXT:   %[[SUM:.*]] = tile.for {{.*}} iter_args(%[[X:.*]] = %[[ZERO]])
  // CHECK:          %[[L:.*]] = tile.load {{.*}}, %[[AT]]#1] via direct
  // CHECK-NEXT:     arith.addf %[[X]], %[[L]]
  // CHECK:        tile.store %[[SUM]], %{{.*}}[%[[AT]]#0, %[[AT]]#1] via direct
  // CHECK-NOT: tile.roles
  tile.for_tiles (%mi, %ni) in %s : !tile.schedule<2> {
    %c1 = arith.constant 1 : i32
    %zero = tile.zero : !tile
    %sum = tile.for %i = %c0 to %parts step %c1 iter_args(%x = %zero) -> (!tile) {
      %skip = arith.muli %i, %m : i32
      %row = arith.addi %mi, %skip : i32
      %l = tile.load %P[%row, %ni] via direct : !view -> !tile
      %y = arith.addf %x, %l : !tile
      tile.yield %y : !tile
    }
    tile.store %sum, %D[%mi, %ni] via direct : !tile, !view
  }
}
