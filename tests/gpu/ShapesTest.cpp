// SPDX-License-Identifier: Apache-2.0
// Sizes at the edges of tiles and beyond, by the heuristic's config.
#include "tests/gpu/GemmCase.h"

#include <array>

using namespace tilewright;

namespace {

constexpr std::array<int64_t, 9> kSizes = {1, 8, 17, 63, 64, 65, 127, 129, 1000};
constexpr std::array<DType, 3> kOutputs = {DType::bf16, DType::fp16, DType::fp32};

int64_t roundUp(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

/// A problem of this size. Types and pitches go round with `number`, so that each meets each size.
GemmProblem problemOf(int64_t m, int64_t n, int64_t k, size_t number) {
  GemmProblem problem{.m = m, .n = n, .k = k};
  problem.a = problem.b = number % 2 == 0 ? DType::bf16 : DType::fp16;
  problem.d = kOutputs[number / 2 % 3];
  const auto padding = static_cast<int64_t>(number % 4);
  // Rows of A and B start at multiples of 16 bytes; 0: as tight as that allows.
  problem.lda = roundUp(k, 8) + (padding == 1 ? 8 : 0);
  problem.ldb = roundUp(k, 8) + (padding == 2 ? 24 : 0);
  // Tight, padded so that bulk stores can be used, or so that they cannot.
  problem.ldd = std::array<int64_t, 3>{0, roundUp(n, 8) + 8, n + 1}[number % 3];
  return problem;
}

class Shapes : public GpuTest, public testing::WithParamInterface<int64_t> {};

TEST_P(Shapes, WithEveryNAndK) {
  std::vector<GemmCase> cases;
  // 7 and 9 have no common factor: all types and pitches meet all sizes.
  size_t number = static_cast<size_t>(GetParam()) * 7;
  for (int64_t n : kSizes)
    for (int64_t k : kSizes) {
      cases.push_back(heuristicCase(problemOf(GetParam(), n, k, number), number));
      number += 5;
    }
  expectRight(cases);
}

INSTANTIATE_TEST_SUITE_P(M, Shapes, testing::ValuesIn(kSizes),
                         [](const auto &info) { return std::to_string(info.param); });

class LargeShapes : public GpuTest {};

TEST_F(LargeShapes, OfModels) {
  std::vector<GemmCase> cases;
  size_t number = 0;
  for (auto [m, n, k] : {std::array<int64_t, 3>{4096, 4096, 4096},
                         {8192, 8192, 512},
                         {128, 4096, 14336},
                         {16, 4096, 14336},
                         {1, 28672, 4096},
                         {2048, 28672, 1024},
                         {512, 512, 65536},
                         {4096, 1536, 7168},
                         {3001, 5003, 1031}}) {
    GemmProblem problem = problemOf(m, n, k, number);
    problem.ldd = 0;
    cases.push_back(heuristicCase(problem, number + 1));
    ++number;
  }
  expectRight(cases);
}

TEST_F(LargeShapes, BeyondWhatIsComparedAsAWhole) {
  expectRight({heuristicCase({.m = 8192, .n = 28672, .k = 1024})});
}

TEST_F(LargeShapes, OffsetsBeyond32Bits) {
  // D has 2^31 + 2^19 elements, 4.3 GB.
  GemmProblem problem{.m = 8194, .n = 262144, .k = 64};
  expectRight({heuristicCase(problem)}, {.limits = {.elements = 1 << 24, .edge = 16}});
}

} // namespace
