// SPDX-License-Identifier: Apache-2.0
#include "templates/gemm/Space.h"

#include <gtest/gtest.h>

#include <set>

using namespace tilewright;

namespace {

std::vector<TilePosition> walk(RasterAxis along, int32_t group, int64_t tilesM, int64_t tilesN) {
  std::vector<TilePosition> tiles;
  for (int64_t i = 0; i < tilesM * tilesN; ++i)
    tiles.push_back(rasterTile(along, group, tilesM, tilesN, i));
  return tiles;
}

TEST(Raster, GroupOfOneIsRowOrColumnOrder) {
  EXPECT_EQ(walk(RasterAxis::m, 1, 2, 3),
            (std::vector<TilePosition>{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}));
  EXPECT_EQ(walk(RasterAxis::n, 1, 2, 3),
            (std::vector<TilePosition>{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 2}, {1, 2}}));
}

TEST(Raster, GroupsAreWalkedColumnByColumn) {
  // Rows 0 and 1 together, then the rest of one row.
  EXPECT_EQ(walk(RasterAxis::m, 2, 3, 2),
            (std::vector<TilePosition>{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 0}, {2, 1}}));
  EXPECT_EQ(walk(RasterAxis::n, 2, 2, 3),
            (std::vector<TilePosition>{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 2}, {1, 2}}));
}

TEST(Raster, EveryOrderVisitsEveryTileOnce) {
  for (RasterAxis along : {RasterAxis::m, RasterAxis::n})
    for (int32_t group : {1, 2, 4, 8, 16})
      for (int64_t tilesM : {1, 3, 8, 17, 33})
        for (int64_t tilesN : {1, 2, 7, 16, 20}) {
          std::set<std::pair<int64_t, int64_t>> seen;
          for (auto [m, n] : walk(along, group, tilesM, tilesN)) {
            ASSERT_TRUE(m >= 0 && m < tilesM && n >= 0 && n < tilesN);
            seen.insert({m, n});
          }
          ASSERT_EQ(seen.size(), static_cast<size_t>(tilesM * tilesN));
        }
}

TEST(Raster, GroupsKeepTheWorkingSetSmall) {
  // 128 tiles in flight of a 64x64 grid: row order touches 2 + 64 panels, groups of 8 touch 8 + 16.
  auto panels = [](int32_t group) {
    std::set<int64_t> rows, columns;
    for (int64_t i = 0; i < 128; ++i) {
      TilePosition tile = rasterTile(RasterAxis::m, group, 64, 64, i);
      rows.insert(tile.m);
      columns.insert(tile.n);
    }
    return rows.size() + columns.size();
  };
  EXPECT_EQ(panels(1), 66U);
  EXPECT_EQ(panels(8), 24U);
  EXPECT_EQ(panels(16), 24U);
}

} // namespace
