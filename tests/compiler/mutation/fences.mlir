// Fences: dropped, misplaced, of another sort, not run by all.
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=drop-init-fence site=0" | FileCheck %s --check-prefix=INIT
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=proxy-fence-early site=0" | FileCheck %s --check-prefix=EARLY
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=proxy-fence-as-memory-fence site=0" | FileCheck %s --check-prefix=SORT
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=proxy-fence-by-one-warp site=0" | FileCheck %s --check-prefix=ONE
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=wgmma-fence-late site=0" | FileCheck %s --check-prefix=LATE
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=accumulator-touched-in-flight site=0" | FileCheck %s --check-prefix=TOUCH

// INIT-NOT: sm90.fence_mbarrier_init
// INIT: sm90.return

// EARLY: sm90.barrier_sync
// EARLY-NEXT: sm90.fence_proxy_async_shared
// EARLY: sm90.stmatrix
// EARLY-NEXT: sm90.barrier_sync

// SORT: sm90.stmatrix
// SORT-NEXT: sm90.fence_acq_rel_gpu
// SORT-NEXT: sm90.barrier_sync

// ONE: sm90.stmatrix
// ONE: arith.cmpi eq
// ONE-NEXT: scf.if
// ONE-NEXT: sm90.fence_proxy_async_shared

// LATE-NOT: sm90.wgmma_fence
// LATE: sm90.wgmma_ss
// LATE: sm90.wgmma_fence
// LATE-NEXT: sm90.wgmma_commit

// TOUCH: sm90.wgmma_commit
// TOUCH: %[[OLD:.*]] = sm90.frag_get
// TOUCH: %[[NEW:.*]] = arith.addf %[[OLD]]
// TOUCH: sm90.frag_set %[[NEW]]
// TOUCH: sm90.wgmma_wait outstanding<1>
