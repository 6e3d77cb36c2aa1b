// SPDX-License-Identifier: Apache-2.0
//
// What test_gpu does as the second process of StoredPlanTest.
#pragma once

#include <string>

namespace tilewright {

/// The first argument that makes test_gpu that process; the second is the cache folder.
inline constexpr const char *kStoredPlanFlag = "--run-stored-plan";

/// Runs the plan that the first process stored in `folder`, judges the result, and returns the exit
/// code: 0, or 1 with the reason on stderr.
int runStoredPlan(const std::string &folder);

} // namespace tilewright
