// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <gtest/gtest.h>
#include <set>
#include <utility>
#include <vector>

#undef INFINITY
#undef NAN
#include "tilewright/scheduler.cuh"

namespace {

using Tiles = std::vector<std::pair<int, int>>;
using Raster = tw::tile2 (*)(int32_t, int32_t, int32_t);

Tiles visit(Raster raster, int m, int n) {
  Tiles tiles;
  for (int t = 0; t < m * n; ++t) {
    const tw::tile2 tile = raster(t, m, n);
    tiles.emplace_back(tw::tile_m(tile), tw::tile_n(tile));
  }
  return tiles;
}

TEST(Scheduler, RowRunsAlongN) {
  EXPECT_EQ(visit(tw::raster_row, 2, 3), (Tiles{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}));
}

TEST(Scheduler, GroupedHasAShorterLastBand) {
  EXPECT_EQ(visit(tw::raster_grouped<2, true>, 3, 2),
            (Tiles{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 0}, {2, 1}}));
  EXPECT_EQ(visit(tw::raster_grouped<2, false>, 2, 3),
            (Tiles{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 2}, {1, 2}}));
}

TEST(Scheduler, GroupOfOneIsAPlainOrder) {
  EXPECT_EQ(visit(tw::raster_grouped<1, true>, 4, 5), visit(tw::raster_row, 4, 5));
}

TEST(Scheduler, SnakeTurnsBackAtTheEndOfABand) {
  EXPECT_EQ(visit(tw::raster_snake<2, true>, 3, 2),
            (Tiles{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 1}, {2, 0}}));
}

TEST(Scheduler, EveryOrderVisitsEveryTileOnce) {
  const std::vector<Raster> rasters = {
      tw::raster_row,
      tw::raster_grouped<1, false>,
      tw::raster_grouped<3, true>,
      tw::raster_grouped<8, true>,
      tw::raster_grouped<8, false>,
      tw::raster_snake<1, true>,
      tw::raster_snake<4, true>,
      tw::raster_snake<4, false>,
  };
  for (const Raster raster : rasters) {
    for (const auto &[m, n] : Tiles{{1, 1}, {1, 9}, {9, 1}, {7, 5}, {8, 16}, {17, 3}, {3, 17}}) {
      const Tiles tiles = visit(raster, m, n);
      EXPECT_EQ(std::set(tiles.begin(), tiles.end()).size(), tiles.size());
      for (const auto &[tm, tn] : tiles)
        EXPECT_TRUE(tm >= 0 && tm < m && tn >= 0 && tn < n) << tm << " " << tn;
    }
  }
}

TEST(Scheduler, SnakeNeighboursAreNear) {
  const Tiles tiles = visit(tw::raster_snake<4, true>, 12, 7);
  for (size_t i = 4; i < tiles.size(); ++i)
    EXPECT_LE(std::abs(tiles[i].second - tiles[i - 4].second), 1) << i;
}

} // namespace
