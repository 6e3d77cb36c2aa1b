// RUN: tw-opt %s --tile-rotate | FileCheck %s

// Where no step lags, an order puts the steps of each trip in its sequence; there is nothing to
// peel off, and turns are taken in every trip.
#acc = #tile.acc<wgs = [1, 1]>
!tile = tensor<64x8xf32, #acc>
!view = !tile.view<?x?xf32, align = 4>

// CHECK-LABEL: tile.kernel @in_order
tile.kernel @in_order(%a: !tile.ptr<f32>, %hi: i32, %n: i32, %ld: i64) form = program
    roles = [#tile.role<mma, warpgroups = 2, split = tiles>] {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  %zero = tile.zero : !tile
  %turn = tile.turn among @mma
  // CHECK: %[[ZERO:.+]] = tile.zero
  // CHECK-NOT: scf.if
  // CHECK: %[[SUM:.+]] = tile.for %[[I:[^ ]+]] = %[[C0:.+]] to %[[HI:.+]] step %{{.+}} ranges("a" : %[[C0]] to %[[HI]]) iter_args(%[[S:.+]] = %[[ZERO]])
  // CHECK-NEXT: tile.turn_wait
  // CHECK-NEXT: %[[Y:.+]] = tile.load %{{.+}}[%{{.+}}, %[[I]]]
  // CHECK-NEXT: tile.turn_pass
  // CHECK-NEXT: %[[X:.+]] = tile.load %{{.+}}[%[[I]], %[[I]]]
  // CHECK-NEXT: %[[P:.+]] = arith.mulf %[[X]], %[[Y]]
  // CHECK-NEXT: %[[T:.+]] = arith.addf %[[S]], %[[P]]
  // CHECK-NEXT: tile.yield %[[T]]
  // CHECK-NEXT: }{{$}}
  %sum = tile.for %i = %c0 to %hi step %c1 ranges("a" : %c0 to %hi)
      order [#tile.at<"turn_wait">, #tile.at<"right">, #tile.at<"turn_pass">, #tile.at<"left">, #tile.at<"add">] turn(%turn)
      iter_args(%s = %zero) -> (!tile) {
    %x = tile.step "left" -> (!tile) {
      %l = tile.load %A[%i, %i] via direct : !view -> !tile
      tile.yield %l : !tile
    }
    %y = tile.step "right" -> (!tile) {
      %l = tile.load %A[%c0, %i] via direct : !view -> !tile
      tile.yield %l : !tile
    }
    %z = tile.step "add" -> (!tile) {
      %p = arith.mulf %x, %y : !tile
      %t = arith.addf %s, %p : !tile
      tile.yield %t : !tile
    }
    tile.yield %z : !tile
  }
  // CHECK: tile.store %[[SUM]]
  tile.store %sum, %A[%c0, %c0] via direct : !tile, !view
}
