// SPDX-License-Identifier: Apache-2.0
// Dependent launches and tile orders.
#ifndef TILEWRIGHT_COMPILER_SM90_LAUNCH_OPS
#define TILEWRIGHT_COMPILER_SM90_LAUNCH_OPS

include "compiler/sm90/Sm90OpBase.td"

class Sm90_LaunchOp<string mnemonic> : Sm90_DeviceOp<mnemonic, "launch", [
    Sm90_Ordered<[MemRead<Sm90_GlobalMemory>, MemWrite<Sm90_GlobalMemory>]>]> {
  let assemblyFormat = "attr-dict";
}

def Sm90_GridDependencyWaitOp : Sm90_LaunchOp<"grid_dependency_wait"> {
  let summary = "waits until the grids that this one depends on have completed";
  let description = [{
    `griddepcontrol.wait`: their writes to global memory are visible afterwards.

    ```mlir
    sm90.grid_dependency_wait
    ```
  }];
}

def Sm90_GridDependencyLaunchOp : Sm90_LaunchOp<"grid_dependency_launch"> {
  let summary = "allows the dependent grid to start";
  let description = [{
    `griddepcontrol.launch_dependents`.

    ```mlir
    sm90.grid_dependency_launch
    ```
  }];
}

class Sm90_SchedulerOp<string mnemonic> : Sm90_DeviceOp<mnemonic, "scheduler", [Pure]>;

def Sm90_RasterRowOp : Sm90_SchedulerOp<"raster_row"> {
  let summary = "coordinates of the `tile`-th tile, n fastest";
  let description = [{
    ```mlir
    %t = sm90.raster_row %tile in %tiles_m, %tiles_n
    ```
  }];
  let arguments = (ins I32:$tile, I32:$tilesM, I32:$tilesN);
  let results = (outs Sm90_Tile2:$result);
  let assemblyFormat = "$tile `in` $tilesM `,` $tilesN attr-dict";
  let resultHint = "coords";
}

class Sm90_RasterBandOp<string mnemonic> : Sm90_SchedulerOp<mnemonic> {
  let arguments = (ins I32:$tile, I32:$tilesM, I32:$tilesN, Sm90_Const:$group, UnitAttr:$alongN);
  let results = (outs Sm90_Tile2:$result);
  let assemblyFormat = "$tile `in` $tilesM `,` $tilesN `group` `` $group (`along_n` $alongN^)? attr-dict";
  let templateArgs = ["getGroupAttr()", "::tilewright::sm90::bandsAlongM(getContext(), getAlongN())"];
  let resultHint = "coords";
  let hasVerifier = 1;
}

def Sm90_RasterGroupedOp : Sm90_RasterBandOp<"raster_grouped"> {
  let summary = "coordinates of the `tile`-th tile, in bands of `group` tiles";
  let description = [{
    A band is `group` tiles high in m (with `along_n`: wide in n) and is walked along the other axis; within it the
    short way runs fastest.

    ```mlir
    %t = sm90.raster_grouped %tile in %tiles_m, %tiles_n group<kGroup = 8>
    ```
  }];
}

def Sm90_RasterSnakeOp : Sm90_RasterBandOp<"raster_snake"> {
  let summary = "as raster_grouped, every second band backwards";
  let description = [{
    ```mlir
    %t = sm90.raster_snake %tile in %tiles_m, %tiles_n group<8> along_n
    ```
  }];
}

class Sm90_TileCoordinateOp<string mnemonic> : Sm90_SchedulerOp<mnemonic> {
  let arguments = (ins Sm90_Tile2:$coords);
  let results = (outs I32:$result);
  let assemblyFormat = "$coords attr-dict";
  let resultHint = mnemonic;
}

def Sm90_TileMOp : Sm90_TileCoordinateOp<"tile_m"> {
  let summary = "coordinate of a tile along m, in tiles";
  let description = [{
    ```mlir
    %m = sm90.tile_m %t
    ```
  }];
}

def Sm90_TileNOp : Sm90_TileCoordinateOp<"tile_n"> {
  let summary = "coordinate of a tile along n, in tiles";
  let description = [{
    ```mlir
    %n = sm90.tile_n %t
    ```
  }];
}

#endif // TILEWRIGHT_COMPILER_SM90_LAUNCH_OPS
