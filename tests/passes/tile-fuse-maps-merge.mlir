// RUN: tw-opt %s --tile-fuse-maps | FileCheck %s
// Maps of the text take part like tensor arithmetic.

#acc = #tile.acc<wgs = [1, 1]>
#col = #tile.slice<0, #acc>
#row = #tile.slice<1, #acc>
#sw = #tile.smem<panel = 32, swizzle = 128>
!matrix = !tile.view<?x?xf32>
!t = tensor<64x64xf32, #acc>
!r = !tile.ring<2, tensor<64x64xf32, #sw>>

// CHECK-LABEL: tile.kernel @merged
tile.kernel @merged(%p: !tile.ptr<f32>, %m: i32, %n: i32, %ld: i64) form = program threads = 128 {
  %V = tile.view %p [%m, %m] strides [%ld] : !tile.ptr<f32> -> !matrix
  %B = tile.view %p [%m] : !tile.ptr<f32> -> !tile.view<?xf32>
  %c0 = arith.constant 0 : i32
  %big = tile.load %V[%c0, %c0] via direct : !matrix -> tensor<64x128xf32, #acc>
  // CHECK: %[[X:.*]] = tile.extract
  %x = tile.extract %big columns %c0 : tensor<64x128xf32, #acc> -> !t
  // CHECK: %[[W:.*]] = tile.map ins() -> tensor<64xf32
  %v = tile.load %B[%c0] via direct : !tile.view<?xf32> -> tensor<64xf32, #col>
  %w = tile.load %B[%c0] via direct : !tile.view<?xf32> -> tensor<64xf32, #row>
  %neg = arith.negf %x : !t
  // CHECK: %[[Y:.*]] = tile.map ins(%[[X]], %[[W]])
  // CHECK-NEXT: ^bb0(%[[E:.*]]: f32, %[[SCALE:.*]]: f32, %[[ROW:.*]]: i32, %[[COL:.*]]: i32):
  // CHECK-NEXT: %[[NEG:.*]] = arith.negf %[[E]]
  // CHECK-NEXT: %[[AT:.*]] = arith.addi %{{.*}}, %[[COL]]
  // CHECK-NEXT: %[[BIAS:.*]] = tile.read %{{.*}}[%[[AT]]]
  // CHECK-NEXT: %[[KEEP:.*]] = arith.cmpi sle, %[[COL]], %[[ROW]]
  // CHECK-NEXT: %[[M:.*]] = arith.select %[[KEEP]], %[[NEG]], %[[BIAS]]
  // CHECK-NEXT: %[[Z:.*]] = arith.mulf %[[M]], %[[SCALE]]
  // CHECK-NEXT: %[[T:.*]] = math.tanh %[[Z]]
  // CHECK-NEXT: tile.yield %[[T]]
  %mapped = tile.map ins(%neg, %v, %w) : !t, tensor<64xf32, #col>, tensor<64xf32, #row> -> !t {
  ^bb0(%a: f32, %b: f32, %s: f32, %i: i32, %j: i32):
    %keep = arith.cmpi sle, %j, %i : i32
    %c = arith.select %keep, %a, %b : f32
    %z = arith.mulf %c, %s : f32
    tile.yield %z : f32
  }
  %y = math.tanh %mapped : !t
  // CHECK: tile.store %[[Y]]
  tile.store %y, %V[%n, %c0] via direct : !t, !matrix
}

// Maps with several results, or with slots, stay; what they read and yield is fused around them.
// CHECK-LABEL: tile.kernel @kept
tile.kernel @kept(%p: !tile.ptr<f32>, %m: i32, %n: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %V = tile.view %p [%m, %m] strides [%ld] : !tile.ptr<f32> -> !matrix
  %ring = tile.ring "r" from @load to @mma : !r
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c0 = arith.constant 0 : i32
      %c = tile.cursor %ring consumer : !r
      %s = tile.wait %ring at %c : !r -> !tile.slot<tensor<64x64xf32, #sw>>
      %x = tile.fragment_load %s : !tile.slot<tensor<64x64xf32, #sw>> -> !t
      %neg = arith.negf %x : !t
      // CHECK: %[[NEG:.*]] = tile.map ins(%{{.*}}) : tensor
      // CHECK: arith.negf
      // CHECK: %[[SLOT:.*]] = tile.map ins(%[[NEG]], %{{.*}}) : tensor<64x64xf32, {{.*}}>, !tile.slot
      %y = tile.map ins(%neg, %s) : !t, !tile.slot<tensor<64x64xf32, #sw>> -> !t {
      ^bb0(%a: f32, %b: f32, %row: i32, %col: i32):
        %z = arith.addf %a, %b : f32
        tile.yield %z : f32
      }
      // CHECK: %[[TWO:.*]]:2 = tile.map ins(%[[SLOT]])
      %two:2 = tile.map ins(%y) : !t -> !t, !t {
      ^bb0(%a: f32, %row: i32, %col: i32):
        %z = arith.negf %a : f32
        tile.yield %a, %z : f32, f32
      }
      // CHECK: %[[SUM:.*]] = tile.map ins(%[[TWO]]#0, %[[TWO]]#1)
      // CHECK: tile.store %[[SUM]]
      %sum = arith.addf %two#0, %two#1 : !t
      tile.store %sum, %V[%c0, %c0] via direct : !t, !matrix
    }
  }
}
