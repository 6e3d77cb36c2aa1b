// SPDX-License-Identifier: Apache-2.0
// scf becomes structured EmitC: carried values are variables, names and directives stay.
// RUN: tw-opt %s --sm90-to-emitc --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: emitc.func @carried(
sm90.kernel @carried(%n: i32, %x: f32) attributes {threads = 128 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: %[[INIT:.*]] = call_opaque "tw::consumer_cursor"
  %start = sm90.consumer_cursor
  // CHECK: %[[SLOT:.*]] = "emitc.variable"() {{.*}} -> !emitc.lvalue<!emitc.opaque<"tw::cursor">> loc("slot"
  // CHECK: assign %[[INIT]] : !emitc.opaque<"tw::cursor"> to %[[SLOT]]
  // CHECK: %[[SUM:.*]] = "emitc.variable"() {{.*}} -> !emitc.lvalue<f32> loc("sum"
  // CHECK: assign %arg1 : f32 to %[[SUM]]
  // CHECK: for %[[I:.*]] = %{{.*}} to %arg0 step %{{.*}} : i32 {
  %end, %total = "scf.for"(%c0, %n, %c1, %start, %x) ({
  ^body(%i: i32 loc("row"), %slot: !sm90.cursor loc("slot"), %sum: f32 loc("sum")):
    // CHECK: %[[AT:.*]] = load %[[SLOT]]
    // CHECK: %[[SO_FAR:.*]] = load %[[SUM]]
    // CHECK: %[[NEXT:.*]] = call_opaque "tw::advance"(%[[AT]])
    %next = sm90.advance %slot stages<4>
    // CHECK: %[[MORE:.*]] = add %[[SO_FAR]], %[[SO_FAR]]
    %more = arith.addf %sum, %sum : f32
    // CHECK: assign %[[NEXT]] : !emitc.opaque<"tw::cursor"> to %[[SLOT]]
    // CHECK: assign %[[MORE]] : f32 to %[[SUM]]
    scf.yield %next, %more : !sm90.cursor, f32
  // CHECK: } {tw.unroll = 1 : i32}
  }) {tw.unroll = 1 : i32} : (i32, i32, i32, !sm90.cursor, f32) -> (!sm90.cursor, f32)
  // CHECK: %[[AFTER:.*]] = load %[[SLOT]]
  // CHECK: %[[TOTAL:.*]] = load %[[SUM]]
  // CHECK: call_opaque "tw::stage"(%[[AFTER]])
  %stage = sm90.stage %end
  // CHECK: unary_minus %[[TOTAL]]
  %minus = arith.negf %total : f32
  sm90.return
}

// What takes over another's old value is assigned before that one changes.
// CHECK-LABEL: emitc.func @shifted(
sm90.kernel @shifted(%n: i32) attributes {threads = 128 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: %[[NEW:.*]] = "emitc.variable"() {{.*}} loc("now"
  // CHECK: %[[OLD:.*]] = "emitc.variable"() {{.*}} loc("before"
  // CHECK: %[[OLDER:.*]] = "emitc.variable"() {{.*}} loc("long_ago"
  // CHECK: for
  %r:3 = "scf.for"(%c0, %n, %c1, %c0, %c0, %c0) ({
  ^body(%i: i32, %now: i32 loc("now"), %before: i32 loc("before"), %older: i32 loc("long_ago")):
    %next = arith.addi %now, %i : i32
    // CHECK:      assign %{{.*}} : i32 to %[[OLDER]]
    // CHECK-NEXT: assign %{{.*}} : i32 to %[[OLD]]
    // CHECK-NEXT: assign %{{.*}} : i32 to %[[NEW]]
    scf.yield %next, %now, %before : i32, i32, i32
  }) : (i32, i32, i32, i32, i32, i32) -> (i32, i32, i32)
  sm90.mbarrier_arrive %r#2
  sm90.return
}

// CHECK-LABEL: emitc.func @branches(
sm90.kernel @branches(%n: i32, %x: f32) attributes {threads = 128 : i32} {
  %c0 = arith.constant 0 : i32
  %positive = arith.cmpi sgt, %n, %c0 : i32
  // CHECK: %[[Y:.*]] = "emitc.variable"() {{.*}} -> !emitc.lvalue<f32> loc("y"
  // CHECK: if %{{.*}} {
  // CHECK:   assign %arg1 : f32 to %[[Y]]
  // CHECK: } else {
  // CHECK:   assign %{{.*}} : f32 to %[[Y]]
  // CHECK: }
  %y = scf.if %positive -> f32 {
    scf.yield %x : f32
  } else {
    %minus = arith.negf %x : f32
    scf.yield %minus : f32
  } loc("y")
  // CHECK: do {
  // CHECK: } while {
  scf.while : () -> () {
    %any = sm90.vote_any %positive
    scf.condition(%any)
  } do {
    sm90.warp_sync
    scf.yield
  }
  sm90.return
}
