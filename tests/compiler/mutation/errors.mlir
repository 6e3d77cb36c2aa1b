// What cannot be done is said.
// RUN: not tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=drop-everything" 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=drop-release site=1" 2>&1 | FileCheck %s --check-prefix=SITE
// RUN: not tw-opt %S/Inputs/gemm.mlir --sm90-mutate="kind=drop-turn-wait" 2>&1 | FileCheck %s --check-prefix=NONE

// KIND: error: expected a kind of mutation, found 'drop-everything'; `--mutate list` prints them
// SITE: error: expected a site of 'drop-release' below 1, found 1
// NONE: error: expected a site of 'drop-turn-wait' below 0, found 0; this kernel has none
