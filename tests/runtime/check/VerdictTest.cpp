// SPDX-License-Identifier: Apache-2.0
// A kernel in fp32, done here on the host, passes; whatever is wrong with its result is found.
#include "runtime/check/Verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>
#include <numeric>

using namespace tilewright;
using testing::HasSubstr;

namespace {

/// A problem with its operands, its reference, and D as a right kernel leaves it.
struct Solved {
  GemmProblem problem;
  std::vector<OperandImage> images;
  ReferenceSums sums;
  OperandImage output;

  [[nodiscard]] const OperandImage &image(std::string_view role) const {
    for (const OperandImage &one : images)
      if (one.operand.role == role)
        return one;
    return images.front();
  }
  void set(int64_t row, int64_t column, double value) {
    encodeElement(problem.d, value, memory(row, column));
  }
  uint8_t *memory(int64_t row, int64_t column) {
    return output.bytes.data() + output.guard + output.operand.offset(row, column);
  }
  [[nodiscard]] Verdict verdict() const { return judge(problem, sums, images, output); }
};

float applyInFp32(const Solved &solved, float x, int64_t row, int64_t column) {
  const GemmProblem &problem = solved.problem;
  const auto read = [&](std::string_view role, int64_t r, int64_t c) {
    return static_cast<float>(solved.image(role).value(r, c));
  };
  if (problem.usesAlpha())
    x *= problem.alpha;
  if (problem.usesC())
    x = std::fma(read("c", row, column), problem.beta, x);
  for (const EpilogueOp &op : problem.epilogue.ops())
    switch (op.kind) {
    case EpilogueKind::bias:
      x += read("bias", 0, column);
      break;
    case EpilogueKind::biasRow:
      x += read("bias_row", 0, row);
      break;
    case EpilogueKind::residual:
      x += read("residual", row, column);
      break;
    case EpilogueKind::scaleRow:
      x *= read("scale_row", 0, row);
      break;
    case EpilogueKind::scaleCol:
      x *= read("scale_col", 0, column);
      break;
    case EpilogueKind::relu:
      x = std::max(x, 0.0F);
      break;
    case EpilogueKind::gelu:
      x = x / (1 + std::exp2(x * std::fma(x * x, -0.1029432F, -2.302208F)));
      break;
    case EpilogueKind::geluErf:
      x = 0.5F * x * (1 + std::erf(x * 0.7071067812F));
      break;
    default:
      x = x / (1 + std::exp(-x));
    }
  return x;
}

Solved solve(const GemmProblem &problem, uint64_t seed = 1) {
  Solved solved{problem, {}, {}, {}};
  for (const GemmOperand &operand : gemmOperands(problem)) {
    OperandImage image = makeImage(operand, guardBytes(operand), seed);
    (operand.isOutput ? solved.output : solved.images.emplace_back()) = std::move(image);
  }
  std::vector<int64_t> rows(static_cast<size_t>(problem.m));
  std::iota(rows.begin(), rows.end(), 0);
  solved.sums = sumOnHost(problem, solved.image("a"), solved.image("b"), rows);
  for (int64_t row = 0; row < problem.m; ++row)
    for (int64_t column = 0; column < problem.n; ++column) {
      float sum = 0;
      for (int64_t k = 0; k < problem.k; ++k)
        sum += static_cast<float>(solved.image("a").value(row, k)) *
               static_cast<float>(solved.image("b").value(column, k));
      solved.set(row, column, static_cast<double>(applyInFp32(solved, sum, row, column)));
    }
  return solved;
}

GemmProblem small() {
  GemmProblem problem{.m = 20, .n = 72, .k = 64};
  problem.ldd = 80;
  return problem;
}

TEST(Verdict, ARightResultPasses) {
  const Verdict verdict = solve(small()).verdict();
  EXPECT_TRUE(verdict.isRight()) << verdict.status().message();
  EXPECT_EQ(verdict.elementsCompared, 20 * 72);
  ASSERT_TRUE(verdict.relativeError);
  EXPECT_GT(*verdict.relativeError, 1e-3);
  EXPECT_GE(verdict.worstRow, 0);
  // Rounding to bf16 takes up to half of the step that is granted.
  EXPECT_GT(verdict.largestShare, 0.4);
  EXPECT_LT(verdict.largestShare, 0.6);
  EXPECT_THAT(verdict.summary(), HasSubstr("1440 elements, largest error 0."));
}

TEST(Verdict, EveryOpPassesForEveryTypeAndDepth) {
  for (DType type : {DType::bf16, DType::fp16})
    for (DType d : {DType::bf16, DType::fp16, DType::fp32})
      for (int64_t k : {0, 1, 8, 40, 500})
        for (const char *ops :
             {"", "bias", "bias_row", "relu", "gelu", "gelu_erf", "silu", "residual", "scale_row",
              "scale_col", "bias,gelu,scale_col,residual,silu,bias_row,gelu_erf"}) {
          GemmProblem problem{.m = 9, .n = 70, .k = k, .a = type, .b = type, .d = d};
          problem.epilogue = *Epilogue::parse(ops);
          if (k == 40) {
            problem.alpha = 0.37F;
            problem.beta = -1.25F;
          }
          const Verdict verdict = solve(problem).verdict();
          EXPECT_TRUE(verdict.isRight()) << dtypeName(type) << " to " << dtypeName(d) << ", K " << k
                                         << ", " << ops << ": " << verdict.status().message();
        }
}

TEST(Verdict, OneWrongElementFails) {
  Solved solved = solve(small());
  const double right = decodeElement(DType::bf16, solved.memory(11, 71));
  solved.set(11, 71, right + 4 * roundingStep(DType::bf16, right));
  const Verdict verdict = solved.verdict();
  EXPECT_EQ(verdict.wrong, 1);
  ASSERT_TRUE(verdict.first);
  EXPECT_EQ(verdict.first->row, 11);
  EXPECT_EQ(verdict.first->column, 71);
  EXPECT_EQ(verdict.status().code(), StatusCode::checkFailed);
  EXPECT_THAT(verdict.status().message(), HasSubstr("1 elements are wrong"));
  EXPECT_THAT(verdict.status().message(), HasSubstr("D[11, 71]"));
}

TEST(Verdict, OneStepOffPassesTwoFail) {
  // K = 0: nothing is granted but the step.
  GemmProblem problem{.m = 1, .n = 8, .k = 0};
  problem.epilogue.bias(DType::fp32);
  for (double steps : {0.9, 2.1}) {
    Solved solved = solve(problem);
    const double right = solved.image("bias").value(0, 5);
    encodeElement(problem.d, right + steps * roundingStep(problem.d, right), solved.memory(0, 5));
    EXPECT_EQ(solved.verdict().isRight(), steps < 1) << steps;
  }
}

TEST(Verdict, AnUnwrittenElementFails) {
  Solved solved = solve(small());
  std::memset(solved.memory(19, 70), kPoisonByte, 2);
  const Verdict verdict = solved.verdict();
  EXPECT_EQ(verdict.unwritten, 1);
  EXPECT_EQ(verdict.wrong, 1);
  EXPECT_THAT(verdict.status().message(), HasSubstr("1 of them never written"));
}

TEST(Verdict, WhatIsNotFiniteFails) {
  for (double value : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    Solved solved = solve(small());
    if (std::isnan(value)) {
      const uint16_t canonical = 0x7fff;
      std::memcpy(solved.memory(3, 4), &canonical, 2);
    } else {
      solved.set(3, 4, value);
    }
    const Verdict verdict = solved.verdict();
    EXPECT_EQ(verdict.notFinite, 1);
    EXPECT_EQ(verdict.unwritten, 0);
    EXPECT_FALSE(verdict.isRight());
  }
}

TEST(Verdict, ADamagedGuardOrGapFails) {
  const Solved right = solve(small());
  for (size_t at : {size_t{0}, right.output.guard - 1, right.output.guard + 72 * 2,
                    right.output.bytes.size() - 1}) {
    Solved solved = right;
    solved.output.bytes[at] = 0;
    const Verdict verdict = solved.verdict();
    EXPECT_EQ(verdict.damage.bytes, 1);
    EXPECT_THAT(verdict.status().message(), HasSubstr("overwritten"));
  }
}

TEST(Verdict, AChangedInputFails) {
  Verdict verdict = solve(small()).verdict();
  verdict.changedInputs = {"bias"};
  EXPECT_THAT(verdict.status().message(), HasSubstr("changed its input bias"));
}

// At a large K the bound by element is wider than the values: the row's error must see it.
TEST(Verdict, AWrongElementOfALongSumFails) {
  GemmProblem problem{.m = 2, .n = 256, .k = 20000};
  Solved solved = solve(problem);
  ASSERT_TRUE(solved.verdict().isRight()) << solved.verdict().status().message();
  solved.set(1, 100, decodeElement(problem.d, solved.memory(1, 100)) + 24);
  const Verdict verdict = solved.verdict();
  EXPECT_EQ(verdict.wrong, 0);
  EXPECT_EQ(verdict.worstRow, 1);
  EXPECT_THAT(verdict.status().message(), HasSubstr("the relative error of row 1"));
}

TEST(Verdict, AMissingSliceOfALongSumFails) {
  // The last 64 of K were left out.
  GemmProblem problem{.m = 3, .n = 128, .k = 8192};
  Solved solved = solve(problem);
  for (int64_t column = 0; column < problem.n; ++column) {
    double sum = 0;
    for (int64_t k = 0; k < problem.k - 64; ++k)
      sum += solved.image("a").value(1, k) * solved.image("b").value(column, k);
    solved.set(1, column, sum);
  }
  EXPECT_FALSE(solved.verdict().isRight());
}

TEST(Verdict, ASystematicErrorFails) {
  // One part in 250: within a step of bf16 for each element, and beyond what rounding does to all.
  Solved solved = solve(small());
  for (int64_t row = 0; row < 20; ++row)
    for (int64_t column = 0; column < 72; ++column)
      solved.set(row, column, 1.004 * decodeElement(DType::bf16, solved.memory(row, column)));
  EXPECT_THAT(solved.verdict().status().message(), HasSubstr("the relative error is"));
}

TEST(Verdict, FewElementsAndCancellingTermsHaveNoRelativeError) {
  EXPECT_FALSE(solve({.m = 1, .n = 63, .k = 8}).verdict().relativeError);
  EXPECT_FALSE(solve({.m = 8, .n = 80, .k = 0}).verdict().relativeError);

  Solved solved = solve(small());
  solved.problem.beta = 1; // C = -A·B, rounded: what is left is rounding
  OperandImage c = solved.output;
  c.operand.role = "c";
  solved.problem.ldc = solved.problem.ldd;
  for (int64_t row = 0; row < 20; ++row)
    for (int64_t column = 0; column < 72; ++column) {
      const size_t index = static_cast<size_t>(row * 72 + column);
      encodeElement(DType::bf16, -solved.sums.sums[index],
                    c.bytes.data() + c.guard + c.operand.offset(row, column));
      solved.set(row, column, solved.sums.sums[index] + c.value(row, column));
    }
  solved.images.push_back(c);
  const Verdict verdict = solved.verdict();
  EXPECT_FALSE(verdict.relativeError);
  EXPECT_EQ(verdict.worstRow, -1);
  EXPECT_TRUE(verdict.isRight()) << verdict.status().message();
}

TEST(Verdict, OverflowIsRightWhereTheReferenceOverflows) {
  GemmProblem problem{
      .m = 1, .n = 8, .k = 64, .a = DType::fp16, .b = DType::fp16, .d = DType::fp16};
  problem.alpha = 1e5F;
  Solved solved = solve(problem);
  ASSERT_TRUE(std::isinf(decodeElement(DType::fp16, solved.memory(0, 0))));
  EXPECT_TRUE(solved.verdict().isRight()) << solved.verdict().status().message();
  solved.set(0, 0, -decodeElement(DType::fp16, solved.memory(0, 0)));
  EXPECT_FALSE(solved.verdict().isRight());
}

TEST(Verdict, RowsWithoutAReferenceAreLookedAt) {
  Solved solved = solve(small());
  const auto keep = [&](size_t count) {
    solved.sums.rows.resize(count);
    solved.sums.sums.resize(count * 72);
    solved.sums.absolutes.resize(count * 72);
  };
  keep(4);
  solved.set(10, 3, 1e6); // not compared
  Verdict verdict = solved.verdict();
  EXPECT_TRUE(verdict.isRight()) << verdict.status().message();
  EXPECT_EQ(verdict.rowsCompared, 4);
  EXPECT_THAT(verdict.summary(), HasSubstr("288 elements (4 of 20 rows)"));

  std::memset(solved.memory(12, 0), kPoisonByte, 2);
  verdict = solved.verdict();
  EXPECT_EQ(verdict.unwritten, 1);
  EXPECT_THAT(verdict.status().message(), HasSubstr("D[12, 0]"));
}

TEST(Verdict, NothingToComputeIsRightIfNothingWasTouched) {
  for (auto [m, n] : {std::pair{0, 24}, {20, 0}, {0, 0}}) {
    Solved solved = solve({.m = m, .n = n, .k = 16});
    EXPECT_TRUE(solved.verdict().isRight());
    solved.output.bytes[100] = 1;
    EXPECT_FALSE(solved.verdict().isRight());
  }
}

} // namespace
