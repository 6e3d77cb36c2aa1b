// SPDX-License-Identifier: Apache-2.0
// Shared memory: each op prints as it was written.
// RUN: grep -v "^//" %s > %t.mlir
// RUN: tw-opt %t.mlir | grep . | diff %t.mlir -
// RUN: tw-opt %t.mlir --mlir-print-op-generic | tw-opt | grep . | diff %t.mlir -
module {
  sm90.kernel @shared(%arg0: i32, %arg1: i32, %arg2: f32) attributes {min_ctas = 1 : i32, threads = 128 : i32} {
    %0 = sm90.smem_base
    %1 = sm90.swizzle %arg0 mode<128>
    %2 = sm90.frag : <16xi32>
    %3 = sm90.frag : <16xf32>
    sm90.ldmatrix %arg0, %2[%arg1] x<4> trans : <16xi32>
    sm90.ldmatrix %arg0, %2[%arg1] x<1> : <16xi32>
    sm90.stmatrix %2[%arg1] to %arg0 x<2> : <16xi32>
    sm90.stmatrix %2[%arg1] to %arg0 x<4> trans : <16xi32>
    %4 = sm90.ld_shared %arg0 as bf16
    %5 = sm90.ld_shared %arg0 as i32
    sm90.st_shared %4 to %arg0 as f16 : f32
    sm90.st_shared %5 to %arg0 as i32 : i32
    sm90.st_shared_v2 %3[%arg1] to %arg0 : !sm90.frag<16xf32>
    sm90.st_shared_v4 %2[%arg1] to %arg0 : !sm90.frag<16xi32>
    sm90.st_async %arg2 to %arg0, %arg1 rank %arg1 : f32
    sm90.return
  }
}
