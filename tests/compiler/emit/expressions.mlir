// SPDX-License-Identifier: Apache-2.0
// Expressions have the parentheses that they need, and those that readers need.
// RUN: tw-opt %s --sm90-to-emitc --emitc-prepare | tw-translate --emitc-to-cuda | FileCheck %s

// CHECK-LABEL: void integers(
sm90.kernel @integers(%a: i32 loc("a"), %b: i32 loc("b"), %c: i32 loc("c")) attributes {threads = 128 : i32} {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  // CHECK: const int32_t v01 = a + b * c;
  %m1 = arith.muli %b, %c : i32
  %v01 = arith.addi %a, %m1 : i32 loc("v01")
  sm90.mbarrier_arrive %v01
  // CHECK: const int32_t v02 = (a + b) * c;
  %s2 = arith.addi %a, %b : i32
  %v02 = arith.muli %s2, %c : i32 loc("v02")
  sm90.mbarrier_arrive %v02
  // CHECK: const int32_t v03 = a - (b - c);
  %d3 = arith.subi %b, %c : i32
  %v03 = arith.subi %a, %d3 : i32 loc("v03")
  sm90.mbarrier_arrive %v03
  // CHECK: const int32_t v04 = a - b - c;
  %d4 = arith.subi %a, %b : i32
  %v04 = arith.subi %d4, %c : i32 loc("v04")
  sm90.mbarrier_arrive %v04
  // CHECK: const int32_t v05 = a + b + c;
  %s5 = arith.addi %b, %c : i32
  %v05 = arith.addi %a, %s5 : i32 loc("v05")
  sm90.mbarrier_arrive %v05
  // CHECK: const int32_t v06 = (a / b) * c;
  %q6 = arith.divsi %a, %b : i32
  %v06 = arith.muli %q6, %c : i32 loc("v06")
  sm90.mbarrier_arrive %v06
  // CHECK: const int32_t v07 = a / (b * c);
  %p7 = arith.muli %b, %c : i32
  %v07 = arith.divsi %a, %p7 : i32 loc("v07")
  sm90.mbarrier_arrive %v07
  // CHECK: const int32_t v08 = (a + b) << 2;
  %s8 = arith.addi %a, %b : i32
  %v08 = arith.shli %s8, %c2 : i32 loc("v08")
  sm90.mbarrier_arrive %v08
  // CHECK: const int32_t v09 = a + (b << 2);
  %s9 = arith.shli %b, %c2 : i32
  %v09 = arith.addi %a, %s9 : i32 loc("v09")
  sm90.mbarrier_arrive %v09
  // CHECK: const int32_t v10 = (a & b) ^ (b | c);
  %x10 = arith.andi %a, %b : i32
  %y10 = arith.ori %b, %c : i32
  %v10 = arith.xori %x10, %y10 : i32 loc("v10")
  sm90.mbarrier_arrive %v10
  // CHECK: const int32_t v11 = a * -2;
  %minus2 = arith.constant -2 : i32
  %v11 = arith.muli %a, %minus2 : i32 loc("v11")
  sm90.mbarrier_arrive %v11
  // CHECK: const int32_t v12 = a < b ? a : b + c;
  %less = arith.cmpi slt, %a, %b : i32
  %s12 = arith.addi %b, %c : i32
  %v12 = arith.select %less, %a, %s12 : i32 loc("v12")
  sm90.mbarrier_arrive %v12
  // CHECK: const int32_t v13 = (a > 0 ? a : b) + c;
  %more = arith.cmpi sgt, %a, %c0 : i32
  %t13 = arith.select %more, %a, %b : i32
  %v13 = arith.addi %t13, %c : i32 loc("v13")
  sm90.mbarrier_arrive %v13
  // CHECK: const int32_t v14 = int32_t(int64_t(a + b) * int64_t(c));
  %s14 = arith.addi %a, %b : i32
  %l14 = arith.extsi %s14 : i32 to i64
  %c14 = arith.extsi %c : i32 to i64
  %p14 = arith.muli %l14, %c14 : i64
  %v14 = arith.trunci %p14 : i64 to i32 loc("v14")
  sm90.mbarrier_arrive %v14
  sm90.return
}

// CHECK-LABEL: void conditions(
sm90.kernel @conditions(%a: i32 loc("a"), %b: i32 loc("b"), %p: !sm90.ptr<f32> loc("p"), %x: f32 loc("x"))
    attributes {threads = 128 : i32} {
  %c0 = arith.constant 0 : i32
  %i0 = arith.constant 0 : i64
  %true = arith.constant true
  // CHECK: if ((a < b && a > 0) || !(a == b)) {
  %less = arith.cmpi slt, %a, %b : i32
  %positive = arith.cmpi sgt, %a, %c0 : i32
  %both = arith.andi %less, %positive : i1
  %same = arith.cmpi eq, %a, %b : i32
  %not = arith.xori %same, %true : i1
  %either = arith.ori %both, %not : i1
  scf.if %either {
    sm90.warp_sync
  }
  // CHECK: if (a < b && (a > 0 || b > 0)) {
  %less2 = arith.cmpi slt, %a, %b : i32
  %positive2 = arith.cmpi sgt, %a, %c0 : i32
  %positive3 = arith.cmpi sgt, %b, %c0 : i32
  %or = arith.ori %positive2, %positive3 : i1
  %and = arith.andi %less2, %or : i1
  scf.if %and {
    sm90.warp_sync
  }
  // Floats are not associative; minus a minus is not a decrement.
  // CHECK: tw::st_global(p, 0, x - (x + x) + (x - -x));
  %s1 = arith.addf %x, %x : f32
  %d1 = arith.subf %x, %s1 : f32
  %n1 = arith.negf %x : f32
  %s2 = arith.subf %x, %n1 : f32
  %s3 = arith.addf %d1, %s2 : f32
  sm90.st_global %s3 to %p[%i0] : !sm90.ptr<f32>
  // CHECK: float *row = p + a;
  %row = sm90.ptr_offset %p, %a : !sm90.ptr<f32>, i32 loc("row")
  // CHECK: tw::st_global(row, 0, x);
  sm90.st_global %x to %row[%i0] : !sm90.ptr<f32>
  sm90.return
}
