// SPDX-License-Identifier: Apache-2.0
// Everything that the verifiers and parsers of the dialect refuse.
// RUN: tw-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{expected an identifier of C++ as the name, found "while"; rename the kernel}}
sm90.kernel @while() attributes {threads = 128 : i32} {
  sm90.return
}

// -----

// expected-error @below {{expected an identifier of C++ as the name, found "a b;c"; rename the kernel}}
sm90.kernel @"a b;c"() attributes {threads = 128 : i32} {
  sm90.return
}

// -----

// expected-error @below {{expected threads from 32 to 1024, a multiple of 32, found 100}}
sm90.kernel @k() attributes {threads = 100 : i32} {
  sm90.return
}

// -----

// expected-error @below {{expected min_ctas from 1 to 32, found 0}}
sm90.kernel @k() attributes {threads = 128 : i32, min_ctas = 0 : i32} {
  sm90.return
}

// -----

// expected-error @below {{expected no results, found 1: a kernel writes through its parameters}}
sm90.kernel @k() -> i32 attributes {threads = 128 : i32} {
  sm90.return
}

// -----

// expected-error @below {{expected !sm90.tensor_map, !sm90.ptr, i32, i64 or f32 as parameter 1, found 'index'}}
sm90.kernel @k(%a: i32, %b: index) attributes {threads = 128 : i32} {
  sm90.return
}

// -----

// expected-error @below {{expected 1 to 3 cluster extents with 1 to 16 CTAs together, found [8, 4]}}
sm90.kernel @k() attributes {threads = 128 : i32, cluster = array<i32: 8, 4>} {
  sm90.return
}

// -----

// expected-error @below {{expected at most 232448 bytes of shared memory, found 232449}}
sm90.kernel @k() attributes {threads = 128 : i32, shared_bytes = 232449 : i32} {
  sm90.return
}

// -----

// expected-error @below {{expected a body of one block: branches are scf ops}}
"sm90.kernel"() <{function_type = () -> (), sym_name = "k", threads = 128 : i32, min_ctas = 1 : i32}> ({
  "sm90.return"() : () -> ()
^second:
  "sm90.return"() : () -> ()
}) : () -> ()

// -----

sm90.kernel @k() attributes {threads = 128 : i32} {
  // expected-error @below {{expected an identifier of C++ as the name, found "two words"}}
  %x = sm90.named_constant "two words" 4 : i32
  sm90.return
}

// -----

sm90.kernel @k() attributes {threads = 128 : i32} {
  // expected-error @below {{expected an identifier of C++ as the name, found "float"}}
  %x = sm90.named_constant "float" 4 : i32
  sm90.return
}

// -----

sm90.kernel @k() attributes {threads = 128 : i32} {
  // expected-error @below {{expected no backslash at the end of a line: it would swallow the next line of the text}}
  sm90.comment "C:\\"
  sm90.return
}

// -----

// expected-error @below {{expected one size, as in !sm90.frag<128xf32>, found 2}}
module attributes {t = !sm90.frag<2x4xf32>} {}

// -----

// expected-error @below {{expected 1 to 512 registers in a fragment, found 513: a thread has 255}}
module attributes {t = !sm90.frag<513xf32>} {}

// -----

// expected-error @below {{expected f32, i32 or i64 as a fragment's element, found 'bf16': pack 16-bit values in pairs into i32}}
module attributes {t = !sm90.frag<64xbf16>} {}

// -----

// expected-error @below {{expected bf16, f16, f32, f8E4M3FN, f8E5M2, i8, i32 or i64 behind a pointer, found 'f64'}}
module attributes {t = !sm90.ptr<f64>} {}

// -----

// expected-error @below {{expected an identifier of C++ as the name of a constant, found "1st"}}
module attributes {x = #sm90.const<"1st" = 4>} {}

// -----

// expected-error @below {{expected a constant of 32 bits, found 5000000000}}
module attributes {x = #sm90.const<5000000000>} {}

// -----

sm90.kernel @k(%i: i32) attributes {threads = 128 : i32} {
  %c = sm90.consumer_cursor
  // expected-error @below {{expected stages from 1 to 64, found 0}}
  %n = sm90.advance %c stages<0>
  sm90.return
}

// -----

sm90.kernel @k(%i: i32) attributes {threads = 128 : i32} {
  %c = sm90.consumer_cursor
  // expected-error @below {{expected bytes from 16 to 232448, a multiple of 16, found 24}}
  %n = sm90.slot_at %i, %c bytes<24>
  sm90.return
}

// -----

sm90.kernel @k(%i: i32) attributes {threads = 128 : i32} {
  // expected-error @below {{expected threads from 32 to 1024, a multiple of 32, found 100}}
  sm90.barrier_sync %i threads<100>
  sm90.return
}

// -----

sm90.kernel @k(%i: i32) attributes {threads = 128 : i32} {
  // expected-error @below {{expected threads from 32 to 1024, a multiple of 32, found 0}}
  sm90.barrier_arrive %i threads<0>
  sm90.return
}

// -----

sm90.kernel @k(%m: !sm90.tensor_map, %i: i32) attributes {threads = 128 : i32} {
  // expected-error @below {{expected the number of coordinates from 1 to 5, found 0}}
  sm90.tma_load %m[] to %i, %i
  sm90.return
}

// -----

sm90.kernel @k(%m: !sm90.tensor_map, %i: i32) attributes {threads = 128 : i32} {
  // expected-error @below {{expected the number of coordinates from 1 to 5, found 6}}
  sm90.tma_load_multicast %m[%i, %i, %i, %i, %i, %i] to %i, %i mask %i
  sm90.return
}

// -----

sm90.kernel @k(%m: !sm90.tensor_map, %i: i32) attributes {threads = 128 : i32} {
  // expected-error @below {{expected the number of coordinates from 1 to 5, found 6}}
  sm90.tma_store %i to %m[%i, %i, %i, %i, %i, %i]
  sm90.return
}

// -----

sm90.kernel @k(%m: !sm90.tensor_map, %i: i32) attributes {threads = 128 : i32} {
  // expected-error @below {{expected the number of coordinates from 1 to 5, found 6}}
  sm90.tma_reduce_add %i to %m[%i, %i, %i, %i, %i, %i]
  sm90.return
}

// -----

sm90.kernel @k(%m: !sm90.tensor_map, %i: i32) attributes {threads = 128 : i32} {
  // expected-error @below {{expected the number of coordinates from 1 to 5, found 0}}
  sm90.tma_prefetch %m[]
  sm90.return
}

// -----

sm90.kernel @k(%p: !sm90.ptr<const f32>, %i: i32) attributes {threads = 128 : i32} {
  // expected-error @below {{operand #0 must be pointer that may be written, but got '!sm90.ptr<const f32>'}}
  sm90.bulk_store %i to %p, %i : !sm90.ptr<const f32>
  sm90.return
}

// -----

sm90.kernel @k(%p: !sm90.ptr<bf16>, %i: i32) attributes {threads = 128 : i32} {
  // expected-error @below {{operand #0 must be pointer that may be written to f32, but got '!sm90.ptr<bf16>'}}
  sm90.bulk_reduce_add %i to %p, %i : !sm90.ptr<bf16>
  sm90.return
}

// -----

sm90.kernel @k() attributes {threads = 128 : i32} {
  // expected-error @below {{expected outstanding from 0 to 63, found -1}}
  sm90.bulk_wait outstanding<-1>
  sm90.return
}

// -----

sm90.kernel @k() attributes {threads = 128 : i32} {
  // expected-error @below {{expected outstanding from 0 to 63, found 64}}
  sm90.bulk_wait_read outstanding<64>
  sm90.return
}

// -----

sm90.kernel @k() attributes {threads = 128 : i32} {
  // expected-error @below {{expected outstanding from 0 to 63, found 64}}
  sm90.cp_async_wait outstanding<64>
  sm90.return
}

// -----

sm90.kernel @k(%p: !sm90.ptr<const bf16>, %i: i32) attributes {threads = 128 : i32} {
  // expected-error @below {{expected size to be one of 4, 8, 16, found 32}}
  sm90.cp_async %p to %i, %i size<32> : !sm90.ptr<const bf16>
  sm90.return
}

// -----

sm90.kernel @k(%p: !sm90.ptr<const bf16>, %i: i64, %x: f32) attributes {threads = 128 : i32} {
  // expected-error @below {{'pointer' must be pointer that may be written, but got '!sm90.ptr<const bf16>'}}
  sm90.st_global %x to %p[%i] : !sm90.ptr<const bf16>
  sm90.return
}

// -----

sm90.kernel @k(%p: !sm90.ptr<bf16>, %i: i64, %x: i32) attributes {threads = 128 : i32} {
  // expected-error @below {{`value` has the register type of the element}}
  "sm90.st_global"(%p, %i, %x) : (!sm90.ptr<bf16>, i64, i32) -> ()
  sm90.return
}

// -----

sm90.kernel @k(%i: i32) attributes {threads = 128 : i32} {
  // expected-error @below {{expected mode to be one of 0, 32, 64, 128, found 16}}
  %o = sm90.swizzle %i mode<16>
  sm90.return
}

// -----

sm90.kernel @k(%i: i32) attributes {threads = 128 : i32} {
  // expected-error @below {{expected swizzle to be one of 0, 32, 64, 128, found 256}}
  %d = sm90.smem_descriptor %i swizzle<256>
  sm90.return
}

// -----

sm90.kernel @k(%i: i32) attributes {threads = 128 : i32} {
  // expected-error @below {{expected leading and stride where nothing is swizzled, found neither}}
  %d = sm90.smem_descriptor %i swizzle<0>
  sm90.return
}

// -----

sm90.kernel @k(%i: i32) attributes {threads = 128 : i32} {
  // expected-error @below {{expected both leading and stride or neither, found one}}
  %d = "sm90.smem_descriptor"(%i, %i) <{operandSegmentSizes = array<i32: 1, 1, 0>, swizzle = #sm90.const<128>}> : (i32, i32) -> i64
  sm90.return
}

// -----

sm90.kernel @k(%i: i32) attributes {threads = 128 : i32} {
  %r = sm90.frag : !sm90.frag<8xi32>
  // expected-error @below {{expected x to be one of 1, 2, 4, found 3}}
  sm90.ldmatrix %i, %r[%i] x<3> : !sm90.frag<8xi32>
  sm90.return
}

// -----

sm90.kernel @k(%i: i32) attributes {threads = 128 : i32} {
  %r = sm90.frag : !sm90.frag<8xi32>
  // expected-error @below {{expected x to be one of 1, 2, 4, found 8}}
  sm90.stmatrix %r[%i] to %i x<8> : !sm90.frag<8xi32>
  sm90.return
}

// -----

sm90.kernel @k(%i: i32) attributes {threads = 128 : i32} {
  // expected-error @below {{expected element type bf16, f16, f32 or i32, found 'i64'}}
  %x = "sm90.ld_shared"(%i) <{element = i64}> : (i32) -> i32
  sm90.return
}

// -----

sm90.kernel @k(%i: i32) attributes {threads = 128 : i32} {
  // expected-error @below {{expected a value of type 'f32' for element 'bf16', found 'i32'}}
  sm90.st_shared %i to %i as bf16 : i32
  sm90.return
}

// -----

sm90.kernel @k(%i: i32) attributes {threads = 128 : i32} {
  // expected-error @below {{expected element type bf16, f16, f32 or i32, found 'i8'}}
  sm90.st_shared %i to %i as i8 : i32
  sm90.return
}

// -----

sm90.kernel @k(%p: !sm90.ptr<i32>, %i: i64, %n: i32) attributes {threads = 128 : i32} {
  %r = sm90.frag : !sm90.frag<8xf32>
  // expected-error @below {{expected registers of 'i32', the loaded value's type, found 'f32'}}
  sm90.ld_global_pair %p[%i], %n to %r[%n] : !sm90.ptr<i32>, !sm90.frag<8xf32>
  sm90.return
}

// -----

sm90.kernel @k(%x: f32) attributes {threads = 128 : i32} {
  // expected-error @below {{`init` has the element type}}
  %r = "sm90.frag"(%x) : (f32) -> !sm90.frag<8xi32>
  sm90.return
}

// -----

sm90.kernel @k() attributes {threads = 128 : i32} {
  %a = sm90.frag : !sm90.frag<64xf32>
  %p = sm90.frag : !sm90.frag<32xi32>
  // expected-error @below {{expected element type bf16 or f16, found 'f32'}}
  sm90.frag_pack %a to %p as f32 : !sm90.frag<64xf32> to !sm90.frag<32xi32>
  sm90.return
}

// -----

sm90.kernel @k() attributes {threads = 128 : i32} {
  %a = sm90.frag : !sm90.frag<64xf32>
  %p = sm90.frag : !sm90.frag<32xi32>
  // expected-error @below {{expected at least 66 source registers, found 64}}
  sm90.frag_pack %a to %p as bf16 first<2> : !sm90.frag<64xf32> to !sm90.frag<32xi32>
  sm90.return
}

// -----

sm90.kernel @k() attributes {threads = 128 : i32} {
  %a = sm90.frag : !sm90.frag<64xf32>
  %p = sm90.frag : !sm90.frag<16xi32>
  // expected-error @below {{expected 32 destination registers, two per source register, found 64}}
  sm90.frag_unpack %p to %a as bf16 : !sm90.frag<16xi32> to !sm90.frag<64xf32>
  sm90.return
}

// -----

sm90.kernel @k() attributes {threads = 128 : i32} {
  // expected-error @below {{expected registers from 24 to 256, a multiple of 8, found 36}}
  sm90.setmaxnreg_dec registers<36>
  sm90.return
}

// -----

sm90.kernel @k() attributes {threads = 128 : i32} {
  // expected-error @below {{expected registers from 24 to 256, a multiple of 8, found 264}}
  sm90.setmaxnreg_inc registers<264>
  sm90.return
}

// -----

sm90.kernel @k(%t: i32) attributes {threads = 128 : i32} {
  // expected-error @below {{expected group from 1 to 1024, found 0}}
  %c = sm90.raster_grouped %t in %t, %t group<0>
  sm90.return
}

// -----

sm90.kernel @k(%t: i32) attributes {threads = 128 : i32} {
  // expected-error @below {{expected group from 1 to 1024, found 0}}
  %c = sm90.raster_snake %t in %t, %t group<0>
  sm90.return
}

// -----

sm90.kernel @k(%d: i64, %s: i32) attributes {threads = 128 : i32} {
  %a = sm90.frag : !sm90.frag<128xf32>
  // expected-error @below {{expected n from 8 to 256, a multiple of 8, found 100}}
  sm90.wgmma_ss %a, %d, %d, %s n<100> bf16 : !sm90.frag<128xf32>, i32
  sm90.return
}

// -----

sm90.kernel @k(%d: i64, %s: i32) attributes {threads = 128 : i32} {
  %a = sm90.frag : !sm90.frag<128xf32>
  // expected-error @below {{expected element type bf16 or f16, found 'f32'}}
  sm90.wgmma_ss %a, %d, %d, %s n<256> f32 : !sm90.frag<128xf32>, i32
  sm90.return
}

// -----

sm90.kernel @k(%d: i64, %s: i32) attributes {threads = 128 : i32} {
  %a = sm90.frag : !sm90.frag<128xf32>
  // expected-error @below {{expected an accumulator of at least 256 registers for n = 256, wave 1, found 128}}
  sm90.wgmma_ss %a, %d, %d, %s n<256> bf16 wave<1> : !sm90.frag<128xf32>, i32
  sm90.return
}

// -----

sm90.kernel @k(%d: i64, %s: i32) attributes {threads = 128 : i32} {
  %a = sm90.frag : !sm90.frag<128xf32>
  %p = sm90.frag : !sm90.frag<32xi32>
  // expected-error @below {{expected at least 36 registers of A for k = 8, found 32}}
  sm90.wgmma_rs %a, %p, %d, %s n<256> bf16 k<8> : !sm90.frag<128xf32>, !sm90.frag<32xi32>, i32
  sm90.return
}

// -----

sm90.kernel @k() attributes {threads = 128 : i32} {
  // expected-error @below {{expected outstanding from 0 to 7, found 8}}
  sm90.wgmma_wait outstanding<8>
  sm90.return
}
