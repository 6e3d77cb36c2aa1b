// RUN: tw-opt %s --tile-split-epilogue | FileCheck %s
// What happens to values that are not plain tensor arithmetic.

#acc = #tile.acc<wgs = [1, 1]>
#col = #tile.slice<0, #acc>
#row = #tile.slice<1, #acc>
!matrix = !tile.view<?x?xf32>
!t = tensor<64x64xf32, #acc>

// A map of the text is cloned on slices: its column argument counts from the whole tile's first column.
// CHECK-LABEL: tile.kernel @map
tile.kernel @map(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %m: i32, %n: i32, %ld: i64) form = program threads = 128 {
  %C = tile.view %p [%m, %m] strides [%ld] : !tile.ptr<f32> -> !matrix
  %B = tile.view %q [%m] : !tile.ptr<f32> -> !tile.view<?xf32>
  %c0 = arith.constant 0 : i32
  %x = tile.load %C[%c0, %c0] via direct : !matrix -> !t
  %v = tile.load %B[%c0] via direct : !tile.view<?xf32> -> tensor<64xf32, #col>
  // CHECK: %[[W:.*]] = tile.load {{.*}} -> tensor<64xf32, #tile.slice<1
  %w = tile.load %B[%c0] via direct : !tile.view<?xf32> -> tensor<64xf32, #row>
  // CHECK: scf.for
  // CHECK: %[[COLUMN:.*]] = arith.muli
  // CHECK: %[[X:.*]] = tile.load {{.*}} -> tensor<64x16xf32
  // CHECK: %[[V:.*]] = tile.load {{.*}} -> tensor<16xf32, #tile.slice<0
  // CHECK: tile.map ins(%[[X]], %[[V]], %[[W]]) : tensor<64x16xf32, {{.*}}>, tensor<16xf32, {{.*}}>, tensor<64xf32, {{.*}}> -> tensor<64x16xf32
  // CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32, %[[ROW:.*]]: i32, %[[COL:.*]]: i32):
  // CHECK-NEXT: %[[SHIFTED:.*]] = arith.addi %[[COL]], %[[COLUMN]]
  // CHECK-NEXT: arith.cmpi sle, %[[SHIFTED]], %[[ROW]]
  %y = tile.map ins(%x, %v, %w) : !t, tensor<64xf32, #col>, tensor<64xf32, #row> -> !t {
  ^bb0(%a: f32, %b: f32, %c: f32, %r: i32, %k: i32):
    %keep = arith.cmpi sle, %k, %r : i32
    %s = arith.select %keep, %a, %b : f32
    %z = arith.addf %s, %c : f32
    tile.yield %z : f32
  }
  tile.store %y, %C[%c0, %c0] via direct subtile 16 : !t, !matrix
}

// A reduction along the rows needs only its own columns.
// CHECK-LABEL: tile.kernel @column_sum
tile.kernel @column_sum(%p: !tile.ptr<f32>, %m: i32, %n: i32, %ld: i64) form = program threads = 128 {
  %C = tile.view %p [%m, %m] strides [%ld] : !tile.ptr<f32> -> !matrix
  %c0 = arith.constant 0 : i32
  %x = tile.load %C[%c0, %c0] via direct : !matrix -> !t
  // CHECK: scf.for
  // CHECK: %[[X:.*]] = tile.load {{.*}} -> tensor<64x16xf32
  // CHECK: %[[S:.*]] = tile.reduce add %[[X]] along 0 : {{.*}} -> tensor<16xf32
  // CHECK: tile.broadcast %[[S]] along 0
  %s = tile.reduce add %x along 0 : !t -> tensor<64xf32, #col>
  %b = tile.broadcast %s along 0 : tensor<64xf32, #col> -> !t
  %k = tile.coord 0 : tensor<64xi32, #col>
  %f = arith.sitofp %k : tensor<64xi32, #col> to tensor<64xf32, #col>
  // The coordinate of a vector along the columns moves like a column.
  // CHECK: %[[COLUMN:.*]] = tile.coord 0 offset %{{.*}} : tensor<16xi32
  // CHECK: arith.sitofp %[[COLUMN]]
  %fb = tile.broadcast %f along 0 : tensor<64xf32, #col> -> !t
  %y = arith.addf %b, %fb : !t
  tile.store %y, %C[%c0, %c0] via direct subtile 16 : !t, !matrix
}

// Work that stands outside a loop around the store is done once, and cut inside.
// CHECK-LABEL: tile.kernel @outside
tile.kernel @outside(%p: !tile.ptr<f32>, %m: i32, %n: i32, %ld: i64) form = program threads = 128 {
  %C = tile.view %p [%m, %m] strides [%ld] : !tile.ptr<f32> -> !matrix
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = tile.load %C[%c0, %c0] via direct : !matrix -> !t
  // CHECK: %[[Y:.*]] = math.exp2 {{.*}} : tensor<64x64xf32
  %y = math.exp2 %x : !t
  // CHECK: scf.for %[[I:.*]] =
  scf.for %i = %c0 to %n step %c1 : i32 {
    // CHECK: scf.for
    // CHECK: %[[PART:.*]] = tile.extract %[[Y]]
    // CHECK: %[[NEG:.*]] = arith.negf %[[PART]] : tensor<64x32xf32
    // CHECK: tile.store %[[NEG]], %{{.*}}[%[[I]], %{{.*}}]
    %z = arith.negf %y : !t
    tile.store %z, %C[%i, %c0] via direct subtile 32 : !t, !matrix
  }
}

// Results of branches and of steps are cut; a branch around the store is no loop.
// CHECK-LABEL: tile.kernel @branches
tile.kernel @branches(%p: !tile.ptr<f32>, %m: i32, %n: i32, %ld: i64) form = program threads = 128 {
  %C = tile.view %p [%m, %m] strides [%ld] : !tile.ptr<f32> -> !matrix
  %c0 = arith.constant 0 : i32
  %big = arith.cmpi sgt, %n, %c0 : i32
  // CHECK: %[[X:.*]] = tile.step "x"
  %x = tile.step "x" -> (!t) {
    %l = tile.load %C[%c0, %c0] via direct : !matrix -> !t
    tile.yield %l : !t
  }
  %y = math.exp2 %x : !t
  // CHECK-NOT: math.exp2
  // CHECK: scf.if
  scf.if %big {
    // CHECK: scf.for
    // CHECK: %[[PART:.*]] = tile.extract %[[X]]
    // CHECK: math.exp2 %[[PART]]
    tile.store %y, %C[%c0, %c0] via direct subtile 32 : !t, !matrix
  }
}
