// SPDX-License-Identifier: Apache-2.0
//
// Consistency of a plan, and the conditions that it puts on a run. Pure functions, safe from any
// thread.

#pragma once

#include "tilewright/Plan.h"

namespace tilewright {

/// Whether `plan` is consistent in itself: every index names something of the right kind, names
/// are unique and usable in expressions, tensor maps obey the rules of cuTensorMapEncodeTiled
/// that do not depend on the arguments. internal (the plan's maker is at fault) names the place:
/// "launch 0, parameter 2: box has 3 entries for 2 dimensions".
Status checkPlan(const Plan &plan);

/// Whether the arguments of a run meet the plan's preconditions and pointer alignments.
/// `inputs.arguments` holds one value for each of plan.arguments. invalidArgument has the
/// message of the first condition that fails, with the values found.
Status checkPreconditions(const Plan &plan, const ExprInputs &inputs);

} // namespace tilewright
