// SPDX-License-Identifier: Apache-2.0
//
// Mutates kernels and says what the emulator made of it. Fails if that is not enough (Summary.h).
//
//   test_mutants                        every kind once: the default run
//   test_mutants --all                  every kind at every kernel
//   test_mutants --kernel K --kind M    what was found, in full

#include "compiler/device/DeviceHeaders.h"
#include "compiler/mutation/Mutation.h"
#include "tests/emulator/mutants/Children.h"
#include "tests/emulator/mutants/Summary.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <fstream>

using namespace tilewright;
using namespace tilewright::mutants;

namespace {

struct Options {
  bool all = false;
  std::string kernel;
  std::string kind;
  std::string json;
  std::string folder;
  unsigned jobs = 2;
  unsigned sites = 2;
  bool verbose = false;
  TrialOptions trial;
};

struct Task {
  const Case *subject;
  Mutation mutation;
};

/// Every kind at its first sites: of all kernels, or of one of them, in turn.
Expected<std::vector<Task>> choose(const Options &options) {
  std::vector<std::map<std::string, unsigned>> sites;
  for (const Case &subject : cases()) {
    Expected<std::map<std::string, unsigned>> counted = countSites(subject);
    if (!counted)
      return counted.status().withContext(subject.name);
    sites.push_back(*std::move(counted));
  }
  std::vector<Task> tasks;
  size_t turn = 0;
  for (const mutation::Kind *kind : mutation::allKinds()) {
    if (!options.kind.empty() && options.kind != kind->name.str())
      continue;
    for (size_t i = 0; i < cases().size(); ++i) {
      const size_t index = (i + turn) % cases().size();
      const Case &subject = cases()[index];
      if (!options.kernel.empty() && options.kernel != subject.name)
        continue;
      const auto found = sites[index].find(kind->name.str());
      if (found == sites[index].end())
        continue;
      const unsigned count = std::min(found->second, options.sites);
      for (unsigned site = 0; site < count; ++site)
        tasks.push_back({&subject, {kind->name.str(), site}});
      if (!options.all && options.kind.empty() && options.kernel.empty())
        break;
    }
    ++turn;
  }
  return tasks;
}

Expected<std::vector<Verdict>> runAll(const Options &options, const std::vector<Task> &tasks) {
  std::vector<emulator::HostHeader> headers;
  for (const DeviceHeader &header : hostHeaders())
    headers.push_back({header.name, header.text});
  Expected<emulator::Emulator> emulator = emulator::Emulator::create(
      {.env = Env::fromProcess(), .folder = options.folder, .headers = headers});
  if (!emulator)
    return emulator.status();
  Originals originals;
  for (const Task &task : tasks)
    if (!originals.has(*task.subject))
      if (Status status = originals.add(*emulator, *task.subject); !status.isOk())
        return status.withContext(task.subject->name);
  std::vector<Verdict> verdicts(tasks.size());
  Children children;
  children.count = tasks.size();
  children.atOnce = options.jobs;
  children.task = [&](size_t i) {
    return toJson(
        tryMutant(*emulator, originals, *tasks[i].subject, tasks[i].mutation, options.trial));
  };
  children.done = [&](size_t i, const std::string &text, const std::string &failure) {
    Verdict &verdict = verdicts[i];
    verdict = fromJson(text);
    verdict.kernel = tasks[i].subject->name;
    verdict.mutation = tasks[i].mutation;
    if (!failure.empty()) {
      verdict.judgement = Judgement::broken;
      verdict.finding = failure;
    }
    if (options.verbose)
      fmt::print("{:<11} {:<32} {:<20} {}: {} {} {} runs, {:.1f} s{}\n  {}\n",
                 judgementName(verdict.judgement), verdict.mutation.kind, verdict.kernel,
                 verdict.finding, verdict.shape, verdict.policy, verdict.runs, verdict.seconds,
                 verdict.byOutput ? ", in the output too" : "", verdict.message);
    std::fflush(stdout);
  };
  runChildren(children);
  return verdicts;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app("What the emulator finds in kernels with faults.", "test_mutants");
  app.add_flag("--all", options.all, "every kind at every kernel, not at one of them");
  app.add_option("--kernel", options.kernel, "only this kernel");
  app.add_option("--kind", options.kind, "only this kind");
  app.add_option("--json", options.json, "write the record to this file");
  app.add_option("--folder", options.folder, "keep compiled kernels here");
  app.add_option("--jobs", options.jobs, "children at a time (default: 2)");
  app.add_option("--sites", options.sites, "of each kind in a kernel, at most (default: 2)");
  app.add_option("--seeds", options.trial.seeds, "of each policy and shape (default: 1)");
  app.add_option("--legal-policies", options.trial.legalPolicies,
                 "of the four, for legal changes (default: 4)")
      ->check(CLI::Range(1, 4));
  app.add_flag("--outputs,!--no-outputs", options.trial.compareOutputs,
               "ask what outputs and hangs alone would have shown (default: yes)");
  app.add_flag("-v,--verbose", options.verbose, "print every mutant");
  CLI11_PARSE(app, argc, argv);

  Expected<std::vector<Task>> tasks = choose(options);
  Expected<std::vector<Verdict>> verdicts =
      tasks ? runAll(options, *tasks) : Expected<std::vector<Verdict>>(tasks.status());
  if (!verdicts) {
    fmt::print(stderr, "test_mutants: {}\n", verdicts.status().message());
    return 1;
  }
  fmt::print("{}", summaryText(*verdicts));
  if (!options.json.empty())
    std::ofstream(options.json) << summaryJson(*verdicts);
  return isEnough(*verdicts) ? 0 : 1;
}
