// SPDX-License-Identifier: Apache-2.0
//
// The text form of a plan: JSON that a person can read, with expressions as infix text and
// kernels line by line. It is how plans are stored. Pure functions, safe from any thread.

#pragma once

#include "tilewright/Plan.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace tilewright {

/// Version of the text form. A reader takes exactly its own version.
inline constexpr int32_t kPlanSchema = 1;

/// `plan` as JSON: equal plans have equal text. Fails where checkPlan does, and with
/// invalidArgument where a text of the plan is not UTF-8.
Expected<std::string> planToText(const Plan &plan);

/// Reads planToText back to an equal plan. invalidArgument says where the text is malformed
/// ("launches[0].grid[1]: expected a string, found a number"), unsupported names another schema
/// version; the plan that comes back has passed checkPlan.
Expected<Plan> planFromText(std::string_view text);

} // namespace tilewright
