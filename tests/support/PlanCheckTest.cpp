// SPDX-License-Identifier: Apache-2.0
#include "support/PlanCheck.h"

#include "tests/support/SamplePlans.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>

using namespace tilewright;

namespace {

TensorMapRecipe &map(Plan &plan) {
  return std::get<TensorMapRecipe>(plan.launches[0].parameters[0]);
}

struct BadPlan {
  const char *name;
  std::function<void(Plan &)> spoil;
  const char *message;
};

void PrintTo(const BadPlan &bad, std::ostream *out) { *out << bad.name; }

class RejectedPlan : public testing::TestWithParam<BadPlan> {};

TEST_P(RejectedPlan, NamesThePlace) {
  Plan plan = sampleSplitPlan();
  plan.arguments.push_back({.name = "alpha", .kind = ArgumentKind::f32});
  ASSERT_TRUE(checkPlan(plan).isOk()) << checkPlan(plan).message();
  GetParam().spoil(plan);
  Status status = checkPlan(plan);
  EXPECT_EQ(status.code(), StatusCode::internal);
  EXPECT_NE(status.message().find(GetParam().message), std::string::npos) << status.message();
}

INSTANTIATE_TEST_SUITE_P(
    Plans, RejectedPlan,
    testing::Values(
        BadPlan{"ArgumentName", [](Plan &p) { p.arguments[0].name = "min"; }, "argument 0 'min'"},
        BadPlan{"ArgumentTwice", [](Plan &p) { p.arguments[1].name = "a"; }, "taken by argument 0"},
        BadPlan{"Alignment", [](Plan &p) { p.arguments[0].alignment = 12; },
                "12 is no power of two"},
        BadPlan{"ScalarWithType", [](Plan &p) { p.arguments[3].dtype = DType::fp32; },
                "argument 3 'm': a scalar has no"},
        BadPlan{"BufferTwice", [](Plan &p) { p.buffers[1].name = "partials"; },
                "taken by buffer 0"},
        BadPlan{"BufferAlignment", [](Plan &p) { p.buffers[0].alignment = 0; }, "buffer 0"},
        BadPlan{"BufferExpr", [](Plan &p) { p.buffers[0].bytes = Expr::argument(99); },
                "bytes: there is no argument 99 among 8"},
        BadPlan{"ExprOfFloat", [](Plan &p) { p.buffers[0].bytes = Expr::argument(7); },
                "argument 7 is an f32"},
        BadPlan{"NoEntry", [](Plan &p) { p.kernels[1].entry = ""; }, "kernel 1"},
        BadPlan{"NoText", [](Plan &p) { p.kernels[0].text = ""; }, "there is no text"},
        BadPlan{"Threads", [](Plan &p) { p.kernels[0].threads = 100; }, "100 threads"},
        BadPlan{"ManyThreads", [](Plan &p) { p.kernels[0].threads = 2048; }, "2048 threads"},
        BadPlan{"ClusterZero",
                [](Plan &p) {
                  p.kernels[0].cluster = {0, 1, 1};
                },
                "cluster extent 0"},
        BadPlan{"ClusterLarge",
                [](Plan &p) {
                  p.kernels[0].cluster = {8, 4, 1};
                },
                "a cluster of 32"},
        BadPlan{"Shared", [](Plan &p) { p.kernels[0].sharedBytes = -1; }, "-1 bytes"},
        BadPlan{"KernelIndex", [](Plan &p) { p.launches[1].kernel = 2; },
                "launch 1: there is no kernel 2 among 2"},
        BadPlan{"GridExpr", [](Plan &p) { p.launches[0].grid[1] = Expr::argument(-1); },
                "launch 0: grid"},
        BadPlan{"MapBase", [](Plan &p) { map(p).base.index = 3; },
                "launch 0: parameter 0: argument 3 is not a pointer"},
        BadPlan{"MapRank", [](Plan &p) { map(p).dims.clear(); }, "0 dimensions"},
        BadPlan{"MapStrides", [](Plan &p) { map(p).strides.clear(); }, "0 strides for 2"},
        BadPlan{"MapBoxRank", [](Plan &p) { map(p).box.push_back(1); }, "box has 3 entries for 2"},
        BadPlan{"MapBoxExtent", [](Plan &p) { map(p).box[1] = 257; }, "box extent 257"},
        BadPlan{"MapBoxRow", [](Plan &p) { map(p).box[0] = 4; }, "a box row of 8 bytes"},
        BadPlan{"MapSwizzle", [](Plan &p) { map(p).swizzle = 96; }, "swizzle 96"},
        BadPlan{"MapSwizzleShort", [](Plan &p) { map(p).swizzle = 64; },
                "128 bytes is longer than the swizzle of 64"},
        BadPlan{
            "BufferIndex",
            [](Plan &p) { std::get<PointerParameter>(p.launches[1].parameters[0]).base.index = 2; },
            "launch 1: parameter 0: there is no buffer 2 among 2"},
        BadPlan{"ScalarExpr",
                [](Plan &p) {
                  std::get<ScalarParameter>(p.launches[1].parameters[2]).value = Expr::argument(8);
                },
                "parameter 2: value: there is no argument 8"},
        BadPlan{"FloatOfInteger",
                [](Plan &p) { p.launches[0].parameters.push_back(FloatParameter{3}); },
                "argument 3 is not an f32"},
        BadPlan{"NoMessage", [](Plan &p) { p.preconditions.push_back({.left = 1, .right = 1}); },
                "precondition 0: there is no message"}),
    [](const auto &info) { return std::string(info.param.name); });

TEST(PlanCheck, SamplesAreConsistent) {
  EXPECT_TRUE(checkPlan(sampleGemmPlan()).isOk()) << checkPlan(sampleGemmPlan()).message();
  EXPECT_TRUE(checkPlan(sampleSplitPlan()).isOk()) << checkPlan(sampleSplitPlan()).message();
}

TEST(PlanCheck, TwoLaunchesFollowTheSizes) {
  Plan plan = sampleSplitPlan();
  std::array<int64_t, 7> arguments = {16, 32, 48, 300, 260, 4096, 8};
  ExprInputs inputs{.arguments = arguments, .smCount = 132};
  auto grid = [&](size_t launch) {
    std::array<int64_t, 3> result = {};
    for (size_t i = 0; i < 3; ++i)
      result[i] = *plan.launches[launch].grid[i].evaluate(inputs);
    return result;
  };
  EXPECT_EQ(grid(0), (std::array<int64_t, 3>{3, 3, 8}));
  EXPECT_EQ(grid(1), (std::array<int64_t, 3>{77, 1, 1}));
  EXPECT_EQ(*plan.buffers[0].bytes.evaluate(inputs), 8 * 300 * 260 * 4);
  EXPECT_EQ(*plan.buffers[1].bytes.evaluate(inputs), 12);
}

TEST(PlanCheck, AnEmptyProblemHasAnEmptyGrid) {
  Plan plan = sampleGemmPlan();
  std::array<int64_t, 8> arguments = {0, 0, 0, 0, 256, 256, 256, 0};
  EXPECT_EQ(*plan.launches[0].grid[0].evaluate({.arguments = arguments, .smCount = 132}), 0);
}

TEST(Preconditions, HoldOrSayWhatIsWrong) {
  Plan plan = sampleGemmPlan();
  std::array<int64_t, 8> arguments = {16, 32, 48, 128, 128, 64, 64, 0};
  ExprInputs inputs{.arguments = arguments, .smCount = 132};
  EXPECT_TRUE(checkPreconditions(plan, inputs).isOk());

  arguments[6] = 65;
  Status status = checkPreconditions(plan, inputs);
  EXPECT_EQ(status.code(), StatusCode::invalidArgument);
  EXPECT_EQ(status.message(), "lda must be a multiple of 8 elements (16 bytes) (mod(lda, 8) is 1)");
}

TEST(Preconditions, PointersAreAligned) {
  Plan plan = sampleGemmPlan();
  std::array<int64_t, 8> arguments = {16, 40, 48, 128, 128, 64, 64, 0};
  Status status = checkPreconditions(plan, {.arguments = arguments, .smCount = 132});
  EXPECT_EQ(status.code(), StatusCode::invalidArgument);
  EXPECT_NE(status.message().find("b is not aligned"), std::string::npos);
}

TEST(Preconditions, ArgumentsAreCounted) {
  Status status = checkPreconditions(sampleGemmPlan(), {});
  EXPECT_EQ(status.code(), StatusCode::invalidArgument);
  EXPECT_NE(status.message().find("takes 8 arguments, found 0"), std::string::npos);
}

TEST(Preconditions, EveryComparison) {
  using Comparison = Precondition::Comparison;
  struct Case {
    Comparison comparison;
    bool less, equal, greater;
  };
  for (auto [comparison, less, equal, greater] :
       {Case{Comparison::eq, false, true, false}, Case{Comparison::ne, true, false, true},
        Case{Comparison::lt, true, false, false}, Case{Comparison::le, true, true, false},
        Case{Comparison::gt, false, false, true}, Case{Comparison::ge, false, true, true}}) {
    auto holds = [&](int64_t left) {
      Plan plan;
      plan.preconditions = {
          {.left = left, .comparison = comparison, .right = 5, .message = "broken"}};
      return checkPreconditions(plan, {}).isOk();
    };
    EXPECT_EQ(holds(4), less);
    EXPECT_EQ(holds(5), equal);
    EXPECT_EQ(holds(6), greater);
  }
}

TEST(Preconditions, AFailingExpressionKeepsTheMessage) {
  Plan plan;
  plan.preconditions = {{.left = Expr::floorDiv(1, 0), .right = 0, .message = "k is positive"}};
  Status status = checkPreconditions(plan, {});
  EXPECT_NE(status.message().find("k is positive: division of 1 by zero"), std::string::npos);
}

} // namespace
