// SPDX-License-Identifier: Apache-2.0
// Dependent launches and tile orders: each op prints as it was written.
// RUN: grep -v "^//" %s > %t.mlir
// RUN: tw-opt %t.mlir | grep . | diff %t.mlir -
// RUN: tw-opt %t.mlir --mlir-print-op-generic | tw-opt | grep . | diff %t.mlir -
module {
  sm90.kernel @launch(%arg0: i32, %arg1: i32, %arg2: i32) attributes {min_ctas = 1 : i32, threads = 128 : i32} {
    sm90.grid_dependency_wait
    sm90.grid_dependency_launch
    %0 = sm90.raster_row %arg0 in %arg1, %arg2
    %1 = sm90.raster_grouped %arg0 in %arg1, %arg2 group<kGroup = 8>
    %2 = sm90.raster_snake %arg0 in %arg1, %arg2 group<4> along_n
    %3 = sm90.tile_m %0
    %4 = sm90.tile_n %0
    sm90.return
  }
}
