// Turns of warpgroups that alternate.
// RUN: tw-opt %s --sm90-mutate="kind=drop-turn-wait" | FileCheck %s --check-prefix=WAIT
// RUN: tw-opt %s --sm90-mutate="kind=drop-first-turn" | FileCheck %s --check-prefix=FIRST
// RUN: tw-opt %s --sm90-mutate="kind=turn-passed-early" | FileCheck %s --check-prefix=EARLY
// RUN: tw-opt %s --sm90-mutate="kind=cursor-jump-missing" | FileCheck %s --check-prefix=JUMP

sm90.kernel @turns(%k: i32) attributes {threads = 384 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %instance = sm90.warpgroup_id
  %second = arith.cmpi eq, %instance, %c1 : i32
  scf.if %second {
    sm90.barrier_arrive %c3 threads<256>
  }
  %start = sm90.consumer_cursor
  %end = scf.for %unit = %c0 to %k step %c1 iter_args(%at = %start) -> (!sm90.cursor) : i32 {
    %own = arith.addi %instance, %c3 : i32
    sm90.barrier_sync %own threads<256>
    scf.for %step = %c0 to %k step %c1 : i32 {
      sm90.wgmma_commit
    }
    %other = arith.subi %c4, %instance : i32
    sm90.barrier_arrive %other threads<256>
    %next = sm90.advance %at by %k stages<4>
    scf.yield %next : !sm90.cursor
  }
  sm90.return
}

// WAIT-NOT: sm90.barrier_sync
// WAIT: sm90.return

// FIRST: sm90.warpgroup_id
// FIRST-NOT: sm90.barrier_arrive
// FIRST: sm90.barrier_sync

// EARLY: sm90.barrier_sync
// EARLY-NEXT: %[[OTHER:.*]] = arith.subi
// EARLY-NEXT: sm90.barrier_arrive %[[OTHER]]
// EARLY: sm90.wgmma_commit

// JUMP-NOT: sm90.advance
// JUMP: sm90.return
