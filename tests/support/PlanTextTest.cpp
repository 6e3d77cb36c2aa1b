// SPDX-License-Identifier: Apache-2.0
#include "support/PlanText.h"

#include "tests/support/SamplePlans.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>

using namespace tilewright;
using Json = nlohmann::ordered_json;

namespace {

std::string textOf(const Plan &plan) {
  Expected<std::string> text = planToText(plan);
  EXPECT_TRUE(text) << text.status().message();
  return text ? *text : "";
}

TEST(PlanText, PlansReadBackEqual) {
  for (const Plan &plan : {sampleGemmPlan(), sampleSplitPlan(), Plan()}) {
    Expected<Plan> read = planFromText(textOf(plan));
    ASSERT_TRUE(read) << read.status().message();
    EXPECT_EQ(*read, plan);
    EXPECT_EQ(textOf(*read), textOf(plan));
  }
}

TEST(PlanText, EveryChangeOfAPlanChangesTheText) {
  const Plan plan = sampleGemmPlan();
  std::vector<std::function<void(Plan &)>> changes = {
      [](Plan &p) { p.name = "other"; },
      [](Plan &p) { p.arch = "sm_100a"; },
      [](Plan &p) { p.arguments[0].name = "x"; },
      [](Plan &p) { p.arguments[0].alignment = 128; },
      [](Plan &p) { p.arguments[0].dtype = DType::fp16; },
      [](Plan &p) { p.arguments[2].access = Access::readWrite; },
      [](Plan &p) { p.arguments[3].kind = ArgumentKind::i64; },
      [](Plan &p) { p.kernels[0].text += "\n"; },
      [](Plan &p) { p.kernels[0].entry = "other"; },
      [](Plan &p) { p.kernels[0].headers.pop_back(); },
      [](Plan &p) { p.kernels[0].threads = 256; },
      [](Plan &p) {
        p.kernels[0].cluster = {1, 2, 1};
      },
      [](Plan &p) { p.kernels[0].sharedBytes = 0; },
      [](Plan &p) { p.kernels[0].registerHints[0].registers = 24; },
      [](Plan &p) { p.preconditions[0].comparison = Precondition::Comparison::ne; },
      [](Plan &p) { p.preconditions[0].right = 1; },
      [](Plan &p) { p.launches[0].grid[2] = 2; },
      [](Plan &p) { p.launches[0].pdl = false; },
      [](Plan &p) { p.launches[0].parameters.pop_back(); },
      [](Plan &p) {
        std::get<TensorMapRecipe>(p.launches[0].parameters[0]).l2Promotion =
            TensorMapRecipe::L2Promotion::none;
      },
      [](Plan &p) { std::get<TensorMapRecipe>(p.launches[0].parameters[0]).box[1] = 64; },
      [](Plan &p) { std::get<PointerParameter>(p.launches[0].parameters[2]).byteOffset = 64; },
      [](Plan &p) { p.buffers.push_back({.name = "w", .bytes = 4}); },
  };
  for (size_t i = 0; i < changes.size(); ++i) {
    Plan changed = plan;
    changes[i](changed);
    ASSERT_NE(changed, plan) << i;
    EXPECT_NE(textOf(changed), textOf(plan)) << i;
    Expected<Plan> read = planFromText(textOf(changed));
    ASSERT_TRUE(read) << i << ": " << read.status().message();
    EXPECT_EQ(*read, changed) << i;
  }
}

TEST(PlanText, KernelTextSurvivesExactly) {
  Plan plan = sampleGemmPlan();
  for (const char *text : {"x", "\n", "a\n\nb", "tab\t quote\" back\\slash\r\n", "\n\n", "µ ∑"}) {
    plan.kernels[0].text = text;
    Expected<Plan> read = planFromText(textOf(plan));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->kernels[0].text, text);
  }
}

TEST(PlanText, IsReadable) {
  std::string text = textOf(sampleGemmPlan());
  for (const char *piece :
       {"\"schema\": 1", "ceildiv(ceildiv(m, 128), 2) * ceildiv(n, 256)", "\"argument\": \"a\"",
        "\"f32\": \"alpha\"", "\"extern \\\"C\\\" __global__ void gemm() {\""})
    EXPECT_NE(text.find(piece), std::string::npos) << piece << "\n" << text;
}

TEST(PlanText, AnInconsistentPlanIsNotWritten) {
  Plan plan = sampleGemmPlan();
  plan.launches[0].kernel = 5;
  EXPECT_EQ(planToText(plan).status().code(), StatusCode::internal);
}

TEST(PlanText, TextThatIsNotUtf8IsRefused) {
  Plan plan = sampleGemmPlan();
  plan.kernels[0].text = "// \xff";
  Expected<std::string> text = planToText(plan);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.status().code(), StatusCode::invalidArgument);
  EXPECT_NE(text.status().message().find("UTF-8"), std::string::npos) << text.status().message();
}

struct Malformed {
  const char *name;
  std::function<void(Json &)> spoil;
  const char *message;
};

void PrintTo(const Malformed &bad, std::ostream *out) { *out << bad.name; }

class MalformedPlan : public testing::TestWithParam<Malformed> {};

TEST_P(MalformedPlan, SaysWhere) {
  Json json = Json::parse(textOf(sampleGemmPlan()));
  GetParam().spoil(json);
  Expected<Plan> read = planFromText(json.dump());
  ASSERT_FALSE(read);
  EXPECT_EQ(read.status().code(), StatusCode::invalidArgument);
  EXPECT_NE(read.status().message().find(GetParam().message), std::string::npos)
      << read.status().message();
}

Json &parameter(Json &json, size_t index) { return json["launches"][0]["parameters"][index]; }

INSTANTIATE_TEST_SUITE_P(
    Json, MalformedPlan,
    testing::Values(
        Malformed{"MissingMember", [](Json &j) { j.erase("kernels"); }, "kernels: it is missing"},
        Malformed{"UnknownMember", [](Json &j) { j["extra"] = 1; },
                  "the top: 'extra' is no field of it"},
        Malformed{"WrongType", [](Json &j) { j["launches"][0]["grid"][1] = 4; },
                  "launches[0].grid[1]: expected a string, found a value of type number"},
        Malformed{"ArrayExpected", [](Json &j) { j["arguments"] = "a"; },
                  "arguments: expected an array"},
        Malformed{"ObjectExpected", [](Json &j) { j["kernels"][0] = 1; },
                  "kernels[0]: expected an object"},
        Malformed{"NumberExpected", [](Json &j) { j["kernels"][0]["threads"] = "384"; },
                  "kernels[0].threads: expected a whole number"},
        Malformed{"Fraction", [](Json &j) { j["kernels"][0]["threads"] = 0.5; },
                  "expected a whole number"},
        Malformed{"TooLarge", [](Json &j) { j["kernels"][0]["threads"] = 1LL << 40; },
                  "does not fit 32 bits"},
        Malformed{"FarTooLarge", [](Json &j) { j["kernels"][0]["threads"] = ~0ULL; },
                  "does not fit 32 bits"},
        Malformed{"BoolExpected", [](Json &j) { j["launches"][0]["pdl"] = 1; },
                  "launches[0].pdl: expected true or false"},
        Malformed{"GridOfTwo", [](Json &j) { j["launches"][0]["grid"].erase(2); },
                  "launches[0].grid: expected 3 extents, found 2"},
        Malformed{"ClusterOfTwo", [](Json &j) { j["kernels"][0]["cluster"].erase(2); },
                  "kernels[0].cluster: expected 3 extents"},
        Malformed{"BadExpression", [](Json &j) { j["launches"][0]["grid"][0] = "m +"; },
                  "launches[0].grid[0]: expression 'm +': expected"},
        Malformed{"UnknownName", [](Json &j) { j["launches"][0]["grid"][0] = "q"; },
                  "'q' is no argument"},
        Malformed{"BadType", [](Json &j) { j["arguments"][0]["dtype"] = "float"; },
                  "arguments[0].dtype: 'float' is no element type"},
        Malformed{"BadKind", [](Json &j) { j["arguments"][0]["kind"] = "ptr"; },
                  "'ptr' is not one of pointer, i32, i64, f32"},
        Malformed{"BadComparison", [](Json &j) { j["preconditions"][0]["is"] = "="; },
                  "preconditions[0].is: '=' is not one of =="},
        Malformed{"ScalarWithType", [](Json &j) { j["arguments"][3]["dtype"] = "bf16"; },
                  "arguments[3]: 'dtype' is no field of it"},
        Malformed{"UnknownBase",
                  [](Json &j) { parameter(j, 0)["tensor_map"]["base"]["argument"] = "z"; },
                  "launches[0].parameters[0].tensor_map.base.argument: there is no 'z'"},
        Malformed{"UnknownBuffer",
                  [](Json &j) {
                    parameter(j, 2)["pointer"]["base"] = {{"buffer", "w"}};
                  },
                  "there is no 'w'"},
        Malformed{"TwoKinds", [](Json &j) { parameter(j, 3)["i64"] = "m"; },
                  "launches[0].parameters[3]: expected one of"},
        Malformed{"NoKind", [](Json &j) { parameter(j, 3) = Json::object(); }, "expected one of"},
        Malformed{"Inconsistent", [](Json &j) { j["launches"][0]["kernel"] = 3; },
                  "there is no kernel 3 among 1"}),
    [](const auto &info) { return std::string(info.param.name); });

TEST(PlanText, SyntaxErrorsSayTheLine) {
  for (const char *text : {"", "{", "[1, 2", "not json", "{\"schema\": }"}) {
    Expected<Plan> read = planFromText(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.status().code(), StatusCode::invalidArgument);
    EXPECT_NE(read.status().message().find("line 1"), std::string::npos) << read.status().message();
  }
  EXPECT_FALSE(planFromText("3"));
  EXPECT_FALSE(planFromText("null"));
}

TEST(PlanText, AnotherSchemaIsUnsupported) {
  Json json = Json::parse(textOf(sampleGemmPlan()));
  json["schema"] = 2;
  json["from the future"] = true;
  Expected<Plan> read = planFromText(json.dump());
  ASSERT_FALSE(read);
  EXPECT_EQ(read.status().code(), StatusCode::unsupported);
  EXPECT_NE(read.status().message().find("schema 2"), std::string::npos);
}

TEST(PlanText, EveryTruncationIsRefused) {
  std::string text = textOf(sampleSplitPlan());
  for (size_t length = 0; length + 2 < text.size(); length += 7)
    EXPECT_FALSE(planFromText(std::string_view(text).substr(0, length))) << length;
}

} // namespace
