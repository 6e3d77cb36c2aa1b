// RUN: tw-opt %s --tile-infer-layouts | FileCheck %s
// What is free to repeat, and loads into registers, exist once for each layout that their uses have.

#row = #tile.blocked<threads = [1, 128]>
#square = #tile.blocked<threads = [8, 16]>

// CHECK-DAG: #[[ROW:.*]] = #tile.blocked<threads = [1, 128]>
// CHECK-DAG: #[[SQUARE:.*]] = #tile.blocked<threads = [8, 16]>
// CHECK-LABEL: tile.kernel @two_layouts
tile.kernel @two_layouts(%p: !tile.ptr<f32> {tile.name = "p"}, %m: i32 {tile.name = "m"}, %n: i32 {tile.name = "n"}, %ld: i64 {tile.name = "ld"}) form = program threads = 128 {
  %V = tile.view %p [%m, %m] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %B = tile.view %p [%m] : !tile.ptr<f32> -> !tile.view<?xf32>
  %c0 = arith.constant 0 : i32
  %px = tile.load %V[%c0, %c0] via direct : !tile.view<?x?xf32> -> tensor<8x128xf32, #row>
  %py = tile.load %V[%c0, %c0] via direct : !tile.view<?x?xf32> -> tensor<8x128xf32, #square>
  %x = tile.extract %px columns %c0 : tensor<8x128xf32, #row> -> tensor<8x128xf32>
  %y = tile.extract %py columns %c0 : tensor<8x128xf32, #square> -> tensor<8x128xf32>
  // CHECK-DAG: tile.coord 0 : tensor<8x128xi32, #[[ROW]]>
  // CHECK-DAG: tile.coord 0 : tensor<8x128xi32, #[[SQUARE]]>
  %c = tile.coord 0 : tensor<8x128xi32>
  // CHECK-DAG: tile.load {{.*}} -> tensor<128xf32, #tile.slice<0, #[[ROW]]>>
  // CHECK-DAG: tile.load {{.*}} -> tensor<128xf32, #tile.slice<0, #[[SQUARE]]>>
  %v = tile.load %B[%c0] via direct : !tile.view<?xf32> -> tensor<128xf32>
  // CHECK-DAG: tile.broadcast {{.*}} -> tensor<8x128xf32, #[[ROW]]>
  // CHECK-DAG: tile.broadcast {{.*}} -> tensor<8x128xf32, #[[SQUARE]]>
  %b = tile.broadcast %v along 0 : tensor<128xf32> -> tensor<8x128xf32>
  // A free tile that nothing but another kind of op uses follows that op too.
  // CHECK: arith.cmpi eq, {{.*}} : tensor<8x128xi32, #[[ROW]]>
  %cx = arith.cmpi eq, %c, %c : tensor<8x128xi32>
  // CHECK: arith.select {{.*}} : tensor<8x128xi1, #[[ROW]]>, tensor<8x128xf32, #[[ROW]]>
  %gx = arith.select %cx, %x, %b : tensor<8x128xi1>, tensor<8x128xf32>
  tile.store %gx, %V[%c0, %c0] via direct : tensor<8x128xf32>, !tile.view<?x?xf32>
  // CHECK: arith.cmpi ne, {{.*}} : tensor<8x128xi32, #[[SQUARE]]>
  %cy = arith.cmpi ne, %c, %c : tensor<8x128xi32>
  // CHECK: arith.select {{.*}} : tensor<8x128xi1, #[[SQUARE]]>, tensor<8x128xf32, #[[SQUARE]]>
  %gy = arith.select %cy, %y, %b : tensor<8x128xi1>, tensor<8x128xf32>
  tile.store %gy, %V[%c0, %c0] via direct : tensor<8x128xf32>, !tile.view<?x?xf32>
}
