// RUN: tw-opt %s --pass-pipeline='builtin.module(tile.kernel(tile-plan-shared-memory),tile-to-sm90,cse)' | FileCheck %s

// Which work units a CTA takes: its cluster's index and every one a grid of clusters further on.
// CHECK-LABEL: sm90.kernel @grid
tile.kernel @grid(%m: i32 {tile.name = "m"}, %n: i32 {tile.name = "n"}, %d: !tile.ptr<f32>) form = scheduled threads = 32 {
  // CHECK-DAG: %[[TM:.+]] = arith.ceildivsi %[[M:.+]], %c64_i32
  // CHECK-DAG: %[[TN:.+]] = arith.ceildivsi %[[N:.+]], %c32_i32
  // CHECK: %[[UNITS:.+]] = arith.muli %[[TM]], %[[TN]]
  // CHECK: %[[CTA:.+]] = sm90.cta_id
  // CHECK: %[[GRID:.+]] = sm90.grid_size
  // CHECK: scf.for %[[T:[^ ]+]] = %[[CTA]] to %[[UNITS]] step %[[GRID]]
  // CHECK: %[[TILE:.+]] = sm90.raster_row %[[T]] in %[[TM]], %[[TN]]
  // CHECK: %[[I:.+]] = sm90.tile_m %[[TILE]]
  // CHECK: %[[J:.+]] = sm90.tile_n %[[TILE]]
  // CHECK: %[[KM:.+]] = sm90.named_constant "kTileM" 64
  // CHECK: %[[MI:.+]] = arith.muli %[[I]], %[[KM]]
  // CHECK: %[[KN:.+]] = sm90.named_constant "kTileN" 32
  // CHECK: %[[NI:.+]] = arith.muli %[[J]], %[[KN]]
  // CHECK: %[[S:.+]] = arith.addi %[[MI]], %[[NI]]
  // CHECK: scf.for %{{[^ ]+}} = %[[S]] to
  %s = tile.raster (%m by 64, %n by 32) order row : !tile.schedule<2>
  %first, %end, %step = tile.schedule_range %s : !tile.schedule<2>
  scf.for %t = %first to %end step %step : i32 {
    %i, %j = tile.decode %s, %t : !tile.schedule<2> -> i32, i32
    %x = arith.addi %i, %j : i32
    scf.for %u = %x to %n step %step : i32 {
      tile.pdl_trigger
    }
  }
}

// A cluster takes neighbouring tiles of the last two coordinates, each CTA the one at its place.
// CHECK-LABEL: sm90.kernel @clusters
tile.kernel @clusters(%m: i32, %n: i32) form = scheduled cluster = [2, 4] threads = 32 {
  // CHECK-DAG: %[[TM:.+]] = arith.ceildivsi %{{.+}}, %c128_i32
  // CHECK-DAG: %[[TN:.+]] = arith.ceildivsi %{{.+}}, %c128_i32
  // CHECK: %[[ID:.+]] = sm90.cluster_id
  // CHECK: %[[COUNT:.+]] = sm90.cluster_count
  // CHECK: scf.for %[[T:[^ ]+]] = %[[ID]] to %{{.+}} step %[[COUNT]]
  // CHECK: %[[TILE:.+]] = sm90.raster_grouped %[[T]] in %{{.+}}, %{{.+}} group<kGroup = 8> along_n
  // CHECK: %[[I:.+]] = sm90.tile_m %[[TILE]]
  // CHECK: %[[J:.+]] = sm90.tile_n %[[TILE]]
  // CHECK: %[[RANK:.+]] = sm90.cluster_rank
  // CHECK-DAG: %[[ROW:.+]] = arith.remsi %[[RANK]], %c2_i32
  // CHECK-DAG: %[[FIRST:.+]] = arith.muli %[[I]], %c2_i32
  // CHECK: arith.addi %[[FIRST]], %[[ROW]]
  // CHECK-DAG: %[[COLUMN:.+]] = arith.divsi %[[RANK]], %c2_i32
  // CHECK-DAG: %[[LEFT:.+]] = arith.muli %[[J]], %c4_i32
  // CHECK: arith.addi %[[LEFT]], %[[COLUMN]]
  %s = tile.raster (%m by 64, %n by 32) order grouped group 8 along 1 : !tile.schedule<2>
  %first, %end, %step = tile.schedule_range %s : !tile.schedule<2>
  scf.for %t = %first to %end step %step : i32 {
    %i, %j = tile.decode %s, %t : !tile.schedule<2> -> i32, i32
    %x = arith.addi %i, %j : i32
    scf.for %u = %x to %n step %step : i32 {
      tile.pdl_trigger
    }
  }
}

// One coordinate is the index itself; a tile of 1 needs no factor.
// CHECK-LABEL: sm90.kernel @one
tile.kernel @one(%b: i32, %m: i32) form = scheduled threads = 32 {
  %s = tile.raster (%m by 128) order row : !tile.schedule<1>
  // CHECK: scf.for %[[T:[^ ]+]] =
  // CHECK: %[[K:.+]] = sm90.named_constant "kTileARG1" 128
  // CHECK: %[[I:.+]] = arith.muli %[[T]], %[[K]]
  // CHECK: scf.for %{{[^ ]+}} = %[[I]] to
  %first, %end, %step = tile.schedule_range %s : !tile.schedule<1>
  scf.for %t = %first to %end step %step : i32 {
    %i = tile.decode %s, %t : !tile.schedule<1> -> i32
    scf.for %u = %i to %m step %step : i32 {
      tile.pdl_trigger
    }
  }
  // CHECK: scf.for %[[T:[^ ]+]] = %{{.+}} to %[[B:.+]] step
  // CHECK: scf.for %{{[^ ]+}} = %[[T]] to
  %z = tile.raster (%b by 1) order row : !tile.schedule<1>
  %f2, %e2, %s2 = tile.schedule_range %z : !tile.schedule<1>
  scf.for %t = %f2 to %e2 step %s2 : i32 {
    %i = tile.decode %z, %t : !tile.schedule<1> -> i32
    scf.for %u = %i to %m step %s2 : i32 {
      tile.pdl_trigger
    }
  }
}

// Leading coordinates run slowest.
// CHECK-LABEL: sm90.kernel @four
tile.kernel @four(%a: i32, %b: i32, %m: i32, %n: i32) form = scheduled threads = 32 {
  // CHECK: scf.for %[[T:[^ ]+]] =
  // CHECK: %[[PLANE:.+]] = arith.muli %[[TM:.+]], %[[TN:.+]] : i32
  // CHECK: %[[OUTER:.+]] = arith.divsi %[[T]], %[[PLANE]]
  // CHECK: %[[INNER:.+]] = arith.remsi %[[T]], %[[PLANE]]
  // CHECK: %[[B:.+]] = arith.remsi %[[OUTER]], %[[NB:.+]] : i32
  // CHECK: %[[A:.+]] = arith.divsi %[[OUTER]], %[[NB]]
  // CHECK: %[[TILE:.+]] = sm90.raster_snake %[[INNER]] in %[[TM]], %[[TN]] group<kGroup = 1>
  // CHECK: arith.addi %[[A]], %[[B]]
  %s = tile.raster (%a by 1, %b by 1, %m by 64, %n by 32) order snake : !tile.schedule<4>
  %first, %end, %step = tile.schedule_range %s : !tile.schedule<4>
  scf.for %t = %first to %end step %step : i32 {
    %h, %g, %i, %j = tile.decode %s, %t : !tile.schedule<4> -> i32, i32, i32, i32
    %x = arith.addi %h, %g : i32
    %y = arith.addi %i, %j : i32
    %z = arith.addi %x, %y : i32
    scf.for %u = %z to %n step %step : i32 {
      tile.pdl_trigger
    }
  }
}

// A list in memory: records of as many numbers as there are coordinates.
// CHECK-LABEL: sm90.kernel @list
// CHECK-SAME: (%[[LIST:[^ ]+]]: !sm90.ptr<const i32>, %[[COUNT:[^ ]+]]: i32)
tile.kernel @list(%l: !tile.ptr<i32>, %count: i32) form = scheduled threads = 32 {
  // CHECK: scf.for %[[T:[^ ]+]] = %{{.+}} to %[[COUNT]] step
  // CHECK: %[[RECORD:.+]] = arith.muli %[[T]], %c3_i32
  // CHECK: %[[AT:.+]] = arith.extsi %[[RECORD]]
  // CHECK: %[[X:.+]] = sm90.ld_global %[[LIST]][%[[AT]]]
  // CHECK: %[[NEXT:.+]] = arith.addi %[[RECORD]], %c1_i32
  // CHECK: %[[AT:.+]] = arith.extsi %[[NEXT]]
  // CHECK: %[[Y:.+]] = sm90.ld_global %[[LIST]][%[[AT]]]
  // CHECK: %[[LAST:.+]] = arith.addi %[[RECORD]], %c2_i32
  // CHECK: %[[AT:.+]] = arith.extsi %[[LAST]]
  // CHECK: %[[Z:.+]] = sm90.ld_global %[[LIST]][%[[AT]]]
  // CHECK: scf.for %{{[^ ]+}} = %[[X]] to %[[Y]] step %[[Z]]
  %s = tile.work_list %l count %count : !tile.ptr<i32> -> !tile.schedule<3>
  %first, %end, %step = tile.schedule_range %s : !tile.schedule<3>
  scf.for %t = %first to %end step %step : i32 {
    %x, %y, %z = tile.decode %s, %t : !tile.schedule<3> -> i32, i32, i32
    scf.for %u = %x to %y step %z : i32 {
      tile.pdl_trigger
    }
  }
}
