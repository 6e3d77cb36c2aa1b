// SPDX-License-Identifier: Apache-2.0
//
// inParallel: a loop over independent pieces on all cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace tilewright {

/// Calls body(0) … body(count - 1), several at once, and returns when all are done. `body` must not
/// throw.
template <typename Body>
void inParallel(size_t count, const Body &body) {
  const size_t workers = std::min<size_t>(count, std::max(std::thread::hardware_concurrency(), 1U));
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t index = next++; index < count; index = next++)
      body(index);
  };
  std::vector<std::thread> others;
  for (size_t i = 1; i < workers; ++i)
    others.emplace_back(work);
  work();
  for (std::thread &other : others)
    other.join();
}

} // namespace tilewright
