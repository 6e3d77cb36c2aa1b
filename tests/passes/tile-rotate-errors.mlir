// RUN: tw-opt %s --tile-rotate --split-input-file --verify-diagnostics

// A step before the one that it needs, of the same trip.
#acc = #tile.acc<wgs = [1, 1]>
!tile = tensor<64x8xf32, #acc>
!view = !tile.view<?x?xf32, align = 4>
tile.kernel @too_early(%a: !tile.ptr<f32>, %hi: i32, %n: i32, %ld: i64) form = program {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  // expected-error @below {{a use precedes its definition in the order: step "load" has not run for that iteration yet}}
  tile.for %i = %c0 to %hi step %c1 order [#tile.at<"store">, #tile.at<"load">] {
    %x = tile.step "load" -> (!tile) {
      %l = tile.load %A[%i, %i] via direct : !view -> !tile
      tile.yield %l : !tile
    }
    // expected-note @below {{needed here}}
    tile.step "store" {
      tile.store %x, %A[%i, %c0] via direct : !tile, !view
      tile.yield
    }
  }
}

// -----

// A step that does not lag needs one that does.
#acc = #tile.acc<wgs = [1, 1]>
!tile = tensor<64x8xf32, #acc>
!view = !tile.view<?x?xf32, align = 4>
tile.kernel @lagging_definition(%a: !tile.ptr<f32>, %hi: i32, %n: i32, %ld: i64) form = program {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  // expected-error @below {{a use precedes its definition in the order: step "load" has not run for that iteration yet}}
  tile.for %i = %c0 to %hi step %c1 order [#tile.at<"load", 1>, #tile.at<"store">] {
    %x = tile.step "load" -> (!tile) {
      %l = tile.load %A[%i, %i] via direct : !view -> !tile
      tile.yield %l : !tile
    }
    // expected-note @below {{needed here}}
    tile.step "store" {
      tile.store %x, %A[%i, %c0] via direct : !tile, !view
      tile.yield
    }
  }
}

// -----

// Two lagging steps in the wrong sequence.
#acc = #tile.acc<wgs = [1, 1]>
!tile = tensor<64x8xf32, #acc>
!view = !tile.view<?x?xf32, align = 4>
tile.kernel @both_lag(%a: !tile.ptr<f32>, %hi: i32, %n: i32, %ld: i64) form = program {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  // expected-error @below {{step "load" has not run for that iteration yet}}
  tile.for %i = %c0 to %hi step %c1 order [#tile.at<"store", 1>, #tile.at<"load", 1>] {
    %x = tile.step "load" -> (!tile) {
      %l = tile.load %A[%i, %i] via direct : !view -> !tile
      tile.yield %l : !tile
    }
    // expected-note @below {{needed here}}
    tile.step "store" {
      tile.store %x, %A[%i, %c0] via direct : !tile, !view
      tile.yield
    }
  }
}

// -----

// The next iteration needs, through the loop, what runs only after it.
#acc = #tile.acc<wgs = [1, 1]>
!tile = tensor<64x8xf32, #acc>
!view = !tile.view<?x?xf32, align = 4>
tile.kernel @through_the_loop(%a: !tile.ptr<f32>, %hi: i32, %n: i32, %ld: i64) form = program {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  %zero = tile.zero : !tile
  // expected-error @below {{step "second" has not run for that iteration yet}}
  %r = tile.for %i = %c0 to %hi step %c1 order [#tile.at<"first">, #tile.at<"second", 1>] iter_args(%s = %zero) -> (!tile) {
    // expected-note @below {{needed here}}
    %x = tile.step "first" -> (!tile) {
      %l = tile.load %A[%i, %i] via direct : !view -> !tile
      %t = arith.addf %l, %s : !tile
      tile.yield %t : !tile
    }
    %y = tile.step "second" -> (!tile) {
      %t = arith.mulf %x, %x : !tile
      tile.yield %t : !tile
    }
    tile.yield %y : !tile
  }
}

// -----

// A scalar beside the steps, with a region that reads a step's result too early.
#acc = #tile.acc<wgs = [1, 1]>
!tile = tensor<64x8xf32, #acc>
!view = !tile.view<?x?xf32, align = 4>
tile.kernel @through_a_region(%a: !tile.ptr<f32>, %hi: i32, %n: i32, %ld: i64, %flag: i32) form = program {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  %set = arith.cmpi ne, %flag, %c0 : i32
  // expected-error @below {{step "index" has not run for that iteration yet}}
  tile.for %i = %c0 to %hi step %c1 order [#tile.at<"load">, #tile.at<"index", 1>] {
    %x = tile.step "index" -> (i32) {
      %t = arith.addi %i, %c1 : i32
      tile.yield %t : i32
    }
    %j = scf.if %set -> (i32) {
      scf.yield %x : i32
    } else {
      scf.yield %c0 : i32
    }
    // expected-note @below {{needed here}}
    tile.step "load" {
      %l = tile.load %A[%j, %i] via direct : !view -> !tile
      tile.store %l, %A[%i, %c0] via direct : !tile, !view
      tile.yield
    }
  }
}

// -----

// Memory beside the steps belongs to none of them.
#acc = #tile.acc<wgs = [1, 1]>
!tile = tensor<64x8xf32, #acc>
!view = !tile.view<?x?xf32, align = 4>
tile.kernel @load_beside(%a: !tile.ptr<f32>, %hi: i32, %n: i32, %ld: i64) form = program {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  tile.for %i = %c0 to %hi step %c1 order [#tile.at<"store", 1>] {
    // expected-error @below {{stands beside the steps of a loop with an order; only steps and pure scalars may: put it into a step}}
    %x = tile.load %A[%i, %i] via direct : !view -> !tile
    tile.step "store" {
      tile.store %x, %A[%i, %c0] via direct : !tile, !view
      tile.yield
    }
  }
}

// -----

// Work on tiles beside the steps would be repeated wherever it is needed.
#acc = #tile.acc<wgs = [1, 1]>
!tile = tensor<64x8xf32, #acc>
!view = !tile.view<?x?xf32, align = 4>
tile.kernel @arithmetic_beside(%a: !tile.ptr<f32>, %hi: i32, %n: i32, %ld: i64) form = program {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  tile.for %i = %c0 to %hi step %c1 order [#tile.at<"load">, #tile.at<"store", 1>] {
    %x = tile.step "load" -> (!tile) {
      %l = tile.load %A[%i, %i] via direct : !view -> !tile
      tile.yield %l : !tile
    }
    // expected-error @below {{stands beside the steps of a loop with an order}}
    %y = arith.mulf %x, %x : !tile
    tile.step "store" {
      tile.store %y, %A[%i, %c0] via direct : !tile, !view
      tile.yield
    }
  }
}
