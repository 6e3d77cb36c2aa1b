// SPDX-License-Identifier: Apache-2.0
// Registers, ids, votes and shuffles: each op prints as it was written.
// RUN: grep -v "^//" %s > %t.mlir
// RUN: tw-opt %t.mlir | grep . | diff %t.mlir -
// RUN: tw-opt %t.mlir --mlir-print-op-generic | tw-opt | grep . | diff %t.mlir -
module {
  sm90.kernel @warp(%arg0: i32, %arg1: f32) attributes {min_ctas = 1 : i32, threads = 128 : i32} {
    %0 = sm90.elect_one
    sm90.setmaxnreg_inc registers<kMmaRegisters = 232>
    sm90.setmaxnreg_dec registers<40>
    %1 = sm90.elect_one
    %2 = sm90.warp_id
    %3 = sm90.warpgroup_id
    %4 = sm90.shfl_xor %arg1, %arg0 : f32
    %5 = sm90.vote_any %0
    %6 = sm90.thread_id
    %7 = sm90.lane_id
    %8 = sm90.cta_id
    %9 = sm90.grid_size
    %10 = sm90.cluster_rank
    %11 = sm90.cluster_id
    %12 = sm90.cluster_count
    %13 = sm90.prmt %arg0, %arg0, %arg0
    %14 = sm90.rcp %arg1
    %15 = sm90.tanh_approx %arg1
    sm90.return
  }
}
