// SPDX-License-Identifier: Apache-2.0
#include "tilewright/DType.h"
#include "tilewright/DeviceInfo.h"

#include <gtest/gtest.h>

using namespace tilewright;

namespace {

TEST(DType, TableIsInTheOrderOfTheEnumAndParsesBack) {
  for (size_t i = 0; i < kDTypes.size(); ++i) {
    DType type = kDTypes[i].type;
    EXPECT_EQ(static_cast<size_t>(type), i);
    Expected<DType> parsed = parseDType(dtypeName(type));
    ASSERT_TRUE(parsed) << dtypeName(type);
    EXPECT_EQ(*parsed, type);
  }
}

TEST(DType, Sizes) {
  EXPECT_EQ(dtypeBits(DType::bf16), 16);
  EXPECT_EQ(dtypeBits(DType::fp16), 16);
  EXPECT_EQ(dtypeBytes(DType::fp32), 4);
  EXPECT_EQ(dtypeBytes(DType::tf32), 4);
  EXPECT_EQ(dtypeBytes(DType::e4m3), 1);
  EXPECT_EQ(dtypeBytes(DType::e5m2), 1);
  EXPECT_EQ(dtypeBytes(DType::int8), 1);
  EXPECT_EQ(dtypeBytes(DType::int32), 4);
}

TEST(DType, UnknownNameListsTheKnown) {
  for (std::string_view name : {"", "BF16", "bf16 ", "float"}) {
    Expected<DType> parsed = parseDType(name);
    ASSERT_FALSE(parsed) << name;
    EXPECT_EQ(parsed.status().code(), StatusCode::invalidArgument);
    EXPECT_NE(parsed.status().message().find("bf16, fp16, fp32, tf32, e4m3, e5m2, int8, int32"),
              std::string::npos);
  }
}

TEST(DeviceInfo, TargetsAreTheDatasheets) {
  Expected<DeviceInfo> h200 = DeviceInfo::forTarget("h200");
  ASSERT_TRUE(h200);
  EXPECT_EQ(h200->smCount, 132);
  EXPECT_EQ(h200->sharedBytesPerBlock, 232448);
  EXPECT_EQ(h200->l2Bytes, 50 * 1024 * 1024);
  EXPECT_NEAR(h200->tensorFlops16(), 989.4e12, 0.5e12);
  EXPECT_EQ(h200->memoryBandwidth, 4.8e12);

  Expected<DeviceInfo> h100 = DeviceInfo::forTarget("h100");
  ASSERT_TRUE(h100);
  EXPECT_EQ(h100->memoryBandwidth, 3.35e12);
  EXPECT_NE(*h100, *h200);
}

TEST(DeviceInfo, UnknownTargetIsTheCallersFault) {
  Expected<DeviceInfo> a100 = DeviceInfo::forTarget("a100");
  ASSERT_FALSE(a100);
  EXPECT_EQ(a100.status().code(), StatusCode::invalidArgument);
}

} // namespace
