// SPDX-License-Identifier: Apache-2.0
// Global memory: each op prints as it was written.
// RUN: grep -v "^//" %s > %t.mlir
// RUN: tw-opt %t.mlir | grep . | diff %t.mlir -
// RUN: tw-opt %t.mlir --mlir-print-op-generic | tw-opt | grep . | diff %t.mlir -
module {
  sm90.kernel @global(%arg0: !sm90.ptr<const bf16>, %arg1: !sm90.ptr<bf16>, %arg2: !sm90.ptr<f32>, %arg3: !sm90.ptr<i32>, %arg4: i64, %arg5: i32, %arg6: f32) attributes {min_ctas = 1 : i32, threads = 128 : i32} {
    %0 = sm90.elect_one
    %1 = sm90.ptr_offset %arg0, %arg4 : <const bf16>, i64
    %2 = sm90.ptr_offset %arg1, %arg5 : <bf16>, i32
    %3 = sm90.frag : <16xf32>
    %4 = sm90.ld_global %arg0[%arg4] : <const bf16>
    %5 = sm90.ld_global %arg3[%arg4] : <i32>
    %6 = sm90.ld_global_if %arg0[%arg4], %0 : <const bf16>
    sm90.ld_global_pair %arg0[%arg4], %arg5 to %3[%arg5] : <const bf16>, <16xf32>
    sm90.st_global %arg6 to %arg1[%arg4] : <bf16>
    sm90.st_global_if %arg6 to %arg2[%arg4], %0 : <f32>
    sm90.st_global_pair %arg6, %arg6 to %arg1[%arg4], %arg5 : <bf16>
    sm90.cp_async %arg0 to %arg5, %arg5 size<16> : <const bf16>
    sm90.cp_async_commit
    sm90.cp_async_wait outstanding<1>
    sm90.red_add_if %arg6 to %arg2[%arg4], %0 : <f32>
    %7 = sm90.atomic_add %arg5 to %arg3 : <i32>
    %8 = sm90.ld_acquire %arg3 : <i32>
    sm90.red_release %arg5 to %arg3 : <i32>
    sm90.return
  }
}
