// RUN: tw-opt %s | tw-opt | FileCheck %s
// RUN: tw-opt %s --mlir-print-op-generic | tw-opt | FileCheck %s
// Loops, steps and turns of the program form.

// CHECK-LABEL: tile.kernel @loops
// CHECK-SAME: (%n: i32 {tile.name = "n"}, %x: f32 {tile.name = "x"})
tile.kernel @loops(%a: i32 {tile.name = "n"}, %b: f32 {tile.name = "x"}) form = program
    roles = [#tile.role<mma, warpgroups = 2>] {
  // CHECK: %[[C0:.*]] = arith.constant 0 : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: %[[TURN:.*]] = tile.turn among @mma
  %turn = tile.turn among @mma
  // CHECK: tile.turn_wait %[[TURN]]
  tile.turn_wait %turn
  // CHECK: tile.turn_pass %[[TURN]]
  tile.turn_pass %turn
  // CHECK: tile.for %{{.*}} = %[[C0]] to %n step %{{.*}} {
  // CHECK-NEXT: }
  tile.for %i = %c0 to %a step %c1 {
  }
  // CHECK: %{{.*}}:2 = tile.for %{{.*}} = %[[C0]] to %n step %{{.*}} iter_args(%[[X:.*]] = %x, %{{.*}} = %n) -> (f32, i32) attributes {note = "odd"} {
  // CHECK-NEXT: tile.yield %[[X]], %{{.*}} : f32, i32
  %r:2 = tile.for %i = %c0 to %a step %c1 iter_args(%x = %b, %y = %a) -> (f32, i32) attributes {note = "odd"} {
    tile.yield %x, %i : f32, i32
  }
  // CHECK: tile.for %{{.*}} = %[[C0]] to %n step %{{.*}} ranges("edge" : %[[C0]] to %[[C1:.*]], "the rest" : %[[C1]] to %n) order [#tile.at<"turn_wait">, #tile.at<"one">, #tile.at<"turn_pass">, #tile.at<"two", 1>] turn(%[[TURN]]) iter_args(%[[Y:.*]] = %x) -> (f32) {
  %s = tile.for %i = %c0 to %a step %c1 ranges("edge" : %c0 to %c1, "the rest" : %c1 to %a)
      order [#tile.at<"turn_wait", 0>, #tile.at<"one">, #tile.at<"turn_pass">, #tile.at<"two", 1>] turn(%turn) iter_args(%x = %b) -> (f32) {
    // CHECK: %[[ONE:.*]] = tile.step "one" -> (f32) {
    // CHECK-NEXT: tile.yield %[[Y]] : f32
    %one = tile.step "one" -> (f32) {
      tile.yield %x : f32
    }
    // CHECK: tile.step "two" {
    // CHECK-NEXT: tile.yield
    tile.step "two" {
      tile.yield
    }
    // CHECK: %[[PART:.*]] = tile.skippable in ["edge", "the rest"](%[[ONE]]) : f32 {
    %part = tile.skippable in ["edge", "the rest"] (%one) : f32 {
      tile.yield %one : f32
    }
    // CHECK: tile.yield %[[PART]] : f32
    tile.yield %part : f32
  }
  // CHECK: tile.for %{{.*}} ranges("all" : %[[C0]] to %n) {
  tile.for %i = %c0 to %a step %c1 ranges("all" : %c0 to %a) {
    tile.yield
  }
}
