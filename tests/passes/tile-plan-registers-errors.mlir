// RUN: tw-opt %s --tile-plan-registers --split-input-file --verify-diagnostics

// 128 registers of tiles and 40 of scalars: 168 are let through at 136 (up to a quarter more), not at 128.
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x256xf32, #acc>
!view = !tile.view<?x?xf32, align = 4>
tile.kernel @fits(%d: !tile.ptr<f32>, %n: i32, %ld: i64) form = scheduled
    roles = [#tile.role<mma, warpgroups = 1, regs = 136>] {
  %D = tile.view %d [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  tile.roles {
    tile.role @mma {
      %c0 = arith.constant 0 : i32
      %x = tile.map ins() -> !t {
      ^bb0(%row: i32, %col: i32):
        %f = arith.constant 1.0 : f32
        tile.yield %f : f32
      }
      tile.store %x, %D[%c0, %c0] via direct : !t, !view
    }
  }
}

// -----

#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x256xf32, #acc>
!view = !tile.view<?x?xf32, align = 4>
tile.kernel @spills(%d: !tile.ptr<f32>, %n: i32, %ld: i64) form = scheduled
    roles = [#tile.role<mma, warpgroups = 1, regs = 128>] {
  %D = tile.view %d [%n, %n] strides [%ld] : !tile.ptr<f32> -> !view
  tile.roles {
    // expected-error @below {{needs about 168 registers a thread (40 for scalars), @mma has 128; use smaller tiles, more warpgroups or a narrower subtile}}
    tile.role @mma {
      %c0 = arith.constant 0 : i32
      %x = tile.map ins() -> !t {
      ^bb0(%row: i32, %col: i32):
        %f = arith.constant 1.0 : f32
        tile.yield %f : f32
      }
      tile.store %x, %D[%c0, %c0] via direct : !t, !view
    }
  }
}
