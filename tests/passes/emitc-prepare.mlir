// SPDX-License-Identifier: Apache-2.0
// Values that have no name and are used once are printed where they are used, if the order of effects allows it.
// RUN: tw-opt %s --sm90-to-emitc --emitc-prepare | tw-translate --emitc-to-cuda | FileCheck %s

// CHECK-LABEL: void folded(
sm90.kernel @folded(%smem: i32 loc("smem"), %n: i32 loc("n"), %p: !sm90.ptr<f32> loc("p"), %i: i64 loc("i"))
    attributes {threads = 128 : i32} {
  %c8 = arith.constant 8 : i32
  %c1 = arith.constant 1 : i32
  // Also arguments of calls without a result, and indices.
  // CHECK:      tw::mbarrier_init(smem + n * 8, 1);
  %bytes = arith.muli %n, %c8 : i32
  %bar = arith.addi %smem, %bytes : i32
  sm90.mbarrier_init %bar, %c1
  // CHECK-NEXT: float acc[8];
  %acc = sm90.frag : !sm90.frag<8xf32> loc("acc")
  // CHECK-NEXT: acc[n * 8] = acc[n - 1] * 2.0f;
  %two = arith.constant 2.0 : f32
  %before = arith.subi %n, %c1 : i32
  %x = sm90.frag_get %acc[%before] : !sm90.frag<8xf32>
  %y = arith.mulf %x, %two : f32
  %place = arith.muli %n, %c8 : i32
  sm90.frag_set %y to %acc[%place] : !sm90.frag<8xf32>
  // An update of an element is written as one.
  // CHECK-NEXT: acc[0] += tw::ld_global(p, i);
  %c0 = arith.constant 0 : i32
  %old = sm90.frag_get %acc[%c0] : !sm90.frag<8xf32>
  %g = sm90.ld_global %p[%i] : !sm90.ptr<f32>
  %new = arith.addf %old, %g : f32
  sm90.frag_set %new to %acc[%c0] : !sm90.frag<8xf32>
  // CHECK-NEXT: }
  sm90.return
}

// A value that is used twice has a variable, and so has one that was given a name.
// CHECK-LABEL: void variables(
sm90.kernel @variables(%n: i32 loc("n")) attributes {threads = 128 : i32} {
  %c3 = arith.constant 3 : i32
  // CHECK-NEXT: const int32_t v1 = n * 3;
  %twice = arith.muli %n, %c3 : i32
  // CHECK-NEXT: const int32_t row = v1 + n;
  %row = arith.addi %twice, %n : i32 loc("row")
  // CHECK-NEXT: tw::mbarrier_arrive_expect_tx(v1, row);
  sm90.mbarrier_arrive_expect_tx %twice, %row
  // Unused values are not printed; unused results of calls are dropped, the calls stay.
  // CHECK-NEXT: tw::elect_one();
  %unused = arith.addi %n, %c3 : i32 loc("unused")
  %elected = sm90.elect_one
  // CHECK-NEXT: }
  sm90.return
}

// Reads stay before what changes the place, calls before calls.
// CHECK-LABEL: void ordered(
sm90.kernel @ordered(%n: i32 loc("n"), %p: !sm90.ptr<f32> loc("p"), %i: i64 loc("i"))
    attributes {threads = 128 : i32} {
  %c0 = arith.constant 0 : i32
  // CHECK: float acc[8];
  // CHECK: float other[8];
  %acc = sm90.frag : !sm90.frag<8xf32> loc("acc")
  %other = sm90.frag : !sm90.frag<8xf32> loc("other")
  // CHECK-NEXT: const float [[OLD:v[0-9]+]] = acc[0];
  %old = sm90.frag_get %acc[%c0] : !sm90.frag<8xf32>
  // This one does not mind: nothing touches `other`.
  %free = sm90.frag_get %other[%c0] : !sm90.frag<8xf32>
  // CHECK-NEXT: tw::wgmma_wait<0>(acc);
  sm90.wgmma_wait %acc outstanding<0> : !sm90.frag<8xf32>
  // CHECK-NEXT: tw::st_global(p, i, [[OLD]] + other[0]);
  %sum = arith.addf %old, %free : f32
  sm90.st_global %sum to %p[%i] : !sm90.ptr<f32>
  // CHECK-NEXT: const float [[BEFORE:v[0-9]+]] = tw::ld_global(p, i);
  %before = sm90.ld_global %p[%i] : !sm90.ptr<f32>
  // CHECK-NEXT: tw::cta_sync();
  sm90.cta_sync
  // CHECK-NEXT: tw::st_global(p, i, [[BEFORE]]);
  sm90.st_global %before to %p[%i] : !sm90.ptr<f32>
  // Arguments are evaluated in any order: two calls are two statements.
  // CHECK-NEXT: const float [[FIRST:v[0-9]+]] = tw::ld_global(p, i);
  // CHECK-NEXT: tw::st_global(p, i, [[FIRST]] - tw::ld_global(p, i));
  %first = sm90.ld_global %p[%i] : !sm90.ptr<f32>
  %second = sm90.ld_global %p[%i] : !sm90.ptr<f32>
  %difference = arith.subf %first, %second : f32
  sm90.st_global %difference to %p[%i] : !sm90.ptr<f32>
  // What may not be evaluated holds no call.
  // CHECK-NEXT: const bool elected = tw::elect_one();
  // CHECK:      if (n == 0 && elected) {
  // CHECK-NEXT:   tw::warp_sync();
  %zero = arith.cmpi eq, %n, %c0 : i32
  %elected = sm90.elect_one
  %both = arith.andi %zero, %elected : i1
  scf.if %both {
    sm90.warp_sync
  }
  // CHECK:      const float [[LOADED:v[0-9]+]] = tw::ld_global(p, i);
  // CHECK-NEXT: tw::st_global(p, i, n == 0 ? [[LOADED]] : 1.0f);
  %one = arith.constant 1.0 : f32
  %loaded = sm90.ld_global %p[%i] : !sm90.ptr<f32>
  %again = arith.cmpi eq, %n, %c0 : i32
  %chosen = arith.select %again, %loaded, %one : f32
  sm90.st_global %chosen to %p[%i] : !sm90.ptr<f32>
  sm90.return
}

// Into a branch, but not into a loop.
// CHECK-LABEL: void inner(
sm90.kernel @inner(%n: i32 loc("n"), %m: i32 loc("m")) attributes {threads = 128 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %small = arith.cmpi slt, %n, %m : i32
  %sum = arith.addi %n, %m : i32
  // CHECK:      if (n < m) {
  // CHECK-NEXT:   tw::mbarrier_arrive(n + m);
  scf.if %small {
    sm90.mbarrier_arrive %sum
  }
  // CHECK:      const int32_t [[V:v[0-9]+]] = n - m;
  %difference = arith.subi %n, %m : i32
  // CHECK:      for (int32_t i = 0; i < n * m; ++i) {
  // CHECK-NEXT:   tw::mbarrier_arrive([[V]]);
  %product = arith.muli %n, %m : i32
  scf.for %i = %c0 to %product step %c1 : i32 {
    sm90.mbarrier_arrive %difference
  }
  sm90.return
}

// A bound is evaluated in every iteration: it may not read what the loop changes, or memory.
// CHECK-LABEL: void bounds(
sm90.kernel @bounds(%n: i32 loc("n"), %p: !sm90.ptr<i32> loc("p"), %at: i64 loc("at"))
    attributes {threads = 128 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK:      const int32_t [[COUNT:v[0-9]+]] = tw::ld_global(p, at);
  // CHECK:      for (int32_t i = 0; i < [[COUNT]]; i += 2) {
  %count = sm90.ld_global %p[%at] : !sm90.ptr<i32>
  %c2 = arith.constant 2 : i32
  scf.for %i = %c0 to %count step %c2 : i32 {
    sm90.mbarrier_arrive %i
  }
  // CHECK:      int32_t limit = n;
  // CHECK:      const int32_t [[LIMIT:v[0-9]+]] = limit;
  // CHECK-NEXT: for (int32_t j = 0; j < [[LIMIT]]; ++j) {
  scf.for %i = %c0 to %n step %c1 iter_args(%limit = %n) -> (i32) : i32 {
    scf.for %j = %c0 to %limit step %c1 : i32 {
      sm90.mbarrier_arrive %j
    }
    %less = arith.subi %limit, %c1 : i32
    scf.yield %less : i32
  } loc("limit")
  sm90.return
}

// A long expression is written in parts.
// CHECK-LABEL: void long_sum(
sm90.kernel @long_sum(%n: i32 loc("n")) attributes {threads = 128 : i32} {
  // CHECK-NEXT: const int32_t [[PART:v[0-9]+]] = n * n + n * n + n * n + n * n
  // CHECK:      tw::mbarrier_arrive([[PART]] +
  %p = arith.muli %n, %n : i32
  %p1 = arith.muli %n, %n : i32
  %p2 = arith.muli %n, %n : i32
  %p3 = arith.muli %n, %n : i32
  %p4 = arith.muli %n, %n : i32
  %p5 = arith.muli %n, %n : i32
  %p6 = arith.muli %n, %n : i32
  %p7 = arith.muli %n, %n : i32
  %p8 = arith.muli %n, %n : i32
  %p9 = arith.muli %n, %n : i32
  %s1 = arith.addi %p, %p1 : i32
  %s2 = arith.addi %s1, %p2 : i32
  %s3 = arith.addi %s2, %p3 : i32
  %s4 = arith.addi %s3, %p4 : i32
  %s5 = arith.addi %s4, %p5 : i32
  %s6 = arith.addi %s5, %p6 : i32
  %s7 = arith.addi %s6, %p7 : i32
  %s8 = arith.addi %s7, %p8 : i32
  %s9 = arith.addi %s8, %p9 : i32
  sm90.mbarrier_arrive %s9
  sm90.return
}
