// SPDX-License-Identifier: Apache-2.0
#include "runtime/check/Operands.h"
#include "runtime/check/RowSample.h"
#include "templates/gemm/Arguments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

using namespace tilewright;

namespace {

GemmProblem paddedProblem() {
  GemmProblem problem{.m = 5, .n = 24, .k = 16};
  problem.lda = 24;
  problem.ldd = 32;
  problem.beta = 2;
  problem.ldc = 25;
  problem.epilogue.bias(DType::fp32).biasRow().residual({}, 40).scaleCol();
  return problem;
}

TEST(Operands, AreTheArgumentsOfTheKernel) {
  const GemmProblem problem = paddedProblem();
  std::vector<GemmArgument> pointers;
  for (const GemmArgument &argument : gemmArguments(problem))
    if (argument.kind == ArgumentKind::pointer)
      pointers.push_back(argument);
  const std::vector<GemmOperand> operands = gemmOperands(problem);
  ASSERT_EQ(operands.size(), pointers.size());
  for (size_t i = 0; i < operands.size(); ++i) {
    EXPECT_EQ(operands[i].role, pointers[i].name);
    EXPECT_EQ(operands[i].type, pointers[i].dtype) << operands[i].role;
    EXPECT_EQ(operands[i].isOutput, pointers[i].access == Access::write) << operands[i].role;
    EXPECT_EQ(static_cast<int64_t>(operands[i].bytes()),
              pointers[i].elements * dtypeBytes(pointers[i].dtype))
        << operands[i].role;
  }
}

TEST(Operands, EmptyOnesHaveNoBytes) {
  for (const GemmOperand &operand : gemmOperands({.m = 0, .n = 8, .k = 0}))
    EXPECT_EQ(operand.bytes(), 0u) << operand.role;
}

TEST(Operands, ContentsAreNormalAndTheSameForEachSeed) {
  const GemmOperand operand{"a", DType::fp32, 300, 1000, 1000};
  const OperandImage image = makeImage(operand, 0, 7);
  double sum = 0, squares = 0, fourth = 0, neighbours = 0, largest = 0;
  for (int64_t row = 0; row < operand.rows; ++row)
    for (int64_t column = 0; column < operand.columns; ++column) {
      const double x = image.value(row, column);
      sum += x;
      squares += x * x;
      fourth += x * x * x * x;
      largest = std::max(largest, std::fabs(x));
      if (column > 0)
        neighbours += x * image.value(row, column - 1);
    }
  const double count = 300000;
  EXPECT_NEAR(sum / count, 0, 0.01);
  EXPECT_NEAR(squares / count, 1, 0.015);
  EXPECT_NEAR(fourth / count, 3, 0.1);
  EXPECT_NEAR(neighbours / count, 0, 0.01);
  EXPECT_GT(largest, 4);
  EXPECT_LT(largest, 4.5);

  EXPECT_EQ(image.bytes, makeImage(operand, 0, 7).bytes);
  EXPECT_NE(image.bytes, makeImage(operand, 0, 8).bytes);
  EXPECT_NE(image.bytes, makeImage({"b", DType::fp32, 300, 1000, 1000}, 0, 7).bytes);
}

TEST(Operands, ContentsDoNotDependOnThePitch) {
  const OperandImage tight = makeImage({"a", DType::bf16, 3, 70, 70}, 0, 1);
  const OperandImage padded = makeImage({"a", DType::bf16, 3, 70, 80}, 256, 1);
  for (int64_t row = 0; row < 3; ++row)
    for (int64_t column = 0; column < 70; ++column)
      EXPECT_EQ(tight.value(row, column), padded.value(row, column));
}

TEST(Operands, AllElseIsPoison) {
  for (const GemmOperand &operand : gemmOperands(paddedProblem())) {
    const OperandImage image = makeImage(operand, 512, 1);
    EXPECT_EQ(image.bytes.size(), operand.bytes() + 1024);
    EXPECT_EQ(findDamage(image), Damage()) << operand.role;
    for (int64_t row = 0; row < operand.rows; ++row)
      for (int64_t column = 0; column < operand.columns; ++column)
        EXPECT_EQ(isPoison(operand.type, image.at(row, column)), operand.isOutput) << operand.role;
  }
}

TEST(Operands, DamageIsFoundWhereverItIs) {
  const GemmOperand operand{"d", DType::bf16, 4, 10, 16, true};
  const OperandImage image = makeImage(operand, 256, 1);
  for (int64_t offset :
       {int64_t{-256}, int64_t{-1}, int64_t{20}, int64_t{31}, int64_t{95},
        static_cast<int64_t>(operand.bytes()), static_cast<int64_t>(operand.bytes()) + 255}) {
    OperandImage damaged = image;
    damaged.bytes[static_cast<size_t>(256 + offset)] = 0;
    EXPECT_EQ(findDamage(damaged), (Damage{1, offset}));
  }
  // Elements are no gap.
  OperandImage written = image;
  for (int64_t row = 0; row < 4; ++row)
    std::fill_n(written.bytes.begin() + 256 + row * 32, 20, uint8_t{0});
  EXPECT_EQ(findDamage(written), Damage());
}

TEST(Operands, GuardsHoldTwoRows) {
  EXPECT_EQ(guardBytes({"d", DType::bf16, 4, 10, 16}), 4096u);
  EXPECT_EQ(guardBytes({"d", DType::bf16, 4, 4096, 4097}), 16640u);
  EXPECT_EQ(guardBytes({"bias", DType::fp32, 1, 1 << 20, 1 << 20}), 1u << 20);
}

TEST(RowSample, TakesAllRowsWithinTheLimits) {
  const std::vector<int64_t> rows = sampleRows({.m = 4096, .n = 4096, .k = 4096}, {}, 1);
  ASSERT_EQ(rows.size(), 4096u);
  EXPECT_EQ(rows.front(), 0);
  EXPECT_EQ(rows.back(), 4095);
  EXPECT_TRUE(sampleRows({.m = 0, .n = 8, .k = 8}, {}, 1).empty());
}

TEST(RowSample, BeyondThemTakesTheEndsAndSomeBetween) {
  const GemmProblem problem{.m = 8192, .n = 28672, .k = 4096};
  const std::vector<int64_t> rows = sampleRows(problem, {}, 1);
  EXPECT_EQ(rows.size(), size_t{(1 << 24) / 28672});
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
  EXPECT_TRUE(std::adjacent_find(rows.begin(), rows.end()) == rows.end());
  for (size_t i = 0; i < 128; ++i) {
    EXPECT_EQ(rows[i], static_cast<int64_t>(i));
    EXPECT_EQ(rows[rows.size() - 1 - i], 8191 - static_cast<int64_t>(i));
  }
  EXPECT_GT(rows[300] - rows[200], 100);
  EXPECT_EQ(rows, sampleRows(problem, {}, 1));
  EXPECT_NE(rows, sampleRows(problem, {}, 2));
}

TEST(RowSample, IsNeverSmallerThanThreeEdges) {
  EXPECT_EQ(sampleRows({.m = 100000, .n = 100000, .k = 65536}, {}, 1).size(), 384u);
}

} // namespace
