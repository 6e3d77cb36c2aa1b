// RUN: tw-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-plan-shared-memory),tile-to-sm90,cse)' | FileCheck %s

// Dots: fence, the k steps of 16, commit. K-major operands step 32 bytes inside a panel's row.
#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
#acc2 = #tile.acc<wgs = [2, 1]>
#waves = #tile.acc<wgs = [1, 1], waves = 2>
#wide = #tile.acc<wgs = [1, 2]>
!h = tensor<64x64xbf16, #sw>
!f = tensor<64x64xf16, #sw>
!h128 = tensor<64x128xbf16, #sw>
!k128 = tensor<128x64xbf16, #sw>
!sh = !tile.slot<!h>
!sf = !tile.slot<!f>
!sh128 = !tile.slot<!h128>
!sk128 = !tile.slot<!k128>
!t = tensor<64x64xf32, #acc>
!p = !tile.pending<!t>

// The first step of the first dot overwrites the accumulator, the next dot adds to it; a wait with
// groups outstanding ties nothing.
// CHECK-LABEL: sm90.kernel @chain
tile.kernel @chain() form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %r = tile.ring "ab" from @load to @mma : !tile.ring<2, !h, !h>
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c = tile.cursor %r consumer : !tile.ring<2, !h, !h>
      // CHECK: sm90.consumer_cursor
      // CHECK: %[[A:.+]] = sm90.slot_at
      // CHECK: %[[B:.+]] = sm90.slot_at
      %a, %b = tile.wait %r at %c : !tile.ring<2, !h, !h> -> !sh, !sh
      // CHECK: %[[ACC:.+]] = sm90.frag : <32xf32>
      %zero = tile.zero : !p
      // CHECK: sm90.wgmma_fence %[[ACC]]
      // CHECK: %[[DB:.+]] = sm90.smem_descriptor %[[B]] swizzle<128>
      // CHECK: %[[DA:.+]] = sm90.smem_descriptor %[[A]] swizzle<128>
      // CHECK: scf.for %[[K:[^ ]+]] = %[[C0:.+]] to %{{.+}} step
      // CHECK: %[[LATER:.+]] = arith.cmpi sgt, %[[K]], %[[C0]]
      // CHECK: %[[C32:.+]] = arith.constant 32
      // CHECK: %[[OFFSET:.+]] = arith.muli %[[K]], %[[C32]]
      // CHECK: %[[BK:.+]] = sm90.descriptor_advance %[[DB]], %[[OFFSET]]
      // CHECK: %[[AK:.+]] = sm90.descriptor_advance %[[DA]], %[[OFFSET]]
      // CHECK: sm90.wgmma_ss %[[ACC]], %[[AK]], %[[BK]], %[[LATER]] n<64> bf16 :
      // CHECK: } {tw.unroll}
      // CHECK: sm90.wgmma_commit
      %s = tile.dot_start %a, %b, %zero trans_b : !sh, !sh, !p -> !p
      // CHECK: sm90.wgmma_fence %[[ACC]]
      // CHECK: scf.for
      // CHECK: sm90.wgmma_ss %[[ACC]], %{{.+}}, %{{.+}}, %[[TRUE:.+]] n<64> bf16 :
      // CHECK: sm90.wgmma_commit
      %t = tile.dot_start %b, %a, %s trans_b : !sh, !sh, !p -> !p
      // CHECK: sm90.wgmma_wait outstanding<1>
      %u = tile.dot_retire %t outstanding 1 : !p
      // CHECK: sm90.wgmma_wait %[[ACC]] outstanding<0>
      // CHECK-NOT: sm90.frag_fill
      %v = tile.dot_wait %u : !p -> !t
    }
  }
}

// A loop that makes no trip leaves its accumulator unwritten: the value is zero then.
// CHECK-LABEL: sm90.kernel @no_trip
tile.kernel @no_trip(%n: i32) form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %r = tile.ring "ab" from @load to @mma : !tile.ring<2, !f, !f>
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c = tile.cursor %r consumer : !tile.ring<2, !f, !f>
      %a, %b = tile.wait %r at %c : !tile.ring<2, !f, !f> -> !sf, !sf
      %zero = tile.zero : !tile.pending<!t>
      // CHECK: %[[ACC:.+]] = sm90.frag : <32xf32>
      // CHECK: sm90.frag_leave %[[ACC]]
      // CHECK: %[[FALSE:.+]] = arith.constant false
      // CHECK: %[[WRITTEN:.+]] = scf.for %{{.+}} iter_args(%[[MORE:.+]] = %[[FALSE]]) -> (i1)
      // CHECK: %[[LATER:.+]] = arith.cmpi sgt
      // CHECK: %[[SCALE:.+]] = arith.ori %[[MORE]], %[[LATER]]
      // CHECK: sm90.wgmma_ss %[[ACC]], %{{.+}}, %{{.+}}, %[[SCALE]] n<64> f16 :
      // CHECK: %[[TRUE:.+]] = arith.constant true
      // CHECK: scf.yield %[[TRUE]] : i1
      // CHECK: tw.unroll = 1
      %acc = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero) -> (!p) : i32 {
        %s = tile.dot_start %a, %b, %x trans_b : !sf, !sf, !p -> !p
        scf.yield %s : !p
      }
      // CHECK: sm90.wgmma_wait %[[ACC]] outstanding<0>
      // CHECK: %[[NEVER:.+]] = arith.xori %[[WRITTEN]], %{{.+}}
      // CHECK-NEXT: scf.if %[[NEVER]]
      // CHECK: sm90.frag_fill %[[ACC]]
      %v = tile.dot_wait %acc : !p -> !t
    }
  }
}

// Two panels: four steps in each.
// CHECK-LABEL: sm90.kernel @panels
tile.kernel @panels() form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %r = tile.ring "ab" from @load to @mma : !tile.ring<2, tensor<64x128xbf16, #sw>, tensor<128x128xbf16, #sw>>
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c = tile.cursor %r consumer : !tile.ring<2, !h128, tensor<128x128xbf16, #sw>>
      %a, %b = tile.wait %r at %c : !tile.ring<2, !h128, tensor<128x128xbf16, #sw>> -> !sh128, !tile.slot<tensor<128x128xbf16, #sw>>
      %zero = tile.zero : !tile.pending<tensor<64x128xf32, #acc>>
      // CHECK: %[[DB:.+]] = sm90.smem_descriptor
      // CHECK: %[[DA:.+]] = sm90.smem_descriptor
      // CHECK: %[[C8:.+]] = arith.constant 8
      // CHECK: scf.for %[[K:[^ ]+]] = %{{.+}} to %[[C8]] step
      // CHECK: %[[IN:.+]] = arith.remsi %[[K]], %[[C4:.+]] : i32
      // CHECK: %[[C32:.+]] = arith.constant 32
      // CHECK: %[[INB:.+]] = arith.muli %[[IN]], %[[C32]]
      // CHECK: %[[PANEL:.+]] = arith.divsi %[[K]], %[[C4]]
      // CHECK: %[[C16384:.+]] = arith.constant 16384
      // CHECK: %[[PB:.+]] = arith.muli %[[PANEL]], %[[C16384]]
      // CHECK: %[[OB:.+]] = arith.addi %[[PB]], %[[INB]]
      // CHECK: sm90.descriptor_advance %[[DB]], %[[OB]]
      // CHECK: %[[C8192:.+]] = arith.constant 8192
      // CHECK: %[[PA:.+]] = arith.muli %[[PANEL]], %[[C8192]]
      // CHECK: %[[OA:.+]] = arith.addi %[[PA]], %[[INB]]
      // CHECK: sm90.descriptor_advance %[[DA]], %[[OA]]
      // CHECK: sm90.wgmma_ss {{.*}} n<128> bf16 :
      %s = tile.dot_start %a, %b, %zero trans_b : !sh128, !tile.slot<tensor<128x128xbf16, #sw>>, !tile.pending<tensor<64x128xf32, #acc>> -> !tile.pending<tensor<64x128xf32, #acc>>
    }
  }
}

// Two waves: 64 rows further in A, the next registers of the accumulator, the same B.
// CHECK-LABEL: sm90.kernel @waves
tile.kernel @waves() form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %r = tile.ring "ab" from @load to @mma : !tile.ring<2, !k128, !h>
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c = tile.cursor %r consumer : !tile.ring<2, !k128, !h>
      %a, %b = tile.wait %r at %c : !tile.ring<2, !k128, !h> -> !sk128, !sh
      // CHECK: %[[ACC:.+]] = sm90.frag : <64xf32>
      %zero = tile.zero : !tile.pending<tensor<128x64xf32, #waves>>
      // CHECK: %[[DB:.+]] = sm90.smem_descriptor
      // CHECK: %[[DA:.+]] = sm90.smem_descriptor
      // CHECK: scf.for %[[K:[^ ]+]] =
      // CHECK: %[[O:.+]] = arith.muli %[[K]]
      // CHECK: %[[BK:.+]] = sm90.descriptor_advance %[[DB]], %[[O]]
      // CHECK: %[[A0:.+]] = sm90.descriptor_advance %[[DA]], %[[O]]
      // CHECK: sm90.wgmma_ss %[[ACC]], %[[A0]], %[[BK]], %[[SCALE:.+]] n<64> bf16 :
      // CHECK: %[[C8192:.+]] = arith.constant 8192
      // CHECK: %[[O1:.+]] = arith.addi %[[O]], %[[C8192]]
      // CHECK: %[[A1:.+]] = sm90.descriptor_advance %[[DA]], %[[O1]]
      // CHECK: sm90.wgmma_ss %[[ACC]], %[[A1]], %[[BK]], %[[SCALE]] n<64> bf16 wave<1> :
      %s = tile.dot_start %a, %b, %zero trans_b : !sk128, !sh, !tile.pending<tensor<128x64xf32, #waves>> -> !tile.pending<tensor<128x64xf32, #waves>>
    }
  }
}

// Warpgroups that share the rows of A, and such that share the rows of B.
// CHECK-LABEL: sm90.kernel @rows
tile.kernel @rows() form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 2>] {
  %r = tile.ring "ab" from @load to @mma : !tile.ring<2, !k128, !h>
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      // CHECK: %[[ID:.+]] = sm90.warpgroup_id
      // CHECK: %[[GROUP:.+]] = arith.subi %[[ID]]
      %c = tile.cursor %r consumer : !tile.ring<2, !k128, !h>
      // CHECK: %[[A:.+]] = sm90.slot_at
      // CHECK: %[[B:.+]] = sm90.slot_at
      %a, %b = tile.wait %r at %c : !tile.ring<2, !k128, !h> -> !sk128, !sh
      %zero = tile.zero : !tile.pending<tensor<128x64xf32, #acc2>>
      // CHECK: %[[DB:.+]] = sm90.smem_descriptor %[[B]] swizzle<128>
      // CHECK: %[[C8192:.+]] = arith.constant 8192
      // CHECK: %[[OFFSET:.+]] = arith.muli %[[GROUP]], %[[C8192]]
      // CHECK: %[[MINE:.+]] = arith.addi %[[A]], %[[OFFSET]]
      // CHECK: %[[DA:.+]] = sm90.smem_descriptor %[[MINE]] swizzle<128>
      // CHECK: %[[BK:.+]] = sm90.descriptor_advance %[[DB]]
      // CHECK: %[[AK:.+]] = sm90.descriptor_advance %[[DA]]
      // CHECK: sm90.wgmma_ss %{{.+}}, %[[AK]], %[[BK]], %{{.+}} n<64>
      %s = tile.dot_start %a, %b, %zero trans_b : !sk128, !sh, !tile.pending<tensor<128x64xf32, #acc2>> -> !tile.pending<tensor<128x64xf32, #acc2>>
      %v = tile.dot_wait %s : !tile.pending<tensor<128x64xf32, #acc2>> -> tensor<128x64xf32, #acc2>
      %zero2 = tile.zero : !tile.pending<tensor<64x128xf32, #wide>>
      // The operands have changed places.
      // CHECK: %[[BK:.+]] = sm90.descriptor_advance %[[DA]]
      // CHECK: %[[AK:.+]] = sm90.descriptor_advance %[[DB]]
      // CHECK: sm90.wgmma_ss %{{.+}}, %[[AK]], %[[BK]], %{{.+}} n<64>
      %t = tile.dot_start %b, %a, %zero2 trans_b : !sh, !sk128, !tile.pending<tensor<64x128xf32, #wide>> -> !tile.pending<tensor<64x128xf32, #wide>>
    }
  }
}

// MN-major operands: panels of 64 columns, 16 rows of k for each step.
// CHECK-LABEL: sm90.kernel @transposed
tile.kernel @transposed() form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %r = tile.ring "ab" from @load to @mma : !tile.ring<2, !h, !h128>
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c = tile.cursor %r consumer : !tile.ring<2, !h, !h128>
      %a, %b = tile.wait %r at %c : !tile.ring<2, !h, !h128> -> !sh, !sh128
      %zero = tile.zero : !tile.pending<tensor<64x128xf32, #acc>>
      // Panels are 8192 bytes apart, groups of 8 rows 1024.
      // CHECK: %[[C8192:.+]] = arith.constant 8192
      // CHECK: %[[C1024:.+]] = arith.constant 1024
      // CHECK: %[[DB:.+]] = sm90.smem_descriptor %{{.+}} leading %[[C8192]] stride %[[C1024]] swizzle<128>
      // CHECK: %[[DA:.+]] = sm90.smem_descriptor %{{.+}} leading %[[C8192]] stride %[[C1024]] swizzle<128>
      // CHECK: scf.for %[[K:[^ ]+]] = %{{.+}} to %[[C4:.+]] step
      // CHECK: %[[C2048:.+]] = arith.constant 2048
      // CHECK: %[[O:.+]] = arith.muli %[[K]], %[[C2048]]
      // CHECK: sm90.descriptor_advance %[[DB]], %[[O]]
      // CHECK: sm90.descriptor_advance %[[DA]], %[[O]]
      // CHECK: sm90.wgmma_ss {{.*}} n<128> bf16 trans_a trans_b :
      %s = tile.dot_start %a, %b, %zero trans_a : !sh, !sh128, !tile.pending<tensor<64x128xf32, #acc>> -> !tile.pending<tensor<64x128xf32, #acc>>
    }
  }
}

// A from registers: the accumulator of one dot, packed, is the operand of the next. Its registers
// are picked when the kernel is built, so the steps are written out.
// CHECK-LABEL: sm90.kernel @from_registers
tile.kernel @from_registers() form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %r = tile.ring "ab" from @load to @mma : !tile.ring<2, tensor<32x64xbf16, #sw>>
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c = tile.cursor %r consumer : !tile.ring<2, tensor<32x64xbf16, #sw>>
      %b = tile.wait %r at %c : !tile.ring<2, tensor<32x64xbf16, #sw>> -> !tile.slot<tensor<32x64xbf16, #sw>>
      // CHECK: %[[OUT:.+]] = sm90.frag : <32xf32>
      %p = tile.map ins() -> tensor<128x32xbf16, #waves> {
      ^bb0(%row: i32, %col: i32):
        %f = arith.constant 1.0 : bf16
        tile.yield %f : bf16
      }
      // CHECK: %[[ACC:.+]] = sm90.frag : <64xf32>
      %zero = tile.zero : !tile.pending<tensor<128x64xf32, #waves>>
      // CHECK: %[[P:.+]] = sm90.frag : <16xi32>
      // CHECK: sm90.frag_pack %[[OUT]] to %[[P]] as bf16
      // CHECK: sm90.wgmma_fence %[[ACC]], %[[P]]
      // CHECK-NOT: scf.for
      // CHECK: sm90.wgmma_rs %[[ACC]], %[[P]], %[[B0:.+]], %[[FALSE:.+]] n<64> bf16 trans_b :
      // CHECK: sm90.wgmma_rs %[[ACC]], %[[P]], %[[B0]], %[[FALSE]] n<64> bf16 trans_b wave<1> k<2> :
      // CHECK: %[[B1:.+]] = sm90.descriptor_advance %[[B0]]
      // CHECK: sm90.wgmma_rs %[[ACC]], %[[P]], %[[B1]], %[[TRUE:.+]] n<64> bf16 trans_b k<1> :
      // CHECK: sm90.wgmma_rs %[[ACC]], %[[P]], %[[B1]], %[[TRUE]] n<64> bf16 trans_b wave<1> k<3> :
      // CHECK: sm90.wgmma_commit
      %s = tile.dot_start %p, %b, %zero : tensor<128x32xbf16, #waves>, !tile.slot<tensor<32x64xbf16, #sw>>, !tile.pending<tensor<128x64xf32, #waves>> -> !tile.pending<tensor<128x64xf32, #waves>>
    }
  }
}

// A dot on a tile adds in place, unless the tile is needed afterwards or by the next iteration.
// CHECK-LABEL: sm90.kernel @on_tiles
tile.kernel @on_tiles(%n: i32) form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %r = tile.ring "ab" from @load to @mma : !tile.ring<2, !h, !h>
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c = tile.cursor %r consumer : !tile.ring<2, !h, !h>
      %a, %b = tile.wait %r at %c : !tile.ring<2, !h, !h> -> !sh, !sh
      // CHECK: %[[ONCE:.+]] = sm90.frag : <32xf32>
      %once = tile.map ins() -> !t {
      ^bb0(%row: i32, %col: i32):
        %f = arith.constant 1.0 : f32
        tile.yield %f : f32
      }
      // CHECK: sm90.wgmma_ss %[[ONCE]], %{{.+}}, %{{.+}}, %[[TRUE:.+]] n<64>
      %s = tile.dot_start %a, %b, %once trans_b : !sh, !sh, !t -> !p
      // CHECK: sm90.wgmma_wait %[[ONCE]]
      %x = tile.dot_wait %s : !p -> !t
      // CHECK: %[[TWICE:.+]] = sm90.frag : <32xf32>
      %twice = tile.map ins(%x) : !t -> !t {
      ^bb0(%e: f32, %row: i32, %col: i32):
        tile.yield %e : f32
      }
      // CHECK: %[[COPY:.+]] = sm90.frag : <32xf32>
      // CHECK: sm90.frag_copy %[[TWICE]] to %[[COPY]]
      // CHECK: sm90.wgmma_ss %[[COPY]]
      %t = tile.dot_start %a, %b, %twice trans_b : !sh, !sh, !t -> !p
      // CHECK: sm90.wgmma_wait %[[COPY]]
      %y = tile.dot_wait %t : !p -> !t
      // CHECK: %[[NEXT:.+]] = sm90.frag : <32xf32>
      %z = tile.map ins(%y, %twice) : !t, !t -> !t {
      ^bb0(%e: f32, %f: f32, %row: i32, %col: i32):
        %g = arith.addf %e, %f : f32
        tile.yield %g : f32
      }
      // CHECK: scf.for
      scf.for %i = %c0 to %n step %c1 : i32 {
        // CHECK: %[[COPY:.+]] = sm90.frag : <32xf32>
        // CHECK: sm90.frag_copy %[[NEXT]] to %[[COPY]]
        // CHECK: sm90.wgmma_ss %[[COPY]]
        %u = tile.dot_start %a, %b, %z trans_b : !sh, !sh, !t -> !p
        %v = tile.dot_wait %u : !p -> !t
      }
    }
  }
}

// Accumulators that start from one zero are two all the same.
// CHECK-LABEL: sm90.kernel @shared_zero
tile.kernel @shared_zero(%n: i32) form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %r = tile.ring "ab" from @load to @mma : !tile.ring<2, !h, !h>
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c = tile.cursor %r consumer : !tile.ring<2, !h, !h>
      %a, %b = tile.wait %r at %c : !tile.ring<2, !h, !h> -> !sh, !sh
      %zero = tile.zero : !p
      // CHECK: %[[X:.+]] = sm90.frag : <32xf32>
      // CHECK: %[[Y:.+]] = sm90.frag : <32xf32>
      // CHECK: scf.for
      // CHECK: sm90.wgmma_ss %[[X]]
      // CHECK: sm90.wgmma_ss %[[Y]]
      %acc:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero, %y = %zero) -> (!p, !p) : i32 {
        %s = tile.dot_start %a, %b, %x trans_b : !sh, !sh, !p -> !p
        %t = tile.dot_start %b, %a, %y trans_b : !sh, !sh, !p -> !p
        scf.yield %s, %t : !p, !p
      }
      // CHECK: sm90.wgmma_wait %[[X]]
      // CHECK: sm90.wgmma_wait %[[Y]]
      %v = tile.dot_wait %acc#0 : !p -> !t
      %w = tile.dot_wait %acc#1 : !p -> !t
    }
  }
}
