// SPDX-License-Identifier: Apache-2.0
//
// The addresses of stmatrix and ldmatrix: against the instruction's definition, and its conflicts.

#include "compiler/tile/FragmentLayout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace tilewright::tile {
namespace {

/// PTX ISA, stmatrix: carries out `stmatrix.x4{.trans}.b16` of one warp on packed accumulator
/// registers and returns the memory: byte offset -> the fragment's element that lies there. Lane l
/// supplies row l % 8 of matrix l / 8; of a row, thread 4 * row + i supplies elements 2i and 2i +
/// 1; with .trans rows and columns of each matrix are exchanged.
std::map<int64_t, Coord> runStmatrix(const FragmentLayout &acc, const SharedLayout &memory,
                                     int thread0, int64_t warpRow, int chunk, MatrixOrder order) {
  std::map<int64_t, Coord> stored;
  for (int matrix = 0; matrix < 4; ++matrix)
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 8; ++j) {
        // Element (i, j) as the registers hold it.
        int lane = 4 * i + j / 2;
        Coord element = *acc.inverse({thread0 + lane, 8 * chunk + 2 * matrix + j % 2});
        int row = order == MatrixOrder::Normal ? i : j;
        int place = order == MatrixOrder::Normal ? j : i;
        int64_t base = matrixLaneOffset(memory, warpRow, chunk, 8 * matrix + row, order);
        stored[base + 2 * place] = element;
      }
  return stored;
}

class Stmatrix : public testing::TestWithParam<MatrixOrder> {};

TEST_P(Stmatrix, PutsEveryElementInItsPlace) {
  MatrixOrder order = GetParam();
  FragmentLayout acc = FragmentLayout::acc(64, 64, {1, 1});
  SharedLayout memory = SharedLayout::tma(64, 64, 2, 128);
  std::map<int64_t, Coord> stored;
  for (int warp = 0; warp < 4; ++warp)
    for (int chunk = 0; chunk < 4; ++chunk)
      stored.merge(runStmatrix(acc, memory, 32 * warp, 16 * warp, chunk, order));
  ASSERT_EQ(stored.size(), 64u * 64u);
  for (auto [offset, element] : stored) {
    bool normal = order == MatrixOrder::Normal;
    Coord expected = normal ? element : Coord{element.col, element.row};
    ASSERT_EQ(memory.inverse(offset), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Orders, Stmatrix,
                         testing::Values(MatrixOrder::Normal, MatrixOrder::Transposed));

TEST(MatrixLaneCoord, IsTheDocumentedFormula) {
  for (int warp = 0; warp < 4; ++warp)
    for (int j = 0; j < 4; ++j)
      for (int lane = 0; lane < 32; ++lane) {
        Coord coord = matrixLaneCoord(16 * warp, j, lane, MatrixOrder::Normal);
        ASSERT_EQ(coord.row, 16 * warp + lane % 8 + 8 * ((lane / 8) % 2));
        ASSERT_EQ(coord.col, 8 * (2 * j + lane / 16));
      }
}

/// Worst degree over all warps and chunks of a 64-row tile.
int matrixDegree(const SharedLayout &layout, MatrixOrder order) {
  int degree = 0;
  int64_t fragmentRows = order == MatrixOrder::Normal ? layout.rows : layout.cols;
  int64_t fragmentCols = order == MatrixOrder::Normal ? layout.cols : layout.rows;
  for (int64_t warpRow = 0; warpRow < fragmentRows; warpRow += 16)
    for (int chunk = 0; chunk < fragmentCols / 16; ++chunk) {
      std::vector<int64_t> offsets;
      for (int lane = 0; lane < 32; ++lane)
        offsets.push_back(matrixLaneOffset(layout, warpRow, chunk, lane, order));
      degree = std::max(degree, conflictDegree(offsets, 16));
    }
  return degree;
}

class MatrixConflicts : public testing::TestWithParam<MatrixOrder> {};

TEST_P(MatrixConflicts, NoneInA128ByteSwizzle) {
  EXPECT_EQ(matrixDegree(SharedLayout::tma(64, 128, 2, 128), GetParam()), 1);
}

TEST_P(MatrixConflicts, NoneInPaddedRows) {
  EXPECT_EQ(matrixDegree(SharedLayout::padded(64, 64, 2, 8), GetParam()), 1);
}

TEST_P(MatrixConflicts, EightWaysInPlainRows) {
  EXPECT_EQ(matrixDegree(SharedLayout::rowMajor(64, 64, 2), GetParam()), 8);
}

// Rows of 64 B lie two to a line of 128 B, rows of 32 B four; the smaller swizzles still spread
// eight rows over all banks.
TEST_P(MatrixConflicts, NoneInTheSmallerSwizzles) {
  EXPECT_EQ(matrixDegree(SharedLayout::tma(64, 64, 2, 64), GetParam()), 1);
  EXPECT_EQ(matrixDegree(SharedLayout::tma(64, 64, 2, 32), GetParam()), 1);
}

INSTANTIATE_TEST_SUITE_P(Orders, MatrixConflicts,
                         testing::Values(MatrixOrder::Normal, MatrixOrder::Transposed));

} // namespace
} // namespace tilewright::tile
