// SPDX-License-Identifier: Apache-2.0
// Names come from locations, else from what the value is; they are unique where they are visible.
// RUN: tw-opt %s --sm90-to-emitc --emitc-prepare | tw-translate --emitc-to-cuda | FileCheck %s

// CHECK-LABEL: void names(
// CHECK-NEXT:      int32_t n, int32_t n_2, int32_t arg2, float two_words, int32_t float_, int32_t _1st) {
sm90.kernel @names(%n: i32 loc("n"), %n2: i32 loc("n"), %unnamed: i32 loc("file.mlir":1:1), %x: f32 loc("two words"),
                   %keyword: i32 loc("float"), %first: i32 loc("1st")) attributes {threads = 128 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // A named constant keeps its name for itself.
  // CHECK: const int32_t kTile_2 = n + kTile;
  %tile = sm90.named_constant "kTile" 128 : i32
  %a = arith.addi %n, %tile : i32 loc("kTile")
  // What nobody named is called after its function, or numbered.
  // CHECK: const int32_t lane = tw::lane_id();
  // CHECK: const int32_t v1 = lane + kTile_2;
  %lane = sm90.lane_id
  %b = arith.addi %lane, %a : i32
  // CHECK: tw::mbarrier_arrive_expect_tx(v1, lane);
  sm90.mbarrier_arrive_expect_tx %b, %lane
  sm90.mbarrier_arrive %b
  // Blocks beside each other may use the same names, inner ones not those around them.
  // CHECK: for (int32_t i = 0; i < n; ++i) {
  // CHECK:   const int32_t row = i * n;
  // CHECK:   for (int32_t j = 0; j < n; ++j) {
  // CHECK:     const int32_t row_2 = j * n;
  // CHECK:   for (int32_t j = 0; j < n; ++j) {
  // CHECK:     const int32_t column = j * n;
  scf.for %i = %c0 to %n step %c1 : i32 {
    %row = arith.muli %i, %n : i32 loc("row")
    sm90.mbarrier_arrive %row
    scf.for %j = %c0 to %n step %c1 : i32 {
      %inner = arith.muli %j, %n : i32 loc("row")
      sm90.mbarrier_arrive %inner
    }
    scf.for %j = %c0 to %n step %c1 : i32 {
      %column = arith.muli %j, %n : i32 loc("column")
      sm90.mbarrier_arrive %column
    }
  }
  // CHECK: for (int32_t i = 0; i < n; ++i) {
  // CHECK:   const int32_t row = i * n_2;
  scf.for %i = %c0 to %n step %c1 : i32 {
    %row = arith.muli %i, %n2 : i32 loc("row")
    sm90.mbarrier_arrive %row
  }
  // Also inside call sites and fused locations.
  // CHECK: const int32_t column = n - n_2;
  %column = arith.subi %n, %n2 : i32 loc(fused["file.mlir":1:1, callsite("column" at "file.mlir":2:2)])
  sm90.mbarrier_arrive %column
  sm90.return
}
