// Waits: dropped, too weak, too late, for another phase, not made by all.
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=drop-full-wait site=0" | FileCheck %s --check-prefix=DROP
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=drop-empty-wait site=0" | FileCheck %s --check-prefix=EMPTY
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=full-wait-skipped-by-warp site=0" | FileCheck %s --check-prefix=WARP
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=full-wait-phase-swapped site=0" | FileCheck %s --check-prefix=PHASE
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=weaken-wgmma-wait site=0" | FileCheck %s --check-prefix=WEAK
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=staging-wait-after-barrier site=0" | FileCheck %s --check-prefix=AFTER
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=staging-wait-by-another-thread site=0" | FileCheck %s --check-prefix=OTHER

// DROP: sm90.consumer_cursor
// DROP-NOT: sm90.mbarrier_wait_parity
// DROP: sm90.wgmma_ss

// EMPTY: sm90.producer_cursor
// EMPTY-NOT: sm90.mbarrier_wait_parity
// EMPTY: sm90.consumer_cursor
// EMPTY: sm90.mbarrier_wait_parity

// WARP: %[[THREAD:.*]] = arith.remsi %{{.*}}, %c128
// WARP: %[[WARP:.*]] = arith.divsi %{{.*}}, %c32
// WARP: %[[MOST:.*]] = arith.cmpi ne, %[[WARP]], %c3
// WARP: scf.if %[[MOST]] {
// WARP-NEXT: sm90.mbarrier_wait_parity
// WARP-NEXT: }

// PHASE: sm90.consumer_cursor
// PHASE: %[[PARITY:.*]] = arith.xori
// PHASE: sm90.mbarrier_wait_parity %{{.*}}, %[[PARITY]]

// WEAK: sm90.wgmma_wait outstanding<2>
// WEAK: sm90.wgmma_wait %{{.*}} outstanding<0>

// AFTER: sm90.ld_global_pair
// AFTER-NOT: sm90.bulk_wait_read
// AFTER: sm90.barrier_sync
// AFTER-NEXT: scf.if
// AFTER-NEXT: sm90.bulk_wait_read outstanding<1>

// OTHER: %[[OTHER:.*]] = arith.cmpi eq, %{{.*}}, %c64
// OTHER: scf.if %[[OTHER]] {
// OTHER-NEXT: sm90.bulk_wait_read outstanding<1>
