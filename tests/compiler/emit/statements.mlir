// SPDX-License-Identifier: Apache-2.0
// Statements, comments, empty lines and line breaks.
// RUN: tw-opt %s --sm90-to-emitc --emitc-prepare | tw-translate --emitc-to-cuda > %t.cu
// RUN: diff %S/Inputs/statements.cu.golden %t.cu

sm90.kernel @statements(%map: !sm90.tensor_map loc("map"), %bias: !sm90.ptr<const bf16> loc("bias"),
                        %out: !sm90.ptr<f32> loc("out"), %role: i32 loc("role"), %offset: i64 loc("offset"),
                        %alpha: f32 loc("alpha")) attributes {threads = 256 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %limit = sm90.named_constant "kLimit" 0.5 : f32
  %stages = sm90.named_constant "kStages" 4 : i32
  sm90.comment "A comment at the head of a block has no empty line before it."
  %smem = sm90.smem_base loc("smem")
  sm90.comment "Two lines\nof one comment."
  sm90.cta_sync
  %is_first = arith.cmpi eq, %role, %c0 : i32
  %is_second = arith.cmpi eq, %role, %c1 : i32
  %is_third = arith.cmpi eq, %role, %c2 : i32
  scf.if %is_first {
    sm90.comment "First."
    sm90.warp_sync
  } else {
    sm90.comment "Not first: second?"
    scf.if %is_second {
      sm90.warp_sync
    } else {
      scf.if %is_third {
        sm90.cta_sync
      } else {
        sm90.cluster_wait
      }
    }
  }
  scf.if %is_first {
    sm90.warp_sync
  } else {
    sm90.cta_sync
    scf.if %is_second {
      sm90.warp_sync
    }
  }
  scf.for %i = %c0 to %stages step %c1 : i32 {
    scf.for %j = %c0 to %stages step %c2 : i32 {
      sm90.tma_load_multicast %map[%i, %j, %c3, %role] to %smem, %smem mask %c3 cache evict_first
    } {tw.unroll}
    %value = sm90.ld_global %bias[%offset] : !sm90.ptr<const bf16>
    %scaled = arith.mulf %value, %alpha : f32 loc("a_rather_long_name_for_a_scaled_value")
    %one = arith.addf %scaled, %alpha : f32
    %two = arith.mulf %one, %scaled : f32
    %three = arith.addf %two, %limit : f32
    %four = arith.mulf %three, %scaled : f32
    sm90.st_global %four to %out[%offset] : !sm90.ptr<f32>
  } {tw.unroll = 1 : i32} loc("i")
  sm90.comment "The end."
  sm90.cta_sync
  sm90.return
}
