// RUN: tw-opt %s --tile-rotate | FileCheck %s

// Turns are taken in the steady loop and nowhere else: all warpgroups run it equally often, and a
// prologue that waits would wait twice before it passes once.
#acc = #tile.acc<wgs = [1, 1]>
!tile = tensor<64x8xf32, #acc>
!view = !tile.view<?x?xf32, align = 4>

// CHECK-LABEL: tile.kernel @turns
tile.kernel @turns(%a: !tile.ptr<f32>, %hi: i32, %n: i32, %ld: i64) form = program
    roles = [#tile.role<mma, warpgroups = 2, split = tiles>] {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  // CHECK: %[[TURN:.+]] = tile.turn
  %turn = tile.turn among @mma
  // CHECK: scf.if
  // CHECK-NOT: tile.turn
  // CHECK: tile.load
  // CHECK-NOT: tile.turn
  // CHECK: tile.for
  // CHECK-NOT: turn(
  // CHECK: tile.turn_wait %[[TURN]]
  // CHECK: tile.load
  // CHECK-NOT: tile.turn
  // CHECK: tile.store
  // CHECK: tile.turn_pass %[[TURN]]
  // CHECK: tile.yield
  // CHECK-NOT: tile.turn
  // CHECK: tile.store
  // CHECK-NOT: tile.turn
  tile.for %i = %c0 to %hi step %c1
      order [#tile.at<"turn_wait">, #tile.at<"load">, #tile.at<"store", 1>, #tile.at<"turn_pass">] turn(%turn) {
    %x = tile.step "load" -> (!tile) {
      %l = tile.load %A[%i, %i] via direct : !view -> !tile
      tile.yield %l : !tile
    }
    tile.step "store" {
      tile.store %x, %A[%i, %c0] via direct : !tile, !view
      tile.yield
    }
  }
}
