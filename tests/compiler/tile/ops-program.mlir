// RUN: tw-opt %s | tw-opt | FileCheck %s
// RUN: tw-opt %s --mlir-print-op-generic | tw-opt | FileCheck %s
// Programs and what stands around tile arithmetic: every op, every optional part.

// CHECK-LABEL: tile.program @host
// CHECK-SAME: (%a: !tile.ptr<bf16> {tile.name = "a"}, %m: i32 {tile.name = "m"}, %ld: i64 {tile.name = "ld"}, %alpha: f32 {tile.name = "alpha"}) attributes {note = "odd"} {
tile.program @host(%x: !tile.ptr<bf16> {tile.name = "a"}, %y: i32 {tile.name = "m"}, %z: i64 {tile.name = "ld"}, %w: f32 {tile.name = "alpha"}) attributes {note = "odd"} {
  // CHECK: %[[SMS:.*]] = tile.sm_count
  %sms = tile.sm_count
  // CHECK: %[[WS:.*]] = tile.buffer "partials" %ld zeroed : <f32>
  %ws = tile.buffer "partials" %z zeroed : !tile.ptr<f32>
  // CHECK: tile.buffer "scratch" %ld : <i32>
  %ws2 = tile.buffer "scratch" %z : !tile.ptr<i32>
  // CHECK: tile.require %ld ge %ld, "a \22quoted\22 reason" : i64
  tile.require %z ge %z, "a \"quoted\" reason" : i64
  // CHECK: tile.require %m eq %m, "eq" : i32
  tile.require %y eq %y, "eq" : i32
  // CHECK: tile.require %m ne %m, "ne" : i32
  tile.require %y ne %y, "ne" : i32
  // CHECK: tile.require %m lt %m, "lt" : i32
  tile.require %y lt %y, "lt" : i32
  // CHECK: tile.require %m le %m, "le" : i32
  tile.require %y le %y, "le" : i32
  // CHECK: tile.require %m gt %m, "gt" : i32
  tile.require %y gt %y, "gt" : i32
  // CHECK: tile.launch @device grid(%[[SMS]], %m, %m) (%a, %[[WS]], %m, %ld, %alpha) pdl : !tile.ptr<bf16>, !tile.ptr<f32>, i32, i64, f32
  tile.launch @device grid(%sms, %y, %y) (%x, %ws, %y, %z, %w) pdl : !tile.ptr<bf16>, !tile.ptr<f32>, i32, i64, f32
  // CHECK: tile.launch @bare grid(%[[SMS]]) ()
  tile.launch @bare grid(%sms) ()
}

// CHECK: tile.program @empty() {
// CHECK-NEXT: }
tile.program @empty() {
}

// CHECK-LABEL: tile.kernel @device
// CHECK-SAME: (%a: !tile.ptr<bf16> {tile.name = "a"}, %{{.*}}: !tile.ptr<f32>, %m: i32 {tile.name = "m"}, %{{.*}}: i64, %{{.*}}: f32)
// CHECK-SAME: form = program cluster = [1, 2] roles = [#tile.role<load, warps = 1, regs = 40>, #tile.role<"odd name", warps = 2, regs = 40>, #tile.role<mma, warpgroups = 2, regs = 200, split = tiles>] attributes {note = 1 : i32} {
tile.kernel @device(%x: !tile.ptr<bf16> {tile.name = "a"}, %p: !tile.ptr<f32>, %m: i32 {tile.name = "m"}, %ld: i64, %alpha: f32)
    form = program cluster = [ 1,2 ]
    roles = [#tile.role<"load", warps = 1, regs = 40>, #tile.role< "odd name", regs = 40, warps = 2 >, #tile.role<mma, split = tiles, warpgroups = 2, regs = 200>]
    attributes {note = 1 : i32} {
  // CHECK: tile.view %a[%m] : <bf16> -> <?xbf16, align = 2>
  %v1 = tile.view %x [%m] : !tile.ptr<bf16> -> !tile.view<?xbf16>
  // CHECK: %[[V2:.*]] = tile.view %a[%m, %m] strides[%{{.*}}] : <bf16> -> <?x64xbf16, align = 16>
  %v2 = tile.view %x [%m, %m] strides [%ld] : !tile.ptr<bf16> -> !tile.view<?x64xbf16, align = 16>
  // CHECK: tile.view %a[%m, %m, %m, %m, %m] strides[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] : <bf16> -> <2x?x3x?x4xbf16, align = 256>
  %v5 = tile.view %x [%m, %m, %m, %m, %m] strides [%ld, %ld, %ld, %ld] : !tile.ptr<bf16> -> !tile.view<2x?x3x?x4xbf16, align = 256>
  // CHECK: tile.extent %[[V2]], 1 : <?x64xbf16, align = 16>
  %e = tile.extent %v2, 1 : !tile.view<?x64xbf16, align = 16>
  // CHECK: %[[S1:.*]] = tile.raster (%m by 128) order row : <1>
  %s1 = tile.raster (%m by 128) order row : !tile.schedule<1>
  // CHECK: %[[S2:.*]] = tile.raster (%m by 128, %{{.*}} by 64) order grouped group 8 : <2>
  %s2 = tile.raster (%m by 128, %e by 64) order grouped group 8 along 0 : !tile.schedule<2>
  // CHECK: %[[S3:.*]] = tile.raster (%m by 1, %m by 128, %m by 64) order grouped group 4 along 1 : <3>
  %s3 = tile.raster (%m by 1, %m by 128, %m by 64) order grouped group 4 along 1 : !tile.schedule<3>
  // CHECK: tile.raster (%m by 128, %m by 64) order snake : <2>
  %s4 = tile.raster (%m by 128, %m by 64) order snake group 1 : !tile.schedule<2>
  // CHECK: tile.for_tiles (%[[I:.*]]) in %[[S1]] : !tile.schedule<1> {
  // CHECK-NEXT: }
  tile.for_tiles (%i) in %s1 : !tile.schedule<1> {
  }
  // CHECK: tile.for_tiles (%{{.*}}, %{{.*}}, %{{.*}}) in %[[S3]] : !tile.schedule<3> attributes {note = "n"} {
  tile.for_tiles (%i, %j, %k) in %s3 : !tile.schedule<3> attributes {note = "n"} {
    tile.end
  }
}

// CHECK: tile.kernel @bare() form = program {
// CHECK-NEXT: }
tile.kernel @bare() form = program cluster = [1, 1] {
}

// CHECK-LABEL: tile.kernel @listed
// CHECK-SAME: (%{{.*}}: !tile.ptr<i32>, %{{.*}}: i32) form = scheduled threads = 256 {
tile.kernel @listed(%list: !tile.ptr<i32>, %n: i32) form = scheduled threads = 256 {
  // CHECK: tile.work_list %{{.*}} count %{{.*}} : <i32> -> <3>
  %s = tile.work_list %list count %n : !tile.ptr<i32> -> !tile.schedule<3>
}
