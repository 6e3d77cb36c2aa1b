// RUN: tw-opt %s --tile-split-ranges --verify-diagnostics

#acc = #tile.acc<wgs = [1, 1]>
!tile = tensor<64x8xf32, #acc>
!view = !tile.view<?x?xf32, align = 4>
tile.kernel @order(%a: !tile.ptr<f32>, %hi: i32, %n: i32, %ld: i64) form = program {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  // expected-error @below {{still has an order; tile-rotate runs before ranges are split}}
  tile.for %i = %c0 to %hi step %c8 order [#tile.at<"copy">] {
    tile.step "copy" {
      %l = tile.load %A[%i, %i] via direct : !view -> !tile
      tile.store %l, %A[%c0, %i] via direct : !tile, !view
      tile.yield
    }
  }
}
