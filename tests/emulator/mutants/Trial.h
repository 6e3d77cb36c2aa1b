// SPDX-License-Identifier: Apache-2.0
//
// Trial: one mutant, run until something is found, and what that says of the emulator.

#pragma once

#include "tests/emulator/mutants/Subject.h"

#include <map>
#include <string>
#include <string_view>

namespace tilewright::mutants {

enum class Judgement : uint8_t {
  /// A fault, found with one of the right kinds.
  found,
  /// A fault, found as something else.
  wrongKind,
  /// A fault, not found.
  missed,
  /// A legal change, silent.
  silent,
  /// A legal change that something was found in.
  falseAlarm,
  /// No verdict: a kernel that does not compile, a child that ended.
  broken,
};

std::string_view judgementName(Judgement judgement);

/// What became of a mutant.
struct Verdict {
  std::string kernel;
  Mutation mutation;
  std::string where;
  Judgement judgement = Judgement::broken;
  /// The first finding's kind, "output", or why there is no verdict.
  std::string finding;
  std::string message;
  std::string shape;
  std::string policy;
  /// Runs until then.
  int runs = 0;
  /// Whether outputs and hangs alone would have given it away, in the same schedules.
  bool byOutput = false;
  double seconds = 0;
};

/// What the kernels give when nothing is wrong with them, by kernel and shape.
class Originals {
public:
  /// Runs a kernel at all its shapes. checkFailed if something is found in one.
  [[nodiscard]] Status add(const emulator::Emulator &emulator, const Case &subject);
  [[nodiscard]] bool has(const Case &subject) const { return results_.count(subject.name) > 0; }
  [[nodiscard]] const std::vector<uint8_t> &at(const Case &subject, const Shape &shape) const {
    return results_.at(subject.name).at(shape.name);
  }

private:
  std::map<std::string, std::map<std::string, std::vector<uint8_t>>> results_;
};

struct TrialOptions {
  /// Seeds of each policy at each shape.
  int seeds = 1;
  /// Policies that a legal change must pass, from random on. A fault is looked for in all four.
  unsigned legalPolicies = 4;
  /// Whether to ask what outputs and hangs alone would have found.
  bool compareOutputs = true;
};

/// Runs the mutant in this process. `originals` have its kernel.
Verdict tryMutant(const emulator::Emulator &emulator, const Originals &originals,
                  const Case &subject, const Mutation &mutation, const TrialOptions &options);

/// A verdict on one line, and back.
std::string toJson(const Verdict &verdict);
Verdict fromJson(std::string_view line);

} // namespace tilewright::mutants
