// Arrivals, releases and commits: dropped, doubled, early, elsewhere.
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=drop-release site=0" | FileCheck %s --check-prefix=DROP
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=release-before-wait site=0" | FileCheck %s --check-prefix=EARLY
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=release-current-stage site=0" | FileCheck %s --check-prefix=CURRENT
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=release-at-home-only site=0" | FileCheck %s --check-prefix=HOME
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=drop-expect-tx site=0" | FileCheck %s --check-prefix=EXPECT
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=tx-bytes-short site=0" | FileCheck %s --check-prefix=SHORT
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=arrival-count-without-peers site=0" | FileCheck %s --check-prefix=COUNT
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=all-lanes-produce site=0" | FileCheck %s --check-prefix=LANES
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=bulk-commit-early site=0" | FileCheck %s --check-prefix=COMMIT

// DROP-NOT: sm90.mbarrier_arrive_remote
// DROP: sm90.return

// EARLY: sm90.wgmma_commit
// EARLY-NOT: sm90.wgmma_wait
// EARLY: sm90.mbarrier_arrive_remote
// EARLY-NEXT: }
// EARLY-NEXT: sm90.wgmma_wait outstanding<1>

// CURRENT: sm90.consumer_cursor
// CURRENT: iter_args(%[[AT:.*]] = %{{.*}}, %{{.*}} = %{{.*}})
// CURRENT: sm90.wgmma_wait outstanding<1>
// CURRENT: %[[FREE:.*]] = sm90.barrier_at %{{.*}}, %[[AT]]
// CURRENT-NEXT: sm90.mbarrier_arrive_remote %[[FREE]]

// HOME: %[[RANK:.*]] = sm90.cluster_rank
// HOME-NEXT: sm90.mbarrier_arrive_remote %{{.*}}, %[[RANK]]

// EXPECT-NOT: sm90.mbarrier_arrive_expect_tx
// EXPECT: sm90.mbarrier_arrive %
// EXPECT: sm90.tma_load

// SHORT: %[[LESS:.*]] = arith.constant -1024
// SHORT: %[[BYTES:.*]] = arith.addi %{{.*}}, %[[LESS]]
// SHORT: sm90.mbarrier_arrive_expect_tx %{{.*}}, %[[BYTES]]

// COUNT: %[[COUNT:.*]] = arith.constant 2
// COUNT: sm90.mbarrier_init %{{.*}}, %c1
// COUNT: sm90.mbarrier_init

// LANES: sm90.elect_one
// LANES-NEXT: %[[ALL:.*]] = arith.constant true
// LANES-NEXT: scf.if %[[ALL]]

// COMMIT: sm90.bulk_commit
// COMMIT-NEXT: sm90.tma_store
