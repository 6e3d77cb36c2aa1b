// SPDX-License-Identifier: Apache-2.0
// Each kernel is a text of its own, with its own headers and constants.
// RUN: tw-opt %s --sm90-to-emitc --emitc-prepare | tw-translate --emitc-to-cuda | FileCheck %s

// CHECK:      #include "tilewright/types.cuh"
// CHECK-EMPTY:
// CHECK-NEXT: extern "C" __global__ __launch_bounds__(128, 1) void empty() {
// CHECK-NEXT: }
sm90.kernel @empty() attributes {threads = 128 : i32} {
  sm90.return
}

// CHECK-EMPTY:
// CHECK-NEXT: #include "tilewright/mbarrier.cuh"
// CHECK-NEXT: #include "tilewright/types.cuh"
// CHECK-EMPTY:
// CHECK-NEXT: constexpr int32_t kTile = 64;
// CHECK-EMPTY:
// CHECK-NEXT: extern "C" __global__ __launch_bounds__(64, 4) void first(int32_t bar) {
// CHECK-NEXT:   tw::mbarrier_init(bar, kTile);
// CHECK-NEXT: }
sm90.kernel @first(%bar: i32 loc("bar")) attributes {threads = 64 : i32, min_ctas = 4 : i32} {
  %tile = sm90.named_constant "kTile" 64 : i32
  sm90.mbarrier_init %bar, %tile
  sm90.return
}

// CHECK:      constexpr int32_t kTile = 128;
// CHECK:      void second(int32_t bar) {
sm90.kernel @second(%bar: i32 loc("bar")) attributes {threads = 128 : i32} {
  %tile = sm90.named_constant "kTile" 128 : i32
  sm90.mbarrier_init %bar, %tile
  sm90.return
}
