// SPDX-License-Identifier: Apache-2.0
//
// Tensor maps: what they keep, and what the driver would refuse.
#include "runtime/emulator/copies/TensorMap.h"

#include <gtest/gtest.h>

namespace tilewright::emulator {
namespace {

TensorMapFacts legalFacts() {
  TensorMapFacts facts;
  facts.address = 0x1000;
  facts.type = ElementType::bfloat16;
  facts.rank = 3;
  facts.dims = {100, 50, 4};
  facts.strides = {208, 208 * 50};
  facts.box = {64, 8, 1};
  facts.swizzle = 128;
  return facts;
}

/// The complaint about legal facts after a change; "" for none.
template <typename Change>
std::string complaint(Change change) {
  TensorMapFacts facts = legalFacts();
  change(facts);
  TensorMapBytes bytes;
  const Status status = encodeTensorMap(facts, bytes);
  return status.isOk() ? "" : status.message();
}

TEST(TensorMap, KeepsFacts) {
  TensorMapBytes bytes;
  ASSERT_TRUE(encodeTensorMap(legalFacts(), bytes).isOk());
  const std::optional<TensorMapFacts> facts = decodeTensorMap(bytes.data());
  ASSERT_TRUE(facts.has_value());
  EXPECT_TRUE(*facts == legalFacts());
}

TEST(TensorMap, RefusesOtherBytes) {
  TensorMapBytes bytes = {};
  EXPECT_FALSE(decodeTensorMap(bytes.data()).has_value());
  ASSERT_TRUE(encodeTensorMap(legalFacts(), bytes).isOk());
  bytes[20] ^= 1;
  EXPECT_FALSE(decodeTensorMap(bytes.data()).has_value());
}

TEST(TensorMap, Rules) {
  EXPECT_EQ(complaint([](TensorMapFacts &) {}), "");
  EXPECT_EQ(complaint([](TensorMapFacts &facts) { facts.rank = 6; }),
            "a tensor map has 1 to 5 dimensions, found 6");
  EXPECT_EQ(complaint([](TensorMapFacts &facts) { facts.address = 0x1008; }),
            "the address of a tensor map is a multiple of 16, found 0x1008");
  EXPECT_EQ(complaint([](TensorMapFacts &facts) { facts.dims[1] = (uint64_t{1} << 32) + 1; }),
            "dimension 1 of a tensor map has 1 to 2^32 elements, found 4294967297");
  EXPECT_EQ(complaint([](TensorMapFacts &facts) { facts.strides[0] = 200; }),
            "dimension 1 of a tensor map has a stride that is a multiple of 16 bytes below 2^40, "
            "found 200");
  EXPECT_EQ(complaint([](TensorMapFacts &facts) { facts.box[1] = 257; }),
            "dimension 1 of a tensor map has a box of 1 to 256 elements, found 257");
  EXPECT_EQ(complaint([](TensorMapFacts &facts) { facts.box[0] = 12; }),
            "a row of a box is a multiple of 16 bytes, found 24");
  EXPECT_EQ(complaint([](TensorMapFacts &facts) { facts.box[0] = 128; }),
            "a row of a box has at most the 128 bytes of its swizzle, found 256");
  EXPECT_EQ(complaint([](TensorMapFacts &facts) { facts.swizzle = 256; }),
            "a swizzle spans 0, 32, 64 or 128 bytes, found 256");
}

TEST(TensorMap, TakesUnswizzledRowsAndEmptyTensors) {
  EXPECT_EQ(complaint([](TensorMapFacts &facts) {
              facts.box[0] = 256;
              facts.swizzle = 0;
            }),
            "");
  EXPECT_EQ(complaint([](TensorMapFacts &facts) { facts.dims[0] = 0; }), "");
}

TEST(TensorMap, DriverNumbers) {
  EXPECT_EQ(elementTypeOf(9), ElementType::bfloat16);
  EXPECT_EQ(elementTypeOf(7), ElementType::float32);
  EXPECT_EQ(elementTypeOf(0), ElementType::uint8);
  EXPECT_EQ(swizzleBytesOf(0), 0);
  EXPECT_EQ(swizzleBytesOf(1), 32);
  EXPECT_EQ(swizzleBytesOf(3), 128);
}

} // namespace
} // namespace tilewright::emulator
