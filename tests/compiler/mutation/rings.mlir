// Stages, cursors and their places.
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=producer-one-step-short site=0" | FileCheck %s --check-prefix=SHORT
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=consumer-stages-short site=0" | FileCheck %s --check-prefix=STAGES
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=ring-one-stage-too-many site=0" | FileCheck %s --check-prefix=BOTH
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=consumer-starts-as-producer site=0" | FileCheck %s --check-prefix=START
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=tiles-overlap site=0" | FileCheck %s --check-prefix=PLACE
// RUN: tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=producer-not-advanced site=0" | FileCheck %s --check-prefix=STAY

// SHORT: sm90.producer_cursor
// SHORT: %[[STEP:.*]] = arith.muli %c64
// SHORT: %[[END:.*]] = arith.addi %{{.*}}, %[[STEP]]
// SHORT: scf.for %{{.*}} = %{{.*}} to %[[END]] step

// STAGES: sm90.advance %{{.*}} stages<2>
// STAGES: sm90.advance %{{.*}} stages<1>

// BOTH: sm90.advance %{{.*}} stages<3>
// BOTH: sm90.advance %{{.*}} stages<3>

// START-NOT: sm90.consumer_cursor
// START: sm90.return

// PLACE: %[[LESS:.*]] = arith.constant -1024
// PLACE: arith.addi %{{.*}}, %[[LESS]]

// STAY: sm90.producer_cursor
// STAY-NOT: sm90.advance
// STAY: sm90.consumer_cursor
// STAY: sm90.advance
