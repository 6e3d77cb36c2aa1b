// Descriptors and accumulators.
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=descriptor-swizzle site=0" | FileCheck %s --check-prefix=SWIZZLE
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=descriptor-stride site=1" | FileCheck %s --check-prefix=STRIDE
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=descriptor-not-advanced site=0" | FileCheck %s --check-prefix=STAY
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=accumulate-never site=0" | FileCheck %s --check-prefix=NEVER
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=wgmma-skipped-by-warp site=0" | FileCheck %s --check-prefix=WARP

// SWIZZLE: sm90.smem_descriptor %{{.*}} swizzle<64>
// SWIZZLE: sm90.smem_descriptor %{{.*}} swizzle<128>

// STRIDE: sm90.smem_descriptor %{{.*}} swizzle<128>
// STRIDE: %[[STRIDE:.*]] = arith.constant 512
// STRIDE: sm90.smem_descriptor %{{.*}} leading %{{.*}} stride %[[STRIDE]] swizzle<128>

// STAY-COUNT-1: sm90.descriptor_advance
// STAY-NOT: sm90.descriptor_advance
// STAY: sm90.wgmma_ss

// NEVER: %[[NO:.*]] = arith.constant false
// NEVER: sm90.wgmma_ss %{{.*}}, %{{.*}}, %{{.*}}, %[[NO]]

// WARP: arith.cmpi ne
// WARP: scf.if
// WARP-NEXT: scf.for
// WARP: sm90.wgmma_ss
