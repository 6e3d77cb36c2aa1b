// RUN: tw-opt %s -verify-diagnostics -split-input-file
// Programs, kernels, views and schedules that cannot be.

// expected-error@+1 {{'tile.program' op argument 0 must be a !tile.ptr, i32, i64 or f32, found 'index'}}
tile.program @p(%a: index) {
}

// -----

// expected-error@+1 {{'tile.kernel' op argument 1 must be a !tile.ptr, i32, i64 or f32, found 'f64'}}
tile.kernel @k(%a: i32, %b: f64) form = program {
}

// -----

// expected-error@+1 {{programs and kernels return nothing: results are stored through arguments}}
tile.kernel @k(%a: i32) -> i32 form = program {
}

// -----

// expected-error@+1 {{'tile.program' op two arguments are named "m"; callers bind arguments by name}}
tile.program @p(%a: i32 {tile.name = "m"}, %b: i32 {tile.name = "m"}) {
}

// -----

// expected-error@+1 {{form is program or scheduled, found free}}
tile.kernel @k() form = free {
}

// -----

// expected-error@+1 {{'tile.kernel' op cluster lists two extents with a product of 1 to 8}}
tile.kernel @k() form = program cluster = [3, 3] {
}

// -----

// expected-error@+1 {{'tile.kernel' op cluster lists two extents with a product of 1 to 8}}
tile.kernel @k() form = program cluster = [2] {
}

// -----

// expected-error@+1 {{'tile.kernel' op a scheduled kernel states its roles or its threads}}
tile.kernel @k() form = scheduled {
}

// -----

// expected-error@+1 {{'tile.kernel' op threads is a multiple of 32 up to 1024 and excludes roles}}
tile.kernel @k() form = scheduled threads = 100 {
}

// -----

// expected-error@+1 {{'tile.kernel' op threads is a multiple of 32 up to 1024 and excludes roles}}
tile.kernel @k() form = program roles = [#tile.role<a, warps = 1>] threads = 128 {
}

// -----

// expected-error@+1 {{'tile.kernel' op roles lists #tile.role attributes, found "load"}}
tile.kernel @k() form = program roles = ["load"] {
}

// -----

// expected-error@+1 {{'tile.kernel' op two roles are named a}}
tile.kernel @k() form = program roles = [#tile.role<a, warps = 1>, #tile.role<a, warps = 1>] {
}

// -----

// expected-error@+1 {{'tile.kernel' op roles that share a warpgroup state equal regs, found 40 and 24}}
tile.kernel @k() form = program roles = [#tile.role<a, warps = 1, regs = 40>, #tile.role<b, warps = 1, regs = 24>] {
}

// -----

// expected-error@+1 {{'tile.kernel' op the roles add up to 1152 threads, a CTA has at most 1024}}
tile.kernel @k() form = program roles = [#tile.role<a, warpgroups = 5>, #tile.role<b, warpgroups = 4>] {
}

// -----

// expected-error@+1 {{'tile.kernel' op the roles' registers add up to 66560, a CTA has 65536; lower a role's regs}}
tile.kernel @k() form = program roles = [#tile.role<a, warps = 1, regs = 40>, #tile.role<b, warpgroups = 2, regs = 240>] {
}

// -----

tile.kernel @k() form = program threads = 128 {
  // expected-error@+1 {{'tile.drain' op stands in a kernel of program form but belongs to the scheduled form}}
  tile.drain
}

// -----

tile.kernel @k(%n: i32) form = scheduled threads = 128 {
  %s = tile.raster (%n by 64) order row : !tile.schedule<1>
  // expected-error@+1 {{'tile.for_tiles' op stands in a kernel of scheduled form but belongs to the program form}}
  tile.for_tiles (%i) in %s : !tile.schedule<1> {
  }
}

// -----

tile.program @p() {
  // expected-error@+1 {{'tile.launch' op grid has 1 to 3 extents, found 0}}
  tile.launch @k grid() ()
}
tile.kernel @k() form = program {
}

// -----

tile.program @p(%n: i32) {
  // expected-error@+1 {{'tile.launch' op no tile.kernel is named @q}}
  tile.launch @q grid(%n) ()
}

// -----

tile.program @p(%n: i32) {
  // expected-error@+1 {{'tile.launch' op no tile.kernel is named @p}}
  tile.launch @p grid(%n) ()
}

// -----

tile.program @p(%n: i32) {
  // expected-error@+1 {{'tile.launch' op arguments do not match the signature of @k: expected '(f32) -> ()', found 'i32'}}
  tile.launch @k grid(%n) (%n) : i32
}
tile.kernel @k(%x: f32) form = program {
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32) form = program {
  // expected-error@+1 {{'tile.view' op views 'bf16' through a pointer to 'f32'}}
  %v = tile.view %p [%n] : !tile.ptr<f32> -> !tile.view<?xbf16>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32) form = program {
  // expected-error@+1 {{'tile.view' op a view of rank 2 has as many sizes, found 1}}
  %v = tile.view %p [%n] : !tile.ptr<f32> -> !tile.view<?x?xf32>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32) form = program {
  // expected-error@+1 {{'tile.view' op a view of rank 2 has 1 strides (the last dimension is contiguous), found 0}}
  %v = tile.view %p [%n, %n] : !tile.ptr<f32> -> !tile.view<?x?xf32>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32) form = program {
  %v = tile.view %p [%n] : !tile.ptr<f32> -> !tile.view<?xf32>
  // expected-error@+1 {{'tile.extent' op dimension 1 of a view of rank 1}}
  %e = tile.extent %v, 1 : !tile.view<?xf32>
}

// -----

tile.kernel @k(%n: i32) form = program {
  // expected-error@+1 {{'tile.raster' op a schedule of rank 1 has as many extents, found 2}}
  %s = tile.raster (%n by 64, %n by 64) order row : !tile.schedule<1>
}

// -----

tile.kernel @k(%n: i32) form = program {
  // expected-error@+1 {{'tile.raster' op tile sizes are from 1 to 2^31 - 1, found 0}}
  %s = tile.raster (%n by 0) order row : !tile.schedule<1>
}

// -----

tile.kernel @k(%n: i32) form = program {
  // expected-error@+1 {{'tile.raster' op order grouped needs at least two coordinates}}
  %s = tile.raster (%n by 64) order grouped group 2 : !tile.schedule<1>
}

// -----

tile.kernel @k(%n: i32) form = program {
  // expected-error@+1 {{'tile.raster' op group is from 1 to 2^31 - 1 and along is 0 or 1, found 2 and 2}}
  %s = tile.raster (%n by 64, %n by 64) order grouped group 2 along 2 : !tile.schedule<2>
}

// -----

tile.kernel @k(%n: i32) form = program {
  // expected-error@+1 {{'tile.raster' op group is from 1 to 2^31 - 1 and along is 0 or 1, found 9223372036854775807 and 0}}
  %s = tile.raster (%n by 64, %n by 64) order grouped group 9223372036854775807 : !tile.schedule<2>
}

// -----

tile.kernel @k(%p: !tile.ptr<f32>, %n: i32) form = program {
  // expected-error@+1 {{'tile.work_list' op a work list holds i32 coordinates, found '!tile.ptr<f32>'}}
  %s = tile.work_list %p count %n : !tile.ptr<f32> -> !tile.schedule<2>
}

// -----

tile.kernel @k(%n: i32) form = program {
  %s = tile.raster (%n by 64, %n by 64) order row : !tile.schedule<2>
  // expected-error@+1 {{'tile.for_tiles' op the body takes one i32 for each of the schedule's 2 coordinates, found 'i32'}}
  tile.for_tiles (%i) in %s : !tile.schedule<2> {
  }
}
