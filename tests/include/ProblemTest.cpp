// SPDX-License-Identifier: Apache-2.0
#include "tilewright/Problem.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

using namespace tilewright;

namespace {

GemmProblem square() { return {.m = 256, .n = 256, .k = 256}; }

struct BadProblem {
  const char *name;
  std::function<void(GemmProblem &)> spoil;
  StatusCode code;
  /// What the message must contain: the field, and the rule.
  const char *message;
};

void PrintTo(const BadProblem &bad, std::ostream *out) { *out << bad.name; }

class RejectedProblem : public testing::TestWithParam<BadProblem> {};

TEST_P(RejectedProblem, NamesFieldAndRule) {
  GemmProblem problem = square();
  GetParam().spoil(problem);
  Status status = problem.validate();
  EXPECT_EQ(status.code(), GetParam().code) << status.toString();
  EXPECT_NE(status.message().find(GetParam().message), std::string::npos) << status.message();
}

constexpr StatusCode kInvalid = StatusCode::invalidArgument;
constexpr StatusCode kUnsupported = StatusCode::unsupported;

INSTANTIATE_TEST_SUITE_P(
    WellFormed, RejectedProblem,
    testing::Values(
        BadProblem{"NegativeM", [](auto &p) { p.m = -4; }, kInvalid, "m is -4; a size is 0"},
        BadProblem{"NegativeN", [](auto &p) { p.n = -1; }, kInvalid, "n is -1; a size is 0"},
        BadProblem{"NegativeK", [](auto &p) { p.k = -1; }, kInvalid, "k is -1; a size is 0"},
        BadProblem{"HugeM", [](auto &p) { p.m = int64_t{1} << 31; }, kInvalid, "below 2^31"},
        BadProblem{"ZeroBatch", [](auto &p) { p.batch = 0; }, kInvalid, "batch is 0; it is 1"},
        BadProblem{"ShortLda", [](auto &p) { p.lda = 248; }, kInvalid, "lda is 248; it is 0"},
        BadProblem{"ShortLdb", [](auto &p) { p.ldb = 8; }, kInvalid, "row length 256"},
        BadProblem{"ShortLdc", [](auto &p) { p.ldc = 8; }, kInvalid, "ldc is 8"},
        BadProblem{"NegativeLdd", [](auto &p) { p.ldd = -256; }, kInvalid, "ldd is -256"},
        BadProblem{"HugeLdd", [](auto &p) { p.ldd = int64_t{1} << 40; }, kInvalid, "2^31 - 1"},
        BadProblem{"NanAlpha", [](auto &p) { p.alpha = std::numeric_limits<float>::quiet_NaN(); },
                   kInvalid, "alpha is not finite"},
        BadProblem{"InfiniteBeta", [](auto &p) { p.beta = std::numeric_limits<float>::infinity(); },
                   kInvalid, "beta is not finite"},
        BadProblem{"FloatTimesInteger", [](auto &p) { p.b = DType::int8; }, kInvalid,
                   "a is bf16 and b is int8"},
        BadProblem{"TwoBiases", [](auto &p) { p.epilogue.bias().relu().bias(); }, kInvalid,
                   "epilogue op 2 (bias) repeats op 0"},
        BadProblem{"ShortResidual", [](auto &p) { p.epilogue.residual({}, 128); }, kInvalid,
                   "epilogue op 0 (residual) has ld 128"},
        BadProblem{"LdOfVector",
                   [](auto &p) {
                     p.epilogue.add({EpilogueKind::bias, {}, 512});
                   },
                   kInvalid, "only a matrix operand"},
        BadProblem{"TypeOfActivation",
                   [](auto &p) {
                     p.epilogue.add({EpilogueKind::relu, DType::fp32});
                   },
                   kInvalid, "reads no operand"},
        BadProblem{"OddSwiglu",
                   [](auto &p) {
                     p.n = 257;
                     p.epilogue.swiglu();
                   },
                   kInvalid, "n is 257, make it even"}),
    [](const auto &info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Supported, RejectedProblem,
    testing::Values(
        BadProblem{"LayoutNn", [](auto &p) { p.layout = GemmLayout::nn; }, kUnsupported,
                   "layout is nn; this version supports nt"},
        BadProblem{"LayoutTn", [](auto &p) { p.layout = GemmLayout::tn; }, kUnsupported,
                   "layout is tn"},
        BadProblem{"Fp8", [](auto &p) { p.a = p.b = DType::e4m3; }, kUnsupported,
                   "a is e4m3 and b is e4m3"},
        BadProblem{"Mixed", [](auto &p) { p.b = DType::fp16; }, kUnsupported,
                   "both bf16 or both fp16"},
        BadProblem{"IntegerOut", [](auto &p) { p.d = DType::int32; }, kUnsupported,
                   "d is int32; this version supports bf16, fp16 and fp32"},
        BadProblem{"Fp8C",
                   [](auto &p) {
                     p.c = DType::e4m3;
                     p.beta = 1;
                   },
                   kUnsupported, "c is e4m3"},
        BadProblem{"Batch", [](auto &p) { p.batch = 2; }, kUnsupported, "batch is 2"},
        BadProblem{"OddLda", [](auto &p) { p.lda = 257; }, kUnsupported,
                   "lda is 257 elements; this version needs a multiple of 8 (16 bytes), pad rows "
                   "to 264"},
        BadProblem{"OddK", [](auto &p) { p.k = 8191; }, kUnsupported, "pad rows to 8192"},
        BadProblem{"OddLdb", [](auto &p) { p.ldb = 260; }, kUnsupported, "ldb is 260"},
        BadProblem{"Swiglu", [](auto &p) { p.epilogue.swiglu(); }, kUnsupported,
                   "epilogue op swiglu is not built yet; this version supports bias, bias_row"},
        BadProblem{"Gate", [](auto &p) { p.epilogue.gate(); }, kUnsupported, "op gate"},
        BadProblem{"Accumulate", [](auto &p) { p.epilogue.accumulate(); }, kUnsupported,
                   "op accumulate"},
        BadProblem{"Fp8Bias", [](auto &p) { p.epilogue.bias(DType::e4m3); }, kUnsupported,
                   "epilogue operand bias is e4m3"}),
    [](const auto &info) { return std::string(info.param.name); });

TEST(GemmProblem, SupportedProblemsAreAccepted) {
  GemmProblem problem = square();
  problem.epilogue.bias().biasRow().relu().gelu().geluErf().silu().residual();
  problem.epilogue.scaleRow().scaleCol();
  problem.alpha = 0.5F;
  problem.beta = -1;
  for (DType in : {DType::bf16, DType::fp16})
    for (DType out : {DType::bf16, DType::fp16, DType::fp32}) {
      problem.a = problem.b = in;
      problem.d = out;
      EXPECT_TRUE(problem.validate().isOk()) << problem.validate().message();
    }
}

TEST(GemmProblem, EmptySizesAreAccepted) {
  for (auto [m, n, k] : {std::array<int64_t, 3>{0, 16, 16}, {16, 0, 16}, {16, 16, 0}})
    EXPECT_TRUE((GemmProblem{.m = m, .n = n, .k = k}.validate().isOk()));
}

TEST(GemmProblem, UnusedCIsNotJudged) {
  GemmProblem problem = square();
  problem.c = DType::e4m3;
  EXPECT_TRUE(problem.validate().isOk());
}

TEST(GemmProblem, TightPitchesFollowTheLayout) {
  GemmProblem problem{.m = 2, .n = 3, .k = 5};
  EXPECT_EQ(problem.pitchA(), 5);
  EXPECT_EQ(problem.pitchB(), 5);
  EXPECT_EQ(problem.pitchD(), 3);
  problem.layout = GemmLayout::tn;
  EXPECT_EQ(problem.pitchA(), 2);
  EXPECT_EQ(problem.pitchB(), 3);
  problem.layout = GemmLayout::nn;
  EXPECT_EQ(problem.pitchA(), 5);
  EXPECT_EQ(problem.pitchB(), 3);
  problem.layout = GemmLayout::tt;
  EXPECT_EQ(problem.pitchA(), 2);
  EXPECT_EQ(problem.pitchB(), 5);
  problem.lda = 64;
  EXPECT_EQ(problem.pitchA(), 64);
}

TEST(GemmProblem, LayoutsParseBack) {
  for (std::string_view name : {"nt", "nn", "tn", "tt"}) {
    Expected<GemmLayout> layout = parseLayout(name);
    ASSERT_TRUE(layout);
    EXPECT_EQ(layoutName(*layout), name);
  }
  EXPECT_FALSE(parseLayout("NT"));
  EXPECT_FALSE(parseLayout(""));
}

} // namespace
