// SPDX-License-Identifier: Apache-2.0
//
// The form of a file of the code cache (suffix .twk):
//
//   twk 1 <bytes of the header> <hash of all that follows this line, 32 hex digits>
//   header     JSON: the key, how long each part is, facts of the kernels
//   plan       JSON, as support/PlanText.h writes it
//   cubins     one after the other
//
// A file is read whole and believed only if its hash is right; the hash guards against accidents,
// not against an adversary. Pure functions, safe from any thread.
#pragma once

#include "cache/StoredPlan.h"
#include "tilewright/Status.h"

#include <string>
#include <string_view>

namespace tilewright {

/// Version of the form. A reader takes exactly its own.
inline constexpr int32_t kCodeFileSchema = 1;

/// The bytes of a file. Fails where planToText does, and with internal if there is not one kernel
/// for each of the plan.
Expected<std::string> writeCodeFile(std::string_view key, const StoredPlan &stored);

/// Reads writeCodeFile back. invalidArgument says what is wrong: no such file, another version,
/// truncated, damaged, or written for another key than `key`.
Expected<StoredPlan> readCodeFile(std::string_view bytes, std::string_view key);

} // namespace tilewright
