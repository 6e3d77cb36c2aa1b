// RUN: tw-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-plan-shared-memory),tile-to-sm90,cse)' | FileCheck %s

// A map is one unrolled loop over the registers of a thread; row and column of an element follow
// from the thread and the register.
#acc = #tile.acc<wgs = [1, 1]>
#waves = #tile.acc<wgs = [2, 1], waves = 2>
#wide = #tile.acc<wgs = [1, 2]>
#blocked = #tile.blocked<threads = [4, 32], vec = 2>
#row = #tile.slice<1, #acc>
#column = #tile.slice<0, #acc>
#wide_column = #tile.slice<0, #wide>
!t = tensor<64x16xf32, #acc>
!h = tensor<64x16xbf16, #acc>

// One wave of one warpgroup: row 16·warp + lane / 4 + 8·(bit 1 of the register), column 2·(lane % 4)
// + 8·(register / 4) + bit 0.
// CHECK-LABEL: sm90.kernel @coordinates
tile.kernel @coordinates() form = scheduled threads = 128 {
  // CHECK-DAG: %[[LANE:.+]] = sm90.lane_id
  // CHECK-DAG: %[[WARP:.+]] = arith.remsi
  // CHECK: scf.for %[[E:[^ ]+]] = %{{.+}} to %c8_i32 step
  // CHECK-DAG: %[[HALF:.+]] = arith.divsi %[[E]], %c2_i32
  // CHECK-DAG: %[[UPPER:.+]] = arith.remsi %[[HALF]], %c2_i32
  // CHECK-DAG: %[[ROWS:.+]] = arith.muli %[[WARP]], %c16_i32
  // CHECK-DAG: %[[QUAD:.+]] = arith.divsi %[[LANE]], %c4_i32
  // CHECK-DAG: %[[R:.+]] = arith.addi %[[ROWS]], %[[QUAD]]
  // CHECK-DAG: %[[DOWN:.+]] = arith.muli %[[UPPER]], %c8_i32
  // CHECK-DAG: %[[ROW:.+]] = arith.addi %[[R]], %[[DOWN]]
  // CHECK-DAG: %[[IN_QUAD:.+]] = arith.remsi %[[LANE]], %c4_i32
  // CHECK-DAG: %[[C:.+]] = arith.muli %[[IN_QUAD]], %c2_i32
  // CHECK-DAG: %[[GROUP:.+]] = arith.divsi %[[E]], %c4_i32
  // CHECK-DAG: %[[RIGHT:.+]] = arith.muli %[[GROUP]], %c8_i32
  // CHECK-DAG: %[[D:.+]] = arith.addi %[[C]], %[[RIGHT]]
  // CHECK-DAG: %[[BIT:.+]] = arith.remsi %[[E]], %c2_i32
  // CHECK-DAG: %[[COLUMN:.+]] = arith.addi %[[D]], %[[BIT]]
  // CHECK: %[[S:.+]] = arith.subi %[[ROW]], %[[COLUMN]]
  // CHECK: %[[F:.+]] = arith.sitofp %[[S]]
  // CHECK: sm90.frag_set %[[F]] to %{{.+}}[%[[E]]]
  // CHECK: } {tw.unroll}
  %x = tile.map ins() -> !t {
  ^bb0(%row: i32, %col: i32):
    %s = arith.subi %row, %col : i32
    %f = arith.sitofp %s : i32 to f32
    tile.yield %f : f32
  }
}

// Two waves of two warpgroups: 128 rows to a warpgroup, 64 to a wave.
// CHECK-LABEL: sm90.kernel @waves
tile.kernel @waves() form = scheduled threads = 256 {
  // CHECK: %[[GROUP:.+]] = sm90.warpgroup_id
  // CHECK: scf.for %[[E:[^ ]+]] =
  // CHECK-DAG: %[[WAVE:.+]] = arith.divsi %[[E]], %c8_i32
  // CHECK-DAG: arith.muli %[[WAVE]], %c64_i32
  // CHECK-DAG: arith.muli %[[GROUP]], %c128_i32
  // CHECK: sm90.frag_set
  %x = tile.map ins() -> tensor<256x16xf32, #waves> {
  ^bb0(%row: i32, %col: i32):
    %f = arith.sitofp %row : i32 to f32
    tile.yield %f : f32
  }
}

// Warpgroups side by side: columns 32 on for the second.
// CHECK-LABEL: sm90.kernel @side_by_side
tile.kernel @side_by_side() form = scheduled threads = 256 {
  // CHECK: %[[GROUP:.+]] = sm90.warpgroup_id
  // CHECK: scf.for
  // CHECK: arith.muli %[[GROUP]], %c32_i32
  // CHECK: sm90.frag_set
  %x = tile.map ins() -> tensor<64x64xf32, #wide> {
  ^bb0(%row: i32, %col: i32):
    %f = arith.sitofp %col : i32 to f32
    tile.yield %f : f32
  }
  // A vector along the columns begins there as well.
  // CHECK: scf.for
  // CHECK: arith.muli %[[GROUP]], %c32_i32
  // CHECK: sm90.frag_set
  %y = tile.map ins() -> tensor<64xf32, #wide_column> {
  ^bb0(%col: i32):
    %f = arith.sitofp %col : i32 to f32
    tile.yield %f : f32
  }
}

// Threads in a grid of 4 x 32, two neighbours each: rows thread / 32 + 4·i, columns 2·(thread % 32)
// + 64·j + bit 0.
// CHECK-LABEL: sm90.kernel @blocked
tile.kernel @blocked() form = scheduled threads = 128 {
  // CHECK: %[[THREAD:.+]] = sm90.thread_id
  // CHECK: scf.for %[[E:[^ ]+]] =
  // CHECK-DAG: %[[I:.+]] = arith.divsi %[[E]], %c4_i32
  // CHECK-DAG: %[[IN_ROW:.+]] = arith.remsi %[[E]], %c4_i32
  // CHECK-DAG: arith.muli %[[I]], %c4_i32
  // CHECK-DAG: arith.divsi %[[THREAD]], %c32_i32
  // CHECK-DAG: %[[T:.+]] = arith.remsi %[[THREAD]], %c32_i32
  // CHECK-DAG: arith.muli %[[T]], %c2_i32
  // CHECK-DAG: %[[J:.+]] = arith.divsi %[[IN_ROW]], %c2_i32
  // CHECK-DAG: arith.muli %[[J]], %c64_i32
  // CHECK-DAG: arith.remsi %[[IN_ROW]], %c2_i32
  // CHECK: sm90.frag_set
  %x = tile.map ins() -> tensor<8x128xf32, #blocked> {
  ^bb0(%row: i32, %col: i32):
    %s = arith.subi %row, %col : i32
    %f = arith.sitofp %s : i32 to f32
    tile.yield %f : f32
  }
}

// Vectors along rows and columns: the register that has the element's row or column. Several
// results, one loop.
// CHECK-LABEL: sm90.kernel @vectors
tile.kernel @vectors() form = scheduled threads = 128 {
  // CHECK: %[[R:.+]] = sm90.frag : <2xf32>
  %r = tile.map ins() -> tensor<64xf32, #row> {
  ^bb0(%row: i32):
    %f = arith.sitofp %row : i32 to f32
    tile.yield %f : f32
  }
  // CHECK: %[[C:.+]] = sm90.frag : <4xf32>
  %c = tile.map ins() -> tensor<16xf32, #column> {
  ^bb0(%col: i32):
    %f = arith.sitofp %col : i32 to f32
    tile.yield %f : f32
  }
  // CHECK: %[[X:.+]] = sm90.frag : <8xf32>
  // CHECK: %[[Y:.+]] = sm90.frag : <8xf32>
  // CHECK: scf.for %[[E:[^ ]+]] =
  // CHECK: %[[RI:.+]] = arith.remsi
  // CHECK: %[[CI:.+]] = arith.addi
  // CHECK: %[[RV:.+]] = sm90.frag_get %[[R]][%[[RI]]]
  // CHECK: %[[CV:.+]] = sm90.frag_get %[[C]][
  // CHECK: %[[S:.+]] = arith.addf %[[RV]], %[[CV]]
  // CHECK: %[[P:.+]] = arith.mulf %[[RV]], %[[CV]]
  // CHECK: sm90.frag_set %[[S]] to %[[X]][%[[E]]]
  // CHECK: sm90.frag_set %[[P]] to %[[Y]][%[[E]]]
  %x, %y = tile.map ins(%r, %c) : tensor<64xf32, #row>, tensor<16xf32, #column> -> !t, !t {
  ^bb0(%a: f32, %b: f32, %row: i32, %col: i32):
    %s = arith.addf %a, %b : f32
    %p = arith.mulf %a, %b : f32
    tile.yield %s, %p : f32, f32
  }
}

// Sixteen-bit elements are f32 in registers. Results are rounded where they are packed or stored;
// what reads them before that reads the rounded value.
// CHECK-LABEL: sm90.kernel @rounding
tile.kernel @rounding(%d: !tile.ptr<bf16>, %n: i32, %ld: i64) form = scheduled threads = 128 {
  %c0 = arith.constant 0 : i32
  %D = tile.view %d [%n, %n] strides [%ld] : !tile.ptr<bf16> -> !tile.view<?x?xbf16, align = 2>
  // CHECK: %[[X:.+]] = sm90.frag : <8xf32>
  // CHECK: scf.for
  // CHECK-NOT: arith.truncf
  // CHECK: sm90.frag_set %{{.+}} to %[[X]]
  %x = tile.map ins() -> !h {
  ^bb0(%row: i32, %col: i32):
    %f = arith.sitofp %row : i32 to f32
    %g = arith.truncf %f : f32 to bf16
    tile.yield %g : bf16
  }
  // CHECK: sm90.frag_get %[[X]]
  // CHECK: sm90.st_global_if
  tile.store %x, %D[%c0, %c0] via direct : !h, !tile.view<?x?xbf16, align = 2>
  // CHECK: %[[PACKED:.+]] = sm90.frag : <4xi32>
  // CHECK: sm90.frag_pack %[[X]] to %[[PACKED]] as bf16
  // CHECK: %[[WIDE:.+]] = sm90.frag : <8xf32>
  // CHECK: sm90.frag_unpack %[[PACKED]] to %[[WIDE]] as bf16
  // CHECK: scf.for
  // CHECK: sm90.frag_get %[[WIDE]]
  %y = tile.map ins(%x) : !h -> !t {
  ^bb0(%e: bf16, %row: i32, %col: i32):
    %f = arith.extf %e : bf16 to f32
    tile.yield %f : f32
  }
  // Inside of a map rounding stays where it is.
  // CHECK: scf.for
  // CHECK: %[[E:.+]] = sm90.frag_get
  // CHECK: %[[H:.+]] = arith.truncf %[[E]] : f32 to bf16
  // CHECK: %[[F:.+]] = arith.extf %[[H]] : bf16 to f32
  // CHECK: arith.mulf %[[F]], %[[F]]
  %z = tile.map ins(%y) : !t -> !t {
  ^bb0(%e: f32, %row: i32, %col: i32):
    %h = arith.truncf %e : f32 to bf16
    %f = arith.extf %h : bf16 to f32
    %q = arith.mulf %f, %f : f32
    tile.yield %q : f32
  }
  // CHECK: sm90.frag_fill %[[SUM:.+]],
  // CHECK: scf.for
  // CHECK: sm90.frag_get %[[WIDE]]
  %s = tile.reduce add %x along 1 : !h -> tensor<64xbf16, #row>
}
