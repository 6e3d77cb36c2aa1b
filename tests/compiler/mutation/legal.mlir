// Changes that leave a kernel right.
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=extra-proxy-fence site=0" | FileCheck %s --check-prefix=FENCE
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=expect-after-loads site=0" | FileCheck %s --check-prefix=EXPECT
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=another-lane-produces site=0" | FileCheck %s --check-prefix=LANE
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=two-arrivals-to-fill site=0" | FileCheck %s --check-prefix=TWO

// FENCE: sm90.fence_proxy_async_shared
// FENCE-NEXT: sm90.fence_proxy_async_shared

// EXPECT: sm90.tma_load_multicast
// EXPECT-NEXT: sm90.mbarrier_arrive_expect_tx

// LANE: %[[LANE:.*]] = arith.cmpi eq, %{{.*}}, %c7
// LANE: scf.if %[[LANE]]

// TWO: sm90.mbarrier_init %{{.*}}, %c2
// TWO: sm90.mbarrier_arrive_expect_tx
// TWO-NEXT: sm90.mbarrier_arrive %
