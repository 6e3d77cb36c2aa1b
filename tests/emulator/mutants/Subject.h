// SPDX-License-Identifier: Apache-2.0
//
// Subject: a kernel, as it is or with a mutation, and its runs in the emulator.

#pragma once

#include "runtime/emulator/Emulator.h"
#include "tests/emulator/mutants/Cases.h"
#include "tilewright/Plan.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tilewright::mutants {

/// A kind of compiler/mutation at one of its sites. An empty kind: the kernel as it is.
struct Mutation {
  std::string kind;
  unsigned site = 0;
};

/// Compiles the kernel with the mutation; `where` gets the site in words.
Expected<Plan> compileCase(const Case &subject, const Mutation &mutation, std::string &where);

/// Sites of every kind in the kernel, by the kind's name; kinds without one are left out.
Expected<std::map<std::string, unsigned>> countSites(const Case &subject);

/// What one run gave.
struct Outcome {
  emulator::EmulationReport report;
  /// The bytes of what the kernel writes. What nobody wrote is 0xff.
  std::vector<uint8_t> result;
  /// Why there is no report: a launch that the host refuses.
  Status status = Status::ok();
};

/// Runs `plan` at a shape, on operands that depend on the shape only.
Outcome runCase(const emulator::Emulator &emulator, const Plan &plan, const Case &subject,
                const Shape &shape, const emulator::RunOptions &options);

} // namespace tilewright::mutants
