// RUN: tw-opt %s --tile-fuse-maps | FileCheck %s
// What is held is read where it stands, in a map of its own; what widens it belongs to that map.

#acc = #tile.acc<wgs = [1, 1]>
#col = #tile.slice<0, #acc>

// CHECK-LABEL: tile.kernel @held
tile.kernel @held(%p: !tile.ptr<f32>, %q: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled threads = 128 {
  %c0 = arith.constant 0 : i32
  // CHECK: %[[P:.*]] = tile.view
  // CHECK: %[[Q:.*]] = tile.view
  %P = tile.view %p [%n] : !tile.ptr<f32> -> !tile.view<?xf32>
  %Q = tile.view %q [%n] : !tile.ptr<bf16> -> !tile.view<?xbf16>
  // CHECK: %[[A:.*]] = tile.map ins() -> tensor<64xf32
  // CHECK: tile.read %[[P]]
  // CHECK: %[[B:.*]] = tile.map ins() -> tensor<64xf32
  // CHECK: %[[READ:.*]] = tile.read %[[Q]]
  // CHECK: %[[WIDE:.*]] = arith.extf %[[READ]]
  // CHECK: tile.yield %[[WIDE]]
  %a = tile.load %P[%n] via direct held : !tile.view<?xf32> -> tensor<64xf32, #col>
  %b = tile.load %Q[%n] via direct held : !tile.view<?xbf16> -> tensor<64xbf16, #col>
  %f = arith.extf %b : tensor<64xbf16, #col> to tensor<64xf32, #col>
  // CHECK: tile.pdl_trigger
  tile.pdl_trigger
  // CHECK: tile.extract %[[A]]
  // CHECK: tile.extract %[[B]]
  %x = tile.extract %a columns %c0 : tensor<64xf32, #col> -> tensor<16xf32, #col>
  %y = tile.extract %f columns %c0 : tensor<64xf32, #col> -> tensor<16xf32, #col>
  %s = arith.addf %x, %y : tensor<16xf32, #col>
  tile.store %s, %P[%c0] via direct : tensor<16xf32, #col>, !tile.view<?xf32>
}
