// RUN: tw-opt %s --tile-fuse-maps -verify-diagnostics -split-input-file

#row = #tile.blocked<threads = [1, 4]>
tile.kernel @table(%p: !tile.ptr<f32>, %n: i32, %ld: i64) form = program threads = 128 {
  %V = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  // expected-error@+1 {{'arith.constant' op holds several values; a constant tile has one value everywhere, load tables from a view}}
  %x = arith.constant dense<[[1.0, 2.0, 3.0, 4.0]]> : tensor<1x4xf32, #row>
  tile.store %x, %V[%n, %n] via direct : tensor<1x4xf32, #row>, !tile.view<?x?xf32>
}

// -----

tile.kernel @no_layout(%p: !tile.ptr<f32>, %n: i32, %ld: i64) form = program threads = 128 {
  %V = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %x = tile.load %V[%n, %n] via direct : !tile.view<?x?xf32> -> tensor<64x64xf32>
  %s = tile.reduce add %x along 1 : tensor<64x64xf32> -> tensor<64xf32>
  // expected-error@+1 {{'tile.broadcast' op reads a vector 'tensor<64xf32>' whose layout does not say along which dimension; run tile-infer-layouts first}}
  %b = tile.broadcast %s along 1 : tensor<64xf32> -> tensor<64x64xf32>
  tile.store %b, %V[%n, %n] via direct : tensor<64x64xf32>, !tile.view<?x?xf32>
}
