// SPDX-License-Identifier: Apache-2.0
//
// What a header of the device library declares, read from its text.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace tilewright {

/// The declarations in namespace tw (tw::detail left out), one normalised line each: functions
/// without their bodies and specifiers, types with theirs.
std::set<std::string> declarations(std::string_view header);

/// The names of the functions among them.
std::set<std::string> functionNames(std::string_view header);

} // namespace tilewright
