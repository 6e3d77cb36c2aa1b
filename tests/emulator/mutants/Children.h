// SPDX-License-Identifier: Apache-2.0
//
// Runs tasks in child processes, several at a time: a mutant may crash or never end.

#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

namespace tilewright::mutants {

struct Children {
  /// What a child runs; its result is text.
  std::function<std::string(size_t task)> task;
  /// Gets each result, in the order of their ends. A child that ended otherwise, or ran past the
  /// deadline, gives the reason and no text.
  std::function<void(size_t task, const std::string &text, const std::string &failure)> done;
  size_t count = 0;
  unsigned atOnce = 2;
  std::chrono::seconds deadline{120};
};

/// Returns when all have ended. Call it from a process with one thread.
void runChildren(const Children &children);

} // namespace tilewright::mutants
