// SPDX-License-Identifier: Apache-2.0
#include "templates/gemm/Space.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

using namespace tilewright;

namespace {

const DeviceInfo kDevice = *DeviceInfo::forTarget("h200");
const GemmProblem kLarge{.m = 8192, .n = 28672, .k = 4096};

GemmConfig config(std::string_view text) {
  Expected<GemmConfig> parsed = GemmConfig::parse(text);
  EXPECT_TRUE(parsed) << parsed.status().message();
  return *parsed;
}

GemmDerived derive(std::string_view text, const GemmProblem &problem = kLarge) {
  return deriveGemm(problem, kDevice, config(text));
}

TEST(Derived, DefaultOfLargeProblems) {
  GemmDerived derived = derive("");
  EXPECT_EQ(derived.threads, 384);
  EXPECT_EQ(derived.rowsPerConsumer, 64);
  EXPECT_EQ(derived.waves, 1);
  EXPECT_EQ(derived.accumulators, 128);
  EXPECT_EQ(derived.registers, (GemmRegisters{40, 232}));
  EXPECT_EQ(derived.subtile, 64);
  EXPECT_EQ(derived.subtiles, 4);
  EXPECT_EQ(derived.stagingSwizzle, 128);
  EXPECT_EQ(derived.kSteps, 64);
  EXPECT_EQ(derived.tilesM, 64);
  EXPECT_EQ(derived.tilesN, 112);
  EXPECT_EQ(derived.clusterTilesM, 32);
  EXPECT_EQ(derived.gridCtas, 132);
  EXPECT_EQ(derived.rounds, 55); // 3584 pairs of tiles over 66 clusters
}

TEST(Derived, SharedMemoryIsTheSumOfItsItems) {
  GemmDerived derived = derive("");
  EXPECT_EQ(derived.shared.stageBytes, (128 + 256) * 64 * 2);
  EXPECT_EQ(derived.shared.stagingBytes(), 2 * 2 * 64 * 128);
  EXPECT_EQ(derived.shared.total(), 4 * 49152 + 32768 + 4 * 16 + 1024);
  EXPECT_EQ(derived.shared.toString(),
            "4 stages of 49152 + 2 consumers x 2 buffers of 8192 + 64 for barriers + 1024 for "
            "alignment = 230464 bytes");
  EXPECT_EQ(derive("store=direct").shared.toString(),
            "4 stages of 49152 + 64 for barriers + 1024 for alignment = 197696 bytes");
}

TEST(Derived, SharedMemoryFollowsTheFormulaForEveryLegalConfig) {
  Expected<GemmSpace> space = enumerateGemm(kLarge, kDevice);
  ASSERT_TRUE(space);
  for (const GemmConfig &c : space->legal) {
    GemmDerived d = deriveGemm(kLarge, kDevice, c);
    int32_t tiles = c.schedule == GemmSchedule::pingpong ? 2 : 1;
    int32_t staging =
        c.store == GemmStore::direct ? 0 : d.shared.stagingBuffers * tiles * c.bm * d.subtile * 2;
    ASSERT_EQ(d.shared.total(),
              c.stages * (c.bm + c.bn) * c.bk * 2 + staging + 16 * c.stages + 1024)
        << c.toString();
    ASSERT_LE(d.shared.total(), 232448) << c.toString();
  }
}

TEST(Derived, RegistersFollowConsumersAndAccumulators) {
  EXPECT_EQ(derive("bm=128,bn=128,consumers=1").registers, (GemmRegisters{0, 0}));
  EXPECT_EQ(derive("bm=256,bn=192,consumers=2,stages=3").registers, (GemmRegisters{40, 232}));
  EXPECT_EQ(derive("bm=192,bn=128,consumers=3").registers, (GemmRegisters{32, 160}));
  // What the warpgroups ask for never exceeds what the launch was given.
  for (auto [text, threads] :
       {std::pair{"", 384}, {"bm=256,bn=192", 384}, {"bm=192,consumers=3", 512}}) {
    GemmDerived derived = derive(text);
    int32_t asked = 128 * (derived.registers.producer +
                           (derived.threads / 128 - 1) * derived.registers.consumer);
    EXPECT_EQ(derived.threads, threads);
    EXPECT_LE(asked, 65536 / threads / 8 * 8 * threads);
    EXPECT_EQ(derived.registers.producer % 8, 0);
    EXPECT_EQ(derived.registers.consumer % 8, 0);
  }
}

TEST(Derived, SubtilesFillASwizzleSpanAndDivideTheTile) {
  std::map<int32_t, int32_t> expected = {{64, 64},  {80, 16},  {96, 32},  {112, 16}, {128, 64},
                                         {144, 16}, {160, 32}, {176, 16}, {192, 64}, {208, 16},
                                         {224, 32}, {240, 16}, {256, 64}};
  for (auto [bn, subtile] : expected) {
    GemmConfig c{.bn = bn};
    GemmDerived derived = deriveGemm(kLarge, kDevice, c);
    EXPECT_EQ(derived.subtile, subtile) << bn;
    EXPECT_EQ(derived.subtile * derived.subtiles, bn);
    EXPECT_EQ(derived.stagingSwizzle, subtile * 2);
  }
  GemmProblem wide = kLarge;
  wide.d = DType::fp32;
  EXPECT_EQ(deriveGemm(wide, kDevice, {.bn = 256}).subtile, 32);
  EXPECT_EQ(deriveGemm(wide, kDevice, {.bn = 144}).subtile, 16);
  EXPECT_EQ(deriveGemm(wide, kDevice, {.bn = 144}).stagingSwizzle, 64);
}

TEST(Derived, OneStagingBufferWhereTwoDoNotFit) {
  EXPECT_EQ(derive("bn=192,stages=4").shared.stagingBuffers, 2);
  EXPECT_EQ(derive("bn=192,stages=5").shared.stagingBuffers, 1);
  EXPECT_EQ(derive("bn=192,stages=5,store=direct").shared.stagingBuffers, 0);
}

TEST(Derived, GridIsPersistentAndAMultipleOfTheCluster) {
  GemmDerived derived = derive("cluster=1x2", {.m = 300, .n = 700, .k = 100});
  EXPECT_EQ(derived.tilesM, 3);
  EXPECT_EQ(derived.tilesN, 3);
  EXPECT_EQ(derived.clusterTilesM, 3);
  EXPECT_EQ(derived.clusterTilesN, 2);
  EXPECT_EQ(derived.gridCtas, 12);
  EXPECT_EQ(derived.rounds, 1);
  EXPECT_EQ(derived.kSteps, 2);

  DeviceInfo odd = kDevice;
  odd.smCount = 131;
  EXPECT_EQ(deriveGemm(kLarge, odd, GemmConfig()).gridCtas, 130);
}

TEST(Derived, SplitSharesOutKAndStagesFp32) {
  GemmDerived derived =
      derive("bm=128,bn=128,split=4,cluster=1x1", {.m = 512, .n = 512, .k = 6400});
  EXPECT_EQ(derived.kSteps, 25);
  EXPECT_EQ(derived.gridCtas, 64);
  EXPECT_EQ(derived.subtile, 32);
  EXPECT_EQ(derived.stagingSwizzle, 128);
  EXPECT_DOUBLE_EQ(derived.waveEfficiency, 64.0 / 132);
}

TEST(Derived, EmptyProblemsHaveNoGrid) {
  GemmDerived derived = derive("", {.m = 0, .n = 256, .k = 256});
  EXPECT_EQ(derived.gridCtas, 0);
  EXPECT_EQ(derived.rounds, 0);
  EXPECT_EQ(derived.waveEfficiency, 0);
  EXPECT_EQ(derive("", {.m = 256, .n = 256, .k = 0}).kSteps, 0);
}

TEST(Derived, WaveEfficiencyIsTheShareOfUsefulWork) {
  // 128 tiles of 128x160 in one round of 132.
  EXPECT_DOUBLE_EQ(derive("bn=160", {.m = 2048, .n = 1280, .k = 64}).waveEfficiency, 128.0 / 132);
  // 133 tiles need a second round.
  EXPECT_DOUBLE_EQ(derive("bn=256,cluster=1x1", {.m = 128 * 133, .n = 256, .k = 64}).waveEfficiency,
                   133.0 / 264);
}

TEST(Split, StoresToWorkspaceWhateverThePitchOfD) {
  GemmProblem problem{.m = 300, .n = 301, .k = 512};
  EXPECT_FALSE(checkConfig(problem, kDevice, config("cluster=1x1,split=2")));
}

struct BrokenRule {
  const char *name;
  const char *config;
  const char *rule;
  const char *text;
  GemmProblem problem = kLarge;
};

void PrintTo(const BrokenRule &broken, std::ostream *out) { *out << broken.name; }

class Rules : public testing::TestWithParam<BrokenRule> {};

TEST_P(Rules, RejectionNamesTheRule) {
  GemmConfig c = config(GetParam().config);
  std::optional<GemmRejection> rejection = checkConfig(GetParam().problem, kDevice, c);
  ASSERT_TRUE(rejection);
  EXPECT_EQ(rejection->rule, GetParam().rule);
  EXPECT_EQ(rejection->config, c);
  EXPECT_NE(rejection->text.find(GetParam().text), std::string::npos) << rejection->text;
}

INSTANTIATE_TEST_SUITE_P(
    Gemm, Rules,
    testing::Values(
        BrokenRule{"Bm", "bm=96", "range", "bm is 96; use 64, 128, 192 or 256"},
        BrokenRule{"BnStep", "bn=72", "range", "bn is 72; use a multiple of 16"},
        BrokenRule{"BnSmall", "bn=48", "range", "bn is 48"},
        BrokenRule{"BnLarge", "bn=272", "range", "bn is 272"},
        BrokenRule{"Bk", "bk=32", "range", "bk is 32; use 64 or 128"},
        BrokenRule{"Consumers", "consumers=0", "range", "consumers is 0"},
        BrokenRule{"ManyConsumers", "consumers=4", "range", "consumers is 4"},
        BrokenRule{"FewStages", "stages=2", "range", "stages is 2; use 3 to 8"},
        BrokenRule{"ManyStages", "stages=9", "range", "stages is 9"},
        BrokenRule{"Group", "group=3", "range", "group is 3; use 1, 2, 4, 8 or 16"},
        BrokenRule{"UnevenRows", "bm=192,consumers=2", "consumer_rows",
                   "bm = 192 over 2 consumers; each takes 64 or 128 rows, so use bm = 128 or 256"},
        BrokenRule{"TooFewRows", "bm=64,consumers=2", "consumer_rows", "bm = 64 over 2"},
        BrokenRule{"TooManyRows", "bm=192,consumers=1", "consumer_rows", "bm = 192 over 1"},
        BrokenRule{"ThreeWavesOf256", "bm=256,bn=208,stages=3", "registers",
                   "208 accumulators and about 40 working registers are 248 of 232"},
        BrokenRule{
            "ThreeConsumersOf256", "bm=192,bn=256,consumers=3,stages=3", "registers",
            "one wgmma of bn = 256 holds 128 registers and about 32 beside them; a thread of "
            "512 is launched with 128"},
        BrokenRule{"ThreeConsumersOf240", "bm=192,bn=240,consumers=3,stages=3", "registers",
                   "one wgmma of bn = 240 holds 120"},
        BrokenRule{"LoneConsumer", "bm=128,bn=256,consumers=1", "registers", "296 of 240"},
        BrokenRule{"Stages", "stages=5", "shared_memory",
                   "5 stages of 49152 + 2 consumers x 1 buffers of 8192 + 80 for barriers + 1024 "
                   "for alignment = 263248 bytes, a CTA may have 232448"},
        BrokenRule{"DeepBk", "bk=128", "shared_memory", "4 stages of 98304"},
        BrokenRule{"OneRowOfTiles",
                   "cluster=2x1",
                   "cluster",
                   "cluster 2x1 pairs tiles along m, where there are 1",
                   {.m = 128, .n = 4096, .k = 512}},
        BrokenRule{"OneColumnOfTiles",
                   "cluster=1x2",
                   "cluster",
                   "pairs tiles along n",
                   {.m = 4096, .n = 256, .k = 512}},
        BrokenRule{"RowsOfD",
                   "cluster=1x1",
                   "store",
                   "store tma needs ldd to be a multiple of 8 elements (16 bytes), it is 301",
                   {.m = 300, .n = 301, .k = 512}},
        BrokenRule{"EndOfRowsOfD",
                   "cluster=1x1",
                   "store",
                   "store tma writes whole pieces of 16 bytes, and n = 301 ends inside one",
                   {.m = 300, .n = 301, .k = 512, .ldd = 304}},
        BrokenRule{"ManySlices", "split=17", "range", "split is 17; use 1 to 16"},
        BrokenRule{"EmptySlices",
                   "split=8",
                   "split",
                   "split 8 makes more slices than the 7 steps of bk = 64 in k = 448",
                   {.m = 300, .n = 304, .k = 448}},
        BrokenRule{"RowsOfPingpong", "bm=256,bn=128,schedule=pingpong", "consumer_rows",
                   "bm = 256 for each of the consumers of schedule pingpong; each takes 64 or 128 "
                   "rows, so use bm = 64 or 128"},
        BrokenRule{"AccumulatorsOfPingpong", "bm=128,bn=208,stages=3,schedule=pingpong",
                   "registers", "208 accumulators and about 40 working registers are 248 of 232"},
        BrokenRule{"StagingOfPingpong", "bm=128,bn=192,stages=5,schedule=pingpong", "shared_memory",
                   "5 stages of 40960 + 2 consumers x 1 buffers of 16384 + 80 for barriers"},
        BrokenRule{"LonePingpong", "bm=128,bn=128,consumers=1,schedule=pingpong", "schedule",
                   "schedule pingpong alternates 2 consumers, found 1; use consumers = 2"},
        BrokenRule{"SlicesOfPingpong", "bm=128,bn=128,split=2,schedule=pingpong", "schedule",
                   "schedule pingpong needs the same number of steps for each tile, split 2 makes "
                   "the last slice shorter; use split = 1"}),
    [](const auto &info) { return std::string(info.param.name); });

TEST(Space, EveryRuleIsTriggeredByATest) {
  // Keep the list above complete: a new rule needs a case.
  EXPECT_EQ(kGemmRules.size(), 8U);
}

TEST(Space, LargeProblemsHaveManyLegalConfigs) {
  Expected<GemmSpace> space = enumerateGemm(kLarge, kDevice);
  ASSERT_TRUE(space);
  EXPECT_GE(space->legal.size(), 300U);
  std::set<std::string> shapes;
  for (const GemmConfig &c : space->legal) {
    EXPECT_FALSE(checkConfig(kLarge, kDevice, c));
    GemmConfig plain = c;
    plain.group = 8;
    plain.along = RasterAxis::m;
    shapes.insert(plain.toString());
  }
  EXPECT_GE(shapes.size(), 300U); // not only by rasters
  EXPECT_EQ(shapes.size() * 10, space->legal.size());
}

TEST(Space, EveryRejectionHasItsReason) {
  Expected<GemmSpace> space = enumerateGemm(kLarge, kDevice);
  ASSERT_TRUE(space);
  std::set<std::string_view> rules;
  for (const GemmRejection &rejection : space->rejected) {
    EXPECT_FALSE(rejection.text.empty());
    EXPECT_NE(std::find(kGemmRules.begin(), kGemmRules.end(), rejection.rule), kGemmRules.end());
    rules.insert(rejection.rule);
  }
  EXPECT_TRUE(rules.contains("shared_memory"));
  EXPECT_TRUE(rules.contains("registers"));
  EXPECT_TRUE(rules.contains("consumer_rows"));
  // 4 bm x 13 bn x 2 bk x 6 stages x 3 clusters x 2 stores, for 1 and 3 consumers and for the two
  // schedules of 2: each in one of the lists.
  EXPECT_EQ(space->legal.size() / 10 + space->rejected.size(), 4U * 13 * 2 * 6 * 3 * 2 * 4);
}

TEST(Space, IsDeterministic) {
  Expected<GemmSpace> first = enumerateGemm(kLarge, kDevice);
  Expected<GemmSpace> second = enumerateGemm(kLarge, kDevice);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->legal, second->legal);
  EXPECT_EQ(first->legal.front().toString(),
            "bm=64,bn=64,bk=64,consumers=1,stages=3,cluster=1x1,group=1,along=m,store=tma,split=1,"
            "schedule=cooperative");
}

TEST(Space, UnsupportedProblemsHaveNone) {
  GemmProblem problem = kLarge;
  problem.layout = GemmLayout::tn;
  EXPECT_EQ(enumerateGemm(problem, kDevice).status().code(), StatusCode::unsupported);
  problem = {.m = -1};
  EXPECT_EQ(enumerateGemm(problem, kDevice).status().code(), StatusCode::invalidArgument);
}

TEST(Space, UnalignedRowsOfDLeaveDirectStores) {
  Expected<GemmSpace> space = enumerateGemm({.m = 1000, .n = 1001, .k = 512}, kDevice);
  ASSERT_TRUE(space);
  EXPECT_GE(space->legal.size(), 300U);
  for (const GemmConfig &c : space->legal)
    EXPECT_EQ(c.store, GemmStore::direct);
}

TEST(Sample, IsDistinctLegalAndFixedBySeed) {
  std::vector<GemmConfig> legal = enumerateGemm(kLarge, kDevice)->legal;
  std::vector<GemmConfig> sample = sampleConfigs(legal, 300, 7);
  ASSERT_EQ(sample.size(), 300U);
  std::set<std::string> texts;
  for (const GemmConfig &c : sample) {
    texts.insert(c.toString());
    EXPECT_NE(std::find(legal.begin(), legal.end(), c), legal.end());
  }
  EXPECT_EQ(texts.size(), 300U);
  EXPECT_EQ(sampleConfigs(legal, 300, 7), sample);
  EXPECT_NE(sampleConfigs(legal, 300, 8), sample);
  EXPECT_EQ(sampleConfigs(legal, legal.size() + 5, 1).size(), legal.size());
  EXPECT_TRUE(sampleConfigs({}, 3, 1).empty());
}

TEST(Sample, CoversTheKnobs) {
  std::vector<GemmConfig> sample = sampleConfigs(enumerateGemm(kLarge, kDevice)->legal, 300, 7);
  std::set<int32_t> bm, bn, bk, consumers, stages;
  for (const GemmConfig &c : sample) {
    bm.insert(c.bm);
    bn.insert(c.bn);
    bk.insert(c.bk);
    consumers.insert(c.consumers);
    stages.insert(c.stages);
  }
  EXPECT_EQ(bm.size(), 4U);
  EXPECT_EQ(bn.size(), 13U);
  EXPECT_EQ(bk.size(), 2U);
  EXPECT_EQ(consumers.size(), 3U);
  EXPECT_EQ(stages.size(), 6U);
}

} // namespace
