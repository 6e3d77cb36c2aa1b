// RUN: tw-opt %s --tile-rotate | FileCheck %s

// A step of lag 1 runs for the iteration before: prologue, steady loop and epilogue, guarded.
#acc = #tile.acc<wgs = [1, 1]>
!tile = tensor<64x8xf32, #acc>
!view = !tile.view<?x?xf32, align = 4>

// CHECK-LABEL: tile.kernel @lag
tile.kernel @lag(%a: !tile.ptr<f32>, %d: !tile.ptr<f32>, %lo: i32, %hi: i32, %n: i32, %ld: i64) form = program {
  %c8 = arith.constant 8 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  %D = tile.view %d [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  %zero = tile.zero : !tile
  // Without a trip the loop hands on what it was given.
  // CHECK: %[[ZERO:.+]] = tile.zero
  // CHECK: %[[SOME:.+]] = arith.cmpi slt, %[[LO:.+]], %[[HI:.+]] : i32
  // CHECK: %[[RESULT:.+]] = scf.if %[[SOME]]
  //
  // The first trip's load, then for each later trip its load before the sum of the trip before.
  // CHECK: %[[FIRST:.+]] = tile.load %{{.+}}[%[[LO]], %[[LO]]]
  // CHECK: %[[SECOND:.+]] = arith.addi %[[LO]], %[[STEP:.+]] : i32
  // CHECK: %[[LOOP:.+]]:2 = tile.for %[[I:[^ ]+]] = %[[SECOND]] to %[[HI]] step %[[STEP]] iter_args(%[[HELD:.+]] = %[[FIRST]], %[[SUM:.+]] = %[[ZERO]])
  // CHECK-NOT: order
  // CHECK: %[[BEFORE:.+]] = arith.subi %[[I]], %[[STEP]]
  // CHECK: %[[NEXT:.+]] = tile.load %{{.+}}[%[[I]], %[[I]]]
  // CHECK: %[[NEWSUM:.+]] = arith.addf %[[SUM]], %[[HELD]]
  // CHECK: tile.store %[[NEWSUM]], %{{.+}}[%[[BEFORE]], %[[BEFORE]]]
  // CHECK: tile.yield %[[NEXT]], %[[NEWSUM]]
  //
  // The last trip's sum; its counter is the last one below the bound.
  // CHECK: %[[LENGTH:.+]] = arith.subi %[[HI]], %[[LO]]
  // CHECK: %[[SPAN:.+]] = arith.subi %[[LENGTH]], %{{.+}}
  // CHECK: %[[STEPS:.+]] = arith.divsi %[[SPAN]], %[[STEP]]
  // CHECK: %[[WHOLE:.+]] = arith.muli %[[STEPS]], %[[STEP]]
  // CHECK: %[[LAST:.+]] = arith.addi %[[LO]], %[[WHOLE]]
  // CHECK: %[[LASTSUM:.+]] = arith.addf %[[LOOP]]#1, %[[LOOP]]#0
  // CHECK: tile.store %[[LASTSUM]], %{{.+}}[%[[LAST]], %[[LAST]]]
  // CHECK: scf.yield %[[LASTSUM]]
  // CHECK: else
  // CHECK: scf.yield %[[ZERO]]
  %sum = tile.for %i = %lo to %hi step %c8 order [#tile.at<"load", 0>, #tile.at<"add", 1>] iter_args(%s = %zero) -> (!tile) {
    %x = tile.step "load" -> (!tile) {
      %l = tile.load %A[%i, %i] via direct : !view -> !tile
      tile.yield %l : !tile
    }
    %y = tile.step "add" -> (!tile) {
      %t = arith.addf %s, %x : !tile
      tile.store %t, %D[%i, %i] via direct : !tile, !view
      tile.yield %t : !tile
    }
    tile.yield %y : !tile
  }
  // CHECK: tile.store %[[RESULT]]
  tile.store %sum, %D[%lo, %lo] via direct : !tile, !view
}

// What a lagging step reads of the loop's own values is what they were for its iteration.
// CHECK-LABEL: tile.kernel @old_value
tile.kernel @old_value(%d: !tile.ptr<f32>, %hi: i32, %n: i32, %ld: i64) form = program {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %D = tile.view %d [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  %zero = tile.zero : !tile
  %one = arith.constant dense<1.0> : !tile
  // CHECK: %[[ZERO:.+]] = tile.zero
  // CHECK: %[[ONE:.+]] = arith.constant dense<1.0
  // CHECK: scf.if
  // CHECK: %[[X0:.+]] = arith.addf %[[ZERO]], %[[ONE]]
  // CHECK: tile.for %{{.+}} iter_args(%[[X:.+]] = %[[X0]], %[[OLD:.+]] = %[[ZERO]])
  // CHECK: %[[X1:.+]] = arith.addf %[[X]], %[[ONE]]
  // CHECK: %[[P:.+]] = arith.mulf %[[OLD]], %[[X]]
  // CHECK: tile.store %[[P]]
  // CHECK: tile.yield %[[X1]], %[[X]]
  %r = tile.for %i = %c0 to %hi step %c1 order [#tile.at<"count">, #tile.at<"use", 1>] iter_args(%v = %zero) -> (!tile) {
    %w = tile.step "count" -> (!tile) {
      %t = arith.addf %v, %one : !tile
      tile.yield %t : !tile
    }
    tile.step "use" {
      %p = arith.mulf %v, %w : !tile
      tile.store %p, %D[%i, %c0] via direct : !tile, !view
      tile.yield
    }
    tile.yield %w : !tile
  }
  tile.store %r, %D[%c0, %c0] via direct : !tile, !view
}
