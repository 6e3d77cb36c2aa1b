// RUN: tw-opt %s --pass-pipeline='builtin.module(tile-to-sm90)' --split-input-file --verify-diagnostics

// expected-error @below {{is lowered from the scheduled form with its shared memory planned; run the rewrites and tile-plan-shared-memory first}}
tile.kernel @program() form = program {
}

// -----

// expected-error @below {{is lowered from the scheduled form with its shared memory planned}}
tile.kernel @unplanned() form = scheduled threads = 128 {
}

// -----

tile.kernel @no_lowering(%n: !tile.ptr<i32>) form = scheduled roles = [#tile.role<mma, warpgroups = 2>] attributes {shared_bytes = 0} {
  tile.roles {
    tile.role @mma {
      %c1 = arith.constant 1 : i32
      // expected-error @below {{has no lowering to sm90 here}}
      %t = tile.atomic_add %n, %c1 : !tile.ptr<i32>
    }
  }
}

// -----

tile.kernel @nobodys_turn() form = scheduled roles = [#tile.role<mma, warpgroups = 2>] attributes {shared_bytes = 0} {
  %t = tile.turn among @mma
  // expected-error @below {{stands outside of the kernel's roles: no threads run it}}
  tile.turn_wait %t
  tile.roles {
    tile.role @mma {
    }
  }
}

// -----

#acc = #tile.acc<wgs = [1, 1]>
tile.kernel @arithmetic() form = scheduled threads = 128 attributes {shared_bytes = 0} {
  %x = tile.zero : tensor<64x8xf32, #acc>
  // expected-error @below {{has no lowering to sm90 here; tile-fuse-maps turns tile arithmetic into tile.map first}}
  %y = arith.addf %x, %x : tensor<64x8xf32, #acc>
}

// -----

tile.kernel @narrow(%f: f32) form = scheduled threads = 128 attributes {shared_bytes = 0} {
  %h = arith.truncf %f : f32 to bf16
  // expected-error @below {{computes in a 16-bit float; widen to f32 with arith.extf, arithmetic is done there}}
  %g = arith.addf %h, %h : bf16
}

// -----

#acc = #tile.acc<wgs = [1, 1]>
tile.kernel @outside() form = scheduled roles = [#tile.role<mma, warpgroups = 1>] attributes {shared_bytes = 0} {
  // expected-error @below {{stands outside of the kernel's roles: no threads run it}}
  %x = tile.map ins() -> tensor<64x8xf32, #acc> {
  ^bb0(%row: i32, %col: i32):
    %f = arith.constant 1.0 : f32
    tile.yield %f : f32
  }
  tile.roles {
    tile.role @mma {
    }
  }
}

// -----

// Handles are used as they were made.
tile.kernel @chosen_view(%a: !tile.ptr<f32>, %n: i32, %c: i32) form = scheduled threads = 128 attributes {shared_bytes = 0} {
  %A = tile.view %a [%n] : !tile.ptr<f32> -> !tile.view<?xf32>
  %B = tile.view %a [%c] : !tile.ptr<f32> -> !tile.view<?xf32>
  %b = arith.cmpi eq, %n, %c : i32
  // expected-error @below {{hands on '!tile.view<?xf32, align = 4>'; it has a lowering only where it is used as it was made}}
  %V = arith.select %b, %A, %B : !tile.view<?xf32>
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
!ring = !tile.ring<2, tensor<64x64xbf16, #sw>>
tile.kernel @carried_slot(%n: i32) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] attributes {shared_bytes = 0} {
  %r = tile.ring "r" from @load to @mma {barrier_offset = 0, slot_offsets = array<i64: 0>} : !ring
  tile.roles {
    tile.role @load {
    }
    tile.role @mma {
      %c0 = arith.constant 0 : i32
      %c = tile.cursor %r consumer : !ring
      %s = tile.wait %r at %c : !ring -> !tile.slot<tensor<64x64xbf16, #sw>>
      scf.for %i = %c0 to %n step %n iter_args(%t = %s) -> (!tile.slot<tensor<64x64xbf16, #sw>>) : i32 {
        // expected-error @below {{hands on '!tile.slot<tensor<64x64xbf16, #tile.smem<panel = 64, swizzle = 128>>>'}}
        scf.yield %t : !tile.slot<tensor<64x64xbf16, #sw>>
      }
    }
  }
}

// -----

tile.kernel @chosen_schedule(%n: i32) form = scheduled threads = 128 attributes {shared_bytes = 0} {
  %s = tile.raster (%n by 4) order row : !tile.schedule<1>
  %b = arith.cmpi eq, %n, %n : i32
  // expected-error @below {{hands on '!tile.schedule<1>'}}
  %t = arith.select %b, %s, %s : !tile.schedule<1>
}

// -----

// CTAs of a cluster divide tiles among themselves.
tile.kernel @list_for_clusters(%l: !tile.ptr<i32>, %n: i32) form = scheduled cluster = [2, 1] threads = 128 attributes {shared_bytes = 0} {
  %s = tile.work_list %l count %n : !tile.ptr<i32> -> !tile.schedule<2>
  // expected-error @below {{deals out work to clusters, whose CTAs divide the last two coordinates of a tile.raster; this schedule has no two}}
  %first, %end, %step = tile.schedule_range %s : !tile.schedule<2>
}

// -----

tile.kernel @one_coordinate_for_clusters(%n: i32) form = scheduled cluster = [1, 2] threads = 128 attributes {shared_bytes = 0} {
  %s = tile.raster (%n by 4) order row : !tile.schedule<1>
  // expected-error @below {{deals out work to clusters}}
  %first, %end, %step = tile.schedule_range %s : !tile.schedule<1>
}

// -----

// Tensor maps: what the host can compute.
#sw = #tile.smem<panel = 64, swizzle = 128>
!ring = !tile.ring<2, tensor<64x64xbf16, #sw>>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @map_of_anything(%a: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] attributes {shared_bytes = 0} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %m = arith.shli %n, %c1 : i32
  // expected-error @below {{a tensor map needs a base that is an argument of the kernel, and sizes and strides that are integer arithmetic on its arguments}}
  %A = tile.view %a [%m, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %r = tile.ring "r" from @load to @mma {barrier_offset = 0, slot_offsets = array<i64: 0>} : !ring
  tile.roles {
    tile.role @load {
      %c = tile.cursor %r producer : !ring
      %s = tile.acquire %r at %c : !ring -> !tile.slot<tensor<64x64xbf16, #sw>>
      tile.copy %A[%c0, %c0] to %s signal %r at %c : !view, !tile.slot<tensor<64x64xbf16, #sw>>, !ring
    }
    tile.role @mma {
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
!ring = !tile.ring<2, tensor<320x64xbf16, #sw>>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @box(%a: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] attributes {shared_bytes = 0} {
  %c0 = arith.constant 0 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %r = tile.ring "r" from @load to @mma {barrier_offset = 0, slot_offsets = array<i64: 0>} : !ring
  tile.roles {
    tile.role @load {
      %c = tile.cursor %r producer : !ring
      %s = tile.acquire %r at %c : !ring -> !tile.slot<tensor<320x64xbf16, #sw>>
      // expected-error @below {{moves a box of 64 columns and 320 rows; TMA moves at most 256 of each}}
      tile.copy %A[%c0, %c0] to %s signal %r at %c : !view, !tile.slot<tensor<320x64xbf16, #sw>>, !ring
    }
    tile.role @mma {
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
!ring = !tile.ring<2, tensor<8x64xbf16, #sw>>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @share(%a: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled cluster = [2, 1]
    roles = [#tile.role<load, warps = 1>, #tile.role<mma, warpgroups = 1>] attributes {shared_bytes = 0} {
  %c0 = arith.constant 0 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %r = tile.ring "r" from @load to @mma multicast 0 {barrier_offset = 0, slot_offsets = array<i64: 0>} : !ring
  tile.roles {
    tile.role @load {
      %c = tile.cursor %r producer : !ring
      %s = tile.acquire %r at %c : !ring -> !tile.slot<tensor<8x64xbf16, #sw>>
      // expected-error @below {{a multicast share of 4 rows does not begin at a multiple of 1024 bytes}}
      tile.copy %A[%c0, %c0] to %s signal %r at %c multicast 0 : !view, !tile.slot<tensor<8x64xbf16, #sw>>, !ring
    }
    tile.role @mma {
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
!ring = !tile.ring<1, tensor<8x64xbf16, #sw>>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @rows_of_a_warpgroup(%a: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled
    roles = [#tile.role<mma, warpgroups = 2>] attributes {shared_bytes = 0} {
  %c0 = arith.constant 0 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %r = tile.ring "r" private @mma {slot_offsets = array<i64: 0>} : !ring
  tile.roles {
    tile.role @mma {
      %c = tile.cursor %r producer : !ring
      %s = tile.acquire %r at %c : !ring -> !tile.slot<tensor<8x64xbf16, #sw>>
      // expected-error @below {{the rows of one of 2 warpgroups do not begin at a multiple of 1024 bytes}}
      tile.copy_out %s to %A[%c0, %c0] : !tile.slot<tensor<8x64xbf16, #sw>>, !view
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
!ring = !tile.ring<1, tensor<8x64xbf16, #sw>>
tile.kernel @private_of_warps() form = scheduled roles = [#tile.role<store, warps = 1>] attributes {shared_bytes = 0} {
  %r = tile.ring "r" private @store {slot_offsets = array<i64: 0>} : !ring
  tile.roles {
    tile.role @store {
      %c = tile.cursor %r producer : !ring
      // expected-error @below {{of a private ring is lowered in roles of warpgroups}}
      %s = tile.acquire %r at %c : !ring -> !tile.slot<tensor<8x64xbf16, #sw>>
    }
  }
}

// -----

#sw = #tile.smem<panel = 64, swizzle = 128>
!ring = !tile.ring<1, tensor<8x64xbf16, #sw>>
!view = !tile.view<?x?xbf16, align = 16>
tile.kernel @copy_out_of_warps(%a: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled
    roles = [#tile.role<load, warps = 1>, #tile.role<store, warps = 1>] attributes {shared_bytes = 0} {
  %c0 = arith.constant 0 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %r = tile.ring "r" from @load to @store {barrier_offset = 0, slot_offsets = array<i64: 0>} : !ring
  tile.roles {
    tile.role @load {
    }
    tile.role @store {
      %c = tile.cursor %r consumer : !ring
      %s = tile.wait %r at %c : !ring -> !tile.slot<tensor<8x64xbf16, #sw>>
      // expected-error @below {{is lowered in roles of warpgroups, each of which stores its rows}}
      tile.copy_out %s to %A[%c0, %c0] : !tile.slot<tensor<8x64xbf16, #sw>>, !view
    }
  }
}

// -----

// Tiles across branches.
#acc = #tile.acc<wgs = [1, 1]>
tile.kernel @branch(%n: i32) form = scheduled threads = 128 attributes {shared_bytes = 0} {
  %c0 = arith.constant 0 : i32
  %x = tile.zero : tensor<64x8xf32, #acc>
  %y = tile.zero : tensor<64x8xf32, #acc>
  %some = arith.cmpi sgt, %n, %c0 : i32
  // expected-error @below {{with tiles as results has no lowering to sm90}}
  %z = scf.if %some -> (tensor<64x8xf32, #acc>) {
    scf.yield %x : tensor<64x8xf32, #acc>
  } else {
    scf.yield %y : tensor<64x8xf32, #acc>
  }
}

// -----

// Tiles carried by loops are whole and do not change places.
#acc = #tile.acc<wgs = [1, 1]>
tile.kernel @carries_columns(%n: i32) form = scheduled threads = 128 attributes {shared_bytes = 0} {
  %c0 = arith.constant 0 : i32
  %x = tile.zero : tensor<64x16xf32, #acc>
  %y = tile.extract %x columns %c0 : tensor<64x16xf32, #acc> -> tensor<64x8xf32, #acc>
  // expected-error @below {{carries columns of a tile; give them a tile.map of their own}}
  %z = scf.for %i = %c0 to %n step %n iter_args(%w = %y) -> (tensor<64x8xf32, #acc>) : i32 {
    scf.yield %w : tensor<64x8xf32, #acc>
  }
}

// -----

#acc = #tile.acc<wgs = [1, 1]>
tile.kernel @yields_columns(%n: i32) form = scheduled threads = 128 attributes {shared_bytes = 0} {
  %c0 = arith.constant 0 : i32
  %x = tile.zero : tensor<64x16xf32, #acc>
  %y = tile.zero : tensor<64x8xf32, #acc>
  // expected-error @below {{yields columns of a tile; give them a tile.map of their own}}
  %z = scf.for %i = %c0 to %n step %n iter_args(%w = %y) -> (tensor<64x8xf32, #acc>) : i32 {
    %v = tile.extract %x columns %c0 : tensor<64x16xf32, #acc> -> tensor<64x8xf32, #acc>
    scf.yield %v : tensor<64x8xf32, #acc>
  }
}

// -----

#acc = #tile.acc<wgs = [1, 1]>
tile.kernel @swaps(%n: i32) form = scheduled threads = 128 attributes {shared_bytes = 0} {
  %c0 = arith.constant 0 : i32
  %x = tile.zero : tensor<64x8xf32, #acc>
  // expected-error @below {{yields one carried tile as another; give it a tile.map of its own}}
  %z:2 = scf.for %i = %c0 to %n step %n iter_args(%v = %x, %w = %x) -> (tensor<64x8xf32, #acc>, tensor<64x8xf32, #acc>) : i32 {
    scf.yield %w, %v : tensor<64x8xf32, #acc>, tensor<64x8xf32, #acc>
  }
}

// -----

#acc = #tile.acc<wgs = [1, 1]>
!p = !tile.pending<tensor<64x8xf32, #acc>>
tile.kernel @swaps_pending(%n: i32) form = scheduled threads = 128 attributes {shared_bytes = 0} {
  %c0 = arith.constant 0 : i32
  %x = tile.zero : !p
  %y = tile.zero : !p
  // expected-error @below {{yields another accumulator than it carries: pending accumulators are chained in place}}
  %z:2 = scf.for %i = %c0 to %n step %n iter_args(%v = %x, %w = %y) -> (!p, !p) : i32 {
    scf.yield %w, %v : !p, !p
  }
}
