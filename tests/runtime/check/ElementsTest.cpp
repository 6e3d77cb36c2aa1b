// SPDX-License-Identifier: Apache-2.0
#include "runtime/check/Elements.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>

using namespace tilewright;

namespace {

uint16_t encoded(DType type, double value) {
  uint16_t bits = 0;
  encodeElement(type, value, &bits);
  return bits;
}

TEST(Elements, Bf16HasTheUpperHalfOfFp32) {
  EXPECT_EQ(encoded(DType::bf16, 1), 0x3f80);
  EXPECT_EQ(encoded(DType::bf16, -2.5), 0xc020);
  // Ties go to even: 1 + 2^-8 is between 1 and 1 + 2^-7.
  EXPECT_EQ(encoded(DType::bf16, 1 + 0x1p-8), 0x3f80);
  EXPECT_EQ(encoded(DType::bf16, 1 + 0x3p-8), 0x3f82);
  EXPECT_EQ(encoded(DType::bf16, 0x1p-133), 0x0001);
  EXPECT_EQ(encoded(DType::bf16, 3.4e38), 0x7f80);
}

TEST(Elements, Fp16HasSubnormalsAndOverflows) {
  EXPECT_EQ(encoded(DType::fp16, 1), 0x3c00);
  EXPECT_EQ(encoded(DType::fp16, -65504), 0xfbff);
  EXPECT_EQ(encoded(DType::fp16, 65519), 0x7bff);
  EXPECT_EQ(encoded(DType::fp16, 65520), 0x7c00);
  EXPECT_EQ(encoded(DType::fp16, 0x1p-24), 0x0001);
  EXPECT_EQ(encoded(DType::fp16, 0x1p-25), 0x0000);
  EXPECT_EQ(encoded(DType::fp16, 0x1.8p-24), 0x0002);
  EXPECT_EQ(encoded(DType::fp16, 0x1.ffcp-15), 0x0400) << "rounds up into the normal numbers";
}

TEST(Elements, EveryPatternComesBack) {
  for (DType type : {DType::bf16, DType::fp16})
    for (uint32_t bits = 0; bits < 65536; ++bits) {
      const auto pattern = static_cast<uint16_t>(bits);
      const double value = decodeElement(type, &pattern);
      if (std::isnan(value))
        EXPECT_TRUE(std::isnan(roundToElement(type, value)));
      else
        EXPECT_EQ(encoded(type, value), pattern) << dtypeName(type) << " " << bits;
    }
}

TEST(Elements, RoundingToFp32IsTheMachines) {
  uint64_t bits = 88172645463325252;
  for (int i = 0; i < 100000; ++i) {
    bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
    const double value = std::ldexp(static_cast<double>(static_cast<int64_t>(bits)),
                                    static_cast<int>(bits % 240) - 190);
    EXPECT_EQ(roundToElement(DType::fp32, value), static_cast<double>(static_cast<float>(value)));
  }
}

TEST(Elements, ARoundingStepIsTheDistanceToTheNextNumber) {
  for (DType type : {DType::bf16, DType::fp16})
    for (uint16_t bits : {0x0000, 0x0001, 0x03ff, 0x0400, 0x3c00, 0x3f80, 0x3fff, 0x7bfe}) {
      const auto next = static_cast<uint16_t>(bits + 1);
      EXPECT_EQ(roundingStep(type, decodeElement(type, &bits)),
                decodeElement(type, &next) - decodeElement(type, &bits))
          << dtypeName(type) << " " << bits;
    }
  EXPECT_EQ(roundingStep(DType::fp32, 1.5), 0x1p-23);
  EXPECT_EQ(roundingStep(DType::fp32, -0.75), 0x1p-24);
}

TEST(Elements, PoisonIsNoNumberInAnyType) {
  unsigned char memory[4];
  std::memset(memory, kPoisonByte, sizeof memory);
  for (DType type : {DType::bf16, DType::fp16, DType::fp32}) {
    EXPECT_TRUE(std::isnan(decodeElement(type, memory)));
    EXPECT_TRUE(isPoison(type, memory));
  }
  // What a device makes of invalid operations is another NaN.
  const uint16_t canonical = 0x7fff;
  EXPECT_FALSE(isPoison(DType::bf16, &canonical));
  EXPECT_FALSE(isPoison(DType::fp16, &canonical));
}

} // namespace
