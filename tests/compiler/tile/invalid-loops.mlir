// RUN: tw-opt %s -verify-diagnostics -split-input-file
// Loops, steps, maps and turns that cannot be.

tile.kernel @k(%n: i32, %x: f32) form = program {
  // expected-error@+1 {{expected 1 result types, found 2}}
  %r:2 = tile.for %i = %n to %n step %n iter_args(%a = %x) -> (f32, f32) {
    tile.yield %a, %a : f32, f32
  }
}

// -----

tile.kernel @k(%n: i32, %x: f32) form = program {
  // expected-error@+1 {{'tile.for' op initial values 'f32' do not match results 'i32'}}
  %r = "tile.for"(%n, %n, %n, %x) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0>}> ({
  ^bb0(%i: i32, %a: i32):
    tile.yield %a : i32
  }) : (i32, i32, i32, f32) -> i32
}

// -----

tile.kernel @k(%n: i32) form = program {
  // expected-error@+1 {{'tile.for' op 1 ranges have 2 bounds, found 1}}
  "tile.for"(%n, %n, %n, %n) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>, rangeNames = ["a"]}> ({
  ^bb0(%i: i32):
    tile.yield
  }) : (i32, i32, i32, i32) -> ()
}

// -----

tile.kernel @k(%n: i32, %m: i32) form = program {
  // expected-error@+1 {{'tile.for' op range "b" does not begin where "a" ends: ranges cut the trip space without gaps}}
  tile.for %i = %n to %n step %n ranges("a" : %n to %m, "b" : %n to %n) {
  }
}

// -----

tile.kernel @k(%n: i32, %m: i32) form = program {
  // expected-error@+1 {{'tile.for' op ranges cover the whole trip space, from the lower bound to the upper bound}}
  tile.for %i = %n to %n step %n ranges("a" : %n to %m) {
  }
}

// -----

tile.kernel @k(%n: i32, %m: i32) form = program {
  // expected-error@+1 {{'tile.for' op two ranges are named "a"}}
  tile.for %i = %n to %m step %n ranges("a" : %n to %m, "a" : %m to %m) {
  }
}

// -----

tile.kernel @k(%n: i32) form = program {
  // expected-error@+1 {{'tile.for' op the body takes an i32 counter and , found 'i32', 'i32'}}
  "tile.for"(%n, %n, %n) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}> ({
  ^bb0(%i: i32, %j: i32):
    tile.yield
  }) : (i32, i32, i32) -> ()
}

// -----

tile.kernel @k(%n: i32, %x: f32) form = program {
  // expected-error@+1 {{'tile.for' op yields 'i32' but results in 'f32'}}
  %r = tile.for %i = %n to %n step %n iter_args(%a = %x) -> (f32) {
    tile.yield %i : i32
  }
}

// -----

tile.kernel @k(%n: i32) form = program {
  // expected-error@+1 {{'tile.for' op its region ends with tile.yield}}
  "tile.for"(%n, %n, %n) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}> ({
  ^bb0(%i: i32):
    tile.end
  }) : (i32, i32, i32) -> ()
}

// -----

tile.kernel @k(%n: i32) form = program {
  // expected-error@+1 {{'tile.for' op two steps are named "a"}}
  tile.for %i = %n to %n step %n order [#tile.at<"a">] {
    tile.step "a" {
      tile.yield
    }
    tile.step "a" {
      tile.yield
    }
  }
}

// -----

tile.kernel @k(%n: i32) form = program {
  // expected-error@+1 {{'tile.for' op order lists #tile.at<…>, found "a"}}
  tile.for %i = %n to %n step %n order ["a"] {
    tile.step "a" {
      tile.yield
    }
  }
}

// -----

tile.kernel @k(%n: i32) form = program {
  // expected-error@+1 {{'tile.for' op order takes turns but no turn(…) is given}}
  tile.for %i = %n to %n step %n order [#tile.at<"turn_wait">] {
  }
}

// -----

tile.kernel @k(%n: i32) form = program {
  // expected-error@+1 {{'tile.for' op order names step "b", which the body does not have}}
  tile.for %i = %n to %n step %n order [#tile.at<"b">] {
  }
}

// -----

tile.kernel @k(%n: i32) form = program {
  // expected-error@+1 {{'tile.for' op order names step "a" twice}}
  tile.for %i = %n to %n step %n order [#tile.at<"a">, #tile.at<"a", 1>] {
    tile.step "a" {
      tile.yield
    }
  }
}

// -----

tile.kernel @k(%n: i32) form = program {
  // expected-error@+1 {{'tile.for' op order leaves out step "b"}}
  tile.for %i = %n to %n step %n order [#tile.at<"a">] {
    tile.step "a" {
      tile.yield
    }
    tile.step "b" {
      tile.yield
    }
  }
}

// -----

tile.kernel @k() form = program {
  // expected-error@+1 {{'tile.step' op a step cannot be named "turn_pass": that is an entry of orders}}
  tile.step "turn_pass" {
    tile.yield
  }
}

// -----

tile.kernel @k(%x: f32) form = program {
  // expected-error@+1 {{'tile.step' op yields 'f32' but results in}}
  tile.step "a" {
    tile.yield %x : f32
  }
}

// -----

tile.kernel @k(%x: f32) form = program {
  // expected-error@+1 {{'tile.skippable' op its region takes no arguments}}
  %y = tile.skippable in ["a"] (%x) : f32 {
  ^bb0(%a: f32):
    tile.yield %x : f32
  }
}

// -----

tile.kernel @k(%x: f32, %n: i32) form = program {
  // expected-error@+1 {{'tile.skippable' op yields 'i32' but results in 'f32'}}
  %y = tile.skippable in ["a"] (%x) : f32 {
    tile.yield %n : i32
  }
}

// -----

tile.kernel @k() form = program roles = [#tile.role<mma, warpgroups = 2>] {
  // expected-error@+1 {{'tile.turn' op the kernel has no role @load}}
  %t = tile.turn among @load
}

// -----

tile.kernel @k(%x: f32) form = program {
  %t = tile.splat %x : f32 -> tensor<64x32xf32>
  // expected-error@+1 {{'tile.map' op results have one shape}}
  %y:2 = tile.map ins(%t) : tensor<64x32xf32> -> tensor<64x32xf32>, tensor<32x64xf32> {
  ^bb0(%e: f32, %row: i32, %col: i32):
    tile.yield %e, %e : f32, f32
  }
}

// -----

tile.kernel @k() form = program {
  // expected-error@+1 {{'tile.map' op a map has at least one result}}
  "tile.map"() ({
    tile.yield
  }) : () -> ()
}

// -----

tile.kernel @k(%x: f32) form = program {
  // expected-error@+1 {{'tile.map' op inputs are tiles and slots, found 'f32'}}
  %y = tile.map ins(%x) : f32 -> tensor<64x32xf32> {
  ^bb0(%e: f32, %row: i32, %col: i32):
    tile.yield %e : f32
  }
}

// -----

tile.kernel @k(%x: f32) form = program {
  %t = tile.splat %x : f32 -> tensor<32x64xf32>
  // expected-error@+1 {{'tile.map' op inputs have the results' shape or are vectors along one of their dimensions, found 'tensor<32x64xf32>' for 'tensor<64x32xf32>'}}
  %y = tile.map ins(%t) : tensor<32x64xf32> -> tensor<64x32xf32> {
  ^bb0(%e: f32, %row: i32, %col: i32):
    tile.yield %e : f32
  }
}

// -----

#row = #tile.slice<1, #tile.acc<wgs = [1, 1]>>
tile.kernel @k(%x: f32) form = program {
  %t = tile.splat %x : f32 -> tensor<64xf32, #row>
  // expected-error@+1 {{'tile.map' op inputs have the results' shape or are vectors along one of their dimensions, found 'tensor<64xf32, #tile.slice<1, #tile.acc<wgs = [1, 1]>>>' for 'tensor<32x64xf32>'}}
  %y = tile.map ins(%t) : tensor<64xf32, #row> -> tensor<32x64xf32> {
  ^bb0(%e: f32, %row: i32, %col: i32):
    tile.yield %e : f32
  }
}

// -----

tile.kernel @k(%x: f32) form = program {
  %t = tile.splat %x : f32 -> tensor<64x32xf32>
  // expected-error@+1 {{'tile.map' op the body takes the inputs' elements and 2 coordinates: expected 'f32', 'i32', 'i32', found 'f32', 'i32'}}
  %y = tile.map ins(%t) : tensor<64x32xf32> -> tensor<64x32xf32> {
  ^bb0(%e: f32, %row: i32):
    tile.yield %e : f32
  }
}

// -----

tile.kernel @k(%x: f32) form = program {
  %t = tile.splat %x : f32 -> tensor<64x32xf32>
  // expected-error@+1 {{'tile.map' op yields 'i32' but results in 'f32'}}
  %y = tile.map ins(%t) : tensor<64x32xf32> -> tensor<64x32xf32> {
  ^bb0(%e: f32, %row: i32, %col: i32):
    tile.yield %row : i32
  }
}
