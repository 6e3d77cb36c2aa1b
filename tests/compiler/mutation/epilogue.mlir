// From accumulators to global memory.
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=store-by-another-thread site=0" | FileCheck %s --check-prefix=OTHER
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=store-before-barrier site=0" | FileCheck %s --check-prefix=BEFORE
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=staging-swizzle site=0" | FileCheck %s --check-prefix=SWIZZLE
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=load-guard-dropped site=0" | FileCheck %s --check-prefix=GUARD

// OTHER: %[[OTHER:.*]] = arith.cmpi eq, %{{.*}}, %c64
// OTHER: scf.if %[[OTHER]] {
// OTHER-NEXT: sm90.tma_store

// BEFORE: sm90.fence_proxy_async_shared
// BEFORE-NEXT: scf.if
// BEFORE-NEXT: sm90.tma_store
// BEFORE: sm90.barrier_sync

// SWIZZLE: sm90.swizzle %{{.*}} mode<64>

// GUARD: arith.extsi
// GUARD: %[[INSIDE:.*]] = arith.constant 2 : i32
// GUARD: sm90.ld_global_pair %{{.*}}, %[[INSIDE]] to
