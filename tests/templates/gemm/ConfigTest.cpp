// SPDX-License-Identifier: Apache-2.0
#include "templates/gemm/Config.h"
#include "templates/gemm/Space.h"

#include <gtest/gtest.h>

#include <set>

using namespace tilewright;

namespace {

std::vector<GemmConfig> someConfigs() {
  GemmProblem problem{.m = 8192, .n = 28672, .k = 4096};
  return sampleConfigs(enumerateGemm(problem, *DeviceInfo::forTarget("h200"))->legal, 500, 42);
}

TEST(GemmConfig, DefaultPrintsEveryField) {
  EXPECT_EQ(
      GemmConfig().toString(),
      "bm=128,bn=256,bk=64,consumers=2,stages=4,cluster=2x1,group=8,along=m,store=tma,split=1,"
      "schedule=cooperative");
}

TEST(GemmConfig, TextReadsBackEqual) {
  for (const GemmConfig &config : someConfigs()) {
    Expected<GemmConfig> read = GemmConfig::parse(config.toString());
    ASSERT_TRUE(read) << read.status().message();
    EXPECT_EQ(*read, config);
    EXPECT_EQ(read->hash(), config.hash());
  }
}

TEST(GemmConfig, DifferentConfigsDifferInTextAndHash) {
  std::set<std::string> texts;
  std::set<Hash128> hashes;
  for (const GemmConfig &config : someConfigs()) {
    texts.insert(config.toString());
    hashes.insert(config.hash());
  }
  EXPECT_EQ(texts.size(), 500U);
  EXPECT_EQ(hashes.size(), 500U);
}

TEST(GemmConfig, EachFieldCountsInEquality) {
  for (const char *change :
       {"bm=64", "bn=64", "bk=128", "consumers=1", "stages=5", "cluster=1x1", "group=1", "along=n",
        "store=direct", "split=2", "schedule=pingpong"}) {
    Expected<GemmConfig> changed = GemmConfig::parse(change);
    ASSERT_TRUE(changed) << change;
    EXPECT_NE(*changed, GemmConfig()) << change;
    EXPECT_NE(changed->hash(), GemmConfig().hash()) << change;
  }
}

TEST(GemmConfig, PartsOverrideABase) {
  GemmConfig base{.bm = 192, .consumers = 3};
  Expected<GemmConfig> config = GemmConfig::parse("bn=176,cluster=1x2", base);
  ASSERT_TRUE(config);
  EXPECT_EQ(config->bm, 192);
  EXPECT_EQ(config->bn, 176);
  EXPECT_EQ(config->clusterN(), 2);
  EXPECT_EQ(config->clusterM(), 1);
}

TEST(GemmConfig, FaultsNameTheField) {
  Status status = GemmConfig::parse("cluster=4x4").status();
  EXPECT_EQ(status.code(), StatusCode::invalidArgument);
  EXPECT_EQ(status.message(), "config: cluster: '4x4' is not one of 1x1, 2x1, 1x2");
  EXPECT_NE(GemmConfig::parse("tile=3").status().message().find("use bm, bn, bk"),
            std::string::npos);
}

} // namespace
