// SPDX-License-Identifier: Apache-2.0
// A trial from memory to verdict, on the fake driver: its memory is the host's, so a test's
// function takes the part of the kernels.
#include "runtime/check/GemmTrial.h"
#include "tests/runtime/driver/OnFakeDriver.h"

#include <gmock/gmock.h>

#include <cstring>

using namespace tilewright;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// Does what reference.cu does, for a launch of it.
void runReference(const fake::Launch &launch) {
  if (launch.entry.substr(0, 10) != "reference_")
    return;
  const DType type = launch.entry == "reference_bf16" ? DType::bf16 : DType::fp16;
  const auto *a = reinterpret_cast<const uint16_t *>(launch.parameter<uint64_t>(0));
  const auto *b = reinterpret_cast<const uint16_t *>(launch.parameter<uint64_t>(1));
  const auto *rows = reinterpret_cast<const int64_t *>(launch.parameter<uint64_t>(2));
  const auto count = launch.parameter<int32_t>(3), n = launch.parameter<int32_t>(4),
             k = launch.parameter<int32_t>(5);
  const auto lda = launch.parameter<int64_t>(6), ldb = launch.parameter<int64_t>(7);
  auto *sums = reinterpret_cast<double *>(launch.parameter<uint64_t>(8));
  auto *absolutes = reinterpret_cast<double *>(launch.parameter<uint64_t>(9));
  // The grid covers all rows and columns, tile by tile.
  EXPECT_EQ(launch.grid, (std::array<uint32_t, 3>{static_cast<uint32_t>((n + 63) / 64),
                                                  static_cast<uint32_t>((count + 63) / 64), 1}));
  EXPECT_EQ(launch.threads, 256U);
  for (int64_t row = 0; row < count; ++row)
    for (int64_t column = 0; column < n; ++column) {
      double sum = 0, absolute = 0;
      for (int64_t i = 0; i < k; ++i) {
        const double product = decodeElement(type, a + rows[row] * lda + i) *
                               decodeElement(type, b + column * ldb + i);
        sum += product;
        absolute += product < 0 ? -product : product;
      }
      sums[row * n + column] = sum;
      absolutes[row * n + column] = absolute;
    }
}

class Trial : public OnFakeDriver {
protected:
  void SetUp() override {
    OnFakeDriver::SetUp();
    const Expected<Nvrtc> nvrtc = Nvrtc::find({.env = Env::fromProcess()});
    ASSERT_TRUE(nvrtc) << nvrtc.status().message();
    reference = valueOf(ReferenceKernel::load(context, *nvrtc));
    ASSERT_TRUE(reference);
    fake::setKernel(runReference);
  }
  void TearDown() override {
    reference.reset();
    OnFakeDriver::TearDown();
  }

  /// Writes D of a trial as a kernel without an epilogue does, but for one row of it.
  static void solve(const GemmTrial &trial, int64_t leftOut = -1) {
    const GemmProblem &problem = trial.problem();
    const auto *a = reinterpret_cast<const uint16_t *>(trial.address("a"));
    const auto *b = reinterpret_cast<const uint16_t *>(trial.address("b"));
    auto *d = reinterpret_cast<unsigned char *>(trial.address("d"));
    for (int64_t row = 0; row < problem.m; ++row)
      for (int64_t column = 0; column < problem.n && row != leftOut; ++column) {
        float sum = 0;
        for (int64_t i = 0; i < problem.k; ++i)
          sum += static_cast<float>(decodeElement(problem.a, a + row * problem.pitchA() + i) *
                                    decodeElement(problem.a, b + column * problem.pitchB() + i));
        encodeElement(problem.d, static_cast<double>(sum),
                      d + (row * problem.pitchD() + column) * dtypeBytes(problem.d));
      }
  }

  Verdict verdictOf(const GemmTrial &trial) { return valueOf(trial.judge()); }

  std::shared_ptr<const ReferenceKernel> reference;
};

GemmProblem padded() {
  GemmProblem problem{.m = 70, .n = 72, .k = 40, .d = DType::fp16};
  problem.lda = 48;
  problem.ldd = 80;
  return problem;
}

TEST_F(Trial, ARightResultPassesAndOthersDoNot) {
  GemmTrial trial = *GemmTrial::create(padded(), *reference, {});
  Verdict verdict = verdictOf(trial);
  EXPECT_EQ(verdict.unwritten, 70 * 72);

  solve(trial);
  verdict = verdictOf(trial);
  EXPECT_TRUE(verdict.isRight()) << verdict.status().message();

  ASSERT_TRUE(trial.poison().isOk());
  solve(trial, 69);
  verdict = verdictOf(trial);
  EXPECT_EQ(verdict.unwritten, 72);
  EXPECT_EQ(verdict.first->row, 69);
}

TEST_F(Trial, TypesAreThoseOfTheProblem) {
  for (DType type : {DType::bf16, DType::fp16}) {
    GemmProblem problem{.m = 65, .n = 130, .k = 24, .a = type, .b = type, .d = DType::fp32};
    const GemmTrial trial = *GemmTrial::create(problem, *reference, {});
    solve(trial);
    const Verdict verdict = verdictOf(trial);
    EXPECT_TRUE(verdict.isRight()) << verdict.status().message();
  }
}

TEST_F(Trial, AChangedInputIsNamed) {
  GemmProblem problem = padded();
  problem.epilogue.bias().residual();
  const GemmTrial trial = *GemmTrial::create(problem, *reference, {});
  *reinterpret_cast<unsigned char *>(trial.address("bias")) ^= 1;
  // Behind the end, in the guard zone.
  reinterpret_cast<unsigned char *>(trial.address("residual"))[70 * 72 * 2] = 0;
  EXPECT_THAT(verdictOf(trial).changedInputs, ElementsAre("bias", "residual"));
}

TEST_F(Trial, ADamagedGuardIsFound) {
  const GemmTrial trial = *GemmTrial::create(padded(), *reference, {});
  solve(trial);
  reinterpret_cast<unsigned char *>(trial.address("d"))[-1] = 0;
  EXPECT_THAT(verdictOf(trial).status().message(), HasSubstr("the first -1 bytes from D[0, 0]"));
}

TEST_F(Trial, OtherContentsNeedAnotherResult) {
  GemmTrial trial = *GemmTrial::create(padded(), *reference, {});
  solve(trial);
  ASSERT_TRUE(trial.refill(*reference, 2).isOk());
  EXPECT_EQ(verdictOf(trial).unwritten, 70 * 72);
  solve(trial);
  EXPECT_TRUE(verdictOf(trial).isRight());
}

TEST_F(Trial, OnlyDrawnRowsHaveAReference) {
  GemmProblem problem{.m = 500, .n = 16, .k = 8};
  const GemmTrial trial =
      *GemmTrial::create(problem, *reference, {.limits = {.elements = 1, .edge = 10}});
  solve(trial);
  const Verdict verdict = verdictOf(trial);
  EXPECT_EQ(verdict.rowsCompared, 30);
  EXPECT_TRUE(verdict.isRight()) << verdict.status().message();
}

TEST_F(Trial, WithoutGuardsMemoryEndsWithTheOperand) {
  const GemmTrial trial = *GemmTrial::create(padded(), *reference, {.hasGuards = false});
  solve(trial);
  EXPECT_TRUE(verdictOf(trial).isRight());
  EXPECT_EQ(trial.address("c"), 0U);
}

TEST_F(Trial, EmptyProblemsNeedNoReference) {
  for (auto [m, n, k] : {std::array<int64_t, 3>{0, 8, 8}, {8, 0, 8}, {0, 0, 0}}) {
    const GemmTrial trial = *GemmTrial::create({.m = m, .n = n, .k = k}, *reference, {});
    EXPECT_TRUE(verdictOf(trial).isRight());
    EXPECT_NE(trial.address("d"), 0U);
  }
  EXPECT_TRUE(fake::launches().empty());
}

TEST_F(Trial, OutOfMemoryNamesTheOperand) {
  fake::setMemory(10000);
  const Expected<GemmTrial> trial = GemmTrial::create({.m = 1000, .n = 8, .k = 8}, *reference, {});
  expectFailure(trial.status(), StatusCode::outOfMemory, "operand a");
}

} // namespace
