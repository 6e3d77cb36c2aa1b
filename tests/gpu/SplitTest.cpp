// SPDX-License-Identifier: Apache-2.0
// Plans of two launches: K is summed in slices, and a second kernel adds them up.
#include "tests/gpu/GemmCase.h"

using namespace tilewright;

namespace {

class Split : public GpuTest {};

GemmCase splitCase(GemmProblem problem, std::string_view config) {
  GemmCase gemm = heuristicCase(problem, 3);
  const Expected<GemmConfig> parsed = GemmConfig::parse(config, gemm.config);
  EXPECT_TRUE(parsed) << parsed.status().message();
  if (parsed)
    gemm.config = *parsed;
  return gemm;
}

constexpr const char *kSmallTile = "bm=64,bn=64,bk=64,consumers=1,stages=4,cluster=1x1,store=tma";

TEST_F(Split, IsTwoLaunchesWithAWorkspace) {
  const GemmCase gemm =
      splitCase({.m = 200, .n = 136, .k = 4096}, std::string(kSmallTile) + ",split=4");
  const auto compiled = compileCase(gemm);
  ASSERT_TRUE(compiled) << compiled.status().toString();
  const Expected<RunnableGemm> runnable = RunnableGemm::prepare(**compiled, gemm.problem);
  ASSERT_TRUE(runnable) << runnable.status().toString();
  EXPECT_EQ(runnable->plan().launches().size(), 2U);
  EXPECT_GE(runnable->plan().workspaceBytes(), size_t{4 * 200 * 136 * 4});
  const Status status = runAndJudge(gemm, **compiled);
  EXPECT_TRUE(status.isOk()) << status.toString();
}

TEST_F(Split, IsRightForManyShapesAndSlices) {
  std::vector<GemmCase> cases;
  for (int slices : {2, 3, 7, 16})
    for (auto [m, n, k] : {std::array<int64_t, 3>{1, 8, 2048},
                           {65, 129, 1031},
                           {512, 512, 16384},
                           {100, 1000, 4100}})
      for (DType d : {DType::bf16, DType::fp32}) {
        GemmProblem problem{.m = m, .n = n, .k = k, .d = d};
        problem.lda = problem.ldb = (k + 7) / 8 * 8;
        if (slices != 3)
          problem.epilogue.bias().gelu();
        cases.push_back(
            splitCase(problem, std::string(kSmallTile) + ",split=" + std::to_string(slices)));
        if (checkConfig(problem, gpu()->facts.info, cases.back().config))
          cases.back().config.store = GemmStore::direct;
      }
  expectRight(cases);
}

// Slices are added in order: the result does not depend on timing.
TEST_F(Split, GivesTheSameBitsEachTime) {
  const GemmCase gemm =
      splitCase({.m = 512, .n = 512, .k = 8192}, std::string(kSmallTile) + ",split=8");
  const auto compiled = compileCase(gemm);
  ASSERT_TRUE(compiled) << compiled.status().toString();
  const Expected<RunnableGemm> runnable = RunnableGemm::prepare(**compiled, gemm.problem);
  Expected<GemmTrial> trial = GemmTrial::create(gemm.problem, *gpu()->reference, {});
  ASSERT_TRUE(runnable && trial);
  std::vector<uint8_t> first;
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(trial->poison().isOk());
    ASSERT_TRUE(runnable->run(*trial).isOk());
    const Expected<std::vector<uint8_t>> result = trial->result();
    ASSERT_TRUE(result) << result.status().toString();
    if (i == 0)
      first = *result;
    EXPECT_EQ(*result, first) << "run " << i;
  }
}

} // namespace
