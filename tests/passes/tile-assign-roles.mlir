// RUN: tw-opt %s --tile-assign-roles | FileCheck %s
// A load through a ring is acquire and copy in the role that fills it and a wait in the role that reads it.
// A staged store goes through the private ring of its role. Loops carry the cursors.

#sw = #tile.smem<panel = 64, swizzle = 128>
#acc = #tile.acc<wgs = [2, 1]>
!ab = !tile.ring<4, tensor<128x64xbf16, #sw>, tensor<64x64xbf16, #sw>>
!staging = !tile.ring<2, tensor<128x64xbf16, #sw>>
!matrix = !tile.view<?x?xbf16, align = 16>

// CHECK-LABEL: tile.kernel @gemm
// CHECK-SAME: form = scheduled
tile.kernel @gemm(%a: !tile.ptr<bf16>, %b: !tile.ptr<bf16>, %d: !tile.ptr<bf16>, %m: i32, %n: i32, %k: i32, %ld: i64)
    form = program cluster = [2, 1]
    roles = [#tile.role<load, warps = 1, regs = 40>, #tile.role<mma, warpgroups = 2, regs = 232>] {
  // CHECK: %[[A:.*]] = tile.view %arg0
  %A = tile.view %a [%m, %k] strides [%ld] : !tile.ptr<bf16> -> !matrix
  // CHECK: %[[B:.*]] = tile.view %arg1
  %B = tile.view %b [%n, %k] strides [%ld] : !tile.ptr<bf16> -> !matrix
  // CHECK: %[[D:.*]] = tile.view %arg2
  %D = tile.view %d [%m, %n] strides [%ld] : !tile.ptr<bf16> -> !matrix
  // CHECK: %[[AB:.*]] = tile.ring "ab"
  %ab = tile.ring "ab" from @load to @mma multicast 0 : !ab
  // CHECK: %[[ST:.*]] = tile.ring "staging"
  %st = tile.ring "staging" private @mma : !staging
  // CHECK: %[[S:.*]] = tile.raster
  %s = tile.raster (%m by 128, %n by 64) order row : !tile.schedule<2>
  // CHECK-NEXT: tile.roles {
  // CHECK-NEXT:   tile.role @load {
  // CHECK-NEXT:     %[[P:.*]] = tile.cursor %[[AB]] producer
  // CHECK-NEXT:     %[[FIRST:.*]], %[[END:.*]], %[[STEP:.*]] = tile.schedule_range %[[S]]
  // CHECK-NEXT:     scf.for %[[T:.*]] = %[[FIRST]] to %[[END]] step %[[STEP]] iter_args(%[[P0:.*]] = %[[P]]) -> (!tile.cursor)
  // CHECK-NEXT:       %[[AT:.*]]:2 = tile.decode %[[S]], %[[T]]
  // CHECK:            %[[K:.*]] = tile.for %[[KK:.*]] = {{.*}} iter_args(%[[P1:.*]] = %[[P0]]) -> (!tile.cursor) {
  // CHECK-NEXT:         %[[SLOTS:.*]]:2 = tile.acquire %[[AB]] at %[[P1]]
  // CHECK-NEXT:         tile.copy %[[A]][%[[AT]]#0, %[[KK]]] to %[[SLOTS]]#0 signal %[[AB]] at %[[P1]] hint evict_first
  // CHECK-NEXT:         tile.copy %[[B]][%[[AT]]#1, %[[KK]]] to %[[SLOTS]]#1 signal %[[AB]] at %[[P1]] multicast 0
  // CHECK-NEXT:         %[[P2:.*]] = tile.advance %[[AB]] at %[[P1]]
  // CHECK-NEXT:         tile.yield %[[P2]]
  // CHECK:            scf.yield %[[K]]
  // CHECK:        tile.role @mma {
  // CHECK-NEXT:     %[[R:.*]] = tile.cursor %[[AB]] consumer
  // CHECK-NEXT:     %[[W:.*]] = tile.cursor %[[ST]] producer
  // CHECK:          scf.for {{.*}} iter_args(%[[R0:.*]] = %[[R]], %[[W0:.*]] = %[[W]])
  // CHECK:            %[[AT:.*]]:2 = tile.decode
  // CHECK:            %[[L:.*]]:2 = tile.for {{.*}} iter_args(%[[R1:.*]] = %[[R0]], %[[C:.*]] = %{{.*}})
  // CHECK-NEXT:         %[[SLOTS:.*]]:2 = tile.wait %[[AB]] at %[[R1]]
  // CHECK-NEXT:         %[[E:.*]] = tile.dot %[[SLOTS]]#0, %[[SLOTS]]#1, %[[C]] kind wgmma trans_b outstanding 1
  // CHECK-NEXT:         %[[R2:.*]] = tile.advance %[[AB]] at %[[R1]]
  // CHECK-NEXT:         tile.yield %[[R2]], %[[E]]
  // CHECK:            %[[Y:.*]] = arith.truncf %[[L]]#1
  // CHECK-NEXT:       %[[O:.*]] = tile.acquire %[[ST]] at %[[W0]]
  // CHECK-NEXT:       tile.fragment_store %[[Y]], %[[O]]
  // CHECK-NEXT:       tile.copy_out %[[O]] to %[[D]][%[[AT]]#0, %[[AT]]#1]
  // CHECK-NEXT:       %[[W1:.*]] = tile.advance %[[ST]] at %[[W0]]
  // CHECK-NEXT:       scf.yield %[[L]]#0, %[[W1]]
  // CHECK-NEXT:     }
  // CHECK-NEXT:     tile.drain
  tile.for_tiles (%mi, %ni) in %s : !tile.schedule<2> {
    %zero = tile.zero : tensor<128x64xf32, #acc>
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %acc = tile.for %kk = %c0 to %k step %c64 iter_args(%c = %zero) -> (tensor<128x64xf32, #acc>) {
      %ta = tile.load %A[%mi, %kk] via tma ring %ab hint evict_first : !matrix, !ab -> tensor<128x64xbf16, #sw>
      %tb = tile.load %B[%ni, %kk] via tma ring %ab multicast 0 : !matrix, !ab -> tensor<64x64xbf16, #sw>
      %e = tile.dot %ta, %tb, %c kind wgmma trans_b outstanding 1
        : tensor<128x64xbf16, #sw>, tensor<64x64xbf16, #sw>, tensor<128x64xf32, #acc>
      tile.yield %e : tensor<128x64xf32, #acc>
    }
    %y = arith.truncf %acc : tensor<128x64xf32, #acc> to tensor<128x64xbf16, #acc>
    tile.store %y, %D[%mi, %ni] via tma staging %st : tensor<128x64xbf16, #acc>, !matrix, !staging
  }
}
