// RUN: tw-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-plan-shared-memory),tile-to-sm90,cse)' | FileCheck %s

// Stores straight from registers: what lies outside of the view is not written.
#acc = #tile.acc<wgs = [1, 1]>
#row = #tile.slice<1, #acc>
#blocked = #tile.blocked<threads = [4, 32], vec = 2>
#odd = #tile.blocked<threads = [4, 32]>
!t = tensor<64x8xbf16, #acc>

// Two neighbours in a row are one access where the view's rows and the first column allow it; how
// many of them lie inside is counted, as the row may end between them.
// CHECK-LABEL: sm90.kernel @pairs
// CHECK-SAME: (%[[D:[^ ]+]]: !sm90.ptr<bf16>, %[[M:[^ ]+]]: i32, %[[N:[^ ]+]]: i32, %[[LD:[^ ]+]]: i64, %[[I:[^ ]+]]: i32, %[[ROW0:[^ ]+]]: i32)
tile.kernel @pairs(%d: !tile.ptr<bf16>, %m: i32, %n: i32, %ld: i64, %i: i32, %row0: i32) form = scheduled threads = 128 {
  %c2 = arith.constant 2 : i32
  %D = tile.view %d [%m, %n] strides [%ld] : !tile.ptr<bf16> -> !tile.view<?x?xbf16, align = 4>
  // CHECK: %[[X:.+]] = sm90.frag : <4xf32>
  %x = tile.map ins() -> !t {
  ^bb0(%row: i32, %col: i32):
    %f = arith.constant 1.0 : bf16
    tile.yield %f : bf16
  }
  // CHECK: %[[EVEN:.+]] = arith.muli %[[I]], %{{.+}}
  %even = arith.muli %i, %c2 : i32
  // CHECK: scf.for %[[P:[^ ]+]] = %{{.+}} to %[[C2:.+]] step
  // CHECK: %[[FIRST:.+]] = arith.muli %[[P]], %[[C2]]
  // CHECK: %[[C:.+]] = arith.addi %[[EVEN]]
  // CHECK: %[[R:.+]] = arith.addi %[[ROW0]]
  // CHECK-DAG: %[[A:.+]] = sm90.frag_get %[[X]][%[[FIRST]]]
  // CHECK-DAG: %[[SECOND:.+]] = arith.addi %[[FIRST]]
  // CHECK-DAG: %[[B:.+]] = sm90.frag_get %[[X]][%[[SECOND]]]
  // CHECK-DAG: %[[LEFT:.+]] = arith.subi %[[N]], %[[C]]
  // CHECK-DAG: %[[INSIDE:.+]] = arith.cmpi slt, %[[R]], %[[M]]
  // CHECK-DAG: %[[COUNT:.+]] = arith.select %[[INSIDE]], %[[LEFT]], %{{.+}}
  // CHECK-DAG: %[[WIDE:.+]] = arith.extsi %[[R]]
  // CHECK-DAG: %[[OFFSET:.+]] = arith.muli %[[WIDE]], %[[LD]]
  // CHECK: sm90.st_global_pair %[[A]], %[[B]] to %[[D]][%{{.+}}], %[[COUNT]]
  tile.store %x, %D[%row0, %even] via direct : !t, !tile.view<?x?xbf16, align = 4>
}

// One element at a time where the rows promise too little, or the first column may be odd.
// CHECK-LABEL: sm90.kernel @singles
// CHECK-NOT: sm90.st_global_pair
// CHECK: scf.for %{{.+}} = %{{.+}} to %[[C4:.+]] step
// CHECK: %[[IN_ROW:.+]] = arith.cmpi slt
// CHECK: %[[IN_COLUMN:.+]] = arith.cmpi slt
// CHECK: %[[INSIDE:.+]] = arith.andi %[[IN_ROW]], %[[IN_COLUMN]]
// CHECK: sm90.st_global_if {{.*}}, %[[INSIDE]]
// CHECK-NOT: sm90.st_global_pair
// CHECK: scf.for %{{.+}} = %{{.+}} to %[[C4]] step
// CHECK: sm90.st_global_if
// CHECK-NOT: sm90.st_global_pair
// CHECK: sm90.return
tile.kernel @singles(%d: !tile.ptr<bf16>, %m: i32, %n: i32, %ld: i64) form = scheduled threads = 128 {
  %c0 = arith.constant 0 : i32
  %D = tile.view %d [%m, %n] strides [%ld] : !tile.ptr<bf16> -> !tile.view<?x?xbf16, align = 2>
  %E = tile.view %d [%m, %n] strides [%ld] : !tile.ptr<bf16> -> !tile.view<?x?xbf16, align = 16>
  %x = tile.map ins() -> !t {
  ^bb0(%row: i32, %col: i32):
    %f = arith.constant 1.0 : bf16
    tile.yield %f : bf16
  }
  tile.store %x, %D[%c0, %c0] via direct : !t, !tile.view<?x?xbf16, align = 2>
  tile.store %x, %E[%c0, %n] via direct : !t, !tile.view<?x?xbf16, align = 16>
}

// Blocked tiles come in pairs if their threads hold an even number of neighbours.
// CHECK-LABEL: sm90.kernel @blocked
// CHECK: sm90.st_global_pair
// CHECK: sm90.st_global_if
// CHECK-NOT: sm90.st_global_pair
// CHECK: sm90.return
tile.kernel @blocked(%d: !tile.ptr<f32>, %n: i32, %ld: i64) form = scheduled threads = 128 {
  %c0 = arith.constant 0 : i32
  %D = tile.view %d [%n, %n] strides [%ld] : !tile.ptr<f32> -> !tile.view<?x?xf32, align = 8>
  %x = tile.map ins() -> tensor<4x64xf32, #blocked> {
  ^bb0(%row: i32, %col: i32):
    %f = arith.constant 1.0 : f32
    tile.yield %f : f32
  }
  tile.store %x, %D[%c0, %c0] via direct : tensor<4x64xf32, #blocked>, !tile.view<?x?xf32, align = 8>
  %y = tile.map ins() -> tensor<4x64xf32, #odd> {
  ^bb0(%row: i32, %col: i32):
    %f = arith.constant 1.0 : f32
    tile.yield %f : f32
  }
  tile.store %y, %D[%c0, %c0] via direct : tensor<4x64xf32, #odd>, !tile.view<?x?xf32, align = 8>
}

// Additions in memory, element by element; leading coordinates; a vector of rows.
// CHECK-LABEL: sm90.kernel @others
tile.kernel @others(%d: !tile.ptr<f32>, %n: i32, %ld: i64, %i: i32) form = scheduled threads = 128 {
  %c0 = arith.constant 0 : i32
  %D = tile.view %d [%n, %n, %n] strides [%ld, %ld] : !tile.ptr<f32> -> !tile.view<?x?x?xf32, align = 16>
  %E = tile.view %d [%n] : !tile.ptr<f32> -> !tile.view<?xf32, align = 4>
  %x = tile.map ins() -> tensor<64x8xf32, #acc> {
  ^bb0(%row: i32, %col: i32):
    %f = arith.constant 1.0 : f32
    tile.yield %f : f32
  }
  // CHECK: %[[A:.+]] = arith.cmpi slt
  // CHECK: %[[B:.+]] = arith.cmpi slt
  // CHECK: %[[AB:.+]] = arith.andi %[[A]], %[[B]]
  // CHECK: %[[C:.+]] = arith.cmpi slt
  // CHECK: %[[ABC:.+]] = arith.andi %[[AB]], %[[C]]
  // CHECK: sm90.red_add_if {{.*}}, %[[ABC]]
  tile.store %x, %D[%i, %c0, %c0] via reduce_add : tensor<64x8xf32, #acc>, !tile.view<?x?x?xf32, align = 16>
  %r = tile.reduce add %x along 1 : tensor<64x8xf32, #acc> -> tensor<64xf32, #row>
  // Two rows in each thread, 8 apart.
  // CHECK: scf.for %{{.+}} = %{{.+}} to %[[C2:.+]] step
  // CHECK: sm90.st_global_if
  tile.store %r, %E[%c0] via direct : tensor<64xf32, #row>, !tile.view<?xf32, align = 4>
}
