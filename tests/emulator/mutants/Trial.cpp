// SPDX-License-Identifier: Apache-2.0

#include "tests/emulator/mutants/Trial.h"

#include "compiler/mutation/Mutation.h"

#include <nlohmann/json.hpp>

#include <array>
#include <chrono>
#include <limits>
#include <span>

namespace tilewright::mutants {

using emulator::Policy;

namespace {

constexpr std::array<std::string_view, 6> kJudgements = {"found",  "wrong-kind",  "missed",
                                                         "silent", "false-alarm", "broken"};
constexpr std::array kPolicies = {Policy::random, Policy::latest, Policy::priority,
                                  Policy::earliest};

const emulator::Finding *firstError(const emulator::EmulationReport &report) {
  for (const emulator::Finding &finding : report.findings)
    if (finding.severity == emulator::Severity::error)
      return &finding;
  return nullptr;
}

/// Fills in what a run says; false: it says nothing.
bool sayWhatIsWrong(const Outcome &outcome, const std::vector<uint8_t> &original,
                    Verdict &verdict) {
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
  if (outcome.result != original) {
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
  Trial(const emulator::Emulator &emulator, const Originals &originals, const Case &subject,
        const TrialOptions &options)
      : emulator_(emulator), originals_(originals), subject_(subject), options_(options) {}

  Verdict run(const Mutation &mutation) {
    verdict_.kernel = subject_.name;
    verdict_.mutation = mutation;
    const mutation::Kind *kind = mutation::findKind(mutation.kind);
    Expected<Plan> mutant = compileCase(subject_, mutation, verdict_.where);
    if (!kind || !mutant) {
      verdict_.finding = kind ? mutant.status().message() : "there is no such kind";
      return verdict_;
    }
    const bool isLegal = kind->faultClass == mutation::FaultClass::legal;
    if (search(*mutant, isLegal ? options_.legalPolicies : kPolicies.size()))
      verdict_.judgement = isLegal                                      ? Judgement::falseAlarm
                           : isListed(kind->findings, verdict_.finding) ? Judgement::found
                                                                        : Judgement::wrongKind;
    else
      verdict_.judgement = isLegal ? Judgement::silent : Judgement::missed;
    if (options_.compareOutputs && !isLegal)
      verdict_.byOutput = showsInOutputs(*mutant);
    return verdict_;
  }

private:
  /// Runs schedules until one says something.
  bool search(const Plan &mutant, size_t policies) {
    for (int seed = 1; seed <= options_.seeds; ++seed)
      for (const Shape &shape : subject_.shapes())
        for (Policy policy : std::span(kPolicies).first(policies)) {
          ++verdict_.runs;
          const Outcome outcome = runCase(emulator_, mutant, subject_, shape,
                                          {.seed = static_cast<uint64_t>(seed), .policy = policy});
          if (!sayWhatIsWrong(outcome, originals_.at(subject_, shape), verdict_))
            continue;
          verdict_.shape = shape.name;
          verdict_.policy = policyName(policy);
          return true;
        }
    return false;
  }

  /// The same schedules, with all checks ignored but for hangs.
  bool showsInOutputs(const Plan &mutant) {
    constexpr int32_t kAll = std::numeric_limits<int32_t>::max();
    for (const Shape &shape : subject_.shapes())
      for (Policy policy : {Policy::latest, Policy::random}) {
        const Outcome outcome = runCase(emulator_, mutant, subject_, shape,
                                        {.seed = 1, .policy = policy, .maxErrors = kAll});
        if (!outcome.status.isOk() || !outcome.report.finished ||
            outcome.result != originals_.at(subject_, shape))
          return true;
      }
    return false;
  }

  const emulator::Emulator &emulator_;
  const Originals &originals_;
  const Case &subject_;
  TrialOptions options_;
  Verdict verdict_;
};

} // namespace

std::string_view judgementName(Judgement judgement) {
  return kJudgements[static_cast<size_t>(judgement)];
}

Status Originals::add(const emulator::Emulator &emulator, const Case &subject) {
  std::string ignored;
  Expected<Plan> plan = compileCase(subject, {}, ignored);
  if (!plan)
    return plan.status();
  for (const Shape &shape : subject.shapes()) {
    Outcome outcome = runCase(emulator, *plan, subject, shape, {.policy = Policy::earliest});
    if (!outcome.status.isOk())
      return outcome.status.withContext(shape.name);
    if (const emulator::Finding *error = firstError(outcome.report))
      return Status::checkFailed(shape.name + ": " + toText(*error));
    results_[subject.name][shape.name] = std::move(outcome.result);
  }
  return Status::ok();
}

Verdict tryMutant(const emulator::Emulator &emulator, const Originals &originals,
                  const Case &subject, const Mutation &mutation, const TrialOptions &options) {
  const auto begin = std::chrono::steady_clock::now();
  Verdict verdict = Trial(emulator, originals, subject, options).run(mutation);
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
