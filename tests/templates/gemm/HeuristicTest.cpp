// SPDX-License-Identifier: Apache-2.0
#include "templates/gemm/Space.h"

#include <gtest/gtest.h>

#include <set>

using namespace tilewright;

namespace {

const DeviceInfo kDevice = *DeviceInfo::forTarget("h200");

TEST(Seeds, AllAreLegalForALargeProblem) {
  GemmProblem problem{.m = 8192, .n = 28672, .k = 4096};
  std::set<std::string> texts;
  for (const GemmConfig &seed : seedConfigs()) {
    std::optional<GemmRejection> rejection = checkConfig(problem, kDevice, seed);
    EXPECT_FALSE(rejection) << seed.toString() << ": " << rejection->text;
    texts.insert(seed.toString());
  }
  EXPECT_EQ(texts.size(), seedConfigs().size());
  EXPECT_GE(texts.size(), 30U);
}

TEST(Seeds, HoldTheWinnersThatWereMeasured) {
  std::set<std::string> texts;
  for (const GemmConfig &seed : seedConfigs())
    texts.insert(seed.toString());
  for (const char *winner : {
           "bm=128,bn=256,bk=64,consumers=2,stages=4,cluster=1x2,group=16,along=m,store=tma,split="
           "1",
           "bm=256,bn=192,bk=64,consumers=2,stages=3,cluster=2x1,group=4,along=m,store=tma,split=1",
           "bm=192,bn=176,bk=64,consumers=3,stages=4,cluster=2x1,group=8,along=m,store=tma,split=1",
           "bm=128,bn=144,bk=64,consumers=2,stages=6,cluster=2x1,group=8,along=m,store=tma,split=1",
           "bm=128,bn=160,bk=64,consumers=2,stages=5,cluster=1x2,group=1,along=m,store=tma,split=1",
           "bm=128,bn=64,bk=128,consumers=2,stages=4,cluster=1x1,group=8,along=m,store=tma,split=1",
       })
    EXPECT_TRUE(texts.contains(GemmConfig::parse(winner)->toString())) << winner;
}

struct Pick {
  int64_t m, n, k;
  const char *config;
};

class Heuristic : public testing::TestWithParam<Pick> {};

// Pinned: a change of the model shows here, shape by shape.
TEST_P(Heuristic, PicksForShapesOfTheSuite) {
  auto [m, n, k, expected] = GetParam();
  Expected<GemmConfig> config = heuristicConfig({.m = m, .n = n, .k = k}, kDevice);
  ASSERT_TRUE(config) << config.status().message();
  EXPECT_EQ(config->toString(), GemmConfig::parse(expected)->toString());
}

constexpr const char *kBig =
    "bm=128,bn=256,bk=64,consumers=2,stages=4,cluster=2x1,group=8,along=m,store=tma,split=1";

// Where K is small the epilogue counts.
constexpr const char *kAlternating =
    "bm=128,bn=128,bk=64,consumers=2,stages=6,cluster=2x1,group=8,along=m,store=tma,split=1,"
    "schedule=pingpong";

INSTANTIATE_TEST_SUITE_P(
    Suite, Heuristic,
    testing::Values(
        Pick{1024, 1024, 1024,
             "bm=128,bn=64,bk=128,consumers=2,stages=4,cluster=1x1,group=8,along=m,store=tma,split="
             "1"},
        Pick{2048, 2048, 2048, kBig}, Pick{4096, 4096, 4096, kBig}, Pick{8192, 8192, 8192, kBig},
        Pick{16384, 16384, 16384, kBig}, Pick{8192, 8192, 512, kAlternating},
        Pick{4096, 7168, 16384, kBig}, Pick{4096, 32768, 512, kAlternating},
        Pick{4096, 24576, 1536, kAlternating},
        Pick{4104, 4104, 4104,
             "bm=192,bn=176,bk=64,consumers=3,stages=4,cluster=2x1,group=8,along=m,store=tma,split="
             "1"},
        Pick{1000, 3000, 5000,
             "bm=128,bn=192,bk=64,consumers=2,stages=5,cluster=2x1,group=8,along=m,store=tma,split="
             "1"},
        Pick{4096, 2112, 7168,
             "bm=192,bn=176,bk=64,consumers=3,stages=4,cluster=2x1,group=8,along=m,store=tma,split="
             "1"},
        Pick{4096, 576, 7168,
             "bm=128,bn=144,bk=64,consumers=2,stages=6,cluster=2x1,group=8,along=m,store=tma,split="
             "1"},
        Pick{2048, 1280, 8192,
             "bm=128,bn=160,bk=64,consumers=2,stages=5,cluster=2x1,group=8,along=m,store=tma,split="
             "1"},
        Pick{128, 7168, 2048,
             "bm=64,bn=112,bk=64,consumers=1,stages=8,cluster=1x1,group=8,along=m,store=tma,split="
             "1"},
        Pick{
            128, 4096, 14336,
            "bm=64,bn=64,bk=64,consumers=1,stages=8,cluster=1x1,group=8,along=m,store=tma,split=1"},
        Pick{256, 8192, 8192,
             "bm=128,bn=128,bk=64,consumers=2,stages=6,cluster=2x1,group=8,along=m,store=tma,split="
             "1"},
        Pick{
            512, 512, 65536,
            "bm=64,bn=64,bk=64,consumers=1,stages=8,cluster=1x1,group=8,along=m,store=tma,split=1"},
        Pick{64, 28672, 4096,
             "bm=64,bn=224,bk=64,consumers=1,stages=5,cluster=1x1,group=8,along=m,store=tma,split="
             "1"},
        Pick{
            16, 4096, 14336,
            "bm=64,bn=64,bk=64,consumers=1,stages=8,cluster=1x1,group=8,along=m,store=tma,split=1"},
        Pick{1, 28672, 4096,
             "bm=64,bn=224,bk=64,consumers=1,stages=5,cluster=1x1,group=8,along=m,store=tma,split="
             "1"},
        Pick{8192, 28672, 4096, kBig}));

// So does one that computes, at every K.
TEST(Heuristic, HidesWhatAnActivationTakes) {
  // At K = 3072 the epilogue counts; at 4096 the wider tile is level, and preferred.
  GemmProblem problem{.m = 4608, .n = 12288, .k = 3072};
  problem.epilogue.bias();
  EXPECT_EQ(heuristicConfig(problem, kDevice)->schedule, GemmSchedule::cooperative);
  problem.epilogue.gelu();
  EXPECT_EQ(heuristicConfig(problem, kDevice)->schedule, GemmSchedule::pingpong);
  GemmProblem deep{.m = 4096, .n = 4096, .k = 4096};
  deep.epilogue.bias().gelu();
  EXPECT_EQ(heuristicConfig(deep, kDevice)->schedule, GemmSchedule::cooperative);
}

TEST(Heuristic, IsLegalForEveryOddShape) {
  for (int64_t m : {0, 1, 63, 64, 65, 200, 1000, 4104, 32760})
    for (int64_t n : {0, 1, 8, 40, 301, 576, 4096, 128256})
      for (int64_t k : {0, 8, 64, 1000, 65536})
        for (DType d : {DType::bf16, DType::fp32}) {
          GemmProblem problem{.m = m, .n = n, .k = k, .d = d};
          Expected<GemmConfig> config = heuristicConfig(problem, kDevice);
          ASSERT_TRUE(config) << m << " " << n << " " << k << ": " << config.status().message();
          ASSERT_FALSE(checkConfig(problem, kDevice, *config));
        }
}

TEST(Heuristic, StoresUnalignedRowsDirectly) {
  Expected<GemmConfig> config = heuristicConfig({.m = 4096, .n = 4097, .k = 4096}, kDevice);
  ASSERT_TRUE(config);
  EXPECT_EQ(config->store, GemmStore::direct);
}

TEST(Heuristic, RefusesWhatIsNotSupported) {
  EXPECT_EQ(heuristicConfig({.m = 8, .n = 8, .k = 9}, kDevice).status().code(),
            StatusCode::unsupported);
}

TEST(Model, IsPlausible) {
  GemmProblem large{.m = 8192, .n = 8192, .k = 8192};
  double seconds = predictSeconds(large, kDevice, GemmConfig());
  double tflops = large.flops() / seconds / 1e12;
  EXPECT_GT(tflops, 600);
  EXPECT_LT(tflops, 990);
  // A narrow tile cannot feed the tensor cores.
  GemmConfig narrow{.bm = 64, .bn = 64, .consumers = 1, .stages = 8, .cluster = GemmCluster::c1x1};
  EXPECT_GT(predictSeconds(large, kDevice, narrow), 1.3 * seconds);
  // Decode is bound by memory: the time of reading the weights once.
  GemmProblem decode{.m = 1, .n = 28672, .k = 4096};
  double read = 2.0 * 28672 * 4096 / kDevice.memoryBandwidth;
  EXPECT_GT(predictSeconds(decode, kDevice, narrow), read);
  EXPECT_LT(predictSeconds(decode, kDevice, narrow), 1.5 * read);
  EXPECT_EQ(predictSeconds({.m = 0, .n = 8, .k = 8}, kDevice, narrow), 0);
}

TEST(Model, GrowsWithTheProblem) {
  double last = 0;
  for (int64_t k : {64, 512, 4096, 32768}) {
    double seconds = predictSeconds({.m = 4096, .n = 4096, .k = k}, kDevice, GemmConfig());
    EXPECT_GT(seconds, last);
    last = seconds;
  }
}

} // namespace
