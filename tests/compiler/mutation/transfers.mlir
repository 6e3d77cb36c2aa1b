// TMA loads and tensor maps.
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=coordinates-swapped site=0" | FileCheck %s --check-prefix=SWAP
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=load-at-next-barrier site=0" | FileCheck %s --check-prefix=NEXT
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=multicast-home-only site=0" | FileCheck %s --check-prefix=HOME
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=multicast-as-plain-load site=0" | FileCheck %s --check-prefix=PLAIN
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=plain-load-as-multicast site=0" | FileCheck %s --check-prefix=WIDE
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=map-unswizzled site=0" | FileCheck %s --check-prefix=MAP
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=map-box-short site=0" | FileCheck %s --check-prefix=BOX
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=cluster-not-launched site=0" | FileCheck %s --check-prefix=LAUNCH

// SWAP: iter_args
// SWAP: sm90.tma_load %{{.*}}[%c0{{.*}}, %arg

// NEXT: %[[NEXT:.*]] = arith.addi %{{.*}}, %c8
// NEXT: sm90.tma_load %{{.*}} to %{{.*}}, %[[NEXT]]

// HOME: %[[RANK:.*]] = sm90.cluster_rank
// HOME: %[[MASK:.*]] = arith.shli %{{.*}}, %[[RANK]]
// HOME: mask %[[MASK]]

// PLAIN: sm90.tma_load %
// PLAIN-NEXT: sm90.tma_load %

// WIDE: %[[MASK:.*]] = arith.constant 3 : i32
// WIDE: sm90.tma_load_multicast {{.*}} mask %[[MASK]]

// MAP: swizzle = 0

// BOX: box = array<i64: 64, 64>

// LAUNCH-NOT: cluster =
// LAUNCH: sm90.return
