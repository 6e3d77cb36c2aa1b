// SPDX-License-Identifier: Apache-2.0
//
// Causal attention with online softmax in the program form of the `tile` dialect:
//
//   O = softmax(scale * Q K^T, masked) V        query i sees keys 0 … i + keys - queries
//
// Q and O are (batch, queries, heads, 64), K and V (batch, keys, kv_heads, 64), bf16, packed; query
// head h reads head h / (heads / kv_heads) of K and V. LSE is (batch, heads, queries), f32: the
// logarithm of each row's sum of exponentials, which a backward pass needs.
//
// Exponentials are powers of two with the scale folded in: exp(scale * x) = exp2(scale_log2 * x).

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [2, 1]>
#row = #tile.slice<1, #acc>

!heads = !tile.view<?x?x?x64xbf16, align = 16>
!lse = !tile.view<?x?x?xf32, align = 4>
!smem = tensor<128x64xbf16, #sw>
!scores = tensor<128x128xf32, #acc>
!weights = tensor<128x128xbf16, #acc>
!output = tensor<128x64xf32, #acc>
!rows = tensor<128xf32, #row>

tile.program @attention(
    %q: !tile.ptr<bf16> {tile.name = "q"}, %k: !tile.ptr<bf16> {tile.name = "k"},
    %v: !tile.ptr<bf16> {tile.name = "v"}, %o: !tile.ptr<bf16> {tile.name = "o"},
    %lse: !tile.ptr<f32> {tile.name = "lse"}, %batch: i32 {tile.name = "batch"},
    %heads: i32 {tile.name = "heads"}, %kv_heads: i32 {tile.name = "kv_heads"},
    %queries: i32 {tile.name = "queries"}, %keys: i32 {tile.name = "keys"},
    %scale_log2: f32 {tile.name = "scale_log2"}) {
  %zero = arith.constant 0 : i32
  tile.require %kv_heads gt %zero, "kv_heads must be positive" : i32
  %rest = arith.remsi %heads, %kv_heads : i32
  tile.require %rest eq %zero, "heads must be a multiple of kv_heads" : i32
  %group = arith.divsi %heads, %kv_heads : i32
  %grid = tile.sm_count
  tile.launch @attention_forward grid(%grid) (%q, %k, %v, %o, %lse, %batch, %heads, %kv_heads, %group, %queries, %keys, %scale_log2)
    : !tile.ptr<bf16>, !tile.ptr<bf16>, !tile.ptr<bf16>, !tile.ptr<bf16>, !tile.ptr<f32>, i32, i32, i32, i32, i32, i32, f32
}

tile.kernel @attention_forward(
    %q: !tile.ptr<bf16> {tile.name = "q"}, %k: !tile.ptr<bf16> {tile.name = "k"},
    %v: !tile.ptr<bf16> {tile.name = "v"}, %o: !tile.ptr<bf16> {tile.name = "o"},
    %lse: !tile.ptr<f32> {tile.name = "lse"}, %batch: i32 {tile.name = "batch"},
    %heads: i32 {tile.name = "heads"}, %kv_heads: i32 {tile.name = "kv_heads"},
    %group: i32 {tile.name = "group"}, %queries: i32 {tile.name = "queries"},
    %keys: i32 {tile.name = "keys"}, %scale_log2: f32 {tile.name = "scale_log2"})
    form = program
    roles = [#tile.role<load, warps = 1, regs = 40>,
             #tile.role<mma, warpgroups = 2, regs = 232, split = rows>] {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c127 = arith.constant 127 : i32
  %c128 = arith.constant 128 : i32

  // Views: (batch, heads, rows, 64), whatever the order in memory.
  %q_row_32 = arith.muli %heads, %c64 : i32
  %q_row = arith.extsi %q_row_32 : i32 to i64
  %kv_row_32 = arith.muli %kv_heads, %c64 : i32
  %kv_row = arith.extsi %kv_row_32 : i32 to i64
  %head = arith.extsi %c64 : i32 to i64
  %queries_64 = arith.extsi %queries : i32 to i64
  %keys_64 = arith.extsi %keys : i32 to i64
  %heads_64 = arith.extsi %heads : i32 to i64
  %q_batch = arith.muli %q_row, %queries_64 : i64
  %kv_batch = arith.muli %kv_row, %keys_64 : i64
  %lse_batch = arith.muli %heads_64, %queries_64 : i64
  %Q = tile.view %q [%batch, %heads, %queries, %c64] strides [%q_batch, %head, %q_row] : !tile.ptr<bf16> -> !heads
  %K = tile.view %k [%batch, %kv_heads, %keys, %c64] strides [%kv_batch, %head, %kv_row] : !tile.ptr<bf16> -> !heads
  %V = tile.view %v [%batch, %kv_heads, %keys, %c64] strides [%kv_batch, %head, %kv_row] : !tile.ptr<bf16> -> !heads
  %O = tile.view %o [%batch, %heads, %queries, %c64] strides [%q_batch, %head, %q_row] : !tile.ptr<bf16> -> !heads
  %LSE = tile.view %lse [%batch, %heads, %queries] strides [%lse_batch, %queries_64] : !tile.ptr<f32> -> !lse

  %q_ring = tile.ring "q" from @load to @mma : !tile.ring<1, !smem>
  %k_ring = tile.ring "k" from @load to @mma : !tile.ring<2, !smem>
  %v_ring = tile.ring "v" from @load to @mma : !tile.ring<2, !smem>
  %staging = tile.ring "o" private @mma : !tile.ring<1, !smem>
  %turn = tile.turn among @mma

  // Query i sees the keys up to i + shift.
  %shift = arith.subi %keys, %queries : i32
  %tiles = tile.raster (%batch by 1, %heads by 1, %queries by 128) order row : !tile.schedule<3>
  tile.for_tiles (%b, %h, %m) in %tiles : !tile.schedule<3> {
    %kv_h = arith.divsi %h, %group : i32
    %first_limit = arith.addi %m, %shift : i32

    // Blocks of 128 keys that some row sees, and those that every row sees whole.
    %past = arith.addi %first_limit, %c128 : i32
    %end = arith.minsi %past, %keys : i32
    %end_up = arith.addi %end, %c127 : i32
    %count_any = arith.floordivsi %end_up, %c128 : i32
    %count = arith.maxsi %count_any, %c0 : i32
    %first_end = arith.addi %first_limit, %c1 : i32
    %whole_end = arith.minsi %first_end, %keys : i32
    %whole_any = arith.floordivsi %whole_end, %c128 : i32
    %whole = arith.maxsi %whole_any, %c0 : i32
    %edge = arith.subi %count, %whole : i32
    %last = arith.subi %count, %c1 : i32

    %q_tile = tile.load %Q[%b, %h, %m, %c0] via tma ring %q_ring : !heads, !tile.ring<1, !smem> -> !smem

    %o_init = tile.zero : !output
    %l_init = tile.zero : !rows
    %none = arith.constant dense<0xFF800000> : !rows
    %scale_rows = tile.splat %scale_log2 : f32 -> !rows
    %o_sum, %l_part, %max = tile.for %t = %c0 to %count step %c1
        ranges("edge" : %c0 to %edge, "interior" : %edge to %count)
        order [#tile.at<"turn_wait">, #tile.at<"qk">, #tile.at<"pv", 1>, #tile.at<"turn_pass">, #tile.at<"softmax">, #tile.at<"rescale">]
        turn(%turn)
        iter_args(%o_acc = %o_init, %l = %l_init, %max_old = %none) -> (!output, !rows, !rows) {
      // From the diagonal down to key 0.
      %block = arith.subi %last, %t : i32
      %j = arith.muli %block, %c128 : i32

      %s = tile.step "qk" -> (!scores) {
        %k_tile = tile.load %K[%b, %kv_h, %j, %c0] via tma ring %k_ring : !heads, !tile.ring<2, !smem> -> !smem
        %zero = tile.zero : !scores
        %d = tile.dot %q_tile, %k_tile, %zero kind wgmma trans_b : !smem, !smem, !scores
        tile.yield %d : !scores
      }

      %p, %alpha, %l_new, %max_new = tile.step "softmax" -> (!weights, !rows, !rows, !rows) {
        %seen = tile.skippable in ["interior"] (%s) : !scores {
          %limit = tile.coord 0 offset %first_limit : tensor<128x128xi32, #acc>
          %key = tile.coord 1 offset %j : tensor<128x128xi32, #acc>
          %keys_all = tile.splat %keys : i32 -> tensor<128x128xi32, #acc>
          %causal = arith.cmpi sle, %key, %limit : tensor<128x128xi32, #acc>
          %exists = arith.cmpi slt, %key, %keys_all : tensor<128x128xi32, #acc>
          %visible = arith.andi %causal, %exists : tensor<128x128xi1, #acc>
          %hidden = arith.constant dense<0xFF800000> : !scores
          %masked = arith.select %visible, %s, %hidden : tensor<128x128xi1, #acc>, !scores
          tile.yield %masked : !scores
        }
        %max_block = tile.reduce max %seen along 1 : !scores -> !rows
        %max_row = arith.maximumf %max_old, %max_block : !rows
        // Rows that see no key yet have a maximum of -inf; -inf - -inf is no number, so take 0 there.
        %is_none = arith.cmpf oeq, %max_row, %none : !rows
        %nothing = arith.constant dense<0.0> : !rows
        %max_finite = arith.select %is_none, %nothing, %max_row : tensor<128xi1, #row>, !rows
        %max_scaled = arith.mulf %max_finite, %scale_rows : !rows
        %minus_max = arith.negf %max_scaled : !rows
        %bias = tile.broadcast %minus_max along 1 : !rows -> !scores
        %scale = tile.splat %scale_log2 : f32 -> !scores
        %exponent = math.fma %seen, %scale, %bias : !scores
        %e = math.exp2 %exponent : !scores
        %alpha_exponent = math.fma %max_old, %scale_rows, %minus_max : !rows
        %factor = math.exp2 %alpha_exponent : !rows
        %sum = tile.reduce add %e along 1 partial : !scores -> !rows
        %l_next = math.fma %l, %factor, %sum : !rows
        %weights = arith.truncf %e : !scores to !weights
        tile.yield %weights, %factor, %l_next, %max_row : !weights, !rows, !rows, !rows
      }

      %o_scaled = tile.step "rescale" -> (!output) {
        %factor = tile.broadcast %alpha along 1 : !rows -> !output
        %scaled = arith.mulf %o_acc, %factor : !output
        tile.yield %scaled : !output
      }

      %o_next = tile.step "pv" -> (!output) {
        %v_tile = tile.load %V[%b, %kv_h, %j, %c0] via tma ring %v_ring : !heads, !tile.ring<2, !smem> -> !smem
        %d = tile.dot %p, %v_tile, %o_scaled kind wgmma : !weights, !smem, !output
        tile.yield %d : !output
      }
      tile.yield %o_next, %l_new, %max_new : !output, !rows, !rows
    }

    // A row without any key gives zeros.
    %l_sum = tile.reduce_finish add %l_part : !rows
    %zeros = arith.constant dense<0.0> : !rows
    %ones = arith.constant dense<1.0> : !rows
    %is_empty = arith.cmpf oeq, %l_sum, %zeros : !rows
    %divisor = arith.select %is_empty, %ones, %l_sum : tensor<128xi1, #row>, !rows
    %inverse = arith.divf %ones, %divisor : !rows
    %norm = tile.broadcast %inverse along 1 : !rows -> !output
    %o_norm = arith.mulf %o_sum, %norm : !output
    %o_tile = arith.truncf %o_norm : !output to tensor<128x64xbf16, #acc>
    tile.store %o_tile, %O[%b, %h, %m, %c0] via tma staging %staging : tensor<128x64xbf16, #acc>, !heads, !tile.ring<1, !smem>

    %log2_sum = math.log2 %l_sum : !rows
    %lse_log2 = math.fma %max, %scale_rows, %log2_sum : !rows
    %ln2 = arith.constant dense<0.693147182> : !rows
    %lse_tile = arith.mulf %lse_log2, %ln2 : !rows
    tile.store %lse_tile, %LSE[%b, %h, %m] via direct : !rows, !lse
  }
}
