// SPDX-License-Identifier: Apache-2.0
//
// RowSample: which rows of a result are compared with the reference.
// Thread-safety: pure function.
#pragma once

#include "tilewright/Problem.h"

#include <cstdint>
#include <vector>

namespace tilewright {

/// How much is compared. Beyond that, rows are drawn; every other element is still looked at, for
/// poison and for what is not finite.
struct RowLimits {
  /// Elements of D.
  int64_t elements = int64_t{1} << 24;
  /// Operations of the reference, 2·rows·N·K.
  double flops = 0x1p41;
  /// Rows at either end that are always taken: the first and the last tile.
  int64_t edge = 128;
};

/// The rows, ascending: all where the limits allow it; else the first and the last `edge`, and
/// between them as many as the limits allow, drawn by `seed`, at least `edge`.
std::vector<int64_t> sampleRows(const GemmProblem &problem, const RowLimits &limits, uint64_t seed);

} // namespace tilewright
