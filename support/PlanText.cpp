// SPDX-License-Identifier: Apache-2.0
#include "support/PlanText.h"

#include "support/ExprText.h"
#include "support/JsonNode.h"
#include "support/PlanCheck.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tilewright {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 4> kArgumentKinds = {"pointer", "i32", "i64", "f32"};
constexpr std::array<std::string_view, 3> kAccesses = {"read", "write", "read_write"};
constexpr std::array<std::string_view, 4> kPromotions = {"none", "64", "128", "256"};
constexpr std::array<std::string_view, 6> kComparisons = {"==", "!=", "<", "<=", ">", ">="};
constexpr std::array<std::string_view, 2> kWidths = {"i32", "i64"};

template <typename Names, typename Enum>
std::string nameIn(const Names &names, Enum value) {
  return std::string(names[static_cast<size_t>(value)]);
}

/// Writes one plan that checkPlan accepts.
class Writer {
public:
  explicit Writer(const Plan &plan) : plan_(plan) {}

  Json run() const {
    Json json;
    json["schema"] = kPlanSchema;
    json["name"] = plan_.name;
    json["arch"] = plan_.arch;
    json["arguments"] = list(plan_.arguments, [](const PlanArgument &argument) {
      Json entry{{"name", argument.name}, {"kind", nameIn(kArgumentKinds, argument.kind)}};
      if (argument.kind == ArgumentKind::pointer) {
        entry["dtype"] = dtypeName(argument.dtype);
        entry["alignment"] = argument.alignment;
        entry["access"] = nameIn(kAccesses, argument.access);
      }
      return entry;
    });
    json["buffers"] = list(plan_.buffers, [&](const PlanBuffer &buffer) {
      return Json{{"name", buffer.name},
                  {"bytes", text(buffer.bytes)},
                  {"alignment", buffer.alignment},
                  {"zero_init", buffer.zeroInit}};
    });
    json["preconditions"] = list(plan_.preconditions, [&](const Precondition &precondition) {
      return Json{{"left", text(precondition.left)},
                  {"is", nameIn(kComparisons, precondition.comparison)},
                  {"right", text(precondition.right)},
                  {"message", precondition.message}};
    });
    json["launches"] = list(plan_.launches, [&](const PlanLaunch &launch) {
      return Json{{"kernel", launch.kernel},
                  {"grid", list(launch.grid, [&](const Expr &extent) { return text(extent); })},
                  {"pdl", launch.pdl},
                  {"parameters", list(launch.parameters, [&](const PlanParameter &parameter) {
                     return std::visit([&](const auto &kind) { return write(kind); }, parameter);
                   })}};
    });
    json["kernels"] = list(plan_.kernels, [](const PlanKernel &kernel) { return write(kernel); });
    return json;
  }

private:
  template <typename Items, typename Function>
  static Json list(const Items &items, Function write) {
    Json json = Json::array();
    for (const auto &item : items)
      json.push_back(write(item));
    return json;
  }

  std::string text(const Expr &expr) const { return printExpr(expr, plan_.arguments); }

  Json write(const MemoryRef &ref) const {
    auto index = static_cast<size_t>(ref.index);
    if (ref.source == MemoryRef::Source::argument)
      return {{"argument", plan_.arguments[index].name}};
    return {{"buffer", plan_.buffers[index].name}};
  }

  Json write(const TensorMapRecipe &map) const {
    auto exprs = [&](const Expr &expr) { return text(expr); };
    Json json{{"base", write(map.base)},
              {"dtype", dtypeName(map.dtype)},
              {"dims", list(map.dims, exprs)},
              {"strides", list(map.strides, exprs)},
              {"box", map.box},
              {"swizzle", map.swizzle},
              {"l2_promotion", nameIn(kPromotions, map.l2Promotion)}};
    return {{"tensor_map", std::move(json)}};
  }

  Json write(const PointerParameter &pointer) const {
    return {{"pointer", {{"base", write(pointer.base)}, {"offset", text(pointer.byteOffset)}}}};
  }

  Json write(const ScalarParameter &scalar) const {
    return {{nameIn(kWidths, scalar.width), text(scalar.value)}};
  }

  Json write(const FloatParameter &scalar) const {
    return {{"f32", plan_.arguments[static_cast<size_t>(scalar.argument)].name}};
  }

  static Json write(const PlanKernel &kernel) {
    Json lines = Json::array();
    for (size_t begin = 0; begin <= kernel.text.size();) {
      size_t end = std::min(kernel.text.find('\n', begin), kernel.text.size());
      lines.push_back(kernel.text.substr(begin, end - begin));
      begin = end + 1;
    }
    return {{"entry", kernel.entry},
            {"threads", kernel.threads},
            {"cluster", kernel.cluster},
            {"shared_bytes", kernel.sharedBytes},
            {"registers", list(kernel.registerHints,
                               [](const RegisterHint &hint) {
                                 return Json{{"role", hint.role}, {"registers", hint.registers}};
                               })},
            {"headers", kernel.headers},
            {"text", std::move(lines)}};
  }

  const Plan &plan_;
};

/// Reads one plan. JsonNode keeps the first failure, so reading goes straight on.
class Reader {
public:
  Plan run(const JsonNode &root) {
    root.onlyFields(
        {"schema", "name", "arch", "arguments", "buffers", "preconditions", "launches", "kernels"});
    plan_.name = root.field("name").text();
    plan_.arch = root.field("arch").text();
    // Arguments and buffers first: the rest refers to them by name.
    root.field("arguments").each([&](const JsonNode &node) {
      plan_.arguments.push_back(argument(node));
    });
    root.field("buffers").each([&](const JsonNode &node) {
      node.onlyFields({"name", "bytes", "alignment", "zero_init"});
      plan_.buffers.push_back({.name = node.field("name").text(),
                               .bytes = expr(node.field("bytes")),
                               .alignment = node.field("alignment").integer(),
                               .zeroInit = node.field("zero_init").boolean()});
    });
    root.field("preconditions").each([&](const JsonNode &node) {
      node.onlyFields({"left", "is", "right", "message"});
      plan_.preconditions.push_back(
          {.left = expr(node.field("left")),
           .comparison = node.field("is").oneOf<Precondition::Comparison>(kComparisons),
           .right = expr(node.field("right")),
           .message = node.field("message").text()});
    });
    root.field("launches").each([&](const JsonNode &node) {
      plan_.launches.push_back(launch(node));
    });
    root.field("kernels").each(
        [&](const JsonNode &node) { plan_.kernels.push_back(kernel(node)); });
    return std::move(plan_);
  }

private:
  static PlanArgument argument(const JsonNode &node) {
    node.onlyFields({"name", "kind", "dtype", "alignment", "access"});
    PlanArgument argument{.name = node.field("name").text(),
                          .kind = node.field("kind").oneOf<ArgumentKind>(kArgumentKinds)};
    if (argument.kind == ArgumentKind::pointer) {
      argument.dtype = dtype(node.field("dtype"));
      argument.alignment = node.field("alignment").integer();
      argument.access = node.field("access").oneOf<Access>(kAccesses);
    } else {
      node.onlyFields({"name", "kind"});
    }
    return argument;
  }

  PlanLaunch launch(const JsonNode &node) const {
    node.onlyFields({"kernel", "grid", "pdl", "parameters"});
    PlanLaunch launch{.kernel = node.field("kernel").integer()};
    std::vector<Expr> grid = exprs(node.field("grid"));
    if (grid.size() == launch.grid.size())
      std::move(grid.begin(), grid.end(), launch.grid.begin());
    else
      node.field("grid").fail("expected 3 extents, found " + std::to_string(grid.size()));
    launch.pdl = node.field("pdl").boolean();
    node.field("parameters").each([&](const JsonNode &parameterNode) {
      launch.parameters.push_back(parameter(parameterNode));
    });
    return launch;
  }

  PlanParameter parameter(const JsonNode &node) const {
    node.onlyFields({"tensor_map", "pointer", "i32", "i64", "f32"});
    if (node.size() != 1)
      node.fail("expected one of tensor_map, pointer, i32, i64, f32");
    if (node.has("tensor_map"))
      return tensorMap(node.field("tensor_map"));
    if (node.has("pointer")) {
      JsonNode pointer = node.field("pointer");
      pointer.onlyFields({"base", "offset"});
      return PointerParameter{.base = memory(pointer.field("base")),
                              .byteOffset = expr(pointer.field("offset"))};
    }
    if (node.has("f32"))
      return FloatParameter{.argument = indexOf(node.field("f32"), plan_.arguments)};
    if (node.has("i64"))
      return ScalarParameter{.width = ScalarParameter::Width::i64,
                             .value = expr(node.field("i64"))};
    return ScalarParameter{.width = ScalarParameter::Width::i32, .value = expr(node.field("i32"))};
  }

  TensorMapRecipe tensorMap(const JsonNode &node) const {
    node.onlyFields({"base", "dtype", "dims", "strides", "box", "swizzle", "l2_promotion"});
    TensorMapRecipe map{.base = memory(node.field("base")),
                        .dtype = dtype(node.field("dtype")),
                        .dims = exprs(node.field("dims")),
                        .strides = exprs(node.field("strides")),
                        .box = integers(node.field("box")),
                        .swizzle = node.field("swizzle").integer()};
    map.l2Promotion = node.field("l2_promotion").oneOf<TensorMapRecipe::L2Promotion>(kPromotions);
    return map;
  }

  static PlanKernel kernel(const JsonNode &node) {
    node.onlyFields(
        {"entry", "threads", "cluster", "shared_bytes", "registers", "headers", "text"});
    PlanKernel kernel{.entry = node.field("entry").text(),
                      .threads = node.field("threads").integer()};
    std::vector<int32_t> cluster = integers(node.field("cluster"));
    if (cluster.size() == kernel.cluster.size())
      std::copy(cluster.begin(), cluster.end(), kernel.cluster.begin());
    else
      node.field("cluster").fail("expected 3 extents, found " + std::to_string(cluster.size()));
    kernel.sharedBytes = node.field("shared_bytes").integer();
    node.field("registers").each([&](const JsonNode &hint) {
      hint.onlyFields({"role", "registers"});
      kernel.registerHints.push_back(
          {.role = hint.field("role").text(), .registers = hint.field("registers").integer()});
    });
    node.field("headers").each(
        [&](const JsonNode &header) { kernel.headers.push_back(header.text()); });
    bool isFirst = true;
    node.field("text").each([&](const JsonNode &line) {
      kernel.text += (isFirst ? "" : "\n") + line.text();
      isFirst = false;
    });
    return kernel;
  }

  MemoryRef memory(const JsonNode &node) const {
    node.onlyFields({"argument", "buffer"});
    if (node.has("buffer"))
      return {.source = MemoryRef::Source::buffer,
              .index = indexOf(node.field("buffer"), plan_.buffers)};
    return {.source = MemoryRef::Source::argument,
            .index = indexOf(node.field("argument"), plan_.arguments)};
  }

  template <typename Items>
  static int32_t indexOf(const JsonNode &node, const Items &items) {
    std::string name = node.text();
    for (size_t i = 0; i < items.size(); ++i)
      if (items[i].name == name)
        return static_cast<int32_t>(i);
    node.fail("there is no '" + name + "'");
    return 0;
  }

  Expr expr(const JsonNode &node) const {
    Expected<Expr> expr = parseExpr(node.text(), plan_.arguments);
    if (expr)
      return *std::move(expr);
    node.fail(expr.status().message());
    return {};
  }

  std::vector<Expr> exprs(const JsonNode &node) const {
    std::vector<Expr> result;
    node.each([&](const JsonNode &item) { result.push_back(expr(item)); });
    return result;
  }

  static std::vector<int32_t> integers(const JsonNode &node) {
    std::vector<int32_t> result;
    node.each([&](const JsonNode &item) { result.push_back(item.integer()); });
    return result;
  }

  static DType dtype(const JsonNode &node) {
    Expected<DType> type = parseDType(node.text());
    if (type)
      return *type;
    node.fail(type.status().message());
    return DType::bf16;
  }

  Plan plan_;
};

} // namespace

Expected<std::string> planToText(const Plan &plan) {
  if (Status status = checkPlan(plan); !status.isOk())
    return status;
  Expected<std::string> text = writeJson(Writer(plan).run());
  return text ? std::move(text) : text.status().withContext("plan '" + plan.name + "'");
}

Expected<Plan> planFromText(std::string_view text) {
  Expected<Json> json = parseJson(text);
  if (!json)
    return json.status().withContext("plan");
  Status failure;
  JsonNode root(*json, "", failure);
  // The version decides whether the rest is to be looked at.
  int32_t schema = root.field("schema").integer();
  if (failure.isOk() && schema != kPlanSchema)
    return Status::unsupported("plan: schema " + std::to_string(schema) + "; this version reads " +
                               std::to_string(kPlanSchema) + ", generate the plan again");
  Plan plan = failure.isOk() ? Reader().run(root) : Plan();
  if (!failure.isOk())
    return failure.withContext("plan");
  if (Status status = checkPlan(plan); !status.isOk())
    return Status::invalidArgument(status.message());
  return plan;
}

} // namespace tilewright
