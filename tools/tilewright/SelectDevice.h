// SPDX-License-Identifier: Apache-2.0
//
// The device that a command builds for. Thread-safety: a function without state.

#pragma once

#include "support/Env.h"
#include "tilewright/DeviceInfo.h"
#include "tilewright/Status.h"

#include <string>

namespace tilewright::cli {

/// The named target, else the first usable device of this machine. unavailable, with the hint to
/// name a target, if there is none.
Expected<DeviceInfo> selectDevice(const std::string &target, const Env &env);

/// The failure to find a device as unavailable, with the hint to name a target; invalidArgument
/// stays what it is.
Status withTargetHint(const Status &status);

} // namespace tilewright::cli
