// A scheduled kernel whose waits and releases a person placed stays as it is.
// RUN: tw-opt %source_root/tests/compiler/tile/gemm-scheduled.mlir > %t.before
// RUN: tw-opt %source_root/tests/compiler/tile/gemm-scheduled.mlir --tile-place-waits > %t.after
// RUN: diff %t.before %t.after
