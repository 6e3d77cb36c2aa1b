// SPDX-License-Identifier: Apache-2.0

#include "compiler/evaluator/Rounding.h"

#include "llvm/ADT/APFloat.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace tilewright {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Rounding, Bf16TiesGoToEven) {
  EXPECT_EQ(roundTo(kBf16, 1 + 0x1p-8), 1.0);
  EXPECT_EQ(roundTo(kBf16, 1 + 3 * 0x1p-8), 1 + 0x1p-6);
  EXPECT_EQ(roundTo(kBf16, 1 + 0x1p-8 + 0x1p-40), 1 + 0x1p-7);
  EXPECT_EQ(roundTo(kBf16, -(1 + 0x1p-8)), -1.0);
}

TEST(Rounding, RoundsOnce) {
  // To f32 first, this becomes the tie 1 + 2^-8 and then 1; to bf16 at once it is above the tie.
  EXPECT_EQ(roundTo(kBf16, 1 + 0x1p-8 + 0x1p-45), 1 + 0x1p-7);
  EXPECT_EQ(roundTo(kBf16, roundTo(kFp32, 1 + 0x1p-8 + 0x1p-45)), 1.0);
}

TEST(Rounding, Fp16OverflowsToInfinity) {
  EXPECT_EQ(roundTo(kFp16, 65504), 65504);
  EXPECT_EQ(roundTo(kFp16, 65519.99), 65504);
  EXPECT_EQ(roundTo(kFp16, 65520), kInfinity);
  EXPECT_EQ(roundTo(kFp16, -65520), -kInfinity);
}

TEST(Rounding, SubnormalsKeepTheirQuantum) {
  EXPECT_EQ(roundTo(kFp16, 0x1p-24), 0x1p-24);
  EXPECT_EQ(roundTo(kFp16, 0x1p-25), 0.0);
  EXPECT_EQ(roundTo(kFp16, 0x1.8p-25), 0x1p-24);
  EXPECT_EQ(roundTo(kFp16, 0x1.4p-23), 0x1p-23);
  EXPECT_EQ(roundTo(kBf16, 0x1p-133), 0x1p-133);
  EXPECT_EQ(roundTo(kBf16, 0x1p-135), 0.0);
}

TEST(Rounding, SpecialNumbersStay) {
  for (FloatFormat format : {kBf16, kFp16, kFp32, kTf32}) {
    EXPECT_TRUE(std::isnan(roundTo(format, std::nan(""))));
    EXPECT_EQ(roundTo(format, kInfinity), kInfinity);
    EXPECT_EQ(roundTo(format, -kInfinity), -kInfinity);
    EXPECT_TRUE(std::signbit(roundTo(format, -0.0)));
    EXPECT_TRUE(std::signbit(roundTo(format, -1e-300))) << "underflow keeps the sign";
  }
}

TEST(Rounding, EightBitFormatsSaturate) {
  EXPECT_EQ(roundTo(kE4m3, 1000), 448);
  EXPECT_EQ(roundTo(kE4m3, -kInfinity), -448);
  EXPECT_EQ(roundTo(kE4m3, 449), 448);
  EXPECT_EQ(roundTo(kE4m3, 0x1p-9), 0x1p-9);
  EXPECT_EQ(roundTo(kE4m3, 0x1p-10), 0.0);
  EXPECT_EQ(roundTo(kE5m2, 1e9), 57344);
  EXPECT_EQ(roundTo(kE5m2, 1.125), 1.0);
  EXPECT_EQ(roundTo(kE5m2, 1.375), 1.5);
}

double roundByLlvm(const llvm::fltSemantics &semantics, double number) {
  llvm::APFloat value(number);
  bool losesInfo = false;
  value.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return value.convertToDouble();
}

/// Numbers of every size that the formats hold, many of them ties or next to one.
template <typename F>
void forManyNumbers(F visit) {
  uint64_t state = 88172645463325252ull;
  for (int i = 0; i < 200000; ++i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    int exponent = int(state >> 40) % 300 - 150;
    uint64_t fraction = state & 0x000FFFFF00000000ull;
    if (state & 1)
      fraction |= 1;
    double significand = std::bit_cast<double>(0x3FF0000000000000ull | fraction);
    visit(std::ldexp(state & 2 ? significand : -significand, exponent));
  }
}

TEST(Rounding, AgreesWithLlvm) {
  forManyNumbers([](double number) {
    ASSERT_EQ(roundTo(kBf16, number), roundByLlvm(llvm::APFloat::BFloat(), number)) << number;
    ASSERT_EQ(roundTo(kFp16, number), roundByLlvm(llvm::APFloat::IEEEhalf(), number)) << number;
    ASSERT_EQ(roundTo(kTf32, number), roundByLlvm(llvm::APFloat::FloatTF32(), number)) << number;
  });
}

TEST(Rounding, AgreesWithTheMachineOnFp32) {
  forManyNumbers([](double number) { ASSERT_EQ(roundTo(kFp32, number), double(float(number))); });
}

TEST(Rounding, LeavesEveryHalfAlone) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    double number = std::bit_cast<float>(bits << 16);
    if (!std::isnan(number)) {
      ASSERT_EQ(roundTo(kBf16, number), number);
    }
  }
}

} // namespace
} // namespace tilewright
