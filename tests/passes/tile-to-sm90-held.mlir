// RUN: tw-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-plan-shared-memory),tile-to-sm90,cse)' | FileCheck %s
// A vector along the columns: a thread holds two of each eight, which one access reads. Column c of it begins at
// register c / 4.

#acc = #tile.acc<wgs = [1, 1]>
#col = #tile.slice<0, #acc>

// CHECK-LABEL: sm90.kernel @held
tile.kernel @held(%p: !tile.ptr<bf16>, %n: i32) form = scheduled threads = 128 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c16 = arith.constant 16 : i32
  %P = tile.view %p [%n] : !tile.ptr<bf16> -> !tile.view<?xbf16, align = 4>
  // CHECK: %[[HELD:.+]] = sm90.frag : <16xf32>
  // CHECK: scf.for %[[PAIR:[^ ]+]] = %{{.+}} to %c8_i32 step
  // CHECK: %[[TWO:.+]] = sm90.frag : <2xf32>
  // CHECK: sm90.ld_global_pair %{{.+}} to %[[TWO]][
  // CHECK: sm90.frag_set %{{.+}} to %[[HELD]][
  // CHECK: sm90.frag_set %{{.+}} to %[[HELD]][
  // CHECK: } {tw.unroll}
  %v = tile.map ins() -> tensor<64xf32, #col> {
  ^bb0(%i: i32):
    %e = tile.read %P[%i] : !tile.view<?xbf16, align = 4> -> bf16
    %f = arith.extf %e : bf16 to f32
    tile.yield %f : f32
  }
  %x = tile.zero : tensor<64x64xf32, #acc>
  // CHECK: scf.for %[[SLICE:[^ ]+]] = %{{.+}} to %c4_i32 step
  scf.for %s = %c0 to %c4 step %c1 : i32 {
    // CHECK: %[[FIRST:.+]] = arith.muli %[[SLICE]], %c4_i32
    // CHECK: scf.for
    // CHECK: %[[REG:.+]] = arith.addi %{{.+}}, %[[FIRST]]
    // CHECK: sm90.frag_get %[[HELD]][%[[REG]]]
    %column = arith.muli %s, %c16 : i32
    %part = tile.extract %v columns %column : tensor<64xf32, #col> -> tensor<16xf32, #col>
    %sum = tile.extract %x columns %column : tensor<64x64xf32, #acc> -> tensor<64x16xf32, #acc>
    %y = tile.map ins(%sum, %part) : tensor<64x16xf32, #acc>, tensor<16xf32, #col> -> tensor<64x16xf32, #acc> {
    ^bb0(%a: f32, %b: f32, %row: i32, %col: i32):
      %c = arith.addf %a, %b : f32
      tile.yield %c : f32
    }
  } {tw.unroll}
}
