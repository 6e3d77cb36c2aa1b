// SPDX-License-Identifier: Apache-2.0
//
// Trial: one mutant, run until something is found, and what that says of the emulator.

#pragma once

#include "tests/emulator/mutants/Subject.h"

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

struct TrialOptions {
  /// Seeds of each policy at each shape.
  int seeds = 1;
  /// Whether to ask what outputs and hangs alone would have found.
  bool compareOutputs = true;
};

/// Runs the mutant in this process.
Verdict tryMutant(const emulator::Emulator &emulator, const Case &subject, const Mutation &mutation,
                  const TrialOptions &options);

/// A verdict on one line, and back.
std::string toJson(const Verdict &verdict);
Verdict fromJson(std::string_view line);

} // namespace tilewright::mutants
