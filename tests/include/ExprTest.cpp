// SPDX-License-Identifier: Apache-2.0
#include "tilewright/Expr.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

using namespace tilewright;

namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

int64_t valueOf(const Expr &expr) {
  Expected<int64_t> value = expr.evaluate({});
  EXPECT_TRUE(value) << value.status().message();
  return value ? *value : 0;
}

TEST(Expr, DefaultIsZero) {
  EXPECT_EQ(valueOf(Expr()), 0);
  EXPECT_TRUE(Expr().isConstant());
}

TEST(Expr, ReadsArgumentsAndTheDevice) {
  std::array<int64_t, 2> arguments = {1000, 7};
  ExprInputs inputs{.arguments = arguments, .smCount = 132};
  Expr m = Expr::argument(0);
  EXPECT_EQ(*Expr::ceilDiv(m, 128).evaluate(inputs), 8);
  EXPECT_EQ(*(m * Expr::argument(1) - 1).evaluate(inputs), 6999);
  EXPECT_EQ(*Expr::min(m, Expr::smCount()).evaluate(inputs), 132);
  EXPECT_EQ(*Expr::max(Expr::mod(m, 3), 5).evaluate(inputs), 5);
  EXPECT_FALSE(m.isConstant());
}

TEST(Expr, DivisionRoundsDownAndUpForEverySign) {
  EXPECT_EQ(valueOf(Expr::floorDiv(7, 2)), 3);
  EXPECT_EQ(valueOf(Expr::floorDiv(-7, 2)), -4);
  EXPECT_EQ(valueOf(Expr::floorDiv(7, -2)), -4);
  EXPECT_EQ(valueOf(Expr::floorDiv(-7, -2)), 3);
  EXPECT_EQ(valueOf(Expr::ceilDiv(7, 2)), 4);
  EXPECT_EQ(valueOf(Expr::ceilDiv(-7, 2)), -3);
  EXPECT_EQ(valueOf(Expr::ceilDiv(7, -2)), -3);
  EXPECT_EQ(valueOf(Expr::ceilDiv(-7, -2)), 4);
  EXPECT_EQ(valueOf(Expr::ceilDiv(8, 2)), 4);
  EXPECT_EQ(valueOf(Expr::mod(7, 3)), 1);
  EXPECT_EQ(valueOf(Expr::mod(-7, 3)), 2);
  EXPECT_EQ(valueOf(Expr::mod(7, -3)), -2);
  EXPECT_EQ(valueOf(Expr::mod(6, 3)), 0);
}

TEST(Expr, ModuloAndFloorDivisionRebuildTheDividend) {
  for (int64_t a = -20; a <= 20; ++a)
    for (int64_t b : {-7, -3, -1, 1, 2, 5})
      EXPECT_EQ(valueOf(Expr::floorDiv(a, b) * b + Expr::mod(a, b)), a) << a << " " << b;
}

TEST(Expr, OverflowIsAnError) {
  for (const Expr &expr : {Expr(kMax) + 1, Expr(kMin) - 1, Expr(kMax) * 2, Expr(kMin) * -1,
                           Expr::floorDiv(kMin, -1), Expr::ceilDiv(kMin, -1)}) {
    Expected<int64_t> value = expr.evaluate({});
    ASSERT_FALSE(value);
    EXPECT_EQ(value.status().code(), StatusCode::invalidArgument);
    EXPECT_NE(value.status().message().find("leaves the range"), std::string::npos);
  }
  EXPECT_EQ(valueOf(Expr::mod(kMin, -1)), 0);
  EXPECT_EQ(valueOf(Expr(kMax) + 0), kMax);
}

TEST(Expr, DivisionByZeroIsAnError) {
  for (const Expr &expr : {Expr::floorDiv(4, 0), Expr::ceilDiv(4, 0), Expr::mod(4, 0)}) {
    Expected<int64_t> value = expr.evaluate({});
    ASSERT_FALSE(value);
    EXPECT_NE(value.status().message().find("by zero"), std::string::npos);
  }
}

TEST(Expr, UnknownArgumentIsAnError) {
  std::array<int64_t, 1> arguments = {4};
  for (int32_t index : {1, -1, 100})
    EXPECT_FALSE(Expr::argument(index).evaluate({.arguments = arguments}));
}

TEST(Expr, JoiningAnExpressionWithItself) {
  Expr x = Expr(3) + 4;
  EXPECT_EQ(valueOf(x * x), 49);
  x = x - x;
  EXPECT_EQ(valueOf(x), 0);
}

TEST(Expr, EqualityIsOfStructure) {
  EXPECT_EQ(Expr(1) + 2, Expr(1) + 2);
  EXPECT_NE(Expr(1) + 2, Expr(2) + 1);
  EXPECT_NE(Expr(1) + 2, Expr(3));
}

TEST(Expr, DeepTreesNeedNoStack) {
  Expr sum;
  for (int i = 0; i < 20000; ++i)
    sum = std::move(sum) + 1;
  EXPECT_EQ(valueOf(sum), 20000);
}

} // namespace
