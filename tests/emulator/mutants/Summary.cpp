// SPDX-License-Identifier: Apache-2.0

#include "tests/emulator/mutants/Summary.h"

#include "compiler/mutation/Mutation.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <set>

namespace tilewright::mutants {

using mutation::FaultClass;

namespace {

constexpr std::array kClasses = {FaultClass::failsOnCard, FaultClass::repairedByPtxas,
                                 FaultClass::legal};
constexpr double kLeastShare = 0.95;

FaultClass classOf(const Verdict &verdict) {
  const mutation::Kind *kind = mutation::findKind(verdict.mutation.kind);
  return kind ? kind->faultClass : FaultClass::failsOnCard;
}

struct Counts {
  std::set<std::string> kinds;
  int mutants = 0;
  std::array<int, 6> by = {};
  int byOutput = 0;

  int operator[](Judgement judgement) const { return by[static_cast<size_t>(judgement)]; }
};

Counts countsOf(const std::vector<Verdict> &verdicts, FaultClass faultClass) {
  Counts counts;
  for (const Verdict &verdict : verdicts) {
    if (classOf(verdict) != faultClass)
      continue;
    counts.kinds.insert(verdict.mutation.kind);
    ++counts.mutants;
    ++counts.by[static_cast<size_t>(verdict.judgement)];
    counts.byOutput += verdict.byOutput;
  }
  return counts;
}

bool isAsItShouldBe(const Verdict &verdict) {
  return verdict.judgement == Judgement::found || verdict.judgement == Judgement::silent;
}

} // namespace

std::string summaryText(const std::vector<Verdict> &verdicts) {
  std::string text = fmt::format("{:<18} {:>5} {:>7} {:>6} {:>10} {:>6} {:>6} {:>9} {:>12}\n",
                                 "class", "kinds", "mutants", "found", "wrong kind", "missed",
                                 "broken", "by output", "false alarms");
  for (FaultClass faultClass : kClasses) {
    const Counts counts = countsOf(verdicts, faultClass);
    text += fmt::format("{:<18} {:>5} {:>7} {:>6} {:>10} {:>6} {:>6} {:>9} {:>12}\n",
                        std::string_view(faultClassName(faultClass)), counts.kinds.size(),
                        counts.mutants, counts[Judgement::found], counts[Judgement::wrongKind],
                        counts[Judgement::missed], counts[Judgement::broken], counts.byOutput,
                        counts[Judgement::falseAlarm]);
  }
  for (const Verdict &verdict : verdicts)
    if (!isAsItShouldBe(verdict))
      text += fmt::format(
          "{}: {} at {} of {}{}{}\n", judgementName(verdict.judgement), verdict.mutation.kind,
          verdict.where.empty() ? std::to_string(verdict.mutation.site) : verdict.where,
          verdict.kernel, verdict.finding.empty() ? "" : ": " + verdict.finding,
          verdict.shape.empty() ? "" : fmt::format(" ({}, {})", verdict.shape, verdict.policy));
  return text;
}

std::string summaryJson(const std::vector<Verdict> &verdicts) {
  nlohmann::ordered_json summary;
  for (FaultClass faultClass : kClasses) {
    const Counts counts = countsOf(verdicts, faultClass);
    summary[faultClassName(faultClass).str()] = {{"kinds", counts.kinds.size()},
                                                 {"mutants", counts.mutants},
                                                 {"found", counts[Judgement::found]},
                                                 {"wrong_kind", counts[Judgement::wrongKind]},
                                                 {"missed", counts[Judgement::missed]},
                                                 {"silent", counts[Judgement::silent]},
                                                 {"false_alarms", counts[Judgement::falseAlarm]},
                                                 {"broken", counts[Judgement::broken]},
                                                 {"found_by_output_alone", counts.byOutput}};
  }
  std::string mutants;
  for (const Verdict &verdict : verdicts)
    mutants += (mutants.empty() ? "\n  " : ",\n  ") + toJson(verdict);
  return fmt::format("{{\"summary\": {},\n\"mutants\": [{}\n]}}\n", summary.dump(), mutants);
}

bool isEnough(const std::vector<Verdict> &verdicts) {
  int faults = 0;
  int found = 0;
  for (const Verdict &verdict : verdicts) {
    if (verdict.judgement == Judgement::falseAlarm || verdict.judgement == Judgement::broken)
      return false;
    if (classOf(verdict) == FaultClass::legal)
      continue;
    ++faults;
    found += verdict.judgement == Judgement::found;
  }
  return !verdicts.empty() && found >= kLeastShare * faults;
}

} // namespace tilewright::mutants
