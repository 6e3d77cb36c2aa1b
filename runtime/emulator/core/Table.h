// SPDX-License-Identifier: Apache-2.0
//
// The core's part of the table: warps, barriers, mbarriers, fences, shared memory.

#pragma once

#include "runtime/emulator/Api.h"

namespace tilewright::emulator {

/// Sets the functions that the core implements. Each acts on Machine::current().
void fillCoreTable(Api &api);

} // namespace tilewright::emulator
