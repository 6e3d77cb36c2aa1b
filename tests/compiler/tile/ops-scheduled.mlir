// RUN: tw-opt %s | tw-opt | FileCheck %s
// RUN: tw-opt %s --mlir-print-op-generic | tw-opt | FileCheck %s
// The scheduled form: every op, every optional part.

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [1, 1]>
!matrix = !tile.view<?x?xbf16, align = 16>
!s = tensor<64x64xbf16, #sw>
!slot = !tile.slot<!s>
!r = !tile.ring<2, !s, !s>
!one = !tile.ring<1, !s>
!pending = !tile.pending<tensor<64x64xf32, #acc>>

// CHECK-DAG: #[[SW:.*]] = #tile.smem<panel = 64, swizzle = 128>
// CHECK-DAG: #[[ACC:.*]] = #tile.acc<wgs = [1, 1]>
// CHECK-LABEL: tile.kernel @scheduled
tile.kernel @scheduled(%p: !tile.ptr<bf16> {tile.name = "p"}, %n: i32 {tile.name = "n"}, %ld: i64 {tile.name = "ld"}) form = scheduled
    cluster = [2, 1] roles = [#tile.role<load, warps = 1>, #tile.role<"two words", warpgroups = 1>] {
  // CHECK: %[[V:.*]] = tile.view
  %v = tile.view %p [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !matrix
  // CHECK: %[[S:.*]] = tile.raster
  %s = tile.raster (%n by 64, %n by 64) order row : !tile.schedule<2>
  // CHECK: %[[R:.*]] = tile.ring "a ring" from @load to @"two words" multicast 0 {note = "n"} : !tile.ring<2, tensor<64x64xbf16, #[[SW]]>, tensor<64x64xbf16, #[[SW]]>>
  %r = tile.ring "a ring" from @load to @"two words" multicast 0 {note = "n"} : !r
  // CHECK: %[[BACK:.*]] = tile.ring "back" from @"two words" to @load full threads : !tile.ring<1
  %back = tile.ring "back" from @"two words" to @load full threads : !one
  // CHECK: %[[OUT:.*]] = tile.ring "out" private @"two words" : !tile.ring<1
  %out = tile.ring "out" private @"two words" : !one
  // CHECK: tile.ring "tma" from @load to @"two words" : !tile.ring<1
  %tma = tile.ring "tma" from @load to @"two words" full tma : !one
  // CHECK: tile.roles {
  tile.roles {
    // CHECK-NEXT: tile.role @load attributes {note = "n"} {
    tile.role @load attributes {note = "n"} {
      // CHECK: tile.schedule_range %[[S]] : <2>
      %first, %end, %step = tile.schedule_range %s : !tile.schedule<2>
      // CHECK: tile.decode %[[S]], %{{.*}} : <2> -> i32, i32
      %i, %j = tile.decode %s, %first : !tile.schedule<2> -> i32, i32
      // CHECK: %[[C:.*]] = tile.cursor %[[R]] producer : <2
      %c = tile.cursor %r producer : !r
      // CHECK: %[[SLOTS:.*]]:2 = tile.acquire %[[R]] at %[[C]] : <2, {{.*}}> -> !tile.slot<tensor<64x64xbf16, #[[SW]]>>, !tile.slot<tensor<64x64xbf16, #[[SW]]>>
      %a, %b = tile.acquire %r at %c : !r -> !slot, !slot
      // CHECK: tile.copy %[[V]][%n, %n] to %[[SLOTS]]#0 signal %[[R]] at %[[C]] multicast 0 hint evict_last : <?x?xbf16, align = 16>, <tensor<64x64xbf16, #[[SW]]>>, <2
      tile.copy %v[%n, %n] to %a signal %r at %c multicast 0 hint evict_last : !matrix, !slot, !r
      // CHECK: tile.copy %[[V]][%n, %n] to %[[SLOTS]]#1 signal %[[R]] at %[[C]] : <
      tile.copy %v[%n, %n] to %b signal %r at %c : !matrix, !slot, !r
      // CHECK: tile.advance %[[R]] at %[[C]] : <2
      %c1 = tile.advance %r at %c : !r
      // CHECK: tile.advance %[[R]] at %{{.*}} by %n : <2
      %c2 = tile.advance %r at %c1 by %n : !r
      // CHECK: %[[B:.*]] = tile.cursor %[[BACK]] consumer : <1
      %bc = tile.cursor %back consumer : !one
      // CHECK: tile.wait %[[BACK]] at %[[B]] : <1, {{.*}}> -> !tile.slot<
      %w = tile.wait %back at %bc : !one -> !slot
      // CHECK: tile.release %[[BACK]] at %[[B]] : <1
      tile.release %back at %bc : !one
    }
    // CHECK: tile.role @"two words" {
    tile.role @"two words" {
      %c = tile.cursor %r consumer : !r
      %a, %b = tile.wait %r at %c : !r -> !slot, !slot
      // CHECK: %[[ZERO:.*]] = tile.zero : !tile.pending<tensor<64x64xf32, #[[ACC]]>>
      %zero = tile.zero : !pending
      // CHECK: %[[D:.*]] = tile.dot_start %[[A:.*]]#0, %[[A]]#1, %[[ZERO]] trans_a trans_b : !tile.slot<{{.*}}>, <{{.*}}>, !tile.pending<{{.*}}> -> <tensor<64x64xf32, #[[ACC]]>>
      %d = tile.dot_start %a, %b, %zero trans_a trans_b : !slot, !slot, !pending -> !pending
      // CHECK: %[[E:.*]] = tile.dot_retire %[[D]] outstanding 1 : <tensor<64x64xf32, #[[ACC]]>>
      %e = tile.dot_retire %d outstanding 1 : !pending
      // CHECK: %[[T:.*]] = tile.dot_wait %[[E]] : <tensor<64x64xf32, #[[ACC]]>> -> tensor<64x64xf32, #[[ACC]]>
      %t = tile.dot_wait %e : !pending -> tensor<64x64xf32, #acc>
      %h = arith.truncf %t : tensor<64x64xf32, #acc> to tensor<64x64xbf16, #acc>
      // A register operand and a value to add to.
      // CHECK: %[[F:.*]] = tile.dot_start %[[H:.*]], %{{.*}}, %[[T]] : tensor<64x64xbf16, #[[ACC]]>, <tensor<64x64xbf16, #[[SW]]>>, tensor<64x64xf32, #[[ACC]]> -> <
      %f = tile.dot_start %h, %b, %t : tensor<64x64xbf16, #acc>, !slot, tensor<64x64xf32, #acc> -> !pending
      // CHECK: tile.dot_wait %[[F]] outstanding 1 : <
      %u = tile.dot_wait %f outstanding 1 : !pending -> tensor<64x64xf32, #acc>
      %some = arith.cmpi sgt, %n, %n : i32
      // CHECK: tile.release %[[R]] at %{{.*}} if %{{.*}} : <2
      tile.release %r at %c if %some : !r
      %o = tile.cursor %out producer : !one
      // CHECK: %[[SO:.*]] = tile.acquire %[[OUT]]
      %so = tile.acquire %out at %o : !one -> !slot
      // CHECK: tile.fragment_store %[[H]], %[[SO]] : tensor<64x64xbf16, #[[ACC]]>, <tensor<64x64xbf16, #[[SW]]>>
      tile.fragment_store %h, %so : tensor<64x64xbf16, #acc>, !slot
      // CHECK: tile.fragment_store %[[H]], %[[SO]] trans : tensor
      tile.fragment_store %h, %so trans : tensor<64x64xbf16, #acc>, !slot
      // CHECK: tile.fragment_load %[[SO]] : <tensor<64x64xbf16, #[[SW]]>> -> tensor<64x64xbf16, #[[ACC]]>
      %back_again = tile.fragment_load %so : !slot -> tensor<64x64xbf16, #acc>
      // CHECK: tile.rebind %[[SO]] : <tensor<64x64xbf16, #[[SW]]>> -> <tensor<32x64xf32, #{{.*}}>>
      %other = tile.rebind %so : !slot -> !tile.slot<tensor<32x64xf32, #tile.smem<>>>
      // CHECK: tile.copy_out %[[SO]] to %[[V]][%n, %n] : <tensor<64x64xbf16, #[[SW]]>>, <?x?xbf16, align = 16>
      tile.copy_out %so to %v[%n, %n] : !slot, !matrix
      // CHECK: tile.copy_out %[[SO]] to %[[V]][%n, %n] reduce_add : <
      tile.copy_out %so to %v[%n, %n] reduce_add : !slot, !matrix
      // CHECK: tile.drain
      tile.drain
      %k = tile.cursor %back producer : !one
      // CHECK: tile.commit %[[BACK]] at %{{.*}} : <1
      tile.commit %back at %k : !one
    }
  }
}

// CHECK-LABEL: tile.kernel @instances
tile.kernel @instances() form = scheduled roles = [#tile.role<mma, warpgroups = 2, split = tiles>] {
  tile.roles {
    tile.role @mma {
      // CHECK: tile.instance {note = "n"}
      %i = tile.instance {note = "n"}
    }
  }
}
