// RUN: tw-opt %s --tile-split-epilogue -verify-diagnostics -split-input-file

#sw = #tile.smem<>
!r = !tile.ring<2, tensor<64x64xbf16, #sw>>
!matrix = !tile.view<?x?xbf16, align = 16>
tile.kernel @shared_memory(%p: !tile.ptr<bf16>, %n: i32, %ld: i64) form = program
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %V = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !matrix
  %c0 = arith.constant 0 : i32
  %ring = tile.ring "r" from @load to @mma : !r
  // expected-error@+1 {{'tile.load' op holds whole tiles in shared memory, which a store with subtile cannot take slice by slice; load via direct}}
  %x = tile.load %V[%c0, %c0] via tma ring %ring : !matrix, !r -> tensor<64x64xbf16, #sw>
  %y = arith.negf %x : tensor<64x64xbf16, #sw>
  // expected-note@+1 {{needed by this store with subtile 16}}
  tile.store %y, %V[%c0, %c0] via direct subtile 16 : tensor<64x64xbf16, #sw>, !matrix
}

// -----

#acc = #tile.acc<wgs = [1, 2]>
!t = tensor<64x64xf32, #acc>
tile.kernel @two_halves(%p: !tile.ptr<f32>, %n: i32, %ld: i64) form = program threads = 256 {
  %V = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = tile.zero : !t
  // expected-error@+1 {{'scf.for' op spreads columns over 2 warpgroups by #tile.acc<wgs = [1, 2]>, so a slice of columns is not theirs to share; store without subtile}}
  %x = scf.for %i = %c0 to %n step %c1 iter_args(%y = %zero) -> (!t) : i32 {
    scf.yield %y : !t
  }
  // expected-note@+1 {{needed by this store with subtile 16}}
  tile.store %x, %V[%c0, %c0] via direct subtile 16 : !t, !tile.view<?x?xf32>
}

// -----

#blocked = #tile.blocked<threads = [8, 16], vec = 2>
tile.kernel @too_narrow(%p: !tile.ptr<f32>, %n: i32, %ld: i64) form = program threads = 128 {
  %V = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %c0 = arith.constant 0 : i32
  %x = tile.load %V[%c0, %c0] via direct : !tile.view<?x?xf32> -> tensor<64x64xf32, #blocked>
  // expected-error@+1 {{'tile.store' op cannot be cut with subtile 16: layout #tile.blocked<threads = [8, 16], vec = 2> does not fit: blocked layout: expected a multiple of 32 columns (16 threads x vec 2), found 16}}
  tile.store %x, %V[%c0, %c0] via direct subtile 16 : tensor<64x64xf32, #blocked>, !tile.view<?x?xf32>
}

// -----

tile.kernel @column_reduction(%p: !tile.ptr<f32>, %n: i32, %ld: i64) form = program threads = 128 {
  %V = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %c0 = arith.constant 0 : i32
  %x = tile.load %V[%c0, %c0] via direct : !tile.view<?x?xf32> -> tensor<64x64xf32>
  // expected-error@+1 {{'tile.reduce' op reduces along columns, and its result is wanted column by column: a slice would need all of it; store without subtile}}
  %s = tile.reduce add %x along 1 : tensor<64x64xf32> -> tensor<64xf32>
  %b = tile.broadcast %s along 0 : tensor<64xf32> -> tensor<64x64xf32>
  // expected-note@+1 {{needed by this store with subtile 16}}
  tile.store %b, %V[%c0, %c0] via direct subtile 16 : tensor<64x64xf32>, !tile.view<?x?xf32>
}

// -----

tile.kernel @held_vector(%p: !tile.ptr<f32>, %n: i32, %ld: i64) form = program threads = 128 {
  %V = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = tile.zero : tensor<64xf32>
  // expected-error@+1 {{'scf.for' op holds a vector along the columns in registers, which cannot be cut; load it via direct, or store without subtile}}
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%y = %zero) -> (tensor<64xf32>) : i32 {
    scf.yield %y : tensor<64xf32>
  }
  %b = tile.broadcast %s along 0 : tensor<64xf32> -> tensor<64x64xf32>
  // expected-note@+1 {{needed by this store with subtile 16}}
  tile.store %b, %V[%c0, %c0] via direct subtile 16 : tensor<64x64xf32>, !tile.view<?x?xf32>
}

// -----

tile.kernel @overwritten(%p: !tile.ptr<f32>, %n: i32, %ld: i64) form = program threads = 128 {
  %V = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %c0 = arith.constant 0 : i32
  // expected-error@+1 {{'tile.load' op is read slice by slice next to the store, but 'tile.store' may write its memory before that; move the load behind it, or store without subtile}}
  %x = tile.load %V[%c0, %c0] via direct : !tile.view<?x?xf32> -> tensor<64x64xf32>
  %one = arith.constant dense<1.0> : tensor<64x64xf32>
  // expected-note@+1 {{writes here}}
  tile.store %one, %V[%c0, %c0] via direct : tensor<64x64xf32>, !tile.view<?x?xf32>
  // expected-note@+1 {{needed by this store with subtile 16}}
  tile.store %x, %V[%c0, %c0] via direct subtile 16 : tensor<64x64xf32>, !tile.view<?x?xf32>
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
!r = !tile.ring<2, tensor<64x64xbf16, #sw>>
#acc = #tile.acc<wgs = [1, 1]>
tile.kernel @slot_in_map(%p: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] {
  %V = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !tile.view<?x?xbf16>
  %ring = tile.ring "r" from @load to @mma : !r
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c0 = arith.constant 0 : i32
      %c = tile.cursor %ring consumer : !r
      %s = tile.wait %ring at %c : !r -> !tile.slot<tensor<64x64xbf16, #sw>>
      // expected-error@+1 {{'tile.map' op reads '!tile.slot<tensor<64x64xbf16, #tile.smem<panel = 64, swizzle = 128>>>', which cannot be taken slice by slice; store without subtile}}
      %x = tile.map ins(%s) : !tile.slot<tensor<64x64xbf16, #sw>> -> tensor<64x64xbf16, #acc> {
      ^bb0(%e: bf16, %row: i32, %col: i32):
        tile.yield %e : bf16
      }
      // expected-note@+1 {{needed by this store with subtile 16}}
      tile.store %x, %V[%c0, %c0] via direct subtile 16 : tensor<64x64xbf16, #acc>, !tile.view<?x?xbf16>
    }
  }
}

// -----

tile.kernel @vector_in_map(%p: !tile.ptr<f32>, %n: i32, %ld: i64) form = program threads = 128 {
  %V = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %B = tile.view %p [%n] : !tile.ptr<f32> -> !tile.view<?xf32>
  %c0 = arith.constant 0 : i32
  %b = tile.load %B[%c0] via direct : !tile.view<?xf32> -> tensor<64xf32>
  // expected-error@+1 {{'tile.map' op reads a vector without a layout; run tile-infer-layouts first}}
  %x = tile.map ins(%b) : tensor<64xf32> -> tensor<64x64xf32> {
  ^bb0(%e: f32, %row: i32, %col: i32):
    tile.yield %e : f32
  }
  // expected-note@+1 {{needed by this store with subtile 16}}
  tile.store %x, %V[%c0, %c0] via direct subtile 16 : tensor<64x64xf32>, !tile.view<?x?xf32>
}

// -----

// The second slice's load would meet what the first slice's store wrote.
tile.kernel @written_by_itself(%p: !tile.ptr<f32>, %n: i32, %ld: i64) form = program threads = 128 {
  %V = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32>
  %c0 = arith.constant 0 : i32
  // expected-error@+1 {{'tile.load' op is read slice by slice next to the store, but 'tile.store' may write its memory before that}}
  %x = tile.load %V[%c0, %n] via direct : !tile.view<?x?xf32> -> tensor<64x64xf32>
  // expected-note@+2 {{needed by this store with subtile 16}}
  // expected-note@+1 {{writes here}}
  tile.store %x, %V[%c0, %c0] via direct subtile 16 : tensor<64x64xf32>, !tile.view<?x?xf32>
}
