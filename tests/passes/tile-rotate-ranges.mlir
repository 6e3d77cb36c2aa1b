// RUN: tw-opt %s --tile-rotate | FileCheck %s

// The rotated loop begins with the second trip: ranges are clamped to it. Skippable work stays
// skippable where a step runs for the trip that the loop counts; in the prologue, the epilogue and
// in steps that lag it is done, which is always right.
#acc = #tile.acc<wgs = [1, 1]>
!tile = tensor<64x8xf32, #acc>
!view = !tile.view<?x?xf32, align = 4>

// CHECK-LABEL: tile.kernel @ranges
tile.kernel @ranges(%a: !tile.ptr<f32>, %hi: i32, %x: i32, %y: i32, %n: i32, %ld: i64) form = program {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  %one = arith.constant dense<1.0> : !tile
  // CHECK: tile.view
  // CHECK: scf.if
  // CHECK-NOT: tile.skippable
  // CHECK: tile.load
  // CHECK-NEXT: arith.addf
  // CHECK-NOT: tile.skippable
  // CHECK: %[[SECOND:.+]] = arith.addi
  // CHECK-DAG: %[[X:.+]] = arith.maxsi %{{.+}}, %[[SECOND]]
  // CHECK-DAG: %[[Y:.+]] = arith.maxsi %{{.+}}, %[[SECOND]]
  // CHECK: tile.for %{{.+}} = %[[SECOND]] to %[[HI:.+]] step %{{.+}} ranges("edge" : %[[SECOND]] to %[[X]], "interior" : %[[X]] to %[[Y]], "left" : %[[Y]] to %[[HI]])
  // CHECK: %[[L:.+]] = tile.load
  // CHECK: tile.skippable in ["interior", "left"](%[[L]])
  // CHECK: tile.yield
  // CHECK-NOT: tile.skippable
  // CHECK: arith.mulf
  // CHECK: tile.store
  // CHECK: tile.yield
  // CHECK-NOT: tile.skippable
  // CHECK: arith.mulf
  // CHECK: tile.store
  tile.for %i = %c0 to %hi step %c1 ranges("edge" : %c0 to %x, "interior" : %x to %y, "left" : %y to %hi)
      order [#tile.at<"load">, #tile.at<"store", 1>] {
    %v = tile.step "load" -> (!tile) {
      %l = tile.load %A[%i, %i] via direct : !view -> !tile
      %m = tile.skippable in ["interior", "left"] (%l) : !tile {
        %s = arith.addf %l, %one : !tile
        tile.yield %s : !tile
      }
      tile.yield %m : !tile
    }
    tile.step "store" {
      %m = tile.skippable in ["edge"] (%v) : !tile {
        %s = arith.mulf %v, %one : !tile
        tile.yield %s : !tile
      }
      tile.store %m, %A[%i, %c0] via direct : !tile, !view
      tile.yield
    }
  }
}

// A range that ends where the loop begins stays empty.
// CHECK-LABEL: tile.kernel @empty
tile.kernel @empty(%a: !tile.ptr<f32>, %hi: i32, %n: i32, %ld: i64) form = program {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  // CHECK: %[[SECOND:.+]] = arith.addi
  // CHECK-NEXT: tile.for %{{.+}} = %[[SECOND]] to %[[HI:.+]] step %{{.+}} ranges("none" : %[[SECOND]] to %[[SECOND]], "all" : %[[SECOND]] to %[[HI]])
  tile.for %i = %c0 to %hi step %c1 ranges("none" : %c0 to %c0, "all" : %c0 to %hi)
      order [#tile.at<"load">, #tile.at<"store", 1>] {
    %v = tile.step "load" -> (!tile) {
      %l = tile.load %A[%i, %i] via direct : !view -> !tile
      tile.yield %l : !tile
    }
    tile.step "store" {
      tile.store %v, %A[%i, %c0] via direct : !tile, !view
      tile.yield
    }
  }
}
