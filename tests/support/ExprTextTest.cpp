// SPDX-License-Identifier: Apache-2.0
#include "support/ExprText.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

using namespace tilewright;

namespace {

const std::vector<PlanArgument> kArguments = {{.name = "m"}, {.name = "n"}, {.name = "lda_2"}};

Expr m() { return Expr::argument(0); }
Expr n() { return Expr::argument(1); }

TEST(ExprText, ReadsAsAPersonWouldWriteIt) {
  auto print = [](const Expr &expr) { return printExpr(expr, kArguments); };
  EXPECT_EQ(print(Expr::ceilDiv(m(), 128) * Expr::ceilDiv(n(), 256)),
            "ceildiv(m, 128) * ceildiv(n, 256)");
  EXPECT_EQ(print(Expr::min(m(), Expr::smCount()) + 1), "min(m, sm_count) + 1");
  EXPECT_EQ(print(m() + n() + 1), "m + n + 1");
  EXPECT_EQ(print(m() - (n() - 1)), "m - (n - 1)");
  EXPECT_EQ(print(m() + (n() + 1)), "m + (n + 1)");
  EXPECT_EQ(print((m() + n()) * 2), "(m + n) * 2");
  EXPECT_EQ(print(m() * (n() * 2)), "m * (n * 2)");
  EXPECT_EQ(print(m() * n() + 2), "m * n + 2");
  EXPECT_EQ(print(m() - -3), "m - -3");
  EXPECT_EQ(print(Expr::mod(Expr::argument(2), 8)), "mod(lda_2, 8)");
}

Expr randomExpr(std::mt19937 &random, int depth) {
  if (depth == 0 || random() % 4 == 0) {
    switch (random() % 4) {
    case 0:
      return Expr::argument(static_cast<int32_t>(random() % kArguments.size()));
    case 1:
      return Expr::smCount();
    default:
      return Expr(static_cast<int64_t>(random() % 300) - 100);
    }
  }
  Expr a = randomExpr(random, depth - 1);
  Expr b = randomExpr(random, depth - 1);
  switch (random() % 8) {
  case 0:
    return a + b;
  case 1:
    return a - b;
  case 2:
    return a * b;
  case 3:
    return Expr::ceilDiv(a, b);
  case 4:
    return Expr::floorDiv(a, b);
  case 5:
    return Expr::mod(a, b);
  case 6:
    return Expr::min(a, b);
  default:
    return Expr::max(a, b);
  }
}

TEST(ExprText, RandomTreesReadBackEqual) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    Expr expr = randomExpr(random, 6);
    std::string text = printExpr(expr, kArguments);
    Expected<Expr> read = parseExpr(text, kArguments);
    ASSERT_TRUE(read) << text << ": " << read.status().message();
    ASSERT_EQ(*read, expr) << text;
  }
}

TEST(ExprText, SpacesAndNeedlessParenthesesAreAllowed) {
  EXPECT_EQ(*parseExpr(" ( m+n )*2 ", kArguments), (m() + n()) * 2);
  EXPECT_EQ(*parseExpr("((m))", kArguments), m());
  EXPECT_EQ(*parseExpr("min ( m , n )", kArguments), Expr::min(m(), n()));
  EXPECT_EQ(*parseExpr("-9223372036854775808", kArguments),
            Expr(std::numeric_limits<int64_t>::min()));
}

TEST(ExprText, MalformedTextSaysWhere) {
  struct Case {
    std::string text;
    std::string_view fault;
  };
  for (const auto &[text, fault] :
       {Case{"", "expected a number, a name or '(' at position 0"},
        Case{"m +", "expected a number, a name or '(' at position 3"},
        Case{"m n", "expected an operator or the end at position 2"},
        Case{"(m", "expected ')' at position 2"}, Case{"ceildiv(m)", "expected ','"},
        Case{"ceildiv m", "expected '('"}, Case{"min(m, n", "expected ')'"},
        Case{"k + 1", "'k' is no argument"}, Case{"m / n", "expected an operator"},
        Case{"99999999999999999999", "expected a number of 64 bits"},
        Case{"-m", "expected a number"}, Case{"m + $", "expected a number, a name"},
        Case{std::string(5000, '(') + "m", "nested deeper than"}}) {
    Expected<Expr> read = parseExpr(text, kArguments);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.status().code(), StatusCode::invalidArgument);
    EXPECT_NE(read.status().message().find(fault), std::string::npos)
        << text << ": " << read.status().message();
  }
}

TEST(ExprText, NamesThatExpressionsUseAreTaken) {
  for (std::string_view name : {"m", "lda", "_x1", "minimum"})
    EXPECT_TRUE(isExprName(name)) << name;
  for (std::string_view name : {"", "1m", "a b", "a-b", "min", "mod", "ceildiv", "sm_count", "ä"})
    EXPECT_FALSE(isExprName(name)) << name;
}

} // namespace
