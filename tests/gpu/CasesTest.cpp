// SPDX-License-Identifier: Apache-2.0
// The cases for a card, as far as they can be tested without one: they are legal and cover the
// space.
#include "tests/gpu/Cases.h"

#include <gtest/gtest.h>

#include <set>

using namespace tilewright;

namespace {

const DeviceInfo kDevice = *DeviceInfo::forTarget("h200");

/// The values of knobs, types and ops that cases have: "bm=128", "d=fp32", "op bias".
std::set<std::string> valuesOf(const std::vector<GemmCase> &cases) {
  std::set<std::string> seen;
  for (const GemmCase &gemm : cases) {
    const std::string config = gemm.config.toString();
    for (size_t begin = 0; begin < config.size();) {
      const size_t end = std::min(config.find(',', begin), config.size());
      seen.insert(config.substr(begin, end - begin));
      begin = end + 1;
    }
    seen.insert("a=" + std::string(dtypeName(gemm.problem.a)));
    seen.insert("d=" + std::string(dtypeName(gemm.problem.d)));
    for (const EpilogueOp &op : gemm.problem.epilogue.ops())
      seen.insert("op " + std::string(op.name()));
  }
  return seen;
}

void expectAllOps(const std::set<std::string> &seen) {
  for (const EpilogueInfo &info : kEpilogueOps)
    EXPECT_TRUE(!info.supported || seen.contains("op " + std::string(info.name))) << info.name;
}

/// Every value of every knob of the space, but for the raster and slices.
std::set<std::string> valuesOfSpace() {
  const Expected<GemmSpace> space = enumerateGemm({.m = 8192, .n = 8192, .k = 8192}, kDevice);
  std::vector<GemmCase> cases;
  if (space)
    for (const GemmConfig &config : space->legal)
      cases.push_back({{}, config, 0});
  return valuesOf(cases);
}

TEST(Cases, TheSweepCoversTheSpace) {
  std::vector<GemmCase> cases;
  std::set<std::string> configs;
  for (int chunk = 0; chunk < kSweepChunks; ++chunk) {
    const std::vector<GemmCase> piece = sweepCases(chunk, kDevice);
    ASSERT_EQ(piece.size(), 2 * kSweepChunkSize);
    for (size_t i = 0; i < kSweepChunkSize; ++i) {
      EXPECT_FALSE(checkConfig(piece[i].problem, kDevice, piece[i].config)) << piece[i].toString();
      EXPECT_TRUE(piece[i].problem.validate().isOk()) << piece[i].toString();
      const GemmCase &small = piece[i + kSweepChunkSize];
      EXPECT_TRUE(small.problem.validate().isOk()) << small.toString();
      EXPECT_EQ(small.config, piece[i].config);
      configs.insert(piece[i].config.toString());
      cases.push_back(piece[i]);
    }
  }
  EXPECT_GE(configs.size(), 300U);
  const std::set<std::string> seen = valuesOf(cases);
  for (const std::string &value : valuesOfSpace())
    EXPECT_TRUE(seen.contains(value)) << value << " is in no config of the sweep";
  expectAllOps(seen);
}

TEST(Cases, TheSweepIsTheSameEachTime) {
  const std::vector<GemmCase> once = sweepCases(3, kDevice), again = sweepCases(3, kDevice);
  for (size_t i = 0; i < once.size(); ++i)
    EXPECT_EQ(once[i].toString(), again[i].toString());
}

TEST(Cases, MemcheckHasThirtyLegalKernels) {
  const std::vector<NamedCase> cases = memcheckCases();
  EXPECT_GE(cases.size(), 30U);
  std::vector<GemmCase> plain;
  std::set<std::string> names;
  for (const NamedCase &one : cases) {
    EXPECT_TRUE(one.gemm.problem.validate().isOk()) << one.name;
    const std::optional<GemmRejection> rejection =
        checkConfig(one.gemm.problem, kDevice, one.gemm.config);
    EXPECT_FALSE(rejection) << one.name << ": " << rejection->text;
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    plain.push_back(one.gemm);
  }
  const std::set<std::string> seen = valuesOf(plain);
  for (const std::string &value : valuesOfSpace())
    for (const char *knob : {"cluster=", "store=", "consumers=", "schedule=", "along="})
      EXPECT_TRUE(!value.starts_with(knob) || seen.contains(value))
          << value << " is under no sanitizer";
  expectAllOps(seen);
}

TEST(Cases, CompositionsAreManyAndSupported) {
  const std::vector<std::string> lists = compositions();
  EXPECT_GE(lists.size(), 20U);
  std::vector<GemmCase> cases;
  for (const std::string &ops : lists) {
    GemmProblem problem{.m = 333, .n = 520, .k = 136};
    const Expected<Epilogue> epilogue = Epilogue::parse(ops);
    ASSERT_TRUE(epilogue) << epilogue.status().message();
    problem.epilogue = *epilogue;
    EXPECT_GE(problem.epilogue.ops().size(), 2U) << ops;
    EXPECT_TRUE(problem.validate().isOk()) << ops;
    cases.push_back({problem, {}, 0});
  }
  expectAllOps(valuesOf(cases));
}

TEST(Cases, ACaseSaysHowToRepeatIt) {
  GemmProblem problem{.m = 5, .n = 16, .k = 24, .d = DType::fp32};
  problem.lda = 32;
  problem.alpha = 0.5F;
  problem.beta = 2;
  problem.epilogue.bias().residual({}, 20);
  EXPECT_EQ((GemmCase{problem, *GemmConfig::parse("split=2"), 9}).toString(),
            "tilewright gemm -m 5 -n 16 -k 24 --a bf16 --d fp32 --lda 32 --alpha 0.5 --beta 2 --c "
            "fp32 --epilogue bias,residual:ld20 --config " +
                GemmConfig::parse("split=2")->toString() + " --seed 9 --check");
}

} // namespace
