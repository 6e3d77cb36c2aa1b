// SPDX-License-Identifier: Apache-2.0
// Values against other formulas, bounds against fp32 arithmetic that is done here.
#include "runtime/check/Estimate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

using namespace tilewright;

namespace {

constexpr EpilogueKind kFunctions[] = {EpilogueKind::relu, EpilogueKind::gelu,
                                       EpilogueKind::geluErf, EpilogueKind::silu};

/// The functions as textbooks have them.
double textbook(EpilogueKind kind, double x) {
  switch (kind) {
  case EpilogueKind::relu:
    return x > 0 ? x : 0;
  case EpilogueKind::gelu:
    return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
  case EpilogueKind::geluErf:
    return 0.5 * x * (1 + std::erf(x / std::numbers::sqrt2));
  default:
    return x / (1 + std::exp(-x));
  }
}

/// The same in fp32, by the formulas that templates/Epilogue.cpp generates.
float inFp32(EpilogueKind kind, float x) {
  switch (kind) {
  case EpilogueKind::relu:
    return std::max(x, 0.0F);
  case EpilogueKind::gelu: {
    const auto linear =
        static_cast<float>(-2 * std::sqrt(2 / std::numbers::pi) * std::numbers::log2e);
    return x * (1 / (std::exp2(x * std::fma(x * x, 0.044715F * linear, linear)) + 1));
  }
  case EpilogueKind::geluErf: {
    const float half = x * 0.5F;
    return std::fma(half, std::erf(x * static_cast<float>(1 / std::numbers::sqrt2)), half);
  }
  default:
    return x * (1 / (std::exp2(x * static_cast<float>(-std::numbers::log2e)) + 1));
  }
}

TEST(Estimate, FunctionsAreThoseOfTheTextbook) {
  for (EpilogueKind kind : kFunctions)
    for (double x = -12; x <= 12; x += 0.037)
      EXPECT_NEAR(applyFunction(kind, {.value = x}).value, textbook(kind, x), 1e-14 * (1 + x * x))
          << epilogueInfo(kind).name << " of " << x;
}

TEST(Estimate, FunctionsHoldAtTheEndsOfTheRange) {
  for (EpilogueKind kind : kFunctions)
    for (double x : {-3e38, -1e30, -1e5, -200.0, 0.0, 200.0, 1e5, 1e30, 3e38}) {
      const Estimate y = applyFunction(kind, {.value = x, .error = 1, .magnitude = std::fabs(x)});
      EXPECT_NEAR(y.value, x > 0 ? x : 0, 1e-80) << epilogueInfo(kind).name << " of " << x;
      EXPECT_TRUE(std::isfinite(y.error)) << epilogueInfo(kind).name << " of " << x;
      EXPECT_TRUE(std::isfinite(y.magnitude));
    }
}

TEST(Estimate, TheBoundHoldsForEveryInputWithinIt) {
  for (EpilogueKind kind : kFunctions)
    for (double x = -9; x <= 9; x += 0.01)
      for (double error : {1e-7, 1e-3, 0.1, 2.0, 30.0}) {
        const Estimate y = applyFunction(kind, {.value = x, .error = error});
        for (double share : {-1.0, -0.6, -0.1, 0.3, 0.8, 1.0})
          ASSERT_LE(std::fabs(textbook(kind, x + share * error) - y.value), y.error * (1 + 1e-12))
              << epilogueInfo(kind).name << " of " << x << " +- " << error;
      }
}

TEST(Estimate, TheBoundHoldsForTheGeneratedFormulas) {
  for (EpilogueKind kind : kFunctions)
    for (float x = -30; x <= 30; x += 0.0037F) {
      const Estimate y = applyFunction(kind, {.value = static_cast<double>(x)});
      ASSERT_LE(std::fabs(static_cast<double>(inFp32(kind, x)) - y.value), y.error)
          << epilogueInfo(kind).name << " of " << x;
    }
}

TEST(Estimate, TheFormulasCostLittleOf16Bits) {
  // Only the tail of gelu_erf is granted more than a tenth of a step of fp16.
  for (EpilogueKind kind : kFunctions)
    for (double x = -3; x <= 8; x += 0.01) {
      const Estimate y = applyFunction(kind, {.value = x});
      EXPECT_LE(y.error, 0x1p-11 * 0.2 * std::fabs(y.value) + 0x1p-24)
          << epilogueInfo(kind).name << " of " << x;
    }
}

TEST(Estimate, ASlopeIsTakenWhereTheValueIs) {
  // Far out on the left nothing is left of an error; on the right all of it is.
  for (EpilogueKind kind : kFunctions) {
    EXPECT_LE(applyFunction(kind, {.value = -20, .error = 1e-3}).error, 4e-6);
    EXPECT_NEAR(applyFunction(kind, {.value = 20, .error = 1e-3}).error, 1e-3, 1e-4);
  }
}

TEST(Estimate, SumsAndFactors) {
  const Estimate sum = estimateSum(-3, 40, 100);
  EXPECT_EQ(sum.value, -3);
  EXPECT_EQ(sum.error, 2 * 100 * 0x1p-24 * 40);
  EXPECT_EQ(sum.magnitude, 3);

  const Estimate scaled = scale({.value = 3, .error = 0.5, .magnitude = 4}, -2);
  EXPECT_EQ(scaled.value, -6);
  EXPECT_NEAR(scaled.error, 1, 1e-6);
  EXPECT_GT(scaled.error, 1);
  EXPECT_EQ(scaled.magnitude, 8);

  const Estimate added = add({.value = 3, .error = 0.5, .magnitude = 4}, -10);
  EXPECT_EQ(added.value, -7);
  EXPECT_NEAR(added.error, 0.5, 1e-6);
  EXPECT_EQ(added.magnitude, 10);
}

TEST(Estimate, EveryOpDoesWhatItSays) {
  const Estimate x{.value = 1.5};
  for (EpilogueKind kind : {EpilogueKind::bias, EpilogueKind::biasRow, EpilogueKind::residual})
    EXPECT_EQ(applyOp(kind, x, 2).value, 3.5);
  for (EpilogueKind kind : {EpilogueKind::scaleRow, EpilogueKind::scaleCol})
    EXPECT_EQ(applyOp(kind, x, 2).value, 3);
  for (EpilogueKind kind : kFunctions)
    EXPECT_EQ(applyOp(kind, x, 2).value, applyFunction(kind, x).value);
}

} // namespace
