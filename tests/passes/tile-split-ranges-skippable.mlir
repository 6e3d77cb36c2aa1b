// RUN: tw-opt %s --tile-split-ranges | FileCheck %s

// A loop that may skip work is cut at its ranges: each piece does what its range does not skip.
#acc = #tile.acc<wgs = [1, 1]>
!tile = tensor<64x8xf32, #acc>
!view = !tile.view<?x?xf32, align = 4>

// CHECK-LABEL: tile.kernel @pieces
// CHECK-SAME: (%[[A:.+]]: !tile.ptr<f32>, %[[X:.+]]: i32, %[[Y:.+]]: i32, %[[HI:.+]]: i32, %{{.+}}: i32, %{{.+}}: i64)
tile.kernel @pieces(%a: !tile.ptr<f32>, %x: i32, %y: i32, %hi: i32, %n: i32, %ld: i64) form = program {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  %zero = tile.zero : !tile
  // CHECK: %[[ZERO:.+]] = tile.zero
  // CHECK: %[[S0:.+]] = scf.for %{{.+}} = %[[C0:.+]] to %[[X]] step %[[C8:.+]] iter_args(%{{.+}} = %[[ZERO]])
  // CHECK: tile.load
  // CHECK-NEXT: arith.mulf
  // CHECK-NEXT: arith.negf
  // CHECK-NEXT: arith.addf
  // CHECK: %[[S1:.+]] = scf.for %{{.+}} = %[[X]] to %[[Y]] step %[[C8]] iter_args(%{{.+}} = %[[S0]])
  // CHECK: %[[L:.+]] = tile.load
  // CHECK-NEXT: %[[N:.+]] = arith.negf %[[L]]
  // CHECK-NEXT: arith.addf %{{.+}}, %[[N]]
  // CHECK: %[[S2:.+]] = scf.for %{{.+}} = %[[Y]] to %[[HI]] step %[[C8]] iter_args(%{{.+}} = %[[S1]])
  // CHECK: %[[L:.+]] = tile.load
  // CHECK-NEXT: %[[M:.+]] = arith.mulf %[[L]], %[[L]]
  // CHECK-NEXT: arith.addf %{{.+}}, %[[M]]
  // CHECK-NOT: tile.skippable
  %sum = tile.for %i = %c0 to %hi step %c8 ranges("edge" : %c0 to %x, "interior" : %x to %y, "left" : %y to %hi)
      iter_args(%s = %zero) -> (!tile) {
    %l = tile.load %A[%i, %i] via direct : !view -> !tile
    %m = tile.skippable in ["interior"] (%l) : !tile {
      %q = arith.mulf %l, %l : !tile
      tile.yield %q : !tile
    }
    %o = tile.skippable in ["left", "elsewhere"] (%m) : !tile {
      %q = arith.negf %m : !tile
      tile.yield %q : !tile
    }
    %t = arith.addf %s, %o : !tile
    tile.yield %t : !tile
  }
  // CHECK: tile.store %[[S2]]
  tile.store %sum, %A[%c0, %c0] via direct : !tile, !view
}

// The work may stand in a branch or in a loop inside: the loop that has the range decides.
// CHECK-LABEL: tile.kernel @nested
tile.kernel @nested(%a: !tile.ptr<f32>, %x: i32, %hi: i32, %n: i32, %ld: i64) form = program {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  %left = arith.cmpi slt, %x, %hi : i32
  // CHECK: scf.for
  // CHECK: scf.if
  // CHECK: arith.mulf
  // CHECK: scf.for
  // CHECK: arith.negf
  // CHECK: scf.for
  // CHECK: scf.if
  // CHECK-NOT: arith.mulf
  // CHECK: scf.for
  // CHECK-NOT: arith.negf
  // CHECK: tile.store
  // CHECK-NOT: arith.negf
  tile.for %i = %c0 to %hi step %c8 ranges("edge" : %c0 to %x, "interior" : %x to %hi) {
    %l = tile.load %A[%i, %i] via direct : !view -> !tile
    scf.if %left {
      %m = tile.skippable in ["interior"] (%l) : !tile {
        %q = arith.mulf %l, %l : !tile
        tile.yield %q : !tile
      }
      tile.store %m, %A[%c0, %i] via direct : !tile, !view
    }
    tile.for %j = %c0 to %hi step %c8 {
      %m = tile.skippable in ["interior"] (%l) : !tile {
        %q = arith.negf %l : !tile
        tile.yield %q : !tile
      }
      tile.store %m, %A[%j, %i] via direct : !tile, !view
    }
  }
}

// A loop with ranges of its own decides over the work inside; without any range it is done.
// CHECK-LABEL: tile.kernel @own_ranges
tile.kernel @own_ranges(%a: !tile.ptr<f32>, %x: i32, %hi: i32, %n: i32, %ld: i64) form = program {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  // CHECK: math.absf
  %e = tile.load %A[%c0, %c0] via direct : !view -> !tile
  %f = tile.skippable in ["interior"] (%e) : !tile {
    %q = math.absf %e : !tile
    tile.yield %q : !tile
  }
  tile.store %f, %A[%x, %x] via direct : !tile, !view
  // CHECK: scf.for
  // CHECK: tile.load
  // CHECK: scf.for
  // CHECK: arith.negf
  // CHECK: scf.for
  // CHECK-NOT: arith.negf
  // CHECK: tile.store
  // CHECK-NOT: scf.for
  // CHECK: arith.mulf
  tile.for %i = %c0 to %hi step %c8 {
    %l = tile.load %A[%i, %i] via direct : !view -> !tile
    tile.for %j = %c0 to %hi step %c8 ranges("edge" : %c0 to %x, "interior" : %x to %hi) {
      %m = tile.skippable in ["interior"] (%l) : !tile {
        %q = arith.negf %l : !tile
        tile.yield %q : !tile
      }
      tile.store %m, %A[%j, %i] via direct : !tile, !view
    }
    %m = tile.skippable in ["interior"] (%l) : !tile {
      %q = arith.mulf %l, %l : !tile
      tile.yield %q : !tile
    }
    tile.store %m, %A[%c0, %i] via direct : !tile, !view
  }
}
