// SPDX-License-Identifier: Apache-2.0
// Register arrays: each op prints as it was written.
// RUN: grep -v "^//" %s > %t.mlir
// RUN: tw-opt %t.mlir | grep . | diff %t.mlir -
// RUN: tw-opt %t.mlir --mlir-print-op-generic | tw-opt | grep . | diff %t.mlir -
module {
  sm90.kernel @fragments(%arg0: i32, %arg1: f32) attributes {min_ctas = 1 : i32, threads = 128 : i32} {
    %0 = sm90.frag : <64xf32>
    %1 = sm90.frag init(%arg1) : <64xf32>
    %2 = sm90.frag : <4xi64>
    %3 = sm90.frag : <32xi32>
    %4 = sm90.frag : <16xi32>
    %5 = sm90.frag_get %0[%arg0] : <64xf32>
    %6 = sm90.frag_get %2[%arg0] : <4xi64>
    sm90.frag_set %5 to %0[%arg0] : <64xf32>
    sm90.frag_fill %0, %arg1 : <64xf32>
    sm90.frag_leave %0 : <64xf32>
    sm90.frag_copy %0 to %1 : <64xf32>
    sm90.frag_pack %0 to %3 as bf16 : <64xf32> to <32xi32>
    sm90.frag_pack %0 to %4 as f16 first<32> : <64xf32> to <16xi32>
    sm90.frag_unpack %3 to %0 as bf16 : <32xi32> to <64xf32>
    sm90.quad_reduce_max %0 : <64xf32>
    sm90.quad_reduce_add %0 : <64xf32>
    sm90.return
  }
}
