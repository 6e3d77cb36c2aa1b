// SPDX-License-Identifier: Apache-2.0

#include "compiler/tile/SharedLayout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace tilewright::tile {
namespace {

/// Visits every element: offsets lie inside the tile, are distinct byte for byte, and invert.
void expectOneToOne(const SharedLayout &layout) {
  ASSERT_EQ(layout.check(), std::nullopt);
  std::set<int64_t> bytes;
  for (int64_t r = 0; r < layout.rows; ++r) {
    for (int64_t c = 0; c < layout.cols; ++c) {
      int64_t offset = layout.offset(r, c);
      ASSERT_EQ(offset % layout.elementBytes, 0);
      ASSERT_LE(offset + layout.elementBytes, layout.sizeBytes());
      ASSERT_EQ(layout.inverse(offset), (Coord{r, c}));
      for (int byte = 0; byte < layout.elementBytes; ++byte)
        ASSERT_TRUE(bytes.insert(offset + byte).second) << r << ", " << c;
    }
  }
  int64_t places = 0;
  for (int64_t offset = -4; offset < layout.sizeBytes() + 64; ++offset)
    places += layout.inverse(offset).has_value();
  EXPECT_EQ(places, layout.rows * layout.cols);
}

TEST(SharedLayout, RowMajorIsRowByRow) {
  SharedLayout layout = SharedLayout::rowMajor(4, 8, 2);
  EXPECT_EQ(layout.offset(0, 0), 0);
  EXPECT_EQ(layout.offset(0, 7), 14);
  EXPECT_EQ(layout.offset(3, 1), 3 * 16 + 2);
  EXPECT_EQ(layout.sizeBytes(), 64);
  EXPECT_EQ(layout.alignment(), 128);
}

TEST(SharedLayout, RowMajorIsOneToOne) { expectOneToOne(SharedLayout::rowMajor(33, 17, 4)); }

TEST(SharedLayout, PaddedRowsAreFurtherApart) {
  SharedLayout layout = SharedLayout::padded(32, 32, 4, 1);
  EXPECT_EQ(layout.offset(1, 0), 33 * 4);
  EXPECT_EQ(layout.sizeBytes(), 32 * 33 * 4);
  EXPECT_EQ(layout.inverse(32 * 4), std::nullopt) << "a padding element is no element";
}

TEST(SharedLayout, PaddedIsOneToOne) { expectOneToOne(SharedLayout::padded(16, 40, 2, 8)); }

TEST(SharedLayout, PanelsFollowEachOther) {
  SharedLayout layout = SharedLayout::tma(128, 128, 2, 128);
  EXPECT_EQ(layout.panelCols(), 64);
  EXPECT_EQ(layout.panelBytes(), 128 * 128);
  EXPECT_EQ(layout.offset(0, 64), 128 * 128);
}

TEST(SharedLayout, Tma128MovesSixteenByteChunksByTheRow) {
  // CUDA driver API, CU_TENSOR_MAP_SWIZZLE_128B: chunk index (of 16 B, 8 a row) XOR row modulo 8.
  SharedLayout layout = SharedLayout::tma(64, 64, 2, 128);
  for (int r = 0; r < 64; ++r)
    for (int c = 0; c < 64; ++c)
      ASSERT_EQ(layout.offset(r, c), r * 128 + ((c / 8) ^ (r % 8)) * 16 + c % 8 * 2);
}

TEST(SharedLayout, Tma64MovesSixteenByteChunksByRowPairs) {
  SharedLayout layout = SharedLayout::tma(64, 32, 2, 64);
  for (int r = 0; r < 64; ++r)
    for (int c = 0; c < 32; ++c)
      ASSERT_EQ(layout.offset(r, c), r * 64 + ((c / 8) ^ (r / 2 % 4)) * 16 + c % 8 * 2);
}

TEST(SharedLayout, Tma32MovesSixteenByteChunksByRowQuads) {
  SharedLayout layout = SharedLayout::tma(64, 16, 2, 32);
  for (int r = 0; r < 64; ++r)
    for (int c = 0; c < 16; ++c)
      ASSERT_EQ(layout.offset(r, c), r * 32 + ((c / 8) ^ (r / 4 % 2)) * 16 + c % 8 * 2);
}

class TmaModes : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(TmaModes, AreOneToOneAndKnowTheirMode) {
  auto [swizzleBytes, elementBytes] = GetParam();
  SharedLayout layout = SharedLayout::tma(24, 128, elementBytes, swizzleBytes);
  expectOneToOne(layout);
  EXPECT_EQ(layout.swizzleMode(), swizzleBytes);
  EXPECT_EQ(layout.sizeBytes(), 24 * 128 * elementBytes);
  EXPECT_EQ(layout.alignment(), swizzleBytes ? 8 * swizzleBytes : 128);
}

INSTANTIATE_TEST_SUITE_P(All, TmaModes,
                         testing::Combine(testing::Values(0, 32, 64, 128),
                                          testing::Values(1, 2, 4)));

TEST(SharedLayout, XorSwizzleIsOneToOne) {
  expectOneToOne(SharedLayout::xorSwizzle(32, 32, 4, 5, 2, 5));
}

TEST(SharedLayout, XorOfRaggedRowsStaysInsideTheTile) {
  // 5 rows of 12 bytes: 60 bytes, rounded up to the 16-byte blocks that the XOR permutes.
  SharedLayout layout = SharedLayout::xorSwizzle(5, 3, 4, 2, 2, 2);
  expectOneToOne(layout);
  EXPECT_EQ(layout.sizeBytes(), 64);
}

TEST(SharedLayout, SwizzleModeRefusesWhatTmaCannotWrite) {
  EXPECT_EQ(SharedLayout::padded(32, 32, 4, 1).swizzleMode(), std::nullopt);
  EXPECT_EQ(SharedLayout::xorSwizzle(32, 32, 4, 5, 2, 5).swizzleMode(), std::nullopt);
  EXPECT_EQ(SharedLayout::rowMajor(8, 3, 2).swizzleMode(), std::nullopt) << "rows of 6 bytes";
  EXPECT_EQ(SharedLayout::xorSwizzle(8, 128, 2, 3, 4, 3).swizzleMode(), std::nullopt)
      << "the 128 B swizzle on rows of 256 B is not what TMA writes";
}

TEST(SharedLayout, WellFormedLayoutsAreProvedByConstruction) {
  BijectivityProof proof = SharedLayout::tma(64, 64, 2, 128).proveBijective();
  EXPECT_TRUE(proof.holds);
  EXPECT_EQ(proof.method, ProofMethod::Construction);
}

TEST(SharedLayout, OthersAreEnumerated) {
  // s < b: no involution, but still a permutation.
  BijectivityProof proof = SharedLayout::xorSwizzle(32, 32, 4, 3, 2, 1).proveBijective();
  EXPECT_TRUE(proof.holds);
  EXPECT_EQ(proof.method, ProofMethod::Enumeration);
}

TEST(SharedLayout, XorWithItselfIsNotOneToOne) {
  // s = 0 clears the changed bits: elements fall together.
  BijectivityProof proof = SharedLayout::xorSwizzle(32, 32, 4, 3, 2, 0).proveBijective();
  EXPECT_FALSE(proof.holds);
  EXPECT_EQ(proof.method, ProofMethod::Enumeration);
}

TEST(SharedLayout, SwizzleThatTearsElementsApartIsNotOneToOne) {
  SharedLayout layout = SharedLayout::xorSwizzle(8, 8, 8, 2, 2, 4);
  EXPECT_TRUE(layout.check());
  EXPECT_FALSE(layout.isBijective());
}

TEST(SharedLayoutCheck, NamesExpectedAndFound) {
  auto message = [](SharedLayout layout) { return layout.check().value_or("no message"); };
  EXPECT_EQ(message(SharedLayout::rowMajor(0, 8, 2)),
            "expected a shared-memory tile of at least 1x1 elements, found 0x8");
  EXPECT_EQ(message(SharedLayout::rowMajor(8, 8, 3)),
            "expected elements of 1, 2, 4, 8 or 16 bytes, found 3");
  EXPECT_EQ(message(SharedLayout::tma(8, 96, 2, 128)),
            "expected columns in whole panels of 64, found 96 columns");
  EXPECT_EQ(message(SharedLayout::padded(8, 8, 2, -1)),
            "expected a padding of 0 or more elements, found -1");
  EXPECT_EQ(message(SharedLayout::xorSwizzle(8, 8, 2, 3, 4, 2)),
            "expected a swizzle(b, m, s) with s >= b, so that it is its own inverse, found b = 3, "
            "s = 2");
  EXPECT_EQ(message(SharedLayout::xorSwizzle(8, 8, 8, 2, 2, 4)),
            "expected a swizzle(b, m, s) that moves whole elements of 8 bytes, found m = 2, which "
            "moves pieces of 4 bytes");
  EXPECT_EQ(message(SharedLayout::xorSwizzle(8, 8, 2, 9, 9, 9)),
            "expected a swizzle(b, m, s) of address bits 0 to 19, found (9, 9, 9)");
}

/// Degrees of the two accesses of a transposition of a 32x32 fp32 tile: read by column, written by
/// row; `storedTransposed` exchanges rows and columns of the stored tile.
std::pair<int, int> transposeDegrees(const SharedLayout &layout, bool storedTransposed = false) {
  int column = 0, row = 0;
  for (int i = 0; i < 32; ++i) {
    column = std::max(column, conflictDegree(columnAccess(layout, 0, i), 4));
    row = std::max(row, conflictDegree(rowAccess(layout, i, 0, 4), 4));
  }
  return storedTransposed ? std::pair(row, column) : std::pair(column, row);
}

TEST(ConflictDegree, PlainTileReadByColumn) {
  EXPECT_EQ(transposeDegrees(SharedLayout::rowMajor(32, 32, 4)), std::pair(32, 1));
}

TEST(ConflictDegree, TransposedStoreMovesTheConflictToTheWrite) {
  EXPECT_EQ(transposeDegrees(SharedLayout::rowMajor(32, 32, 4), true), std::pair(1, 32));
}

TEST(ConflictDegree, PaddedTileHasNone) {
  EXPECT_EQ(transposeDegrees(SharedLayout::padded(32, 32, 4, 1)), std::pair(1, 1));
}

TEST(ConflictDegree, XorTileHasNone) {
  EXPECT_EQ(transposeDegrees(SharedLayout::xorSwizzle(32, 32, 4, 5, 2, 5)), std::pair(1, 1));
}

TEST(ConflictDegree, PartialXorLeavesTheRest) {
  EXPECT_EQ(transposeDegrees(SharedLayout::xorSwizzle(32, 32, 4, 3, 2, 5)), std::pair(4, 1));
}

TEST(ConflictDegree, SameWordIsBroadcast) {
  std::vector<int64_t> offsets(32, 256);
  EXPECT_EQ(conflictDegree(offsets, 4), 1);
}

TEST(ConflictDegree, NoActiveLaneCostsNothing) {
  EXPECT_EQ(conflictDegree(std::vector<int64_t>(32, kInactiveLane), 4), 0);
}

TEST(ConflictDegree, EightByteAccessesAreServedByHalfWarps) {
  // Lanes 0-15 and 16-31 use the same banks in different phases: 16 lanes x 8 B = 32 banks.
  std::vector<int64_t> offsets(32);
  for (int lane = 0; lane < 32; ++lane)
    offsets[lane] = 8 * lane;
  EXPECT_EQ(conflictDegree(offsets, 8), 1);
  for (int lane = 0; lane < 32; ++lane)
    offsets[lane] = 16 * lane;
  EXPECT_EQ(conflictDegree(offsets, 8), 2);
}

TEST(ConflictDegree, SixteenByteAccessesAreServedByQuarterWarps) {
  std::vector<int64_t> offsets(32);
  for (int lane = 0; lane < 32; ++lane)
    offsets[lane] = 16 * lane;
  EXPECT_EQ(conflictDegree(offsets, 16), 1);
  for (int lane = 0; lane < 32; ++lane)
    offsets[lane] = 128 * lane;
  EXPECT_EQ(conflictDegree(offsets, 16), 8);
}

TEST(ConflictDegree, WorstPhaseCounts) {
  std::vector<int64_t> offsets(32);
  for (int lane = 0; lane < 32; ++lane)
    offsets[lane] = lane < 24 ? 16 * lane : 128 * lane;
  EXPECT_EQ(conflictDegree(offsets, 16), 8);
}

TEST(ConflictDegree, RowsOf128BytesReadDownwardsInSixteenBytes) {
  EXPECT_EQ(conflictDegree(columnAccess(SharedLayout::rowMajor(32, 64, 2), 0, 8), 16), 8);
  EXPECT_EQ(conflictDegree(columnAccess(SharedLayout::padded(32, 64, 2, 8), 0, 8), 16), 1);
  EXPECT_EQ(conflictDegree(columnAccess(SharedLayout::tma(32, 64, 2, 128), 0, 8), 16), 1);
}

TEST(AccessPatterns, StopAtTheEdge) {
  SharedLayout layout = SharedLayout::rowMajor(40, 16, 4);
  auto column = columnAccess(layout, 32, 3);
  EXPECT_EQ(column[7], layout.offset(39, 3));
  EXPECT_EQ(column[8], kInactiveLane);
  auto row = rowAccess(layout, 2, 0, 8);
  EXPECT_EQ(row[7], layout.offset(2, 14));
  EXPECT_EQ(row[8], kInactiveLane);
}

} // namespace
} // namespace tilewright::tile
