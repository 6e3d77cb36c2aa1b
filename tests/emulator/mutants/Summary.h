// SPDX-License-Identifier: Apache-2.0
//
// What all trials together say: a table for people, JSON for the record, and whether it is enough.

#pragma once

#include "tests/emulator/mutants/Trial.h"

#include <string>
#include <vector>

namespace tilewright::mutants {

/// Counts by class; what was not found, or was found where nothing is wrong, one by one.
std::string summaryText(const std::vector<Verdict> &verdicts);

/// {"summary": …, "mutants": […]}
std::string summaryJson(const std::vector<Verdict> &verdicts);

/// Whether at least 95 % of the faults were found with the right kind, no legal change raised an
/// alarm, and every mutant has a verdict.
bool isEnough(const std::vector<Verdict> &verdicts);

} // namespace tilewright::mutants
