// SPDX-License-Identifier: Apache-2.0
// Configs from all over the space, each on a problem of several rounds and, with the same kernels,
// on a small one.
#include "tests/gpu/GemmCase.h"

using namespace tilewright;

namespace {

class Sweep : public GpuTest, public testing::WithParamInterface<int> {};

TEST_P(Sweep, TwentyConfigs) { expectRight(sweepCases(GetParam(), gpu()->facts.info)); }

INSTANTIATE_TEST_SUITE_P(Chunk, Sweep, testing::Range(0, kSweepChunks));

class Winners : public GpuTest {};

TEST_F(Winners, SeedConfigs) {
  std::vector<GemmCase> cases;
  const GemmProblem problem{.m = 2100, .n = 2304, .k = 1000};
  for (const GemmConfig &config : seedConfigs())
    if (!checkConfig(problem, gpu()->facts.info, config))
      cases.push_back({problem, config, 5});
  EXPECT_GE(cases.size(), 5U);
  expectRight(cases);
}

} // namespace
