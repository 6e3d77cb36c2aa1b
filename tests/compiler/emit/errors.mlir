// SPDX-License-Identifier: Apache-2.0
// What no pass of ours leaves is refused, at the op.
// RUN: tw-translate %s --emitc-to-cuda --split-input-file --verify-diagnostics

// expected-error @below {{'emitc.include' op is no emitc.func: run sm90-to-emitc and emitc-prepare first}}
emitc.include "a.h"

// -----

emitc.func @f(%n: i32) {
  // expected-error @below {{'emitc.constant' op has no text: no pass of the compiler leaves it in a kernel}}
  %c = "emitc.constant"() <{value = 1 : i32}> : () -> i32
  emitc.return
}

// -----

// expected-error @below {{expected a body of one block}}
emitc.func private @declared(i32)
