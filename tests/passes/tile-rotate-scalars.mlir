// RUN: tw-opt %s --tile-rotate | FileCheck %s

// Pure scalars beside the steps are computed for each iteration that needs them, once in each.
#acc = #tile.acc<wgs = [1, 1]>
!tile = tensor<64x8xf32, #acc>
!view = !tile.view<?x?xf32, align = 4>

// CHECK-LABEL: tile.kernel @scalars
tile.kernel @scalars(%a: !tile.ptr<f32>, %hi: i32, %last: i32, %n: i32, %ld: i64) form = program {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  // CHECK: scf.if
  // CHECK: %[[B0:.+]] = arith.subi %[[LAST:.+]], %[[C0:.+]] : i32
  // CHECK-NEXT: %[[J0:.+]] = arith.muli %[[B0]], %[[C8:.+]] : i32
  // CHECK-NEXT: tile.load %{{.+}}[%[[J0]], %[[B0]]]
  // CHECK: tile.for %[[I:[^ ]+]] = %
  // CHECK-NEXT: %[[BEFORE:.+]] = arith.subi %[[I]], %{{.+}}
  // CHECK-NEXT: %[[B:.+]] = arith.subi %[[LAST]], %[[I]]
  // CHECK-NEXT: %[[J:.+]] = arith.muli %[[B]], %[[C8]]
  // CHECK-NEXT: tile.load %{{.+}}[%[[J]], %[[B]]]
  // CHECK-NEXT: %[[OLDB:.+]] = arith.subi %[[LAST]], %[[BEFORE]]
  // CHECK-NEXT: %[[OLDJ:.+]] = arith.muli %[[OLDB]], %[[C8]]
  // CHECK-NEXT: tile.store %{{.+}}, %{{.+}}[%[[OLDJ]], %[[C0]]]
  tile.for %i = %c0 to %hi step %c1 order [#tile.at<"load">, #tile.at<"store", 1>] {
    %block = arith.subi %last, %i : i32
    %j = arith.muli %block, %c8 : i32
    %x = tile.step "load" -> (!tile) {
      %l = tile.load %A[%j, %block] via direct : !view -> !tile
      tile.yield %l : !tile
    }
    tile.step "store" {
      tile.store %x, %A[%j, %c0] via direct : !tile, !view
      tile.yield
    }
  }
}

// Steps that capture values in their own regions, and scalars that loops carry.
// CHECK-LABEL: tile.kernel @inner_regions
tile.kernel @inner_regions(%a: !tile.ptr<f32>, %hi: i32, %n: i32, %ld: i64) form = program {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  // CHECK: tile.for %[[I:[^ ]+]] = %{{.+}} iter_args(%[[X:.+]] = %{{.+}}, %[[OLD:.+]] = %[[C0:.+]])
  // CHECK: %[[BEFORE:.+]] = arith.subi %[[I]]
  // CHECK: %[[P:.+]] = arith.addi %[[OLD]], %{{.+}}
  // CHECK: tile.load %{{.+}}[%[[I]], %[[P]]]
  // CHECK: tile.for
  // CHECK: tile.store %[[X]], %{{.+}}[%[[BEFORE]], %[[OLD]]]
  // CHECK: tile.yield %{{.+}}, %[[P]]
  %r = tile.for %i = %c0 to %hi step %c1 order [#tile.at<"load">, #tile.at<"store", 1>] iter_args(%p = %c0) -> (i32) {
    %next = arith.addi %p, %c1 : i32
    %x = tile.step "load" -> (!tile) {
      %l = tile.load %A[%i, %p] via direct : !view -> !tile
      tile.yield %l : !tile
    }
    tile.step "store" {
      tile.for %k = %c0 to %c1 step %c1 {
        tile.store %x, %A[%i, %p] via direct : !tile, !view
      }
      tile.yield
    }
    tile.yield %next : i32
  }
}
