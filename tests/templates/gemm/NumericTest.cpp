// SPDX-License-Identifier: Apache-2.0
//
// What modules of the template compute, by the evaluator, against plain loops.

#include "compiler/evaluator/Evaluator.h"
#include "templates/gemm/Gemm.h"
#include "tests/templates/gemm/GemmReference.h"

#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

using namespace tilewright;

namespace {

const DeviceInfo kDevice = *DeviceInfo::forTarget("h200");

/// D of the module of problem and config, or nothing with a test failure.
std::vector<double> run(const GemmProblem &problem, const GemmConfig &config,
                        const Bindings &bindings, const EvaluationOptions &options) {
  mlir::MLIRContext context;
  auto module = buildGemm(context, problem, config, kDevice);
  EXPECT_TRUE(module) << module.status().toString();
  if (!module)
    return {};
  Expected<EvaluationResult> result = evaluate(module->get(), bindings, options);
  EXPECT_TRUE(result) << result.status().toString();
  return result ? result->arrays.at("d") : std::vector<double>();
}

/// Compares exact arithmetic on both sides: what differs are the module's fp32 constants.
void expectExact(const GemmProblem &problem, std::string_view configText, uint64_t seed = 1) {
  GemmConfig config = *GemmConfig::parse(configText);
  Bindings bindings = randomBindings(problem, seed);
  std::vector<double> expected = referenceGemm(problem, bindings);
  std::vector<double> found = run(problem, config, bindings, {.round = false});
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i)
    ASSERT_NEAR(found[i], expected[i], 1e-6 + 2e-6 * std::fabs(expected[i]))
        << "element " << i << " with epilogue " << problem.epilogue.toString() << ", "
        << configText;
}

constexpr std::string_view kSmall = "bm=64,bn=64,consumers=1,stages=3,cluster=1x1";
constexpr std::string_view kSmallDirect =
    "bm=64,bn=64,consumers=1,stages=3,cluster=1x1,store=direct";

TEST(GemmNumbers, PlainOnRaggedShapes) {
  expectExact({.m = 70, .n = 72, .k = 104}, kSmall);
  expectExact({.m = 1, .n = 8, .k = 8}, kSmall);
  expectExact({.m = 65, .n = 129, .k = 64}, kSmallDirect);
  expectExact({.m = 130, .n = 200, .k = 136}, "bm=64,bn=80,bk=128,consumers=1,cluster=2x1");
}

TEST(GemmNumbers, EveryClusterRasterAndStoreComputesTheSame) {
  GemmProblem problem{.m = 300, .n = 200, .k = 72};
  for (const char *config :
       {"bm=128,bn=64,cluster=2x1", "bm=128,bn=64,cluster=1x2,group=1,along=n",
        "bm=128,bn=96,cluster=1x1,group=2,along=n", "bm=192,bn=64,consumers=3,group=1,cluster=1x1",
        "bm=128,bn=64,cluster=1x2,store=direct", "bm=256,bn=64,stages=3,cluster=1x1"})
    expectExact(problem, config);
}

TEST(GemmNumbers, PitchesLeaveGapsAlone) {
  GemmProblem problem{.m = 67, .n = 72, .k = 40};
  problem.lda = 48;
  problem.ldb = 56;
  problem.ldc = 80;
  problem.ldd = 88;
  problem.beta = 0.5F;
  problem.epilogue.residual({}, 96);
  expectExact(problem, kSmall);
  problem.ldd = 75;
  expectExact(problem, kSmallDirect);
}

TEST(GemmNumbers, DepthOfZeroGivesTheEpilogueOfZero) {
  GemmProblem problem{.m = 20, .n = 24, .k = 0};
  problem.alpha = 3;
  problem.beta = 2;
  problem.epilogue.bias().silu().residual();
  expectExact(problem, kSmall);
}

TEST(GemmNumbers, EmptyResultsLaunchNothing) {
  for (auto [m, n] : {std::pair{0, 24}, {20, 0}, {0, 0}}) {
    GemmProblem problem{.m = m, .n = n, .k = 128};
    problem.epilogue.bias();
    expectExact(problem, kSmall);
    expectExact(problem, std::string(kSmall) + ",split=2");
  }
}

TEST(GemmNumbers, FactorsAreReadAtRunTime) {
  GemmProblem problem{.m = 20, .n = 24, .k = 16, .alpha = 2, .beta = 2};
  GemmConfig config = *GemmConfig::parse(kSmall);
  Bindings bindings = randomBindings(problem, 5);
  bindings.scalars["alpha"] = -0.25;
  bindings.scalars["beta"] = 3.0;
  std::vector<double> found = run(problem, config, bindings, {.round = false});
  problem.alpha = -0.25F;
  problem.beta = 3;
  EXPECT_EQ(found, referenceGemm(problem, bindings));
}

TEST(GemmNumbers, SizesAreReadAtRunTime) {
  GemmProblem built{.m = 512, .n = 512, .k = 512};
  built.epilogue.bias();
  GemmProblem smaller{.m = 77, .n = 72, .k = 24};
  smaller.epilogue.bias();
  Bindings bindings = randomBindings(smaller, 6);
  EXPECT_EQ(run(built, *GemmConfig::parse(kSmall), bindings, {.round = false}),
            referenceGemm(smaller, bindings));
}

TEST(GemmNumbers, ResultsAreRoundedOnce) {
  for (DType d : {DType::bf16, DType::fp16, DType::fp32}) {
    GemmProblem problem{.m = 30, .n = 40, .k = 64, .d = d};
    problem.epilogue.bias().gelu();
    Bindings bindings = randomBindings(problem, 7);
    std::vector<double> expected = referenceGemm(problem, bindings);
    std::vector<double> found = run(problem, *GemmConfig::parse(kSmall), bindings, {});
    double halfUlp = d == DType::bf16 ? 0x1p-9 : d == DType::fp16 ? 0x1p-12 : 0x1p-25;
    for (size_t i = 0; i < expected.size(); ++i)
      ASSERT_NEAR(found[i], expected[i], 2 * halfUlp * std::fabs(expected[i]) + 1e-6);
  }
}

// Every op, in orders, types and shapes drawn at random.
TEST(GemmNumbers, EpiloguesInAnyOrder) {
  std::mt19937_64 random(11);
  auto pick = [&](auto... values) {
    std::array list = {values...};
    return list[random() % list.size()];
  };
  for (int trial = 0; trial < 60; ++trial) {
    GemmProblem problem;
    problem.a = problem.b = pick(DType::bf16, DType::fp16);
    problem.d = pick(DType::bf16, DType::fp16, DType::fp32);
    problem.m = 1 + static_cast<int64_t>(random() % 80);
    problem.n = 1 + static_cast<int64_t>(random() % 80);
    problem.k = 8 * static_cast<int64_t>(random() % 12);
    problem.alpha = pick(1.0F, 0.5F, -0.25F);
    problem.beta = pick(0.0F, 1.0F, -1.5F);
    problem.c = pick(DType::bf16, DType::fp16, DType::fp32);
    std::vector<EpilogueKind> kinds;
    for (const EpilogueInfo &info : kEpilogueOps)
      if (info.supported)
        kinds.push_back(info.kind);
    std::shuffle(kinds.begin(), kinds.end(), random);
    kinds.resize(random() % (kinds.size() + 1));
    for (EpilogueKind kind : kinds) {
      EpilogueOp op{kind};
      if (op.hasOperand())
        op.dtype = pick(DType::bf16, DType::fp16, DType::fp32);
      if (op.operand() == EpilogueOperand::matrix)
        op.ld = problem.n + static_cast<int64_t>(random() % 5);
      problem.epilogue.add(op);
    }
    int64_t unit = 16 / dtypeBytes(problem.d);
    expectExact(problem, problem.n % unit == 0 ? kSmall : kSmallDirect, trial);
    if (testing::Test::HasFatalFailure())
      return;
  }
}

TEST(GemmNumbers, SplitsOfKAddUp) {
  GemmProblem problem{.m = 70, .n = 75, .k = 200};
  problem.alpha = 0.5F;
  problem.beta = 2;
  problem.epilogue.bias().scaleRow().gelu().residual();
  for (const char *split : {"split=2", "split=3", "split=4"}) // 3: the last slice is empty
    for (const char *store : {"store=tma", "store=direct"})
      expectExact(problem, std::string(kSmall) + "," + split + "," + store);
  expectExact({.m = 300, .n = 200, .k = 520, .d = DType::fp32},
              "bm=128,bn=64,cluster=2x1,split=5,group=2");
}

TEST(GemmNumbers, SplitKeepsItsSlicesInWorkspace) {
  mlir::MLIRContext context;
  GemmProblem problem{.m = 10, .n = 6, .k = 128};
  GemmConfig config = *GemmConfig::parse(std::string(kSmall) + ",split=2");
  auto module = buildGemm(context, problem, config, kDevice);
  ASSERT_TRUE(module) << module.status().toString();
  Bindings bindings = randomBindings(problem, 3);
  Expected<EvaluationResult> result = evaluate(module->get(), bindings);
  ASSERT_TRUE(result) << result.status().toString();
  // Rows of 6 are padded to 8, the next multiple of 16 bytes.
  const std::vector<double> &partials = result->buffers.at("partials");
  ASSERT_EQ(partials.size(), 2U * 10 * 8);
  GemmProblem half = problem;
  half.k = 64;
  half.lda = half.ldb = 128;
  std::vector<double> first = referenceGemm(half, bindings);
  for (int64_t row = 0; row < 10; ++row)
    for (int64_t column = 0; column < 6; ++column)
      EXPECT_EQ(partials[row * 8 + column], first[row * 6 + column]);
}

struct Violation {
  const char *argument;
  int64_t value;
  const char *message;
};

class GemmPreconditions : public testing::TestWithParam<Violation> {};

TEST_P(GemmPreconditions, AreCheckedAndExplained) {
  GemmProblem problem{.m = 16, .n = 24, .k = 16};
  problem.beta = 1;
  problem.epilogue.residual();
  mlir::MLIRContext context;
  auto module = buildGemm(context, problem, *GemmConfig::parse(kSmall), kDevice);
  ASSERT_TRUE(module);
  Bindings bindings = randomBindings(problem, 4);
  for (auto &[name, memory] : bindings.arrays)
    memory.resize(4096);
  bindings.scalars[GetParam().argument] = GetParam().value;
  Status status = evaluate(module->get(), bindings).status();
  EXPECT_EQ(status.code(), StatusCode::invalidArgument);
  EXPECT_NE(status.message().find(GetParam().message), std::string::npos) << status.message();
}

INSTANTIATE_TEST_SUITE_P(
    All, GemmPreconditions,
    testing::Values(Violation{"m", -1, "m must be 0 or more"},
                    Violation{"n", -8, "n must be 0 or more"},
                    Violation{"k", -8, "k must be 0 or more"},
                    Violation{"m", 2147483647, "m must be at most 2147475456; split the problem"},
                    Violation{"lda", 20, "lda must be a multiple of 8 elements (16 bytes)"},
                    Violation{"lda", 8, "lda must be at least k"},
                    Violation{"ldb", 17,
                              "ldb must be a multiple of 8 elements (16 bytes), as bulk copies "
                              "read B; pad the rows"},
                    Violation{"ldb", 0, "ldb must be at least k"},
                    Violation{"ldc", 25,
                              "ldc must be a multiple of 8 elements (16 bytes), as the kernel was "
                              "built for such rows"},
                    Violation{"ldc", 16, "ldc must be at least n"},
                    Violation{"ldd", 28,
                              "ldd must be a multiple of 8 elements (16 bytes), as bulk copies "
                              "write D"},
                    Violation{"ldd", 16, "ldd must be at least n"},
                    Violation{"ldr", 26, "ldr must be a multiple of 8 elements"},
                    Violation{"ldr", 0, "ldr must be at least n"}),
    [](const auto &info) {
      return std::string(info.param.argument) + "_" + std::to_string(info.index);
    });

} // namespace
