// SPDX-License-Identifier: Apache-2.0
//
// What test_gpu does as a process that runs one faulty kernel on the card: what a fault of the
// emulator's mutants does there.
#pragma once

#include <string>

namespace tilewright {

/// The first argument that makes test_gpu that process; the second is KIND or KIND:SITE, or "none".
inline constexpr const char *kMutantFlag = "--run-mutant";

/// Runs the kernel 20 times, prints what became of it in one line, and returns 0: right, 1: wrong,
/// 2: not run, 3: the device reports a fault. A kernel that hangs never returns: give it a
/// deadline.
int runMutant(const std::string &mutation);

} // namespace tilewright
