// SPDX-License-Identifier: Apache-2.0
// Warpgroup matrix multiply-accumulate: each op prints as it was written.
// RUN: grep -v "^//" %s > %t.mlir
// RUN: tw-opt %t.mlir | grep . | diff %t.mlir -
// RUN: tw-opt %t.mlir --mlir-print-op-generic | tw-opt | grep . | diff %t.mlir -
module {
  sm90.kernel @wgmma(%arg0: i32, %arg1: i32, %arg2: i32) attributes {min_ctas = 1 : i32, threads = 128 : i32} {
    %0 = sm90.elect_one
    %1 = sm90.frag : <128xf32>
    %2 = sm90.frag : <32xi32>
    %3 = sm90.smem_descriptor %arg0 swizzle<128>
    %4 = sm90.smem_descriptor %arg0 leading %arg1 stride %arg1 swizzle<0>
    %5 = sm90.descriptor_advance %3, %arg1
    sm90.wgmma_fence %1 : <128xf32>
    sm90.wgmma_fence %1, %2 : <128xf32>, !sm90.frag<32xi32>
    sm90.wgmma_ss %1, %3, %4, %arg2 n<256> bf16 : <128xf32>, i32
    sm90.wgmma_ss %1, %3, %4, %0 n<kTileN = 128> f16 trans_a trans_b wave<1> : <128xf32>, i1
    sm90.wgmma_rs %1, %2, %4, %arg2 n<256> bf16 : <128xf32>, <32xi32>, i32
    sm90.wgmma_rs %1, %2, %4, %0 n<64> f16 trans_b wave<3> k<7> : <128xf32>, <32xi32>, i1
    sm90.wgmma_commit
    sm90.wgmma_wait outstanding<1>
    sm90.wgmma_wait %1 outstanding<0> : !sm90.frag<128xf32>
    sm90.sched_boundary
    sm90.return
  }
}
