// RUN: tw-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-plan-shared-memory),tile-to-sm90,cse)' | FileCheck %s

// Two warpgroups that take whole tiles each. A stage is read by one of them, so one arrival empties it; each has
// its own staging slots and its own barrier for stores; a turn is a barrier for each warpgroup, at which it waits
// and the one before it arrives.
#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1], waves = 2>
!t = tensor<128x64xbf16, #sw>
!slot = !tile.slot<!t>
!ring = !tile.ring<2, !t>
!view = !tile.view<?x?xbf16, align = 16>

// The store of one warpgroup moves all rows of the tile.
// CHECK-LABEL: sm90.kernel @two
// CHECK-SAME: box = array<i64: 64, 128>
// CHECK-SAME: shared_bytes = 98336 : i32, threads = 384 : i32
tile.kernel @two(%d: !tile.ptr<bf16> {tile.name = "d"}, %n: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 2, split = tiles>] {
  %D = tile.view %d [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  // CHECK: %[[SMEM:.+]] = sm90.smem_base
  // CHECK: %[[C32768:.+]] = arith.constant 32768
  // CHECK: %[[SLOTS:.+]] = arith.addi %[[SMEM]], %[[C32768]]
  // CHECK: %[[E:.+]] = arith.addi %{{.+}}, %[[OFFSET:.+]]
  // CHECK: sm90.mbarrier_init %[[E]], %[[C1:.+]]
  // CHECK-NEXT: %[[E:.+]] = arith.addi %{{.+}}, %[[OFFSET]]
  // CHECK-NEXT: sm90.mbarrier_init %[[E]], %[[C1]]
  %ab = tile.ring "ab" from @load to @mma : !ring
  %st = tile.ring "staging" private @mma : !ring
  %turn = tile.turn among @mma
  tile.roles {
    tile.role @load {
    }
    // CHECK: sm90.comment "Role mma: 2 warpgroups, each with tiles of its own."
    tile.role @mma {
      // CHECK: %[[ID:.+]] = sm90.warpgroup_id
      // CHECK: %[[INSTANCE:.+]] = arith.subi %[[ID]], %[[C1]]
      // CHECK: %[[LEADER:.+]] = arith.andi
      // CHECK: %[[SHARE:.+]] = arith.muli %[[INSTANCE]], %[[C32768]]
      // CHECK: %[[OWN:.+]] = arith.addi %[[SLOTS]], %[[SHARE]]
      // Barriers 1 and 2 are those of the stores.
      // CHECK: %[[SECOND:.+]] = arith.cmpi eq, %[[INSTANCE]], %[[C1]]
      // CHECK: scf.if %[[SECOND]] {
      // CHECK-NEXT: %[[C3:.+]] = arith.constant 3
      // CHECK-NEXT: sm90.barrier_arrive %[[C3]] threads<256>
      // CHECK-NEXT: }
      // CHECK: %[[C:.+]] = sm90.consumer_cursor
      %i = tile.instance
      %c0 = tile.cursor %ab consumer : !ring
      // CHECK: %[[AT:.+]] = sm90.advance %[[C]] by %[[INSTANCE]]
      %c = tile.advance %ab at %c0 by %i : !ring
      %p = tile.cursor %st producer : !ring
      // CHECK: sm90.comment "Its turn."
      // CHECK: %[[MINE:.+]] = arith.addi %[[INSTANCE]], %{{.+}}
      // CHECK: sm90.barrier_sync %[[MINE]] threads<256>
      tile.turn_wait %turn
      // CHECK: sm90.mbarrier_wait_parity
      %x = tile.wait %ab at %c : !ring -> !slot
      // CHECK: %[[NEXT:.+]] = arith.subi %{{.+}}, %[[INSTANCE]]
      // CHECK: sm90.comment "The next one's turn."
      // CHECK: sm90.barrier_arrive %[[NEXT]] threads<256>
      tile.turn_pass %turn
      tile.release %ab at %c : !ring
      %y = tile.map ins() -> tensor<128x64xbf16, #acc> {
      ^bb0(%row: i32, %col: i32):
        %f = arith.constant 1.0 : bf16
        tile.yield %f : bf16
      }
      // CHECK: scf.if %[[LEADER]] {
      // CHECK-NEXT: sm90.bulk_wait_read outstanding<1>
      // CHECK: %[[BARRIER:.+]] = arith.addi %[[INSTANCE]], %[[C1]]
      // CHECK: sm90.barrier_sync %[[BARRIER]] threads<128>
      // CHECK: %[[SLOT:.+]] = sm90.slot_at %[[OWN]]
      %s = tile.acquire %st at %p : !ring -> !slot
      tile.fragment_store %y, %s : tensor<128x64xbf16, #acc>, !slot
      // CHECK: sm90.barrier_sync %[[BARRIER]] threads<128>
      // CHECK: sm90.tma_store %[[SLOT]] to
      tile.copy_out %s to %D[%n, %n] : !slot, !view
      tile.drain
    }
  }
}

// Three warpgroups that share a tile may alternate as well; one alone has always its turn.
// CHECK-LABEL: sm90.kernel @three
tile.kernel @three() form = scheduled roles = [#tile.role<mma, warpgroups = 3>, #tile.role<one, warpgroups = 1>] {
  %turn = tile.turn among @mma
  %own = tile.turn among @one
  tile.roles {
    tile.role @mma {
      // CHECK: sm90.comment "Role mma: 3 warpgroups."
      // CHECK: %[[GROUP:.+]] = sm90.warpgroup_id
      // CHECK: %[[LAST:.+]] = arith.cmpi eq, %[[GROUP]], %c2
      // CHECK: scf.if %[[LAST]] {
      // CHECK: sm90.barrier_arrive %c1
      // CHECK: %[[MINE:.+]] = arith.addi %[[GROUP]], %c1
      // CHECK: sm90.barrier_sync %[[MINE]] threads<256>
      tile.turn_wait %turn
      // CHECK: %[[NEXT:.+]] = arith.remsi %{{.+}}, %c3
      // CHECK: %[[AT:.+]] = arith.addi %[[NEXT]], %c1
      // CHECK: sm90.barrier_arrive %[[AT]] threads<256>
      tile.turn_pass %turn
    }
    tile.role @one {
      // CHECK: sm90.comment "Role one: 1 warpgroup."
      // CHECK-NOT: sm90.barrier
      // CHECK: sm90.return
      tile.turn_wait %own
      tile.turn_pass %own
    }
  }
}
