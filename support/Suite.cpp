// SPDX-License-Identifier: Apache-2.0
#include "support/Suite.h"

#include "support/JsonNode.h"

#include <array>
#include <optional>

namespace tilewright {
namespace {

using Json = nlohmann::ordered_json;

/// What the name of a type in a suite means; unset `a`: not expressible in this version.
struct SuiteType {
  std::string_view name;
  std::optional<DType> a;
  DType d;
};
constexpr std::array<SuiteType, 8> kSuiteTypes = {{
    {"bf16", DType::bf16, DType::bf16},
    {"fp16", DType::fp16, DType::fp16},
    {"fp8", DType::e4m3, DType::bf16},
    {"tf32", DType::tf32, DType::fp32},
    {"fp32", DType::fp32, DType::fp32},
    {"int8", DType::int8, DType::int32},
    {"fp8_row", std::nullopt, DType::bf16},
    {"fp8_block", std::nullopt, DType::bf16},
}};

Expected<GemmProblem> problemOf(const JsonNode &node, std::string_view dtype) {
  node.onlyFields({"name", "m", "n", "k", "layout", "dtypes", "origin", "peer", "epilogue", "d",
                   "batch", "grouped"});
  const SuiteType *type = nullptr;
  for (const SuiteType &candidate : kSuiteTypes)
    if (candidate.name == dtype)
      type = &candidate;
  if (!type)
    return Status::invalidArgument("'" + std::string(dtype) + "' is no type of a suite");
  if (!type->a)
    return Status::unsupported("type " + std::string(dtype) +
                               " scales parts of its operands, which this version does not do");
  if (node.has("grouped"))
    return Status::unsupported("this version has no grouped GEMM");

  GemmProblem problem{.m = node.field("m").integer(),
                      .n = node.field("n").integer(),
                      .k = node.field("k").integer(),
                      .a = *type->a,
                      .b = *type->a,
                      .d = type->d};
  Expected<GemmLayout> layout = parseLayout(node.field("layout").text());
  if (!layout)
    return layout.status();
  problem.layout = *layout;
  if (node.has("d")) {
    Expected<DType> d = parseDType(node.field("d").text());
    if (!d)
      return d.status();
    problem.d = *d;
  }
  if (node.has("batch"))
    problem.batch = node.field("batch").integer();
  if (node.has("epilogue")) {
    Expected<Epilogue> epilogue = Epilogue::parse(node.field("epilogue").text());
    if (!epilogue)
      return epilogue.status();
    problem.epilogue = *std::move(epilogue);
  }
  return problem;
}

} // namespace

Expected<std::vector<SuiteCase>> gemmSuiteCases(std::string_view suite) {
  Expected<Json> json = parseJson(suite);
  if (!json)
    return json.status().withContext("suite");
  Status failure;
  std::vector<SuiteCase> cases;
  JsonNode(*json, "", failure).field("cases").each([&](const JsonNode &node) {
    std::string name = node.field("name").text();
    node.field("dtypes").each(
        [&](const JsonNode &dtype) { cases.push_back({.name = name, .dtype = dtype.text()}); });
  });
  if (!failure.isOk())
    return failure.withContext("suite");
  return cases;
}

Expected<GemmProblem> gemmSuiteProblem(std::string_view suite, const SuiteCase &which) {
  Expected<Json> json = parseJson(suite);
  if (!json)
    return json.status().withContext("suite");
  Status failure;
  std::string names;
  std::optional<Expected<GemmProblem>> found;
  JsonNode(*json, "", failure).field("cases").each([&](const JsonNode &node) {
    std::string name = node.field("name").text();
    names += (names.empty() ? "" : ", ") + name;
    if (name == which.name && !found)
      found = problemOf(node, which.dtype);
  });
  if (!failure.isOk())
    return failure.withContext("suite");
  if (!found)
    return Status::notFound("the suite has no case '" + which.name + "'; it has " + names);
  Status status = found->status();
  if (status.isOk())
    status = (*found)->checkWellFormed();
  if (!status.isOk())
    return status.withContext("case '" + which.name + "'");
  return *std::move(found);
}

} // namespace tilewright
