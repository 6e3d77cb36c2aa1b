// RUN: tw-opt %s --tile-split-ranges | FileCheck %s

// Every tile.for becomes scf.for: with what it carries, its directives for the unrolling.
#acc = #tile.acc<wgs = [1, 1]>
!tile = tensor<64x8xf32, #acc>
!view = !tile.view<?x?xf32, align = 4>

// CHECK-LABEL: tile.kernel @plain
tile.kernel @plain(%a: !tile.ptr<f32>, %lo: i32, %hi: i32, %n: i32, %ld: i64) form = program {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  %zero = tile.zero : !tile
  // CHECK: %[[SUM:.+]] = scf.for %[[I:.+]] = %[[LO:.+]] to %[[HI:.+]] step %{{.+}} iter_args(%[[S:.+]] = %{{.+}}) -> (tensor<64x8xf32, #{{.+}}>) : i32 {
  // CHECK-NEXT: %[[L:.+]] = tile.load %{{.+}}[%[[I]], %[[I]]]
  // CHECK-NEXT: %[[T:.+]] = arith.addf %[[S]], %[[L]]
  // CHECK-NEXT: scf.yield %[[T]]
  // CHECK-NEXT: } {tw.unroll}
  %sum = tile.for %i = %lo to %hi step %c8 iter_args(%s = %zero) -> (!tile) attributes {tw.unroll} {
    %l = tile.load %A[%i, %i] via direct : !view -> !tile
    %t = arith.addf %s, %l : !tile
    tile.yield %t : !tile
  }
  // CHECK-NEXT: tile.store %[[SUM]]
  tile.store %sum, %A[%c0, %c0] via direct : !tile, !view
}

// Ranges of a loop that may skip nothing are one loop.
// CHECK-LABEL: tile.kernel @nothing_to_skip
// CHECK-SAME: (%{{.+}}: !tile.ptr<f32>, %{{.+}}: i32, %[[HI:.+]]: i32, %{{.+}}: i32, %{{.+}}: i64)
tile.kernel @nothing_to_skip(%a: !tile.ptr<f32>, %mid: i32, %hi: i32, %n: i32, %ld: i64) form = program {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  // CHECK: scf.for %{{.+}} = %{{.+}} to %[[HI]] step
  // CHECK-NOT: scf.for
  tile.for %i = %c0 to %hi step %c8 ranges("edge" : %c0 to %mid, "interior" : %mid to %hi) {
    %l = tile.load %A[%i, %i] via direct : !view -> !tile
    tile.store %l, %A[%c0, %i] via direct : !tile, !view
  }
}
