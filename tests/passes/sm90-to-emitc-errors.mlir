// SPDX-License-Identifier: Apache-2.0
// What has no form in the text is named.
// RUN: tw-opt %s --sm90-to-emitc --split-input-file --verify-diagnostics

sm90.kernel @k(%n: i32) attributes {threads = 128 : i32} {
  // expected-error @below {{has a value of type index, which would become an unsigned size_t: use i32, or i64 for element offsets}}
  %i = arith.index_cast %n : i32 to index
  sm90.return
}

// -----

sm90.kernel @k(%x: f32) attributes {threads = 128 : i32} {
  // expected-error @below {{has a value of type 'bf16', expected i1, i32, i64 or f32: narrower types live in memory and in packed registers only}}
  %y = arith.truncf %x : f32 to bf16
  sm90.return
}

// -----

sm90.kernel @k(%n: i32) attributes {threads = 128 : i32} {
  // expected-error @below {{'arith.divui' op has no form in EmitC: lower it before sm90-to-emitc}}
  %y = arith.divui %n, %n : i32
  sm90.return
}

// -----

sm90.kernel @k(%n: i32, %m: i32) attributes {threads = 128 : i32} {
  // expected-error @below {{'arith.cmpi' op has no form in EmitC}}
  %y = arith.cmpi ult, %n, %m : i32
  sm90.return
}

// -----

sm90.kernel @k(%x: f32) attributes {threads = 128 : i32} {
  // expected-error @below {{'math.powf' op has no form in EmitC}}
  %y = math.powf %x, %x : f32
  sm90.return
}

// -----

sm90.kernel @k(%n: i32) attributes {threads = 128 : i32} {
  %zero = arith.constant 0 : i32
  // expected-error @below {{'arith.ceildivsi' op has no form in EmitC}}
  %y = arith.ceildivsi %n, %zero : i32
  sm90.return
}

// -----

sm90.kernel @k(%n: i32) attributes {threads = 128 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %acc = sm90.frag : !sm90.frag<8xf32>
  // expected-error @below {{'scf.for' op carries a register array, expected values: an array is a place that sm90.frag declares and ops take by reference}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %acc) -> (!sm90.frag<8xf32>) : i32 {
    scf.yield %a : !sm90.frag<8xf32>
  }
  sm90.return
}

// -----

sm90.kernel @k(%n: i32) attributes {threads = 128 : i32} {
  %c = sm90.consumer_cursor
  %d = sm90.advance %c stages<kStages = 4>
  // expected-error @below {{expected constant kStages to be 4 : i32 as elsewhere in this kernel, found 3 : i32}}
  %e = sm90.advance %d stages<kStages = 3>
  sm90.return
}

// -----

// expected-error @below {{'arith.constant' op has no form in EmitC outside of a kernel}}
%x = arith.constant 1 : i32
