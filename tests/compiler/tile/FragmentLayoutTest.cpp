// SPDX-License-Identifier: Apache-2.0

#include "compiler/tile/FragmentLayout.h"

#include <gtest/gtest.h>

namespace tilewright::tile {
namespace {

/// Every register of every thread, and every element, there and back.
void expectOneToOne(const FragmentLayout &layout) {
  ASSERT_EQ(layout.check(), std::nullopt);
  for (int thread = 0; thread < layout.threads(); ++thread) {
    for (int reg = 0; reg < layout.registersPerThread(); ++reg) {
      for (int part = 0; part < layout.elementsPerRegister(); ++part) {
        Owner at{thread, reg, part};
        auto coord = layout.inverse(at);
        ASSERT_TRUE(coord);
        ASSERT_EQ(layout.owner(coord->row, coord->col), at);
      }
    }
  }
  EXPECT_TRUE(layout.isBijective());
}

/// PTX ISA, wgmma.mma_async, "Accumulator D": the element that thread `thread` of a warpgroup keeps
/// in d[i], as the manual states it: from the thread to the coordinate, the other way round than
/// Layout.
Coord ptxAccumulator(int thread, int i) {
  int warpId = thread / 32, groupId = thread % 32 >> 2, idInGroup = thread % 4;
  int row = 16 * warpId + groupId + ((i & 2) ? 8 : 0);
  int col = (i >> 2) * 8 + idInGroup * 2 + (i & 1);
  return {row, col};
}

/// PTX ISA, wgmma.mma_async, m64k16 "Matrix A": a[0..7] in four registers of two elements.
Coord ptxOperand(int thread, int i) {
  static constexpr int kRow[8] = {0, 0, 8, 8, 0, 0, 8, 8};
  static constexpr int kCol[8] = {0, 1, 0, 1, 8, 9, 8, 9};
  int warpId = thread / 32, groupId = thread % 32 >> 2, idInGroup = thread % 4;
  return {16 * warpId + groupId + kRow[i], 2 * idInGroup + kCol[i]};
}

TEST(AccLayout, OneWarpgroupIsThePtxTable) {
  for (int n : {8, 16, 64, 192, 256}) {
    FragmentLayout layout = FragmentLayout::acc(64, n, {1, 1});
    ASSERT_EQ(layout.registersPerThread(), n / 2);
    for (int thread = 0; thread < 128; ++thread)
      for (int i = 0; i < n / 2; ++i) {
        Coord expected = ptxAccumulator(thread, i);
        ASSERT_EQ(layout.inverse({thread, i}), expected);
        ASSERT_EQ(layout.owner(expected.row, expected.col), (Owner{thread, i}));
      }
  }
}

TEST(AccLayout, WarpgroupsSplitRowsThenColumns) {
  FragmentLayout layout = FragmentLayout::acc(128, 256, {2, 2});
  EXPECT_EQ(layout.threads(), 512);
  EXPECT_EQ(layout.registersPerThread(), 64);
  for (int thread = 0; thread < 512; ++thread)
    for (int i = 0; i < 64; ++i) {
      Coord inside = ptxAccumulator(thread % 128, i);
      int warpgroup = thread / 128;
      Coord expected{inside.row + 64 * (warpgroup % 2), inside.col + 128 * (warpgroup / 2)};
      ASSERT_EQ(layout.inverse({thread, i}), expected);
    }
}

TEST(AccLayout, WavesStackSixtyFourRowsInAWarpgroup) {
  FragmentLayout layout = FragmentLayout::acc(256, 128, {2, 1}, 2);
  EXPECT_EQ(layout.threads(), 256);
  EXPECT_EQ(layout.registersPerThread(), 128);
  for (int thread = 0; thread < 256; ++thread)
    for (int wave = 0; wave < 2; ++wave)
      for (int i = 0; i < 64; ++i) {
        Coord inside = ptxAccumulator(thread % 128, i);
        Coord expected{inside.row + 128 * (thread / 128) + 64 * wave, inside.col};
        ASSERT_EQ(layout.inverse({thread, 64 * wave + i}), expected);
      }
}

TEST(AccLayout, IsOneToOne) {
  expectOneToOne(FragmentLayout::acc(128, 256, {2, 1}));
  expectOneToOne(FragmentLayout::acc(64, 512, {1, 2}));
  expectOneToOne(FragmentLayout::acc(384, 24, {3, 1}, 2));
}

TEST(OperandLayout, SixteenColumnChunksAreThePtxTable) {
  FragmentLayout layout = FragmentLayout::operand(64, 64, 1);
  EXPECT_EQ(layout.registersPerThread(), 16);
  EXPECT_EQ(layout.elementsPerRegister(), 2);
  for (int thread = 0; thread < 128; ++thread)
    for (int chunk = 0; chunk < 4; ++chunk)
      for (int i = 0; i < 8; ++i) {
        Coord expected = ptxOperand(thread, i);
        expected.col += 16 * chunk;
        ASSERT_EQ(layout.inverse({thread, 4 * chunk + i / 2, i % 2}), expected);
      }
}

TEST(OperandLayout, IsThePackedAccumulator) {
  FragmentLayout acc = FragmentLayout::acc(256, 128, {2, 1}, 2);
  FragmentLayout operand = FragmentLayout::operand(256, 128, 2, 2);
  for (int r = 0; r < 256; ++r)
    for (int c = 0; c < 128; ++c) {
      Owner packed = operand.owner(r, c), plain = acc.owner(r, c);
      ASSERT_EQ(packed.thread, plain.thread);
      ASSERT_EQ(2 * packed.reg + packed.part, plain.reg);
    }
}

TEST(OperandLayout, ChunkRegistersPackTheDocumentedAccumulatorRegisters) {
  FragmentLayout acc = FragmentLayout::acc(64, 64, {1, 1});
  FragmentLayout operand = FragmentLayout::operand(64, 64, 1);
  for (int thread = 0; thread < 128; ++thread)
    for (int j = 0; j < 4; ++j)
      for (int q = 0; q < 4; ++q) {
        ASSERT_EQ(operand.inverse({thread, 4 * j + q, 0}), acc.inverse({thread, 8 * j + 2 * q}));
        ASSERT_EQ(operand.inverse({thread, 4 * j + q, 1}),
                  acc.inverse({thread, 8 * j + 2 * q + 1}));
      }
}

TEST(OperandLayout, IsOneToOne) { expectOneToOne(FragmentLayout::operand(128, 80, 2)); }

TEST(SliceLayout, RowsOfAnAccumulatorTakeTwoRegistersPerWave) {
  FragmentLayout slice = FragmentLayout::slice(1, FragmentLayout::acc(256, 128, {2, 1}, 2));
  EXPECT_EQ(slice.registersPerThread(), 4);
  EXPECT_EQ(slice.replication(), 4);
  EXPECT_EQ(slice.owner(64 + 9, 0).reg, 3); // wave 1, lower half
  EXPECT_EQ(slice.inverse({0, 3}), (Coord{72, kEvery}));
}

TEST(SliceLayout, ColumnsOfAnAccumulatorTakeAQuarterOfTheColumns) {
  FragmentLayout slice = FragmentLayout::slice(0, FragmentLayout::acc(128, 256, {2, 1}));
  EXPECT_EQ(slice.registersPerThread(), 64);
  EXPECT_EQ(slice.replication(), 64); // 2 warpgroups x 4 warps x 8 groups
  EXPECT_EQ(slice.owner(0, 13).reg, 3);
  EXPECT_EQ(slice.inverse({2, 3}), (Coord{kEvery, 13}));
}

TEST(SliceLayout, SplitColumnsReplicateRowsOverWarpgroups) {
  FragmentLayout slice = FragmentLayout::slice(1, FragmentLayout::acc(64, 512, {1, 2}));
  EXPECT_EQ(slice.registersPerThread(), 2);
  EXPECT_EQ(slice.replication(), 8);
}

class Slices : public testing::TestWithParam<std::tuple<int, int>> {
protected:
  static FragmentLayout parent() {
    switch (std::get<1>(GetParam())) {
    case 0:
      return FragmentLayout::acc(128, 64, {2, 1});
    case 1:
      return FragmentLayout::acc(256, 32, {2, 1}, 2);
    case 2:
      return FragmentLayout::acc(64, 64, {1, 2});
    default:
      return FragmentLayout::blocked(16, 64, {8, 4}, 4);
    }
  }
};

TEST_P(Slices, LieInTheThreadOfTheParentsElement) {
  FragmentLayout whole = parent();
  FragmentLayout slice = FragmentLayout::slice(std::get<0>(GetParam()), whole);
  for (int64_t r = 0; r < whole.rows; ++r)
    for (int64_t c = 0; c < whole.cols; ++c) {
      Owner at = slice.owner(r, c);
      ASSERT_EQ(at.thread, whole.owner(r, c).thread);
      auto coord = slice.inverse(at);
      ASSERT_TRUE(coord);
      ASSERT_EQ(slice.dim == 1 ? coord->row : coord->col, slice.dim == 1 ? r : c);
      ASSERT_EQ(slice.dim == 1 ? coord->col : coord->row, kEvery);
    }
}

TEST_P(Slices, HoldEachElementReplicationTimes) {
  EXPECT_TRUE(FragmentLayout::slice(std::get<0>(GetParam()), parent()).isBijective());
}

INSTANTIATE_TEST_SUITE_P(All, Slices,
                         testing::Combine(testing::Values(0, 1), testing::Values(0, 1, 2, 3)));

TEST(BlockedLayout, NeighbouringColumnsStayInAThread) {
  FragmentLayout layout = FragmentLayout::blocked(8, 256, {4, 32}, 4);
  EXPECT_EQ(layout.threads(), 128);
  EXPECT_EQ(layout.registersPerThread(), 16);
  EXPECT_EQ(layout.owner(0, 0), (Owner{0, 0}));
  EXPECT_EQ(layout.owner(0, 3), (Owner{0, 3}));
  EXPECT_EQ(layout.owner(0, 4), (Owner{1, 0}));
  EXPECT_EQ(layout.owner(0, 128), (Owner{0, 4}));
  EXPECT_EQ(layout.owner(1, 0), (Owner{32, 0}));
  EXPECT_EQ(layout.owner(4, 130), (Owner{0, 14}));
}

TEST(BlockedLayout, IsOneToOne) {
  expectOneToOne(FragmentLayout::blocked(8, 256, {4, 32}, 4));
  expectOneToOne(FragmentLayout::blocked(6, 40, {2, 5}, 2));
}

TEST(FragmentLayout, InverseKnowsItsBounds) {
  FragmentLayout layout = FragmentLayout::acc(64, 64, {1, 1});
  EXPECT_EQ(layout.inverse({128, 0}), std::nullopt);
  EXPECT_EQ(layout.inverse({0, 32}), std::nullopt);
  EXPECT_EQ(layout.inverse({0, 0, 1}), std::nullopt);
  EXPECT_EQ(layout.inverse({-1, 0}), std::nullopt);
}

TEST(FragmentLayout, ComparesByValueWithParents) {
  auto slice = [](int n) { return FragmentLayout::slice(1, FragmentLayout::acc(64, n, {1, 1})); };
  EXPECT_EQ(slice(64), slice(64));
  EXPECT_FALSE(slice(64) == slice(32));
  EXPECT_FALSE(slice(64) == FragmentLayout::acc(64, 64, {1, 1}));
}

TEST(FragmentLayoutCheck, NamesExpectedAndFound) {
  auto message = [](const FragmentLayout &layout) {
    EXPECT_FALSE(layout.isBijective());
    return layout.check().value_or("no message");
  };
  EXPECT_EQ(message(FragmentLayout::acc(192, 64, {2, 1})),
            "acc layout: expected 128 rows (64 x 2 warpgroups x 1 waves), found 192");
  EXPECT_EQ(message(FragmentLayout::acc(64, 24, {1, 2})),
            "acc layout: expected a multiple of 16 columns, found 24");
  EXPECT_EQ(message(FragmentLayout::acc(64, 64, {0, 1})),
            "acc layout: expected warpgroups and waves of at least 1, found wgs = [0, 1], waves = "
            "1");
  EXPECT_EQ(message(FragmentLayout::operand(64, 24, 1)),
            "operand layout: expected a multiple of 16 columns, found 24");
  EXPECT_EQ(message(FragmentLayout::blocked(6, 64, {4, 8}, 4)),
            "blocked layout: expected a multiple of 4 rows, found 6");
  EXPECT_EQ(message(FragmentLayout::blocked(8, 48, {4, 8}, 4)),
            "blocked layout: expected a multiple of 32 columns (8 threads x vec 4), found 48");
  EXPECT_EQ(message(FragmentLayout::blocked(8, 64, {4, 8}, 0)),
            "blocked layout: expected threads and vec of at least 1, found threads = [4, 8], vec = "
            "0");
  EXPECT_EQ(message(FragmentLayout::slice(2, FragmentLayout::acc(64, 64, {1, 1}))),
            "slice layout: expected dim 0 or 1, found 2");
  EXPECT_EQ(message(FragmentLayout::slice(0, FragmentLayout::operand(64, 64, 1))),
            "slice layout: expected an acc or blocked parent, found an operand");
  EXPECT_EQ(message(FragmentLayout::slice(1, FragmentLayout::acc(63, 64, {1, 1}))),
            "acc layout: expected 64 rows (64 x 1 warpgroups x 1 waves), found 63");
}

} // namespace
} // namespace tilewright::tile
