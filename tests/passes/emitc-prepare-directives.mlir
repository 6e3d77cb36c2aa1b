// SPDX-License-Identifier: Apache-2.0
// Unroll directives become pragmas, comments stay where they are.
// RUN: tw-opt %s --sm90-to-emitc --emitc-prepare | FileCheck %s

// CHECK-LABEL: emitc.func @loops(
sm90.kernel @loops(%n: i32) attributes {threads = 128 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK:      verbatim "#pragma unroll"
  // CHECK-NEXT: for
  // CHECK-NOT:  tw.unroll
  scf.for %i = %c0 to %n step %c1 : i32 {
    // CHECK: verbatim "// Body."
    // CHECK-NEXT: call_opaque "tw::warp_sync"
    sm90.comment "Body."
    sm90.warp_sync
  } {tw.unroll}
  // CHECK:      verbatim "#pragma unroll 1"
  // CHECK-NEXT: for
  scf.for %i = %c0 to %n step %c1 : i32 {
    sm90.warp_sync
  } {tw.unroll = 1 : i32}
  // CHECK-NOT:  verbatim
  // CHECK:      for
  scf.for %i = %c0 to %n step %c1 : i32 {
    sm90.warp_sync
  }
  sm90.return
}
