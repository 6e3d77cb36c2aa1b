// SPDX-License-Identifier: Apache-2.0
#include "templates/gemm/Arguments.h"

#include <gtest/gtest.h>

using namespace tilewright;

namespace {

std::string names(const GemmProblem &problem) {
  std::string text;
  for (const GemmArgument &argument : gemmArguments(problem))
    text += (text.empty() ? "" : " ") + argument.name;
  return text;
}

GemmProblem withEpilogue(std::string_view epilogue) {
  GemmProblem problem{.m = 100, .n = 200, .k = 304};
  problem.epilogue = *Epilogue::parse(epilogue);
  return problem;
}

GemmArgument find(const GemmProblem &problem, std::string_view name) {
  for (const GemmArgument &argument : gemmArguments(problem))
    if (argument.name == name)
      return argument;
  ADD_FAILURE() << "no argument " << name;
  return {};
}

TEST(GemmArguments, PlainProblem) { EXPECT_EQ(names(withEpilogue("")), "a b d m n k lda ldb ldd"); }

TEST(GemmArguments, FactorsAreArgumentsUnlessTheyAreNeutral) {
  GemmProblem problem = withEpilogue("");
  problem.alpha = 0.5F;
  EXPECT_EQ(names(problem), "a b d m n k lda ldb ldd alpha");
  problem.beta = 2;
  EXPECT_EQ(names(problem), "a b c d m n k lda ldb ldc ldd alpha beta");
  problem.alpha = 1;
  EXPECT_EQ(names(problem), "a b c d m n k lda ldb ldc ldd beta");
  EXPECT_EQ(find(problem, "beta").number, 2);
  // Zero is a value like any other.
  problem.alpha = 0;
  EXPECT_EQ(find(problem, "alpha").number, 0);
}

TEST(GemmArguments, OperandsComeInListOrder) {
  EXPECT_EQ(names(withEpilogue("relu,scale_col,bias_row,silu,residual,bias,scale_row,gelu")),
            "a b d scale_col bias_row residual bias scale_row m n k lda ldb ldd ldr");
}

TEST(GemmArguments, ScalarsHoldTheProblemsValues) {
  GemmProblem problem = withEpilogue("residual:fp32:ld256");
  problem.ldb = 312;
  EXPECT_EQ(find(problem, "m").integer, 100);
  EXPECT_EQ(find(problem, "n").integer, 200);
  EXPECT_EQ(find(problem, "k").integer, 304);
  EXPECT_EQ(find(problem, "lda").integer, 304);
  EXPECT_EQ(find(problem, "ldb").integer, 312);
  EXPECT_EQ(find(problem, "ldd").integer, 200);
  EXPECT_EQ(find(problem, "ldr").integer, 256);
  EXPECT_EQ(find(problem, "m").kind, ArgumentKind::i32);
  EXPECT_EQ(find(problem, "lda").kind, ArgumentKind::i64);
}

TEST(GemmArguments, PointersSayTypeAccessAndExtent) {
  GemmProblem problem = withEpilogue("bias,bias_row:fp32,scale_row,residual:fp16:ld256");
  problem.d = DType::fp32;
  problem.ldb = 312;
  problem.beta = 1;
  EXPECT_EQ(find(problem, "a").dtype, DType::bf16);
  EXPECT_EQ(find(problem, "a").elements, 100 * 304);
  EXPECT_EQ(find(problem, "b").elements, 199 * 312 + 304);
  EXPECT_EQ(find(problem, "c").dtype, DType::fp32);
  EXPECT_EQ(find(problem, "d").access, Access::write);
  EXPECT_EQ(find(problem, "a").access, Access::read);
  EXPECT_EQ(find(problem, "bias").dtype, DType::fp32);
  EXPECT_EQ(find(problem, "bias").elements, 200);
  EXPECT_EQ(find(problem, "bias_row").elements, 100);
  EXPECT_EQ(find(problem, "scale_row").dtype, DType::fp32);
  EXPECT_EQ(find(problem, "residual").dtype, DType::fp16);
  EXPECT_EQ(find(problem, "residual").elements, 99 * 256 + 200);
  for (const GemmArgument &argument : gemmArguments(problem))
    EXPECT_FALSE(argument.description.empty()) << argument.name;
}

TEST(GemmArguments, EmptyProblemsTouchNothing) {
  GemmProblem problem{.m = 0, .n = 200, .k = 304};
  EXPECT_EQ(find(problem, "a").elements, 0);
  EXPECT_EQ(find(problem, "d").elements, 0);
  problem = {.m = 100, .n = 200, .k = 0};
  EXPECT_EQ(find(problem, "a").elements, 0);
  EXPECT_EQ(find(problem, "d").elements, 100 * 200);
}

TEST(RowAlignment, IsThePowerOfTwoUpTo16) {
  EXPECT_EQ(rowAlignment(4096, DType::bf16), 16);
  EXPECT_EQ(rowAlignment(8, DType::bf16), 16);
  EXPECT_EQ(rowAlignment(12, DType::bf16), 8);
  EXPECT_EQ(rowAlignment(301, DType::bf16), 2);
  EXPECT_EQ(rowAlignment(301, DType::fp32), 4);
  EXPECT_EQ(rowAlignment(302, DType::fp32), 8);
  EXPECT_EQ(rowAlignment(0, DType::fp32), 16);
}

} // namespace
