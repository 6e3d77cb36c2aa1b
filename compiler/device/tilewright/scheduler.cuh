// SPDX-License-Identifier: Apache-2.0
//
// From a linear tile index to the two coordinates of an output tile. Plain C++, shared by the
// device and the host. Each order visits every tile of a tiles_m x tiles_n space exactly once.
#pragma once

#include "tilewright/types.cuh"

namespace tw {

/// Coordinates of a tile, in tiles.
struct tile2 {
  int32_t m;
  int32_t n;
};

__device__ __forceinline__ int32_t tile_m(tile2 t) { return t.m; }

__device__ __forceinline__ int32_t tile_n(tile2 t) { return t.n; }

/// Row by row: n runs fastest.
__device__ __forceinline__ tile2 raster_row(int32_t t, int32_t tiles_m, int32_t tiles_n) {
  (void)tiles_m;
  return {t / tiles_n, t % tiles_n};
}

/// Bands of Group tiles: within a band the short way (Group tiles) runs fastest, then the long way.
/// AlongM: a band is Group tiles high in m and is walked along n; else Group wide in n and walked
/// along m. The last band is as high as what is left. Group 1 is the plain order along that axis.
template <int Group, bool AlongM = true>
__device__ __forceinline__ tile2 raster_grouped(int32_t t, int32_t tiles_m, int32_t tiles_n) {
  static_assert(Group >= 1, "a band has at least one tile");
  const int32_t across = AlongM ? tiles_m : tiles_n;
  const int32_t along = AlongM ? tiles_n : tiles_m;
  const int32_t per_band = Group * along;
  const int32_t band = t / per_band;
  const int32_t in_band = t - band * per_band;
  const int32_t left = across - band * Group;
  const int32_t height = left < Group ? left : Group;
  const int32_t a = band * Group + in_band % height;
  const int32_t b = in_band / height;
  return AlongM ? tile2{a, b} : tile2{b, a};
}

/// raster_grouped, but every second band is walked backwards, so that the last tiles of a band and
/// the first ones of the next share their operands.
template <int Group, bool AlongM = true>
__device__ __forceinline__ tile2 raster_snake(int32_t t, int32_t tiles_m, int32_t tiles_n) {
  tile2 r = raster_grouped<Group, AlongM>(t, tiles_m, tiles_n);
  const int32_t along = AlongM ? tiles_n : tiles_m;
  const int32_t band = t / (Group * along);
  if (band % 2 != 0) {
    if constexpr (AlongM)
      r.n = along - 1 - r.n;
    else
      r.m = along - 1 - r.m;
  }
  return r;
}

} // namespace tw
