// RUN: tw-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-plan-shared-memory),tile-to-sm90,cse)' | FileCheck %s

// Reads of views and slots inside maps.
#acc = #tile.acc<wgs = [1, 1]>
!t = tensor<64x16xf32, #acc>
!view = !tile.view<?x?xbf16, align = 16>

// Neighbours along a row are one access; the second element's region takes what the first one has
// fetched. What is the same for all rows is fetched once for each pair of columns. Reads that go
// another way stay single.
// CHECK-LABEL: sm90.kernel @pairs
// CHECK-SAME: (%[[A:[^ ]+]]: !sm90.ptr<const bf16>, %[[V:[^ ]+]]: !sm90.ptr<const bf16>, %[[N:[^ ]+]]: i32,
tile.kernel @pairs(%a: !tile.ptr<bf16> {tile.name = "a"}, %v: !tile.ptr<bf16> {tile.name = "v"}, %n: i32, %ld: i64, %j: i32) form = scheduled threads = 128 {
  %c16 = arith.constant 16 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %V = tile.view %v [%n] : !tile.ptr<bf16> -> !tile.view<?xbf16, align = 4>
  // CHECK: %[[FIRST:.+]] = arith.muli %{{.+}}, %c16_i32
  %first = arith.muli %j, %c16 : i32
  // CHECK: scf.for %[[P:[^ ]+]] = %{{.+}} to %c2_i32 step
  // CHECK: %[[C:.+]] = arith.addi %[[FIRST]], %{{.+}}
  // CHECK: %[[VPAIR:.+]] = sm90.frag : <2xf32>
  // CHECK: %[[LEFT:.+]] = arith.subi %[[N]], %[[C]]
  // CHECK: sm90.ld_global_pair %[[V]][%{{.+}}], %[[LEFT]] to %[[VPAIR]]
  // CHECK: scf.for %[[R:[^ ]+]] = %{{.+}} to %c2_i32 step
  // CHECK: %[[PAIR:.+]] = sm90.frag : <2xf32>
  // CHECK: %[[INSIDE:.+]] = arith.cmpi slt, %{{.+}}, %[[N]]
  // CHECK: %[[COUNT:.+]] = arith.select %[[INSIDE]], %[[LEFT]], %{{.+}}
  // CHECK: sm90.ld_global_pair %[[A]][%{{.+}}], %[[COUNT]] to %[[PAIR]][%{{.+}}]
  // CHECK: %[[E:.+]] = sm90.frag_get %[[PAIR]][%c0_i32]
  // CHECK: %[[F:.+]] = sm90.frag_get %[[VPAIR]][%c0_i32]
  // CHECK: %[[G:.+]] = sm90.ld_global_if %[[A]]
  // CHECK: arith.addf %[[E]], %[[F]]
  // CHECK: sm90.frag_set
  // CHECK-NOT: sm90.ld_global_pair
  // CHECK: sm90.frag_get %[[PAIR]][%c1_i32
  // CHECK: sm90.frag_get %[[VPAIR]][%c1_i32
  // CHECK: sm90.ld_global_if %[[A]]
  // CHECK: sm90.frag_set
  %x = tile.map ins() -> !t {
  ^bb0(%row: i32, %col: i32):
    %c = arith.addi %first, %col : i32
    %e = tile.read %A[%row, %c] : !view -> bf16
    %f = tile.read %V[%c] : !tile.view<?xbf16, align = 4> -> bf16
    %g = tile.read %A[%col, %row] : !view -> bf16
    %e32 = arith.extf %e : bf16 to f32
    %f32 = arith.extf %f : bf16 to f32
    %g32 = arith.extf %g : bf16 to f32
    %s = arith.addf %e32, %f32 : f32
    %r = arith.addf %s, %g32 : f32
    tile.yield %r : f32
  }
}

// Rows of several waves: the same columns stand a wave's registers further on.
// CHECK-LABEL: sm90.kernel @column_reads_of_waves
tile.kernel @column_reads_of_waves(%v: !tile.ptr<f32> {tile.name = "v"}, %n: i32) form = scheduled threads = 128 {
  %V = tile.view %v [%n] : !tile.ptr<f32> -> !tile.view<?xf32, align = 16>
  // CHECK: scf.for %[[P:[^ ]+]] = %{{.+}} to %c8_i32 step
  // CHECK: sm90.ld_global_pair %{{.+}} to %[[PAIR:.+]][
  // CHECK: scf.for %[[WAVE:[^ ]+]] = %{{.+}} to %c2_i32 step
  // CHECK: scf.for %[[R:[^ ]+]] = %{{.+}} to %c2_i32 step
  // CHECK-DAG: arith.muli %[[R]], %c2_i32
  // CHECK-DAG: arith.muli %[[WAVE]], %c32_i32
  // CHECK: sm90.frag_get %[[PAIR]][%c0_i32]
  // CHECK: sm90.frag_get %[[PAIR]][%c1_i32]
  %x = tile.map ins() -> tensor<128x64xf32, #tile.acc<wgs = [1, 1], waves = 2>> {
  ^bb0(%row: i32, %col: i32):
    %e = tile.read %V[%col] : !tile.view<?xf32, align = 16> -> f32
    tile.yield %e : f32
  }
}

// No pair: an odd offset, a column that counts twice, a view with too little alignment, threads
// that hold no neighbours.
// CHECK-LABEL: sm90.kernel @singles
// CHECK-NOT: sm90.ld_global_pair
// CHECK: sm90.return
tile.kernel @singles(%a: !tile.ptr<bf16>, %n: i32, %ld: i64, %j: i32) form = scheduled threads = 128 {
  %c0 = arith.constant 0 : i32
  %A = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !view
  %B = tile.view %a [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !tile.view<?x?xbf16, align = 2>
  %x = tile.map ins() -> !t {
  ^bb0(%row: i32, %col: i32):
    %c = arith.addi %j, %col : i32
    %e = tile.read %A[%row, %c] : !view -> bf16
    %d = tile.read %A[%col, %col] : !view -> bf16
    %b = tile.read %B[%row, %col] : !tile.view<?x?xbf16, align = 2> -> bf16
    %twice = arith.addi %col, %col : i32
    %f = tile.read %A[%row, %twice] : !view -> bf16
    %e32 = arith.extf %e : bf16 to f32
    tile.yield %e32 : f32
  }
  %y = tile.map ins() -> tensor<4x32xf32, #tile.blocked<threads = [4, 32]>> {
  ^bb0(%row: i32, %col: i32):
    %e = tile.read %A[%row, %col] : !view -> bf16
    %e32 = arith.extf %e : bf16 to f32
    tile.yield %e32 : f32
  }
}

// An element of a slot: panel, row, column, through the layout's swizzle or padding; a vector is one
// row.
#sw = #tile.smem<panel = 64, swizzle = 128>
#padded = #tile.smem<pad = 8>
// CHECK-LABEL: sm90.kernel @slots
tile.kernel @slots() form = scheduled roles = [#tile.role<load, warps = 1>, #tile.role<add, warpgroups = 1>] {
  %r = tile.ring "a" from @load to @add : !tile.ring<2, tensor<64x128xbf16, #sw>, tensor<64x64xbf16, #padded>, tensor<64xf32, #tile.smem<>>>
  tile.roles {
    tile.role @load {
    }
    tile.role @add {
      %p = tile.cursor %r consumer : !tile.ring<2, tensor<64x128xbf16, #sw>, tensor<64x64xbf16, #padded>, tensor<64xf32, #tile.smem<>>>
      // CHECK: sm90.consumer_cursor
      // CHECK: %[[X:.+]] = sm90.slot_at
      // CHECK: %[[Y:.+]] = sm90.slot_at
      // CHECK: %[[Z:.+]] = sm90.slot_at
      %x, %y, %z = tile.wait %r at %p : !tile.ring<2, tensor<64x128xbf16, #sw>, tensor<64x64xbf16, #padded>, tensor<64xf32, #tile.smem<>>>
        -> !tile.slot<tensor<64x128xbf16, #sw>>, !tile.slot<tensor<64x64xbf16, #padded>>, !tile.slot<tensor<64xf32, #tile.smem<>>>
      // CHECK: scf.for
      // CHECK-DAG: %[[PANEL:.+]] = arith.divsi %[[C:.+]], %c64_i32
      // CHECK-DAG: %[[IN:.+]] = arith.remsi %[[C]], %c64_i32
      // CHECK-DAG: %[[O:.+]] = sm90.swizzle %{{.+}} mode<128>
      // CHECK-DAG: arith.muli %[[PANEL]], %c8192_i32
      // CHECK: sm90.ld_shared %{{.+}} as bf16
      %a = tile.map ins(%x) : !tile.slot<tensor<64x128xbf16, #sw>> -> tensor<64x128xbf16, #acc> {
      ^bb0(%e: bf16, %row: i32, %col: i32):
        tile.yield %e : bf16
      }
      // CHECK: scf.for
      // CHECK-NOT: sm90.swizzle
      // CHECK: arith.muli %{{.+}}, %c144_i32
      // CHECK: sm90.ld_shared %{{.+}} as bf16
      %b = tile.map ins(%y) : !tile.slot<tensor<64x64xbf16, #padded>> -> tensor<64x64xbf16, #acc> {
      ^bb0(%e: bf16, %row: i32, %col: i32):
        tile.yield %e : bf16
      }
      // CHECK: scf.for
      // CHECK: %[[BYTE:.+]] = arith.muli %{{.+}}, %c4_i32
      // CHECK-NEXT: %[[AT:.+]] = arith.addi %[[Z]], %[[BYTE]]
      // CHECK-NEXT: sm90.ld_shared %[[AT]] as f32
      %c = tile.map ins(%z) : !tile.slot<tensor<64xf32, #tile.smem<>>> -> tensor<64xf32, #tile.slice<1, #acc>> {
      ^bb0(%e: f32, %row: i32):
        tile.yield %e : f32
      }
    }
  }
}

// Columns of a tile, read in place: the registers begin at half the column, in each wave.
#waves = #tile.acc<wgs = [1, 1], waves = 2>
// CHECK-LABEL: sm90.kernel @columns
tile.kernel @columns(%n: i32) form = scheduled threads = 128 {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  // CHECK: %[[X:.+]] = sm90.frag : <64xf32>
  %x = tile.map ins() -> tensor<128x64xf32, #waves> {
  ^bb0(%row: i32, %col: i32):
    %f = arith.sitofp %row : i32 to f32
    tile.yield %f : f32
  }
  // CHECK: scf.for %[[I:[^ ]+]] =
  scf.for %i = %c0 to %n step %c16 : i32 {
    // CHECK: %[[HALF:.+]] = arith.divsi %[[I]], %c2_i32
    %y = tile.extract %x columns %i : tensor<128x64xf32, #waves> -> tensor<128x16xf32, #waves>
    // CHECK: scf.for %[[E:[^ ]+]] =
    // CHECK-DAG: %[[IN:.+]] = arith.remsi %[[E]], %c8_i32
    // CHECK-DAG: %[[AT:.+]] = arith.addi %[[IN]], %[[HALF]]
    // CHECK-DAG: %[[WAVE:.+]] = arith.divsi %[[E]], %c8_i32
    // CHECK-DAG: %[[LATER:.+]] = arith.muli %[[WAVE]], %c32_i32
    // CHECK-DAG: %[[REG:.+]] = arith.addi %[[AT]], %[[LATER]]
    // CHECK: sm90.frag_get %[[X]][%[[REG]]]
    %z = tile.map ins(%y) : tensor<128x16xf32, #waves> -> tensor<128x16xf32, #waves> {
    ^bb0(%e: f32, %row: i32, %col: i32):
      tile.yield %e : f32
    }
  }
}
