// SPDX-License-Identifier: Apache-2.0
#include "runtime/emulator/matrix/Multiply.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace tilewright::emulator {
namespace {

TEST(Fragments, AccumulatorsCoverTheTileOnce) {
  for (int32_t n = 8; n <= kMaxColumns; n += 8) {
    std::set<std::pair<int32_t, int32_t>> places;
    for (int32_t thread = 0; thread < kWarpgroup; ++thread)
      for (int32_t reg = 0; reg < n / 2; ++reg)
        places.insert({rowOf(thread, reg), columnOf(thread, reg)});
    ASSERT_EQ(places.size(), static_cast<size_t>(kMatrixRows * n));
    EXPECT_EQ(*places.begin(), std::make_pair(0, 0));
    EXPECT_EQ(*places.rbegin(), std::make_pair(kMatrixRows - 1, n - 1));
  }
}

TEST(Fragments, RegistersOfACoverTheTileOnce) {
  std::set<std::pair<int32_t, int32_t>> places;
  for (int32_t thread = 0; thread < kWarpgroup; ++thread)
    for (int32_t reg = 0; reg < 4; ++reg)
      for (int32_t half = 0; half < 2; ++half)
        places.insert({fragmentRow(thread, reg), fragmentDepth(thread, reg, half)});
  EXPECT_EQ(places.size(), static_cast<size_t>(kMatrixRows * kMatrixDepth));
}

// Packed pairs of accumulators are fragments of A: attention multiplies by what it has computed.
TEST(Fragments, AccumulatorsOf16ColumnsAreOneFragment) {
  for (int32_t thread = 0; thread < kWarpgroup; ++thread)
    for (int32_t reg = 0; reg < 8; ++reg) {
      EXPECT_EQ(rowOf(thread, reg), fragmentRow(thread, reg / 2));
      EXPECT_EQ(columnOf(thread, reg), fragmentDepth(thread, reg / 2, reg % 2));
    }
}

TEST(Widen, Bf16IsTheUpperHalf) {
  EXPECT_EQ(widenBf16(0x3f80), 1.0F);
  EXPECT_EQ(widenBf16(0xc040), -3.0F);
  EXPECT_EQ(widenBf16(0x0001), 0x1p-133F);
  EXPECT_TRUE(std::isinf(widenBf16(0x7f80)));
  EXPECT_TRUE(std::isnan(widenBf16(0x7fc0)));
  EXPECT_TRUE(std::signbit(widenBf16(0x8000)));
}

TEST(Widen, HalfIsExactForEveryNumber) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float value = widenHalf(static_cast<uint16_t>(bits));
    const auto exponent = static_cast<int>(bits >> 10 & 31);
    const auto fraction = static_cast<double>(bits & 0x3ff);
    ASSERT_EQ(std::signbit(value), bits >= 0x8000) << bits;
    if (exponent == 31 && fraction != 0) {
      ASSERT_TRUE(std::isnan(value)) << bits;
      continue;
    }
    const double size = exponent == 31  ? std::numeric_limits<double>::infinity()
                        : exponent == 0 ? std::ldexp(fraction, -24)
                                        : std::ldexp(1024 + fraction, exponent - 25);
    ASSERT_EQ(std::fabs(static_cast<double>(value)), size) << bits;
  }
}

struct Product {
  explicit Product(int32_t columns)
      : n(columns), operands(std::make_unique<Operands>()),
        d(static_cast<size_t>(kWarpgroup * columns / 2), -1.0F) {}

  float &a(int32_t row, int32_t k) {
    return operands->a[static_cast<size_t>(row * kMatrixDepth + k)];
  }
  float &b(int32_t k, int32_t column) {
    return operands->b[static_cast<size_t>(k * kMaxColumns + column)];
  }
  template <typename Body>
  void forEach(Body body) {
    for (int32_t thread = 0; thread < kWarpgroup; ++thread)
      for (int32_t reg = 0; reg < n / 2; ++reg)
        body(rowOf(thread, reg), columnOf(thread, reg),
             d[static_cast<size_t>(thread * n / 2 + reg)]);
  }

  int32_t n;
  std::unique_ptr<Operands> operands;
  std::vector<float> d;
};

/// Small numbers, whose sums are exact.
void fillSmall(Product &product) {
  for (int32_t k = 0; k < kMatrixDepth; ++k) {
    for (int32_t row = 0; row < kMatrixRows; ++row)
      product.a(row, k) = static_cast<float>((row * 3 + k * 5) % 17 - 8);
    for (int32_t column = 0; column < kMaxColumns; ++column)
      product.b(k, column) = static_cast<float>((column * 7 + k) % 13 - 6);
  }
}

TEST(Multiply, IsExactForSmallNumbersAndEveryN) {
  for (int32_t n = 8; n <= kMaxColumns; n += 8) {
    Product product(n);
    fillSmall(product);
    multiply(*product.operands, n, nullptr, product.d.data());
    const std::vector<float> c(product.d.size(), 3.0F);
    Product added(n);
    fillSmall(added);
    multiply(*added.operands, n, c.data(), added.d.data());
    multiply(*product.operands, n, product.d.data(), product.d.data());
    product.forEach([&](int32_t row, int32_t column, float value) {
      float sum = 0;
      for (int32_t k = 0; k < kMatrixDepth; ++k)
        sum += product.a(row, k) * product.b(k, column);
      ASSERT_EQ(value, 2 * sum) << n << ": " << row << ", " << column;
    });
    for (size_t i = 0; i < c.size(); ++i)
      ASSERT_EQ(added.d[i], product.d[i] / 2 + 3.0F);
  }
}

// The stated order: along k in fp32 first, then the accumulator.
TEST(Multiply, AddsInTheStatedOrder) {
  Product product(8);
  for (int32_t k = 0; k < kMatrixDepth; ++k) {
    product.a(0, k) = k == 0 ? 0x1p24F : 1.0F;
    product.b(k, 0) = 1.0F;
  }
  std::vector<float> c(product.d.size(), -0x1p24F);
  multiply(*product.operands, 8, c.data(), product.d.data());
  // Each 1 is lost: 2^24 + 1 is rounded to even.
  EXPECT_EQ(product.d[0], 0.0F);
  std::swap(product.a(0, 0), product.a(0, kMatrixDepth - 1));
  multiply(*product.operands, 8, c.data(), product.d.data());
  // 15 ones first: 2^24 + 15 is rounded to 2^24 + 16.
  EXPECT_EQ(product.d[0], 16.0F);
}

TEST(Multiply, StaysWithinItsBoundOfADoubleSum) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  Product product(kMaxColumns);
  const auto draw = [&] { return std::ldexp(std::round(std::ldexp(normal(random), 7)), -7); };
  for (float &value : product.operands->a)
    value = draw();
  for (float &value : product.operands->b)
    value = draw();
  multiply(*product.operands, product.n, nullptr, product.d.data());
  product.forEach([&](int32_t row, int32_t column, float value) {
    double sum = 0, size = 0;
    for (int32_t k = 0; k < kMatrixDepth; ++k) {
      const double term = static_cast<double>(product.a(row, k)) * product.b(k, column);
      sum += term;
      size += std::fabs(term);
    }
    ASSERT_LE(std::fabs(value - sum), kMatrixDepth * 0x1p-24 * size);
  });
}

TEST(Multiply, CarriesNaN) {
  Product product(8);
  product.operands->a.fill(0);
  product.operands->b.fill(0);
  product.a(5, 3) = std::numeric_limits<float>::quiet_NaN();
  multiply(*product.operands, 8, nullptr, product.d.data());
  product.forEach(
      [](int32_t row, int32_t, float value) { ASSERT_EQ(std::isnan(value), row == 5); });
}

} // namespace
} // namespace tilewright::emulator
