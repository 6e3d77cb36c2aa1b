// SPDX-License-Identifier: Apache-2.0
#include "tools/tilewright/Emulate.h"

#include "compiler/Compiler.h"
#include "runtime/engine/EmulatedGemm.h"
#include "templates/gemm/Gemm.h"

#include "mlir/IR/MLIRContext.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <vector>

namespace tilewright::cli {

namespace {

using emulator::Finding;
using emulator::Policy;

constexpr Policy kPolicies[] = {Policy::earliest, Policy::latest, Policy::random, Policy::priority};

/// Multiplications per second, to warn people who ask for much.
constexpr double kRate = 4e8;

std::vector<Policy> policiesOf(const EmulateOptions &options) {
  if (const std::optional<Policy> policy = emulator::parsePolicy(options.schedule))
    return {*policy};
  return {std::begin(kPolicies), std::end(kPolicies)};
}

Expected<Plan> planOf(const GemmRequest &request, const EmulateOptions &options,
                      std::string &mutatedAt) {
  const std::unique_ptr<mlir::MLIRContext> context = makeCompilerContext();
  Expected<mlir::OwningOpRef<mlir::ModuleOp>> module =
      buildGemm(*context, request.problem, request.config, request.device);
  if (!module)
    return module.status();
  return options.mutate.text.empty() ? compileToPlan(**module)
                                     : options.mutate.compile(**module, mutatedAt);
}

void addFinding(const Finding &finding, Report &report) {
  report.text += "\n" + toText(finding);
  report.json["findings"].push_back(Json::parse(toJson(finding)));
}

} // namespace

void EmulateOptions::addTo(CLI::App &command) {
  CLI::Option *flag = command.add_flag(
      "--emulate", isWanted, "execute it without a GPU, with every access checked for order");
  command.add_option("--seeds", seeds, "runs of each schedule (default: 1)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000))
      ->needs(flag);
  command
      .add_option("--schedule", schedule,
                  "when what is asynchronous lands: as early or as late as is legal, or by chance "
                  "(default: all)")
      ->type_name("earliest|latest|random|priority")
      ->check(CLI::IsMember({"earliest", "latest", "random", "priority"}))
      ->needs(flag);
  command
      .add_option("--fences", fences,
                  "whose proxy fences count: the writer's own, or any on the way (default: strict)")
      ->type_name("strict|permissive")
      ->check(CLI::IsMember({"strict", "permissive"}))
      ->needs(flag);
  command.add_option("--sms", sms, "SMs of the emulated device (default: 2)")
      ->type_name("N")
      ->check(CLI::Range(1, 16))
      ->needs(flag);
  mutate.addTo(command);
}

Expected<Report> emulateGemm(const Session &session, const GemmOptions &gemm,
                             const EmulateOptions &options, uint64_t seed) {
  GemmOptions named = gemm;
  if (named.target.empty())
    named.target = "h200";
  Expected<GemmRequest> request = GemmRequest::from(session, named);
  if (!request)
    return request.status();
  const GemmProblem &problem = request->problem;
  Report report;
  report.json = {{"problem", problemJson(problem)},
                 {"config", request->config.toString()},
                 {"findings", Json::array()}};
  report.text = fmt::format("{}\n\nconfig   {}\n", describe(problem), request->config.toString());
  if (problem.m == 0 || problem.n == 0) {
    report.text += "emulated nothing: there is nothing to launch\n";
    return report;
  }

  std::string mutatedAt;
  Expected<Plan> plan = planOf(*request, options, mutatedAt);
  if (!plan)
    return plan.status();
  if (!mutatedAt.empty()) {
    report.text += fmt::format("mutated  {} at {}\n", options.mutate.text, mutatedAt);
    report.json["mutated"] = {{"kind", options.mutate.text}, {"where", mutatedAt}};
  }
  Expected<std::string> folder = session.env.cacheFolder();
  const std::vector<emulator::HostHeader> headers = emulatorHeaders();
  Expected<emulator::Emulator> machine =
      emulator::Emulator::create({.env = session.env,
                                  .folder = folder ? *folder : "",
                                  .headers = headers,
                                  .log = session.log});
  if (!machine)
    return machine.status();
  Expected<EmulatedGemm> emulated =
      EmulatedGemm::prepare(*machine, *plan, problem, request->device, options.sms, seed);
  if (!emulated)
    return emulated.status();

  const std::vector<Policy> policies = policiesOf(options);
  const int64_t runs = static_cast<int64_t>(policies.size()) * options.seeds;
  const double seconds = problem.flops() / 2 / kRate * static_cast<double>(runs);
  if (seconds > 20)
    session.log.warning(
        "{} runs of this size take about {:.0f} s; a smaller problem shows the same "
        "kernel",
        runs, seconds);
  const auto begin = std::chrono::steady_clock::now();
  int64_t done = 0;
  double largestShare = 0;
  for (const Policy policy : policies)
    for (int32_t run = 0; run < options.seeds; ++run) {
      Expected<EmulatedRun> result =
          emulated->run({.seed = seed + static_cast<uint64_t>(run),
                         .policy = policy,
                         .fences = options.fences == "strict" ? emulator::FenceMode::strict
                                                              : emulator::FenceMode::permissive});
      if (!result)
        return result.status();
      ++done;
      for (const Finding &finding : result->report.findings)
        if (done == 1 || finding.severity == emulator::Severity::error)
          addFinding(finding, report);
      if (Status status = result->status(); !status.isOk()) {
        report.outcome = status.withContext(fmt::format("schedule {}, seed {}", policyName(policy),
                                                        seed + static_cast<uint64_t>(run)));
        report.json["schedule"] = policyName(policy);
        report.json["seed"] = seed + static_cast<uint64_t>(run);
        return report;
      }
      largestShare = std::max(largestShare, result->verdict.largestShare);
      if (done % 100 == 0)
        session.log.info("{} of {} runs", done, runs);
    }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  report.text +=
      fmt::format("emulated {} CTAs, {} schedules, {} seeds: no error, {:.0f} ms a run; host "
                  "compile {:.2f} s\n"
                  "check    right in {} runs: largest error {:.2g} of its bound\n",
                  emulated->plan().ctas(), policies.size(), options.seeds,
                  took.count() * 1e3 / static_cast<double>(runs), emulated->plan().compileSeconds(),
                  runs, largestShare);
  report.json["runs"] = runs;
  report.json["ctas"] = emulated->plan().ctas();
  report.json["ms_per_run"] = took.count() * 1e3 / static_cast<double>(runs);
  report.json["host_compile_s"] = emulated->plan().compileSeconds();
  report.json["check"] = {{"passed", true}, {"largest_share_of_bound", largestShare}};
  return report;
}

} // namespace tilewright::cli
