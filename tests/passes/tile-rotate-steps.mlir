// RUN: tw-opt %s --tile-rotate | FileCheck %s

// Steps of a loop without an order, and steps outside of loops, are only names.
#acc = #tile.acc<wgs = [1, 1]>
!tile = tensor<64x8xf32, #acc>
!view = !tile.view<?x?xf32, align = 4>

// CHECK-LABEL: tile.kernel @names
tile.kernel @names(%a: !tile.ptr<f32>, %hi: i32, %n: i32, %ld: i64) form = program {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  // CHECK-NOT: tile.step
  // CHECK: tile.for %[[I:[^ ]+]] =
  // CHECK-NEXT: %[[X:.+]] = tile.load %{{.+}}[%[[I]], %[[I]]]
  // CHECK-NEXT: tile.store %[[X]]
  // CHECK-NOT: tile.step
  tile.for %i = %c0 to %hi step %c1 {
    %x = tile.step "outer" -> (!tile) {
      %y = tile.step "inner" -> (!tile) {
        %l = tile.load %A[%i, %i] via direct : !view -> !tile
        tile.yield %l : !tile
      }
      tile.yield %y : !tile
    }
    tile.store %x, %A[%i, %c0] via direct : !tile, !view
  }
  tile.step "after" {
    %l = tile.load %A[%c0, %c0] via direct : !view -> !tile
    tile.store %l, %A[%c1, %c1] via direct : !tile, !view
    tile.yield
  }
}
