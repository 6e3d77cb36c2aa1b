// SPDX-License-Identifier: Apache-2.0
// No upstream pass drops, merges or moves an op whose place matters; what a thread knows by itself is computed once.
// RUN: tw-opt %s --canonicalize --cse --loop-invariant-code-motion --control-flow-sink --canonicalize | FileCheck %s

// The same call twice is two calls.
// CHECK-LABEL: sm90.kernel @twice(
sm90.kernel @twice(%bar: i32, %n: i32, %p: !sm90.ptr<i32>, %i: i64, %x: f32) attributes {threads = 128 : i32} {
  // CHECK:      sm90.mbarrier_arrive %arg0
  // CHECK-NEXT: sm90.mbarrier_arrive %arg0
  sm90.mbarrier_arrive %bar
  sm90.mbarrier_arrive %bar
  // CHECK-NEXT: sm90.mbarrier_wait_parity %arg0, %arg1
  // CHECK-NEXT: sm90.mbarrier_wait_parity %arg0, %arg1
  sm90.mbarrier_wait_parity %bar, %n
  sm90.mbarrier_wait_parity %bar, %n
  // CHECK-NEXT: sm90.cta_sync
  // CHECK-NEXT: sm90.cta_sync
  sm90.cta_sync
  sm90.cta_sync
  // CHECK-NEXT: sm90.fence_proxy_async_shared
  // CHECK-NEXT: sm90.fence_proxy_async_shared
  sm90.fence_proxy_async_shared
  sm90.fence_proxy_async_shared
  // CHECK-NEXT: sm90.ld_global %arg2[%arg3]
  // CHECK-NEXT: sm90.ld_global %arg2[%arg3]
  %a = sm90.ld_global %p[%i] : !sm90.ptr<i32>
  %b = sm90.ld_global %p[%i] : !sm90.ptr<i32>
  // CHECK-NEXT: sm90.ld_shared %arg0 as bf16
  // CHECK-NEXT: sm90.ld_shared %arg0 as bf16
  %c = sm90.ld_shared %bar as bf16
  %d = sm90.ld_shared %bar as bf16
  // CHECK-NEXT: sm90.elect_one
  // CHECK-NEXT: sm90.elect_one
  %e = sm90.elect_one
  %f = sm90.elect_one
  // CHECK-NEXT: sm90.shfl_xor %arg4, %arg1
  // CHECK-NEXT: sm90.shfl_xor %arg4, %arg1
  %g = sm90.shfl_xor %x, %n : f32
  %h = sm90.shfl_xor %x, %n : f32
  // CHECK-NEXT: sm90.return
  sm90.return
}

// Nobody uses the results; the calls are made.
// CHECK-LABEL: sm90.kernel @unused(
sm90.kernel @unused(%p: !sm90.ptr<i32>, %n: i32) attributes {threads = 128 : i32} {
  // CHECK-NEXT: sm90.atomic_add
  %a = sm90.atomic_add %n to %p : !sm90.ptr<i32>
  // CHECK-NEXT: sm90.ld_acquire
  %b = sm90.ld_acquire %p : !sm90.ptr<i32>
  // CHECK-NEXT: sm90.frag
  %c = sm90.frag : !sm90.frag<8xf32>
  // CHECK-NEXT: sm90.frag_get
  %d = sm90.frag_get %c[%n] : !sm90.frag<8xf32>
  // CHECK-NEXT: sm90.warp_id
  %e = sm90.warp_id
  // CHECK-NEXT: sm90.return
  sm90.return
}

// Two arrays are two arrays; two reads of an element stand around the write.
// CHECK-LABEL: sm90.kernel @arrays(
sm90.kernel @arrays(%i: i32, %p: !sm90.ptr<f32>, %j: i64) attributes {threads = 128 : i32} {
  // CHECK:      %[[A:.*]] = sm90.frag
  // CHECK-NEXT: %[[B:.*]] = sm90.frag
  %a = sm90.frag : !sm90.frag<8xf32>
  %b = sm90.frag : !sm90.frag<8xf32>
  // CHECK-NEXT: %[[OLD:.*]] = sm90.frag_get %[[A]]
  %old = sm90.frag_get %a[%i] : !sm90.frag<8xf32>
  // CHECK-NEXT: sm90.wgmma_wait %[[A]] outstanding<0>
  sm90.wgmma_wait %a outstanding<0> : !sm90.frag<8xf32>
  // CHECK-NEXT: %[[NEW:.*]] = sm90.frag_get %[[A]]
  %new = sm90.frag_get %a[%i] : !sm90.frag<8xf32>
  // CHECK-NEXT: arith.subf %[[NEW]], %[[OLD]]
  %difference = arith.subf %new, %old : f32
  // CHECK-NEXT: sm90.frag_set %{{.*}} to %[[B]]
  sm90.frag_set %difference to %b[%i] : !sm90.frag<8xf32>
  // CHECK-NEXT: %[[X:.*]] = sm90.frag_get %[[B]]
  %x = sm90.frag_get %b[%i] : !sm90.frag<8xf32>
  // CHECK-NEXT: sm90.st_global %[[X]]
  sm90.st_global %x to %p[%j] : !sm90.ptr<f32>
  sm90.return
}

// Nothing leaves a loop that waits, copies, reads memory or asks the warp; scalars do.
// CHECK-LABEL: sm90.kernel @loop(
sm90.kernel @loop(%bar: i32, %n: i32, %map: !sm90.tensor_map, %p: !sm90.ptr<f32>, %j: i64, %desc: i64)
    attributes {threads = 128 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %limit = arith.constant 1.0 : f32
  // CHECK:      %[[ACC:.*]] = sm90.frag
  %acc = sm90.frag : !sm90.frag<8xf32>
  // CHECK:      sm90.descriptor_advance
  // CHECK:      sm90.lane_id
  // CHECK:      scf.for
  scf.for %i = %c0 to %n step %c1 : i32 {
    // CHECK-NEXT: sm90.mbarrier_wait_parity
    sm90.mbarrier_wait_parity %bar, %n
    // CHECK-NEXT: sm90.mbarrier_arrive_expect_tx
    sm90.mbarrier_arrive_expect_tx %bar, %n
    // CHECK-NEXT: sm90.tma_load
    sm90.tma_load %map[%c0, %c0] to %bar, %bar
    // CHECK-NEXT: sm90.wgmma_fence
    sm90.wgmma_fence %acc : !sm90.frag<8xf32>
    %next = sm90.descriptor_advance %desc, %n
    // CHECK-NEXT: sm90.wgmma_ss
    sm90.wgmma_ss %acc, %next, %next, %c1 n<16> bf16 : !sm90.frag<8xf32>, i32
    // CHECK-NEXT: sm90.wgmma_commit
    sm90.wgmma_commit
    // CHECK-NEXT: sm90.wgmma_wait
    sm90.wgmma_wait %acc outstanding<0> : !sm90.frag<8xf32>
    // CHECK-NEXT: sm90.sched_boundary
    sm90.sched_boundary
    // CHECK-NEXT: sm90.ld_global
    %x = sm90.ld_global %p[%j] : !sm90.ptr<f32>
    // CHECK-NEXT: arith.cmpf
    // CHECK-NEXT: sm90.vote_any
    %any = arith.cmpf ogt, %x, %limit : f32
    %voted = sm90.vote_any %any
    %lane = sm90.lane_id
    // CHECK-NEXT: sm90.st_shared
    sm90.st_shared %lane to %bar as i32 : i32
    // CHECK-NEXT: sm90.frag
    // CHECK-NEXT: sm90.stmatrix
    %r = sm90.frag : !sm90.frag<4xi32>
    sm90.stmatrix %r[%c0] to %bar x<4> : !sm90.frag<4xi32>
    // CHECK-NEXT: sm90.fence_proxy_async_shared
    sm90.fence_proxy_async_shared
    // CHECK-NEXT: sm90.barrier_sync
    sm90.barrier_sync %c1 threads<128>
    // CHECK-NEXT: sm90.tma_store
    sm90.tma_store %bar to %map[%c0, %c0]
    // CHECK-NEXT: sm90.bulk_commit
    sm90.bulk_commit
    // CHECK-NEXT: sm90.bulk_wait_read
    sm90.bulk_wait_read outstanding<0>
  }
  sm90.return
}

// What is computed before a branch and used in it stays in front where it reads something.
// CHECK-LABEL: sm90.kernel @branch(
sm90.kernel @branch(%bar: i32, %n: i32) attributes {threads = 128 : i32} {
  %c0 = arith.constant 0 : i32
  // CHECK: sm90.ld_shared
  %x = sm90.ld_shared %bar as i32
  // CHECK-NEXT: sm90.cta_sync
  sm90.cta_sync
  %first = arith.cmpi eq, %n, %c0 : i32
  // CHECK: scf.if
  scf.if %first {
    // CHECK-NEXT: sm90.st_shared
    sm90.st_shared %x to %bar as i32 : i32
  }
  // CHECK: sm90.comment "End."
  // CHECK-NEXT: sm90.cta_sync
  // CHECK-NEXT: sm90.comment "End."
  sm90.comment "End."
  sm90.cta_sync
  sm90.comment "End."
  sm90.return
}

// Ids and cursors are values: one of each is enough.
// CHECK-LABEL: sm90.kernel @ids(
sm90.kernel @ids(%bar: i32) attributes {threads = 128 : i32} {
  // CHECK-COUNT-1: sm90.lane_id
  %a = sm90.lane_id
  %b = sm90.lane_id
  // CHECK-NOT: sm90.lane_id
  // CHECK-NOT: sm90.consumer_cursor
  %unused = sm90.consumer_cursor
  %sum = arith.addi %a, %b : i32
  sm90.mbarrier_arrive %sum
  sm90.return
}
