// SPDX-License-Identifier: Apache-2.0
// Text that says more than comments and pragmas is refused.
// RUN: tw-opt %s --emitc-prepare --split-input-file --verify-diagnostics

emitc.func @f() {
  // expected-error @below {{expected a one-line comment or `#pragma unroll`, found "asm volatile}}
  emitc.verbatim "asm volatile(\"\");"
  emitc.return
}

// -----

emitc.func @f() {
  // expected-error @below {{expected a one-line comment or `#pragma unroll`}}
  emitc.verbatim "// one\ncall();"
  emitc.return
}

// -----

emitc.func @f(%n: i32) {
  // expected-error @below {{expected a one-line comment or `#pragma unroll`}}
  emitc.verbatim "// {}" args %n : i32
  emitc.return
}

// -----

emitc.func @f(%n: i32) {
  // expected-error @below {{expected tw.unroll to be a unit or a positive integer, found 0 : i32}}
  emitc.for %i = %n to %n step %n : i32 {
  } {tw.unroll = 0 : i32}
  emitc.return
}

// -----

emitc.func @f(%n: i32) {
  // expected-error @below {{expected tw.unroll to be a unit or a positive integer, found "yes"}}
  emitc.for %i = %n to %n step %n : i32 {
  } {tw.unroll = "yes"}
  emitc.return
}
