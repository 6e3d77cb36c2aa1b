// SPDX-License-Identifier: Apache-2.0
//
// Rows of a box: where they lie, and what of them is inside the tensor.
#include "runtime/emulator/copies/BoxWalk.h"

#include <gtest/gtest.h>

namespace tilewright::emulator {
namespace {

/// 20 columns of 2 bytes by 10 rows of 48 bytes.
TensorMapFacts plane() {
  TensorMapFacts facts;
  facts.address = 0x1000;
  facts.rank = 2;
  facts.dims = {20, 10};
  facts.strides = {48};
  facts.box = {8, 4};
  return facts;
}

TEST(BoxWalk, Inside) {
  const int32_t at[] = {8, 2};
  const BoxWalk walk(plane(), at);
  EXPECT_EQ(walk.rowCount(), 4u);
  EXPECT_EQ(walk.rowBytes(), 16u);
  EXPECT_EQ(walk.boxBytes(), 64u);
  const BoxRow row = walk.row(3);
  EXPECT_EQ(row.offset, 48u);
  EXPECT_EQ(row.first, 0u);
  EXPECT_EQ(row.last, 16u);
  EXPECT_EQ(row.address, 0x1000u + 5 * 48 + 16);
}

TEST(BoxWalk, ClipsTheEnd) {
  const int32_t at[] = {16, 8};
  const BoxWalk walk(plane(), at);
  EXPECT_EQ(walk.row(0).last, 8u);
  EXPECT_TRUE(walk.row(1).isInside());
  EXPECT_FALSE(walk.row(2).isInside());
  EXPECT_EQ(walk.row(2).offset, 32u);
}

TEST(BoxWalk, ClipsTheStart) {
  const int32_t at[] = {-3, -1};
  const BoxWalk walk(plane(), at);
  EXPECT_FALSE(walk.row(0).isInside());
  const BoxRow row = walk.row(1);
  EXPECT_EQ(row.first, 6u);
  EXPECT_EQ(row.last, 16u);
  EXPECT_EQ(row.address, 0x1000u);
}

TEST(BoxWalk, FarOutside) {
  for (const int32_t x : {-2147483647, -8, 20, 2147483647}) {
    const int32_t at[] = {x, 0};
    EXPECT_FALSE(BoxWalk(plane(), at).row(0).isInside()) << x;
  }
}

TEST(BoxWalk, EmptyTensor) {
  TensorMapFacts facts = plane();
  facts.dims[1] = 0;
  const int32_t at[] = {0, 0};
  const BoxWalk walk(facts, at);
  EXPECT_EQ(walk.boxBytes(), 64u);
  for (uint32_t i = 0; i < 4; ++i)
    EXPECT_FALSE(walk.row(i).isInside());
}

TEST(BoxWalk, MoreDimensions) {
  TensorMapFacts facts;
  facts.address = 0x2000;
  facts.type = ElementType::float32;
  facts.rank = 4;
  facts.dims = {8, 4, 3, 5};
  facts.strides = {32, 128, 384};
  facts.box = {4, 2, 2, 2};
  const int32_t at[] = {4, 1, 2, 3};
  const BoxWalk walk(facts, at);
  EXPECT_EQ(walk.rowCount(), 8u);
  // Row 5 is (1, 0, 1) in dimensions 1, 2, 3.
  EXPECT_EQ(walk.row(5).address, 0x2000u + 16 + 2 * 32 + 2 * 128 + 4 * 384);
  EXPECT_FALSE(walk.row(2).isInside());
}

TEST(BoxWalk, OneDimension) {
  TensorMapFacts facts;
  facts.address = 0x3000;
  facts.rank = 1;
  facts.dims = {100};
  facts.box = {64};
  const int32_t at[] = {64};
  const BoxWalk walk(facts, at);
  EXPECT_EQ(walk.rowCount(), 1u);
  EXPECT_EQ(walk.row(0).last, 72u);
  EXPECT_EQ(walk.row(0).address, 0x3080u);
}

TEST(Swizzle, PermutesChunks) {
  EXPECT_EQ(swizzled(0x400 + 3 * 128 + 0x20, 128), 0x400u + 3 * 128 + 0x10);
  EXPECT_EQ(swizzled(0x400 + 2 * 64 + 0x04, 64), 0x400u + 2 * 64 + 0x14);
  EXPECT_EQ(swizzled(0x400 + 4 * 32, 32), 0x400u + 4 * 32 + 0x10);
  EXPECT_EQ(swizzled(0x1234, 0), 0x1234u);
}

TEST(Swizzle, IsItsOwnInverse) {
  for (const int32_t span : {0, 32, 64, 128})
    for (uint32_t at = 0; at < 2048; at += 4)
      EXPECT_EQ(swizzled(swizzled(at, span), span), at);
}

} // namespace
} // namespace tilewright::emulator
