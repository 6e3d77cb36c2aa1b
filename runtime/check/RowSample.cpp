// SPDX-License-Identifier: Apache-2.0
#include "runtime/check/RowSample.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

namespace tilewright {

std::vector<int64_t> sampleRows(const GemmProblem &problem, const RowLimits &limits,
                                uint64_t seed) {
  const double flopsPerRow = std::max(problem.flops() / static_cast<double>(problem.m), 1.0);
  const int64_t affordable =
      std::min(limits.elements / std::max<int64_t>(problem.n, 1),
               static_cast<int64_t>(std::min(limits.flops / flopsPerRow, 0x1p31)));
  const int64_t count = std::max(affordable, 3 * limits.edge);
  if (problem.m <= count) {
    std::vector<int64_t> all(static_cast<size_t>(problem.m));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  std::set<int64_t> rows;
  for (int64_t i = 0; i < limits.edge; ++i) {
    rows.insert(i);
    rows.insert(problem.m - 1 - i);
  }
  // The standard fixes this engine on every machine.
  std::mt19937_64 random(seed);
  while (static_cast<int64_t>(rows.size()) < count)
    rows.insert(static_cast<int64_t>(random() % static_cast<uint64_t>(problem.m)));
  return {rows.begin(), rows.end()};
}

} // namespace tilewright
