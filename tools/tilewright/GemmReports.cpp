// SPDX-License-Identifier: Apache-2.0
#include "tools/tilewright/GemmReports.h"

#include "templates/gemm/Space.h"
#include "tools/tilewright/SelectDevice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace tilewright::cli {

namespace {

/// The parts of a split, in order, as reports name them.
struct Part {
  std::string_view name;
  std::string_view help;
  double CompileSplit::*seconds;
};
constexpr std::array<Part, 5> kParts = {{
    {"template", "MLIR context, problem to tile IR", &CompileSplit::build},
    {"passes", "tile to sm90", &CompileSplit::passes},
    {"emission", "sm90 to CUDA text", &CompileSplit::emission},
    {"nvrtc", "CUDA text to PTX", &CompileSplit::frontEnd},
    {"ptxas", "PTX to cubin", &CompileSplit::ptxas},
}};

template <typename Projection>
double median(const std::vector<CompileSplit> &splits, Projection of) {
  std::vector<double> values;
  for (const CompileSplit &split : splits)
    values.push_back(of(split));
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

Json milliseconds(double seconds) { return std::round(seconds * 1e6) / 1e3; }

} // namespace

Json requestJson(const GemmRequest &request) {
  return {{"problem", problemJson(request.problem)},
          {"device", request.device.name},
          {"config", request.config.toString()}};
}

Expected<Report> listGemmConfigs(const Session &session, const GemmOptions &options) {
  Expected<GemmProblem> problem = options.problem();
  if (!problem)
    return problem.status();
  Expected<DeviceInfo> device = selectDevice(options.target, session.env);
  if (!device)
    return device.status();
  Expected<GemmSpace> space = enumerateGemm(*problem, *device);
  if (!space)
    return space.status();
  Expected<GemmConfig> heuristic = heuristicConfig(*problem, *device);
  if (!heuristic)
    return heuristic.status();

  Report report;
  Json legal = Json::array(), rejected = Json::array(), rules = Json::object();
  std::map<std::string_view, size_t> counts;
  for (const GemmRejection &rejection : space->rejected)
    ++counts[rejection.rule];
  for (std::string_view rule : kGemmRules)
    rules[std::string(rule)] = counts[rule];

  for (const GemmConfig &config : space->legal) {
    legal.push_back(config.toString());
    report.text += config.toString() + "\n";
  }
  for (const GemmRejection &rejection : space->rejected) {
    rejected.push_back({{"config", rejection.config.toString()},
                        {"rule", rejection.rule},
                        {"reason", rejection.text}});
    report.text += fmt::format("rejected {}: {}: {}\n", rejection.config.toString(), rejection.rule,
                               rejection.text);
  }
  report.text += fmt::format("{}: {} configs can be built, {} cannot (for any raster)",
                             describe(*problem), space->legal.size(), space->rejected.size());
  for (std::string_view rule : kGemmRules)
    if (counts[rule] > 0)
      report.text += fmt::format("; {} {}", rule, counts[rule]);
  report.text += fmt::format("\nheuristic: {}\n", heuristic->toString());
  report.json = {{"problem", problemJson(*problem)},
                 {"device", device->name},
                 {"heuristic", heuristic->toString()},
                 {"legal_count", space->legal.size()},
                 {"rejected_count", space->rejected.size()},
                 {"rejected_by_rule", rules},
                 {"legal", legal},
                 {"rejected", rejected}};
  return report;
}

Expected<Report> timeGemm(const Session &session, const GemmRequest &request, int32_t repetitions) {
  Expected<Nvrtc> nvrtc = Nvrtc::find({.library = session.nvrtc, .env = session.env});
  if (!nvrtc)
    return nvrtc.status();
  const CompileOptions options = {.policy =
                                      gemmPolicy(request.problem, request.device, request.config)};
  std::vector<CompileSplit> splits;
  for (int32_t i = 0; i < repetitions; ++i) {
    Expected<CompiledPlan> compiled =
        compileGemm(request.problem, request.config, request.device, *nvrtc, options);
    if (!compiled)
      return compiled.status();
    splits.push_back(compiled->split);
    session.log.info("run {}: {:.1f} ms", i + 1, compiled->split.total() * 1e3);
  }

  Report report;
  report.json = requestJson(request);
  report.json["nvrtc"] = nvrtc->version().toString();
  report.json["repetitions"] = repetitions;
  Json first = Json::object(), middle = Json::object();
  report.text = fmt::format("{}\n{}\nNVRTC {}, {} runs, nothing cached; milliseconds\n\n"
                            "{:10}{:>9}{:>9}\n",
                            describe(request.problem), request.config.toString(),
                            nvrtc->version().toString(), repetitions, "", "first", "median");
  const auto add = [&](std::string_view name, std::string_view help, auto of) {
    const double one = of(splits.front()), all = median(splits, of);
    first[std::string(name)] = milliseconds(one);
    middle[std::string(name)] = milliseconds(all);
    report.text += fmt::format("{:10}{:>9.2f}{:>9.2f}   {}\n", name, one * 1e3, all * 1e3, help);
  };
  for (const Part &part : kParts)
    add(part.name, part.help, [&](const CompileSplit &split) { return split.*part.seconds; });
  add("mlir", "template, passes and emission together",
      [](const CompileSplit &split) { return split.build + split.passes + split.emission; });
  add("total", "problem to cubin", [](const CompileSplit &split) { return split.total(); });
  report.json["first_ms"] = first;
  report.json["median_ms"] = middle;
  return report;
}

} // namespace tilewright::cli
