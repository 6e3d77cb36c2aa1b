// SPDX-License-Identifier: Apache-2.0
//
// Plans written by hand, for tests of everything that takes one.

#pragma once

#include "tilewright/Plan.h"

namespace tilewright {

/// A GEMM in one launch: tensor maps for A and B, a pointer, sizes and alpha.
Plan sampleGemmPlan();

/// A GEMM split over K in two launches: partial sums in a zeroed workspace, then a reduction.
/// Arguments: a, b, d, m, n, k, splits.
Plan sampleSplitPlan();

} // namespace tilewright
