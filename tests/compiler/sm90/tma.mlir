// SPDX-License-Identifier: Apache-2.0
// The tensor memory accelerator and bulk copies: each op prints as it was written.
// RUN: grep -v "^//" %s > %t.mlir
// RUN: tw-opt %t.mlir | grep . | diff %t.mlir -
// RUN: tw-opt %t.mlir --mlir-print-op-generic | tw-opt | grep . | diff %t.mlir -
module {
  sm90.kernel @tma(%arg0: !sm90.tensor_map, %arg1: !sm90.ptr<const bf16>, %arg2: !sm90.ptr<f32>, %arg3: i32, %arg4: i32, %arg5: i32) attributes {min_ctas = 1 : i32, threads = 128 : i32} {
    sm90.prefetch_tensormap %arg0
    sm90.tma_load %arg0[%arg3] to %arg3, %arg4
    sm90.tma_load %arg0[%arg3, %arg5, %arg3, %arg5, %arg3] to %arg3, %arg4 cache evict_first
    sm90.tma_load_multicast %arg0[%arg3, %arg5] to %arg3, %arg4 mask %arg5
    sm90.tma_load_multicast %arg0[%arg3, %arg5, %arg5] to %arg3, %arg4 mask %arg5 cache evict_last
    sm90.tma_store %arg3 to %arg0[%arg5, %arg5]
    sm90.tma_reduce_add %arg3 to %arg0[%arg5, %arg5]
    sm90.tma_prefetch %arg0[%arg5, %arg5]
    sm90.bulk_load %arg1 to %arg3, %arg5, %arg4 : <const bf16>
    sm90.bulk_store %arg3 to %arg2, %arg5 : <f32>
    sm90.bulk_reduce_add %arg3 to %arg2, %arg5 : <f32>
    sm90.bulk_commit
    sm90.bulk_wait outstanding<0>
    sm90.bulk_wait_read outstanding<1>
    sm90.return
  }
}
