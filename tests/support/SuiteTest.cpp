// SPDX-License-Identifier: Apache-2.0
#include "support/Suite.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

using namespace tilewright;

namespace {

std::string gemmSuite() {
  std::ifstream file(TW_SOURCE_DIR "/bench/suites/gemm.json");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_FALSE(text.str().empty());
  return text.str();
}

TEST(Suite, ListsEachCaseWithItsTypes) {
  Expected<std::vector<SuiteCase>> cases = gemmSuiteCases(gemmSuite());
  ASSERT_TRUE(cases) << cases.status().message();
  std::set<std::string> names;
  for (const SuiteCase &suiteCase : *cases)
    names.insert(suiteCase.name);
  EXPECT_EQ(names.size(), 48U);
  EXPECT_EQ(cases->front(), (SuiteCase{"sq1k", "bf16"}));
}

// Each case is built, or refused with a reason that names what is missing.
TEST(Suite, EveryCaseIsAProblemOrHasAReason) {
  std::string suite = gemmSuite();
  Expected<std::vector<SuiteCase>> cases = gemmSuiteCases(suite);
  ASSERT_TRUE(cases);
  std::set<std::string> supported;
  for (const SuiteCase &suiteCase : *cases) {
    Expected<GemmProblem> problem = gemmSuiteProblem(suite, suiteCase);
    Status status = problem ? problem->validate() : problem.status();
    if (status.isOk())
      supported.insert(suiteCase.name + ":" + suiteCase.dtype);
    else
      EXPECT_EQ(status.code(), StatusCode::unsupported)
          << suiteCase.name << " " << suiteCase.dtype << ": " << status.toString();
  }
  for (const char *name :
       {"sq1k:bf16", "sq4k:fp16", "l8b-down-residual:bf16", "lmhead:bf16", "dsv3-router:bf16",
        "flux-mlp1:bf16", "bias-gelu-residual:bf16", "splitk:bf16", "decode1:bf16"})
    EXPECT_TRUE(supported.contains(name)) << name;
  for (const char *name : {"sq4k-nn:bf16", "l8b-wgrad:bf16", "batched:bf16", "moe-contig:bf16",
                           "l8b-gateup-swiglu:bf16", "hunyuan-o-gate:bf16", "sq4k:fp8"})
    EXPECT_FALSE(supported.contains(name)) << name;
}

TEST(Suite, ACaseIsReadInFull) {
  Expected<GemmProblem> problem =
      gemmSuiteProblem(gemmSuite(), {.name = "bias-gelu-residual", .dtype = "bf16"});
  ASSERT_TRUE(problem) << problem.status().message();
  GemmProblem expected{.m = 8192, .n = 12288, .k = 3072};
  expected.epilogue.bias().gelu().residual();
  EXPECT_EQ(*problem, expected);

  problem = gemmSuiteProblem(gemmSuite(), {.name = "lmhead", .dtype = "bf16"});
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->d, DType::fp32);
  problem = gemmSuiteProblem(gemmSuite(), {.name = "sq4k", .dtype = "int8"});
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->a, DType::int8);
  EXPECT_EQ(problem->d, DType::int32);
}

TEST(Suite, FaultsAreNamed) {
  std::string suite = gemmSuite();
  Status status = gemmSuiteProblem(suite, {.name = "nosuch", .dtype = "bf16"}).status();
  EXPECT_EQ(status.code(), StatusCode::notFound);
  EXPECT_NE(status.message().find("sq1k"), std::string::npos);
  status = gemmSuiteProblem(suite, {.name = "sq1k", .dtype = "bf17"}).status();
  EXPECT_EQ(status.code(), StatusCode::invalidArgument);
  EXPECT_EQ(gemmSuiteCases("[]").status().code(), StatusCode::invalidArgument);
  EXPECT_EQ(gemmSuiteCases("{").status().code(), StatusCode::invalidArgument);
  status = gemmSuiteProblem(R"({"cases": [{"name": "x", "dtypes": [], "m": 1, "n": 1, "k": 1,
                                "layout": "xy"}]})",
                            {.name = "x", .dtype = "bf16"})
               .status();
  EXPECT_NE(status.message().find("'xy' is no layout"), std::string::npos) << status.message();
  status = gemmSuiteProblem(R"({"cases": [{"name": "x", "dtypes": [], "m": -1, "n": 1, "k": 1,
                                "layout": "nt"}]})",
                            {.name = "x", .dtype = "bf16"})
               .status();
  EXPECT_EQ(status.code(), StatusCode::invalidArgument);
  EXPECT_NE(status.message().find("m is -1"), std::string::npos) << status.message();
}

} // namespace
