// SPDX-License-Identifier: Apache-2.0
// Kernels become functions, device ops calls; headers and named constants are collected on the function.
// RUN: tw-opt %s --sm90-to-emitc | FileCheck %s

// CHECK-LABEL: emitc.func @kernel(
// CHECK-SAME: %[[MAP:.*]]: !emitc.opaque<"const __grid_constant__ tw::tensor_map">
// CHECK-SAME: %[[SRC:.*]]: !emitc.ptr<!emitc.opaque<"const tw::bf16">>
// CHECK-SAME: %[[DST:.*]]: !emitc.ptr<!emitc.opaque<"float">>
// CHECK-SAME: %[[N:.*]]: i32, %[[I:.*]]: i64, %[[X:.*]]: f32)
// CHECK-SAME: specifiers = ["extern \22C\22", "__global__", "__launch_bounds__(256, 2)"]
// CHECK-SAME: tw.cluster = array<i32: 2, 1, 1>
// CHECK-SAME: tw.constants = [{name = "kStages", value = 4 : i32}, {name = "kScale", value = 5.000000e-01 : f32}, {name = "kTileN", value = 128 : i32}]
// CHECK-SAME: tw.includes = ["tilewright/cursor.cuh", "tilewright/global.cuh", "tilewright/tma.cuh", "tilewright/types.cuh", "tilewright/wgmma.cuh", "tilewright/wgmma_n128.cuh"]
// CHECK-SAME: tw.registers = [40, 232]
// CHECK-SAME: tw.shared_bytes = 1024 : i32
// CHECK-SAME: tw.threads = 256 : i32
sm90.kernel @kernel(%map: !sm90.tensor_map, %src: !sm90.ptr<const bf16>, %dst: !sm90.ptr<f32>, %n: i32, %i: i64,
                    %x: f32)
    attributes {threads = 256 : i32, min_ctas = 2 : i32, cluster = array<i32: 2, 1, 1>, shared_bytes = 1024 : i32,
                tw.registers = [40, 232]} {
  // A named constant is its name; a constant's name in a template argument too.
  // CHECK: %[[STAGES:.*]] = literal "kStages" : i32
  %stages = sm90.named_constant "kStages" 4 : i32
  // CHECK: literal "kScale" : f32
  %scale = sm90.named_constant "kScale" 0.5 : f32
  // CHECK: %[[CURSOR:.*]] = call_opaque "tw::producer_cursor"() {tw.hint = "cursor", tw.pure} : () -> !emitc.opaque<"tw::cursor">
  %cursor = sm90.producer_cursor
  // CHECK: call_opaque "tw::advance"(%[[CURSOR]], %[[STAGES]]) {template_args = [#emitc.opaque<"kStages">], tw.hint = "cursor", tw.pure}
  %next = sm90.advance %cursor by %stages stages<kStages = 4>
  // CHECK: call_opaque "tw::advance"(%{{.*}}) {template_args = [#emitc.opaque<"6">]
  %other = sm90.advance %next stages<6>
  // CHECK: call_opaque "tw::tma_load"(%[[MAP]], %[[N]], %[[N]], %[[N]], %[[STAGES]]) {template_args = [#emitc.opaque<"2">]}
  sm90.tma_load %map[%n, %stages] to %n, %n
  // CHECK: call_opaque "tw::tma_load"({{.*}}) {template_args = [#emitc.opaque<"1">, #emitc.opaque<"tw::cache::evict_first">]}
  sm90.tma_load %map[%n] to %n, %n cache evict_first
  // Arguments that equal the defaults at the end are left out, those before another are not.
  %acc = sm90.frag : !sm90.frag<128xf32>
  %packed = sm90.frag : !sm90.frag<32xi32>
  %descriptor = sm90.smem_descriptor %n swizzle<128>
  // CHECK: %[[ACC:.*]] = "emitc.variable"() {{.*}} : () -> !emitc.array<128xf32>
  // CHECK: %[[PACKED:.*]] = "emitc.variable"() {{.*}} : () -> !emitc.array<32xui32>
  // CHECK: %[[DESC:.*]] = call_opaque "tw::smem_descriptor"(%[[N]]) {template_args = [#emitc.opaque<"128">], tw.hint = "desc", tw.pure} : (i32) -> i64
  // CHECK: call_opaque "tw::wgmma_ss"(%[[ACC]], %[[DESC]], %[[DESC]], %[[N]]) {template_args = [#emitc.opaque<"kTileN">, #emitc.opaque<"tw::bf16">]}
  sm90.wgmma_ss %acc, %descriptor, %descriptor, %n n<kTileN = 128> bf16 : !sm90.frag<128xf32>, i32
  // CHECK: call_opaque "tw::wgmma_ss"({{.*}}) {template_args = [#emitc.opaque<"128">, #emitc.opaque<"tw::half">, #emitc.opaque<"false">, #emitc.opaque<"true">]}
  sm90.wgmma_ss %acc, %descriptor, %descriptor, %n n<128> f16 trans_b : !sm90.frag<128xf32>, i32
  // CHECK: call_opaque "tw::wgmma_rs"(%[[ACC]], %[[PACKED]], %[[DESC]], %[[N]]) {template_args = [#emitc.opaque<"128">, #emitc.opaque<"tw::bf16">, #emitc.opaque<"false">, #emitc.opaque<"0">, #emitc.opaque<"7">]}
  sm90.wgmma_rs %acc, %packed, %descriptor, %n n<128> bf16 k<7> : !sm90.frag<128xf32>, !sm90.frag<32xi32>, i32
  // CHECK: call_opaque "tw::ld_global"(%[[SRC]], %[[I]]) : (!emitc.ptr<!emitc.opaque<"const tw::bf16">>, i64) -> f32
  %value = sm90.ld_global %src[%i] : !sm90.ptr<const bf16>
  // CHECK: %[[ROW:.*]] = add %[[DST]], %[[I]] : (!emitc.ptr<!emitc.opaque<"float">>, i64) -> !emitc.ptr<!emitc.opaque<"float">>
  %row = sm90.ptr_offset %dst, %i : !sm90.ptr<f32>, i64
  // CHECK: call_opaque "tw::st_global"(%[[ROW]], %[[I]], %[[X]])
  sm90.st_global %x to %row[%i] : !sm90.ptr<f32>
  // CHECK: verbatim "// One."
  // CHECK-NEXT: verbatim "// Two."
  sm90.comment "One.\nTwo."
  // CHECK: return
  sm90.return
}

// Register arrays: declarations, elements, packed words as uint32_t; a splat is a call of fill.
// CHECK-LABEL: emitc.func @arrays(
// CHECK-SAME: tw.includes = ["tilewright/fragment.cuh", "tilewright/types.cuh"]
sm90.kernel @arrays(%i: i32, %x: f32) attributes {threads = 128 : i32} {
  // CHECK: %[[A:.*]] = "emitc.variable"() <{value = #emitc.opaque<"">}> : () -> !emitc.array<8xf32>
  // CHECK: call_opaque "tw::fill"(%[[A]], %arg1)
  %a = sm90.frag init(%x) : !sm90.frag<8xf32>
  // CHECK: %[[P:.*]] = "emitc.variable"() {{.*}} -> !emitc.array<4xui32>
  %p = sm90.frag : !sm90.frag<4xi32>
  // CHECK: %[[PLACE:.*]] = subscript %[[A]][%arg0] : (!emitc.array<8xf32>, i32) -> !emitc.lvalue<f32>
  // CHECK: %[[V:.*]] = load %[[PLACE]] : <f32>
  %v = sm90.frag_get %a[%i] : !sm90.frag<8xf32>
  // CHECK: %[[PLACE2:.*]] = subscript %[[A]]
  // CHECK: assign %[[V]] : f32 to %[[PLACE2]] : <f32>
  sm90.frag_set %v to %a[%i] : !sm90.frag<8xf32>
  // CHECK: %[[BITS:.*]] = load %{{.*}} : <ui32>
  // CHECK: %[[W:.*]] = cast %[[BITS]] : ui32 to i32
  %w = sm90.frag_get %p[%i] : !sm90.frag<4xi32>
  // CHECK: %[[U:.*]] = cast %[[W]] : i32 to ui32
  // CHECK: assign %[[U]] : ui32
  sm90.frag_set %w to %p[%i] : !sm90.frag<4xi32>
  sm90.return
}
