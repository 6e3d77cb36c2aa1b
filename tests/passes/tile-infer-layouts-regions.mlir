// RUN: tw-opt %s --tile-infer-layouts | FileCheck %s
// Layouts pass through loops, branches, steps, skippable parts, maps and reductions: one online softmax.

#sw = #tile.smem<panel = 64, swizzle = 128>
!q = !tile.ring<1, tensor<128x64xbf16, #sw>>
!k = !tile.ring<2, tensor<128x64xbf16, #sw>>
!v = !tile.ring<2, tensor<128x64xbf16, #sw>>
!matrix = !tile.view<?x?xbf16, align = 16>

// CHECK: #[[ACC:.*]] = #tile.acc<wgs = [2, 1]>
// CHECK-LABEL: tile.kernel @softmax
tile.kernel @softmax(%p: !tile.ptr<bf16> {tile.name = "p"}, %m: i32 {tile.name = "m"}, %n: i32 {tile.name = "n"}, %ld: i64 {tile.name = "ld"}) form = program
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 2>] {
  %V = tile.view %p [%m, %m] strides [%ld] : !tile.ptr<bf16> -> !matrix
  %qr = tile.ring "q" from @load to @mma : !q
  %kr = tile.ring "k" from @load to @mma : !k
  %vr = tile.ring "v" from @load to @mma : !v
  %turn = tile.turn among @mma
  %c0 = arith.constant 0 : i32
  %c128 = arith.constant 128 : i32
  %q = tile.load %V[%c0, %c0] via tma ring %qr : !matrix, !q -> tensor<128x64xbf16, #sw>
  %o0 = tile.zero : tensor<128x64xf32>
  // CHECK: arith.constant dense<0xFF800000> : tensor<128xf32, #tile.slice<1, #[[ACC]]>>
  %m0 = arith.constant dense<0xFF800000> : tensor<128xf32>
  // CHECK: tile.zero : tensor<128xf32, #tile.slice<1, #[[ACC]]>>
  %l0 = tile.zero : tensor<128xf32>
  // CHECK: tile.for {{.*}} -> (tensor<128x64xf32, #[[ACC]]>, tensor<128xf32, #tile.slice<1, #[[ACC]]>>, tensor<128xf32, #tile.slice<1, #[[ACC]]>>)
  %o, %max, %l = tile.for %t = %c0 to %m step %c128 ranges("edge" : %c0 to %c128, "interior" : %c128 to %m)
      order [#tile.at<"qk">, #tile.at<"softmax">, #tile.at<"pv">] iter_args(%oi = %o0, %mi = %m0, %li = %l0)
      -> (tensor<128x64xf32>, tensor<128xf32>, tensor<128xf32>) {
    // CHECK: tile.step "qk" -> (tensor<128x128xf32, #[[ACC]]>)
    %s = tile.step "qk" -> (tensor<128x128xf32>) {
      %k = tile.load %V[%t, %c0] via tma ring %kr : !matrix, !k -> tensor<128x64xbf16, #sw>
      %z = tile.zero : tensor<128x128xf32>
      %d = tile.dot %q, %k, %z kind wgmma trans_b : tensor<128x64xbf16, #sw>, tensor<128x64xbf16, #sw>, tensor<128x128xf32>
      tile.yield %d : tensor<128x128xf32>
    }
    // CHECK: tile.step "softmax" -> (tensor<128x128xbf16, #[[ACC]]>
    %pb, %o1, %m1, %l1 = tile.step "softmax" -> (tensor<128x128xbf16>, tensor<128x64xf32>, tensor<128xf32>, tensor<128xf32>) {
      // CHECK: tile.skippable in ["interior"]{{.*}} : tensor<128x128xf32, #[[ACC]]>
      %masked = tile.skippable in ["interior"] (%s) : tensor<128x128xf32> {
        // CHECK: tile.map ins({{.*}}) : tensor<128x128xf32, #[[ACC]]> -> tensor<128x128xf32, #[[ACC]]>
        %x = tile.map ins(%s) : tensor<128x128xf32> -> tensor<128x128xf32> {
        ^bb0(%e: f32, %row: i32, %col: i32):
          %low = arith.constant 0xFF800000 : f32
          %last = arith.addi %row, %t : i32
          %keep = arith.cmpi sle, %col, %last : i32
          %y = arith.select %keep, %e, %low : f32
          tile.yield %y : f32
        }
        tile.yield %x : tensor<128x128xf32>
      }
      // CHECK: tile.reduce max {{.*}} along 1 : tensor<128x128xf32, #[[ACC]]> -> tensor<128xf32, #tile.slice<1, #[[ACC]]>>
      %rm = tile.reduce max %masked along 1 : tensor<128x128xf32> -> tensor<128xf32>
      %mx = arith.maximumf %mi, %rm : tensor<128xf32>
      %mb = tile.broadcast %mx along 1 : tensor<128xf32> -> tensor<128x128xf32>
      %sd = arith.subf %masked, %mb : tensor<128x128xf32>
      %e = math.exp2 %sd : tensor<128x128xf32>
      %rs = tile.reduce add %e along 1 partial : tensor<128x128xf32> -> tensor<128xf32>
      %md = arith.subf %mi, %mx : tensor<128xf32>
      %al = math.exp2 %md : tensor<128xf32>
      %lf = math.fma %li, %al, %rs : tensor<128xf32>
      // CHECK: tile.broadcast {{.*}} : tensor<128xf32, #tile.slice<1, #[[ACC]]>> -> tensor<128x64xf32, #[[ACC]]>
      %ab = tile.broadcast %al along 1 : tensor<128xf32> -> tensor<128x64xf32>
      %om = arith.mulf %oi, %ab : tensor<128x64xf32>
      %pt = arith.truncf %e : tensor<128x128xf32> to tensor<128x128xbf16>
      tile.yield %pt, %om, %mx, %lf : tensor<128x128xbf16>, tensor<128x64xf32>, tensor<128xf32>, tensor<128xf32>
    }
    %o2 = tile.step "pv" -> (tensor<128x64xf32>) {
      %v = tile.load %V[%t, %c0] via tma ring %vr : !matrix, !v -> tensor<128x64xbf16, #sw>
      // The first operand is a register tile: it has the accumulator's layout.
      // CHECK: tile.dot {{.*}} : tensor<128x128xbf16, #[[ACC]]>, tensor<128x64xbf16, #{{.*}}>, tensor<128x64xf32, #[[ACC]]>
      %d = tile.dot %pb, %v, %o1 kind wgmma : tensor<128x128xbf16>, tensor<128x64xbf16, #sw>, tensor<128x64xf32>
      tile.yield %d : tensor<128x64xf32>
    }
    tile.yield %o2, %m1, %l1 : tensor<128x64xf32>, tensor<128xf32>, tensor<128xf32>
  }
  // CHECK: tile.reduce_finish add {{.*}} : tensor<128xf32, #tile.slice<1, #[[ACC]]>>
  %lsum = tile.reduce_finish add %l : tensor<128xf32>
  %lb = tile.broadcast %lsum along 1 : tensor<128xf32> -> tensor<128x64xf32>
  %on = arith.divf %o, %lb : tensor<128x64xf32>
  // CHECK: scf.for {{.*}} -> (tensor<128x64xf32, #[[ACC]]>)
  %c1 = arith.constant 1 : i32
  %of = scf.for %i = %c0 to %n step %c1 iter_args(%x = %on) -> (tensor<128x64xf32>) : i32 {
    %big = arith.cmpi sgt, %i, %m : i32
    // CHECK: scf.if {{.*}} -> (tensor<128x64xf32, #[[ACC]]>)
    %y = scf.if %big -> (tensor<128x64xf32>) {
      // CHECK: arith.constant dense<2.000000e+00> : tensor<128x64xf32, #[[ACC]]>
      %two = arith.constant dense<2.0> : tensor<128x64xf32>
      scf.yield %two : tensor<128x64xf32>
    } else {
      scf.yield %x : tensor<128x64xf32>
    }
    scf.yield %y : tensor<128x64xf32>
  }
  // CHECK: tile.extract {{.*}} : tensor<128x64xf32, #[[ACC]]> -> tensor<128x32xf32, #[[ACC]]>
  %half = tile.extract %of columns %c0 : tensor<128x64xf32> -> tensor<128x32xf32>
  %w = arith.truncf %half : tensor<128x32xf32> to tensor<128x32xbf16>
  tile.store %w, %V[%c0, %c0] via direct : tensor<128x32xbf16>, !matrix
}
