// SPDX-License-Identifier: Apache-2.0
// What loops carry is one variable, read where it is needed and declared with its first value.
// RUN: tw-opt %s --sm90-to-emitc --emitc-prepare | tw-translate --emitc-to-cuda | FileCheck %s

// Two nested loops and one after them walk one ring.
// CHECK-LABEL: void nested(
// CHECK-NEXT:   tw::cursor slot = tw::consumer_cursor();
// CHECK-EMPTY:
// CHECK-NEXT:   for (int32_t tile = 0; tile < tiles; ++tile) {
// CHECK-NEXT:     tw::cursor first = slot;
// CHECK-NEXT:     for (int32_t i = 0; i < steps; ++i) {
// CHECK-NEXT:       tw::mbarrier_arrive(tw::stage(slot));
// CHECK-NEXT:       first = slot;
// CHECK-NEXT:       slot = tw::advance<4>(slot);
// CHECK-NEXT:     }
// CHECK-NEXT:     tw::mbarrier_arrive_expect_tx(tw::stage(slot), tw::stage(first));
// CHECK-NEXT:   }
// CHECK-EMPTY:
// CHECK-NEXT:   for (int32_t i = 0; i < steps; ++i) {
// CHECK-NEXT:     tw::mbarrier_arrive(tw::phase(slot));
// CHECK-NEXT:     slot = tw::advance<4>(slot);
// CHECK-NEXT:   }
// CHECK-NEXT: }
sm90.kernel @nested(%tiles: i32 loc("tiles"), %steps: i32 loc("steps")) attributes {threads = 128 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %start = sm90.consumer_cursor
  %after = "scf.for"(%c0, %tiles, %c1, %start) ({
  ^body(%tile: i32 loc("tile"), %slot: !sm90.cursor loc("slot")):
    %end, %last = "scf.for"(%c0, %steps, %c1, %slot, %slot) ({
    ^body(%i: i32, %at: !sm90.cursor loc("slot"), %before: !sm90.cursor loc("first")):
      %stage = sm90.stage %at
      sm90.mbarrier_arrive %stage
      %next = sm90.advance %at stages<4>
      scf.yield %next, %at : !sm90.cursor, !sm90.cursor
    }) : (i32, i32, i32, !sm90.cursor, !sm90.cursor) -> (!sm90.cursor, !sm90.cursor)
    %a = sm90.stage %end
    %b = sm90.stage %last
    sm90.mbarrier_arrive_expect_tx %a, %b
    scf.yield %end : !sm90.cursor
  }) : (i32, i32, i32, !sm90.cursor) -> !sm90.cursor
  %done = "scf.for"(%c0, %steps, %c1, %after) ({
  ^body(%i: i32, %at: !sm90.cursor loc("slot")):
    %phase = sm90.phase %at
    sm90.mbarrier_arrive %phase
    %next = sm90.advance %at stages<4>
    scf.yield %next : !sm90.cursor
  }) : (i32, i32, i32, !sm90.cursor) -> !sm90.cursor
  sm90.return
}

// What the outer loop goes on with may be computed from what the inner one ends with.
// CHECK-LABEL: void onwards(
// CHECK-NEXT:   tw::cursor slot = tw::consumer_cursor();
// CHECK-EMPTY:
// CHECK-NEXT:   for (int32_t tile = 0; tile < tiles; ++tile) {
// CHECK-NEXT:     for (int32_t i = 0; i < steps; ++i) {
// CHECK-NEXT:       slot = tw::advance<4>(slot);
// CHECK-NEXT:     }
// CHECK-NEXT:     slot = tw::advance<4>(slot, steps);
// CHECK-NEXT:   }
sm90.kernel @onwards(%tiles: i32 loc("tiles"), %steps: i32 loc("steps")) attributes {threads = 128 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %start = sm90.consumer_cursor
  %after = "scf.for"(%c0, %tiles, %c1, %start) ({
  ^body(%tile: i32 loc("tile"), %slot: !sm90.cursor loc("slot")):
    %end = "scf.for"(%c0, %steps, %c1, %slot) ({
    ^body(%i: i32, %at: !sm90.cursor loc("slot")):
      %next = sm90.advance %at stages<4>
      scf.yield %next : !sm90.cursor
    }) : (i32, i32, i32, !sm90.cursor) -> !sm90.cursor
    %past = sm90.advance %end by %steps stages<4>
    scf.yield %past : !sm90.cursor
  }) : (i32, i32, i32, !sm90.cursor) -> !sm90.cursor
  %stage = sm90.stage %after
  sm90.mbarrier_arrive %stage
  sm90.return
}

// Unless the start of the inner loop is still wanted.
// CHECK-LABEL: void from_the_start(
// CHECK:          tw::cursor slot_2 = slot;
// CHECK-NEXT:     for (int32_t i = 0; i < steps; ++i) {
// CHECK-NEXT:       slot_2 = tw::advance<4>(slot_2);
// CHECK-NEXT:     }
// CHECK-NEXT:     tw::mbarrier_arrive(tw::stage(slot));
// CHECK-NEXT:     slot = tw::advance<4>(slot_2, steps);
sm90.kernel @from_the_start(%tiles: i32 loc("tiles"), %steps: i32 loc("steps")) attributes {threads = 128 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %start = sm90.consumer_cursor
  %after = "scf.for"(%c0, %tiles, %c1, %start) ({
  ^body(%tile: i32 loc("tile"), %slot: !sm90.cursor loc("slot")):
    %end = "scf.for"(%c0, %steps, %c1, %slot) ({
    ^body(%i: i32, %at: !sm90.cursor loc("slot")):
      %next = sm90.advance %at stages<4>
      scf.yield %next : !sm90.cursor
    }) : (i32, i32, i32, !sm90.cursor) -> !sm90.cursor
    %first = sm90.stage %slot
    sm90.mbarrier_arrive %first
    %past = sm90.advance %end by %steps stages<4>
    scf.yield %past : !sm90.cursor
  }) : (i32, i32, i32, !sm90.cursor) -> !sm90.cursor
  sm90.return
}

// A swap keeps an old value; so does a use after the change.
// CHECK-LABEL: void swapped(
// CHECK-NEXT:   int32_t a = n;
// CHECK-NEXT:   int32_t b = m;
// CHECK-EMPTY:
// CHECK-NEXT:   for (int32_t i = 0; i < n; ++i) {
// CHECK-NEXT:     const int32_t old_a = a;
// CHECK-NEXT:     a = b;
// CHECK-NEXT:     b = old_a;
// CHECK-NEXT:   }
// CHECK-EMPTY:
// CHECK-NEXT:   tw::mbarrier_arrive_expect_tx(a, b);
sm90.kernel @swapped(%n: i32 loc("n"), %m: i32 loc("m")) attributes {threads = 128 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x, %y = "scf.for"(%c0, %n, %c1, %n, %m) ({
  ^body(%i: i32, %a: i32 loc("a"), %b: i32 loc("b")):
    scf.yield %b, %a : i32, i32
  }) : (i32, i32, i32, i32, i32) -> (i32, i32)
  sm90.mbarrier_arrive_expect_tx %x, %y
  sm90.return
}

// Both next values are made from both old ones.
// CHECK-LABEL: void fibonacci(
// CHECK:        for (int32_t i = 0; i < n; ++i) {
// CHECK-NEXT:     const int32_t v1 = a - b;
// CHECK-NEXT:     a += b;
// CHECK-NEXT:     b = v1;
// CHECK-NEXT:   }
sm90.kernel @fibonacci(%n: i32 loc("n")) attributes {threads = 128 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x, %y = "scf.for"(%c0, %n, %c1, %c0, %c1) ({
  ^body(%i: i32, %a: i32 loc("a"), %b: i32 loc("b")):
    %sum = arith.addi %a, %b : i32
    %difference = arith.subi %a, %b : i32
    scf.yield %sum, %difference : i32, i32
  }) : (i32, i32, i32, i32, i32) -> (i32, i32)
  sm90.mbarrier_arrive_expect_tx %x, %y
  sm90.return
}

// The outer value is needed after the inner one has changed: two variables.
// CHECK-LABEL: void kept(
// CHECK:        for (int32_t i = 0; i < n; ++i) {
// CHECK-NEXT:     int32_t x_2 = x;
// CHECK-NEXT:     for (int32_t j = 0; j < n; ++j) {
// CHECK-NEXT:       x_2 += 1;
// CHECK-NEXT:     }
// CHECK-NEXT:     tw::mbarrier_arrive(x);
// CHECK-NEXT:     x = x_2;
// CHECK-NEXT:   }
sm90.kernel @kept(%n: i32 loc("n")) attributes {threads = 128 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %end = "scf.for"(%c0, %n, %c1, %c0) ({
  ^body(%i: i32, %x: i32 loc("x")):
    %inner = "scf.for"(%c0, %n, %c1, %x) ({
    ^body(%j: i32, %y: i32 loc("x")):
      %more = arith.addi %y, %c1 : i32
      scf.yield %more : i32
    }) : (i32, i32, i32, i32) -> i32
    sm90.mbarrier_arrive %x
    scf.yield %inner : i32
  }) : (i32, i32, i32, i32) -> i32
  sm90.mbarrier_arrive %end
  sm90.return
}

// A branch gives a value: one variable, assigned on both paths.
// CHECK-LABEL: void branch(
// CHECK-NEXT:   int32_t y;
// CHECK-EMPTY:
// CHECK-NEXT:   if (n > 0) {
// CHECK-NEXT:     y = n + 1;
// CHECK-NEXT:   } else {
// CHECK-NEXT:     y = 0;
// CHECK-NEXT:   }
// CHECK-EMPTY:
// CHECK-NEXT:   tw::mbarrier_arrive(y);
sm90.kernel @branch(%n: i32 loc("n")) attributes {threads = 128 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %positive = arith.cmpi sgt, %n, %c0 : i32
  %y = scf.if %positive -> i32 {
    %more = arith.addi %n, %c1 : i32
    scf.yield %more : i32
  } else {
    scf.yield %c0 : i32
  } loc("y")
  sm90.mbarrier_arrive %y
  sm90.return
}
