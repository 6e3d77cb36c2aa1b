// SPDX-License-Identifier: Apache-2.0
// Every epilogue op with every type, and compositions.
#include "tests/gpu/GemmCase.h"

using namespace tilewright;

namespace tilewright {

/// What GoogleTest shows of an op.
static void PrintTo(const EpilogueInfo &info, std::ostream *stream) { *stream << info.name; }

} // namespace tilewright

namespace {

constexpr DType kTypes[] = {DType::bf16, DType::fp16, DType::fp32};

/// A ragged problem whose rows of D allow bulk stores, or do not.
GemmProblem problemOf(DType a, DType d, bool isBulk, std::string_view ops) {
  GemmProblem problem{.m = 333, .n = isBulk ? 520 : 523, .k = 136, .a = a, .b = a, .d = d};
  problem.epilogue = *Epilogue::parse(ops);
  return problem;
}

class EpilogueOps : public GpuTest, public testing::WithParamInterface<EpilogueInfo> {};

TEST_P(EpilogueOps, OfEveryType) {
  std::vector<GemmCase> cases;
  uint64_t seed = 1;
  for (DType a : {DType::bf16, DType::fp16})
    for (DType d : kTypes) {
      for (bool isBulk : {true, false})
        cases.push_back(heuristicCase(problemOf(a, d, isBulk, GetParam().name), seed++));
      if (GetParam().operand == EpilogueOperand::none)
        continue;
      for (DType operand : kTypes)
        cases.push_back(heuristicCase(
            problemOf(a, d, true,
                      std::string(GetParam().name) + ":" + std::string(dtypeName(operand))),
            seed++));
    }
  expectRight(cases);
}

std::vector<EpilogueInfo> supportedOps() {
  std::vector<EpilogueInfo> ops;
  for (const EpilogueInfo &info : kEpilogueOps)
    if (info.supported)
      ops.push_back(info);
  return ops;
}

INSTANTIATE_TEST_SUITE_P(All, EpilogueOps, testing::ValuesIn(supportedOps()),
                         [](const auto &info) { return std::string(info.param.name); });

class Compositions : public GpuTest {};

TEST_F(Compositions, OfManyOps) {
  std::vector<GemmCase> cases;
  uint64_t seed = 100;
  for (const std::string &ops : compositions())
    for (bool isBulk : {true, false}) {
      const DType a = seed % 2 == 0 ? DType::bf16 : DType::fp16;
      cases.push_back(heuristicCase(problemOf(a, kTypes[seed % 3], isBulk, ops), seed));
      ++seed;
    }
  expectRight(cases);
}

TEST_F(Compositions, WithFactorsAndC) {
  std::vector<GemmCase> cases;
  uint64_t seed = 200;
  for (const char *ops : {"", "bias,gelu", "residual:fp32,silu", "scale_row,scale_col,bias"})
    for (DType c : kTypes)
      for (DType d : kTypes) {
        GemmProblem problem =
            problemOf(seed % 2 == 0 ? DType::bf16 : DType::fp16, d, seed % 3 != 0, ops);
        problem.alpha = seed % 4 == 0 ? 1.0F : -0.375F;
        problem.beta = seed % 5 == 0 ? 1.0F : 0.6F;
        problem.c = c;
        problem.ldc = problem.n + static_cast<int64_t>(seed % 9);
        cases.push_back(heuristicCase(problem, seed++));
      }
  expectRight(cases);
}

TEST_F(Compositions, OfZero) {
  std::vector<GemmCase> cases;
  for (const char *ops : {"", "bias", "bias,gelu,residual", "bias_row:fp32,scale_col,silu"}) {
    GemmProblem problem = problemOf(DType::bf16, DType::bf16, true, ops);
    problem.k = 0;
    cases.push_back(heuristicCase(problem));
    problem.beta = 0.5F;
    cases.push_back(heuristicCase(problem));
  }
  expectRight(cases);
}

} // namespace
