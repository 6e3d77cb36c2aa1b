// SPDX-License-Identifier: Apache-2.0
// Kernels, named constants and comments: each op prints as it was written.
// RUN: grep -v "^//" %s > %t.mlir
// RUN: tw-opt %t.mlir | grep . | diff %t.mlir -
// RUN: tw-opt %t.mlir --mlir-print-op-generic | tw-opt | grep . | diff %t.mlir -
module {
  sm90.kernel @kernel(%arg0: !sm90.tensor_map, %arg1: !sm90.ptr<const f16>, %arg2: !sm90.ptr<f8E4M3FN>, %arg3: i32, %arg4: i64, %arg5: f32) attributes {cluster = array<i32: 2, 1, 1>, min_ctas = 2 : i32, shared_bytes = 200704 : i32, threads = 384 : i32} {
    %0 = sm90.named_constant "kStages" 4 : i32
    %1 = sm90.named_constant "kBytes" 5000000000 : i64
    %2 = sm90.named_constant "kScale" 1.250000e-01 : f32
    sm90.comment "Prologue."
    sm90.comment "Two\0Alines."
    sm90.return
  }
}
