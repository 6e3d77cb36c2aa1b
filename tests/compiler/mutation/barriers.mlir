// Barriers of CTA, cluster and warpgroup; registers.
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=drop-init-barrier site=0" | FileCheck %s --check-prefix=INIT
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=init-barrier-of-cta-only site=0" | FileCheck %s --check-prefix=CTA
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=drop-final-cluster-wait site=0" | FileCheck %s --check-prefix=EXIT
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=barrier-count-low site=1" | FileCheck %s --check-prefix=COUNT
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=barrier-arrive-for-sync site=0" | FileCheck %s --check-prefix=ARRIVE
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=registers-too-many site=0" | FileCheck %s --check-prefix=REGS

// INIT: sm90.fence_mbarrier_init
// INIT-NOT: sm90.cluster_arrive
// INIT: sm90.setmaxnreg_dec
// INIT: sm90.cluster_arrive
// INIT-NEXT: sm90.cluster_wait
// INIT-NEXT: sm90.return

// CTA: sm90.cta_sync
// CTA-NOT: sm90.cluster_arrive
// CTA: sm90.setmaxnreg_dec

// EXIT: sm90.cluster_wait
// EXIT: sm90.cluster_arrive
// EXIT-NEXT: sm90.return

// COUNT: sm90.barrier_sync %{{.*}} threads<128>
// COUNT: sm90.fence_proxy_async_shared
// COUNT-NEXT: sm90.barrier_sync %{{.*}} threads<96>

// ARRIVE: sm90.barrier_arrive %{{.*}} threads<128>
// ARRIVE: sm90.stmatrix
// ARRIVE: sm90.barrier_sync

// REGS: sm90.setmaxnreg_inc registers<240>
