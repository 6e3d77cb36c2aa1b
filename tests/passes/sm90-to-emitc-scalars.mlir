// SPDX-License-Identifier: Apache-2.0
// arith and math become plain operators, casts and functions of math.cuh.
// RUN: tw-opt %s --sm90-to-emitc | FileCheck %s

// CHECK-LABEL: emitc.func @integers(
// CHECK-SAME: tw.includes = ["tilewright/math.cuh", "tilewright/types.cuh"]
sm90.kernel @integers(%a: i32, %b: i32, %l: i64, %k: i64) attributes {threads = 128 : i32} {
  // CHECK: literal "7" : i32
  %c7 = arith.constant 7 : i32
  // CHECK: literal "-3" : i32
  %m3 = arith.constant -3 : i32
  // CHECK: literal "(-2147483647 - 1)" : i32
  %least = arith.constant -2147483648 : i32
  // CHECK: literal "5000000000ll" : i64
  %long = arith.constant 5000000000 : i64
  // CHECK: literal "(-9223372036854775807ll - 1)" : i64
  %longest = arith.constant -9223372036854775808 : i64
  // CHECK: %[[TRUE:.*]] = literal "true" : i1
  %true = arith.constant true
  // CHECK: add %arg0, %arg1 : (i32, i32) -> i32
  %0 = arith.addi %a, %b : i32
  // CHECK: %[[THREE:.*]] = literal "3" : i32
  // CHECK: sub %arg0, %[[THREE]]
  %1 = arith.addi %a, %m3 : i32
  // CHECK: sub %arg2, %arg3 : (i64, i64) -> i64
  %2 = arith.subi %l, %k : i64
  // CHECK: mul
  %3 = arith.muli %a, %b : i32
  // CHECK: div
  %4 = arith.divsi %a, %b : i32
  // CHECK: rem
  %5 = arith.remsi %a, %b : i32
  // CHECK: bitwise_left_shift
  %6 = arith.shli %a, %b : i32
  // CHECK: bitwise_right_shift
  %7 = arith.shrsi %a, %b : i32
  // CHECK: bitwise_and
  %8 = arith.andi %a, %b : i32
  // CHECK: bitwise_or
  %9 = arith.ori %a, %b : i32
  // CHECK: bitwise_xor
  %10 = arith.xori %a, %b : i32
  // CHECK: %[[LT:.*]] = cmp lt, %arg0, %arg1 : (i32, i32) -> i1
  %lt = arith.cmpi slt, %a, %b : i32
  // CHECK: %[[GE:.*]] = cmp ge
  %ge = arith.cmpi sge, %a, %b : i32
  // CHECK: cmp le
  %le = arith.cmpi sle, %a, %b : i32
  // CHECK: cmp gt
  %gt = arith.cmpi sgt, %a, %b : i32
  // CHECK: cmp eq
  %eq = arith.cmpi eq, %l, %k : i64
  // CHECK: cmp ne
  %ne = arith.cmpi ne, %a, %b : i32
  // CHECK: logical_and %[[LT]], %[[GE]]
  %and = arith.andi %lt, %ge : i1
  // CHECK: logical_or
  %or = arith.ori %lt, %ge : i1
  // CHECK: logical_not %[[LT]]
  %not = arith.xori %lt, %true : i1
  // CHECK: cmp ne, %[[LT]], %[[GE]]
  %xor = arith.xori %lt, %ge : i1
  // CHECK: conditional %[[LT]], %arg0, %arg1 : i32
  %select = arith.select %lt, %a, %b : i32
  // CHECK: call_opaque "tw::max"(%arg0, %arg1) {tw.pure}
  %max = arith.maxsi %a, %b : i32
  // CHECK: call_opaque "tw::min"(%arg0, %arg1) {tw.pure}
  %min = arith.minsi %a, %b : i32
  // CHECK: %[[WINS:.*]] = cmp gt, %arg2, %arg3 : (i64, i64) -> i1
  // CHECK: conditional %[[WINS]], %arg2, %arg3 : i64
  %longmax = arith.maxsi %l, %k : i64
  // CHECK: %[[LESS:.*]] = cmp lt, %arg2, %arg3
  // CHECK: conditional %[[LESS]], %arg2, %arg3 : i64
  %longmin = arith.minsi %l, %k : i64
  // CHECK: cast %arg0 : i32 to i64
  %ext = arith.extsi %a : i32 to i64
  // CHECK: cast %[[LT]] : i1 to i32
  %bit = arith.extui %lt : i1 to i32
  // CHECK: %[[U:.*]] = cast %arg0 : i32 to ui32
  // CHECK: cast %[[U]] : ui32 to i64
  %zext = arith.extui %a : i32 to i64
  // CHECK: cast %arg2 : i64 to i32
  %trunc = arith.trunci %l : i64 to i32
  sm90.return
}

// Rounded quotients: of a size simply, in general right for negative dividends too.
// CHECK-LABEL: emitc.func @quotients(
sm90.kernel @quotients(%m: i32, %d: i32) attributes {threads = 128 : i32} {
  %c128 = arith.constant 128 : i32
  // CHECK: %[[LESS:.*]] = literal "127"
  // CHECK: %[[SUM:.*]] = add %arg0, %[[LESS]]
  // CHECK: div %[[SUM]], %{{.*}}
  %tiles = arith.ceildivsi %m, %c128 : i32
  // CHECK: %[[SUM:.*]] = add %arg0, %arg1
  // CHECK: %[[ONE:.*]] = literal "1"
  // CHECK: %[[BELOW:.*]] = sub %[[SUM]], %[[ONE]]
  // CHECK: div %[[BELOW]], %arg1
  %parts = arith.ceildivsi %m, %d : i32
  // CHECK: %[[X:.*]] = sub %arg0, %arg1
  %x = arith.subi %m, %d : i32
  // CHECK: %[[Q:.*]] = div %[[X]], %[[C:.*]] :
  // CHECK: %[[R:.*]] = rem %[[X]], %[[C]] :
  // CHECK: %[[LEFT:.*]] = cmp gt, %[[R]]
  // CHECK: %[[ONE:.*]] = cast %[[LEFT]] : i1 to i32
  // CHECK: add %[[Q]], %[[ONE]]
  %up = arith.ceildivsi %x, %c128 : i32
  // CHECK: %[[Q:.*]] = div %[[X]], %[[C]] :
  // CHECK: %[[R:.*]] = rem %[[X]], %[[C]] :
  // CHECK: %[[LEFT:.*]] = cmp lt, %[[R]]
  // CHECK: %[[ONE:.*]] = cast %[[LEFT]] : i1 to i32
  // CHECK: sub %[[Q]], %[[ONE]]
  %down = arith.floordivsi %x, %c128 : i32
  sm90.return
}

// CHECK-LABEL: emitc.func @floats(
sm90.kernel @floats(%x: f32, %y: f32, %n: i32) attributes {threads = 128 : i32} {
  // CHECK: literal "1.0f" : f32
  %one = arith.constant 1.0 : f32
  // CHECK: literal "-1.5f" : f32
  %minus = arith.constant -1.5 : f32
  // CHECK: literal "0.1f" : f32
  %tenth = arith.constant 0.1 : f32
  // CHECK: literal "1e-20f" : f32
  %tiny = arith.constant 1.0e-20 : f32
  // CHECK: literal "INFINITY" : f32
  %inf = arith.constant 0x7F800000 : f32
  // CHECK: literal "-INFINITY" : f32
  %minusinf = arith.constant 0xFF800000 : f32
  // CHECK: literal "NAN" : f32
  %nan = arith.constant 0x7FC00000 : f32
  // CHECK: add %arg0, %arg1 : (f32, f32) -> f32
  %0 = arith.addf %x, %y : f32
  // CHECK: sub
  %1 = arith.subf %x, %y : f32
  // CHECK: mul
  %2 = arith.mulf %x, %y : f32
  // CHECK: div
  %3 = arith.divf %x, %y : f32
  // CHECK: unary_minus
  %4 = arith.negf %x : f32
  // CHECK: call_opaque "tw::max"(%arg0, %arg1)
  %5 = arith.maxnumf %x, %y : f32
  // CHECK: call_opaque "tw::min"
  %6 = arith.minnumf %x, %y : f32
  // CHECK: call_opaque "tw::max_nan"
  %7 = arith.maximumf %x, %y : f32
  // CHECK: call_opaque "tw::min_nan"
  %8 = arith.minimumf %x, %y : f32
  // CHECK: cast %arg2 : i32 to f32
  %9 = arith.sitofp %n : i32 to f32
  // CHECK: cast %arg0 : f32 to i32
  %10 = arith.fptosi %x : f32 to i32
  // CHECK: %[[U:.*]] = cast %arg2 : i32 to ui32
  // CHECK: cast %[[U]] : ui32 to f32
  %11 = arith.uitofp %n : i32 to f32
  // CHECK: call_opaque "__builtin_bit_cast"(%arg0) {args = [#emitc.opaque<"int32_t">, 0 : index], tw.pure} : (f32) -> i32
  %12 = arith.bitcast %x : f32 to i32
  // CHECK: call_opaque "__builtin_bit_cast"(%arg2) {args = [#emitc.opaque<"float">, 0 : index], tw.pure} : (i32) -> f32
  %13 = arith.bitcast %n : i32 to f32
  sm90.return
}

// Ordered compares are C++'s; the unordered ones are the negation of their opposite.
// CHECK-LABEL: emitc.func @compares(
sm90.kernel @compares(%x: f32, %y: f32) attributes {threads = 128 : i32} {
  // CHECK:      cmp eq, %arg0, %arg1
  %oeq = arith.cmpf oeq, %x, %y : f32
  // CHECK-NEXT: cmp gt
  %ogt = arith.cmpf ogt, %x, %y : f32
  // CHECK-NEXT: cmp ge
  %oge = arith.cmpf oge, %x, %y : f32
  // CHECK-NEXT: cmp lt
  %olt = arith.cmpf olt, %x, %y : f32
  // CHECK-NEXT: cmp le
  %ole = arith.cmpf ole, %x, %y : f32
  // CHECK-NEXT: cmp ne
  %une = arith.cmpf une, %x, %y : f32
  // CHECK-NEXT: %[[GT:.*]] = cmp gt
  // CHECK-NEXT: logical_not %[[GT]]
  %ule = arith.cmpf ule, %x, %y : f32
  // CHECK-NEXT: %[[GE:.*]] = cmp ge
  // CHECK-NEXT: logical_not %[[GE]]
  %ult = arith.cmpf ult, %x, %y : f32
  // CHECK-NEXT: %[[LT:.*]] = cmp lt
  // CHECK-NEXT: logical_not %[[LT]]
  %uge = arith.cmpf uge, %x, %y : f32
  // CHECK-NEXT: %[[LE:.*]] = cmp le
  // CHECK-NEXT: logical_not %[[LE]]
  %ugt = arith.cmpf ugt, %x, %y : f32
  // CHECK-DAG: %[[LT:.*]] = cmp lt
  // CHECK-DAG: %[[GT:.*]] = cmp gt
  // CHECK:     logical_or %[[LT]], %[[GT]]
  %one = arith.cmpf one, %x, %y : f32
  // CHECK:     %[[OR:.*]] = logical_or
  // CHECK:     logical_not %[[OR]]
  %ueq = arith.cmpf ueq, %x, %y : f32
  // CHECK-DAG: %[[XX:.*]] = cmp ne, %arg0, %arg0
  // CHECK-DAG: %[[YY:.*]] = cmp ne, %arg1, %arg1
  // CHECK:     logical_or %[[XX]], %[[YY]]
  %uno = arith.cmpf uno, %x, %y : f32
  // CHECK:     %[[OR:.*]] = logical_or
  // CHECK:     logical_not %[[OR]]
  %ord = arith.cmpf ord, %x, %y : f32
  // CHECK:     literal "true" : i1
  %always = arith.cmpf true, %x, %y : f32
  // CHECK:     literal "false" : i1
  %never = arith.cmpf false, %x, %y : f32
  sm90.return
}

// CHECK-LABEL: emitc.func @functions(
// CHECK-SAME: tw.includes = ["tilewright/math.cuh", "tilewright/types.cuh"]
sm90.kernel @functions(%x: f32, %y: f32) attributes {threads = 128 : i32} {
  // CHECK: call_opaque "tw::abs"(%arg0) {tw.pure}
  %0 = math.absf %x : f32
  // CHECK: call_opaque "tw::ceil"
  %1 = math.ceil %x : f32
  // CHECK: call_opaque "tw::cos"
  %2 = math.cos %x : f32
  // CHECK: call_opaque "tw::erf"
  %3 = math.erf %x : f32
  // CHECK: call_opaque "tw::exp2"
  %4 = math.exp2 %x : f32
  // CHECK: call_opaque "tw::exp"
  %5 = math.exp %x : f32
  // CHECK: call_opaque "tw::floor"
  %6 = math.floor %x : f32
  // CHECK: call_opaque "tw::fma"(%arg0, %arg1, %arg0)
  %7 = math.fma %x, %y, %x : f32
  // CHECK: call_opaque "tw::log2"
  %8 = math.log2 %x : f32
  // CHECK: call_opaque "tw::log"
  %9 = math.log %x : f32
  // CHECK: call_opaque "tw::rsqrt"
  %10 = math.rsqrt %x : f32
  // CHECK: call_opaque "tw::sin"
  %11 = math.sin %x : f32
  // CHECK: call_opaque "tw::sqrt"
  %12 = math.sqrt %x : f32
  // CHECK: call_opaque "tw::tanh"
  %13 = math.tanh %x : f32
  // CHECK: call_opaque "tw::rcp"(%arg0) {tw.pure}
  %14 = sm90.rcp %x
  // CHECK: call_opaque "tw::tanh_approx"
  %15 = sm90.tanh_approx %x
  sm90.return
}
