// SPDX-License-Identifier: Apache-2.0

#include "tests/emulator/mutants/Trial.h"

#include "compiler/mutation/Mutation.h"

#include <nlohmann/json.hpp>

#include <array>
#include <chrono>
#include <limits>
#include <map>

namespace tilewright::mutants {

using emulator::Policy;

namespace {

constexpr std::array<std::string_view, 6> kJudgements = {"found",  "wrong-kind",  "missed",
                                                         "silent", "false-alarm", "broken"};
constexpr std::array kPolicies = {Policy::random, Policy::latest, Policy::priority,
                                  Policy::earliest};

/// What the kernel gives at a shape when nothing is wrong with it.
class Originals {
public:
  Originals(const emulator::Emulator &emulator, const Case &subject, const Plan &plan)
      : emulator_(emulator), subject_(subject), plan_(plan) {}

  const Outcome &at(const Shape &shape) {
    auto [it, isNew] = outcomes_.try_emplace(shape.name);
    if (isNew)
      it->second = runCase(emulator_, plan_, subject_, shape, {.policy = Policy::earliest});
    return it->second;
  }

private:
  const emulator::Emulator &emulator_;
  const Case &subject_;
  const Plan &plan_;
  std::map<std::string, Outcome> outcomes_;
};

const emulator::Finding *firstError(const emulator::EmulationReport &report) {
  for (const emulator::Finding &finding : report.findings)
    if (finding.severity == emulator::Severity::error)
      return &finding;
  return nullptr;
}

/// Fills in what a run says; false: it says nothing.
bool sayWhatIsWrong(const Outcome &outcome, const Outcome &original, Verdict &verdict) {
  if (!outcome.status.isOk()) {
    // The host refuses the launch before there is a kernel to look into: its tensor maps.
    verdict.finding = "tensor-map";
    verdict.message = outcome.status.message();
    return true;
  }
  if (const emulator::Finding *error = firstError(outcome.report)) {
    verdict.finding = findingKindName(error->kind);
    verdict.message = error->message;
    return true;
  }
  if (outcome.result != original.result) {
    verdict.finding = "output";
    verdict.message = "the result differs from the original kernel's";
    return true;
  }
  return false;
}

bool isListed(llvm::StringRef words, llvm::StringRef word) {
  llvm::SmallVector<llvm::StringRef> list;
  words.split(list, ' ');
  return llvm::is_contained(list, word);
}

class Trial {
public:
  Trial(const emulator::Emulator &emulator, const Case &subject, const TrialOptions &options)
      : emulator_(emulator), subject_(subject), options_(options) {}

  Verdict run(const Mutation &mutation) {
    verdict_.kernel = subject_.name;
    verdict_.mutation = mutation;
    const mutation::Kind *kind = mutation::findKind(mutation.kind);
    std::string ignored;
    Expected<Plan> original = compileCase(subject_, {}, ignored);
    Expected<Plan> mutant = compileCase(subject_, mutation, verdict_.where);
    if (!kind || !original || !mutant) {
      verdict_.finding = !kind       ? "there is no such kind"
                         : !original ? original.status().message()
                                     : mutant.status().message();
      return verdict_;
    }
    Originals originals(emulator_, subject_, *original);
    const bool isLegal = kind->faultClass == mutation::FaultClass::legal;
    if (search(*mutant, originals))
      verdict_.judgement = isLegal                                      ? Judgement::falseAlarm
                           : isListed(kind->findings, verdict_.finding) ? Judgement::found
                                                                        : Judgement::wrongKind;
    else
      verdict_.judgement = isLegal ? Judgement::silent : Judgement::missed;
    if (options_.compareOutputs && !isLegal)
      verdict_.byOutput = showsInOutputs(*mutant, originals);
    return verdict_;
  }

private:
  /// Runs schedules until one says something.
  bool search(const Plan &mutant, Originals &originals) {
    for (int seed = 1; seed <= options_.seeds; ++seed)
      for (const Shape &shape : subject_.shapes())
        for (Policy policy : kPolicies) {
          ++verdict_.runs;
          const Outcome outcome = runCase(emulator_, mutant, subject_, shape,
                                          {.seed = static_cast<uint64_t>(seed), .policy = policy});
          if (!sayWhatIsWrong(outcome, originals.at(shape), verdict_))
            continue;
          verdict_.shape = shape.name;
          verdict_.policy = policyName(policy);
          return true;
        }
    return false;
  }

  /// The same schedules, with all checks ignored but for hangs.
  bool showsInOutputs(const Plan &mutant, Originals &originals) {
    constexpr int32_t kAll = std::numeric_limits<int32_t>::max();
    for (const Shape &shape : subject_.shapes())
      for (Policy policy : {Policy::latest, Policy::random}) {
        const Outcome outcome = runCase(emulator_, mutant, subject_, shape,
                                        {.seed = 1, .policy = policy, .maxErrors = kAll});
        if (!outcome.status.isOk() || !outcome.report.finished ||
            outcome.result != originals.at(shape).result)
          return true;
      }
    return false;
  }

  const emulator::Emulator &emulator_;
  const Case &subject_;
  TrialOptions options_;
  Verdict verdict_;
};

} // namespace

std::string_view judgementName(Judgement judgement) {
  return kJudgements[static_cast<size_t>(judgement)];
}

Verdict tryMutant(const emulator::Emulator &emulator, const Case &subject, const Mutation &mutation,
                  const TrialOptions &options) {
  const auto begin = std::chrono::steady_clock::now();
  Verdict verdict = Trial(emulator, subject, options).run(mutation);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  verdict.seconds = spent.count();
  return verdict;
}

std::string toJson(const Verdict &verdict) {
  const mutation::Kind *kind = mutation::findKind(verdict.mutation.kind);
  nlohmann::ordered_json json = {
      {"kernel", verdict.kernel},
      {"kind", verdict.mutation.kind},
      {"site", verdict.mutation.site},
      {"where", verdict.where},
      {"class", kind ? faultClassName(kind->faultClass).str() : ""},
      {"judgement", judgementName(verdict.judgement)},
      {"finding", verdict.finding},
      {"message", verdict.message},
      {"shape", verdict.shape},
      {"policy", verdict.policy},
      {"runs", verdict.runs},
      {"by_output", verdict.byOutput},
      {"seconds", verdict.seconds},
  };
  return json.dump();
}

Verdict fromJson(std::string_view line) {
  const nlohmann::json json = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
  Verdict verdict;
  if (!json.is_object())
    return verdict;
  verdict.kernel = json.value("kernel", "");
  verdict.mutation = {json.value("kind", ""), json.value("site", 0U)};
  verdict.where = json.value("where", "");
  const std::string judgement = json.value("judgement", "broken");
  for (size_t i = 0; i < kJudgements.size(); ++i)
    if (kJudgements[i] == judgement)
      verdict.judgement = static_cast<Judgement>(i);
  verdict.finding = json.value("finding", "");
  verdict.message = json.value("message", "");
  verdict.shape = json.value("shape", "");
  verdict.policy = json.value("policy", "");
  verdict.runs = json.value("runs", 0);
  verdict.byOutput = json.value("by_output", false);
  verdict.seconds = json.value("seconds", 0.0);
  return verdict;
}

} // namespace tilewright::mutants
