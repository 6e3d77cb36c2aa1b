// SPDX-License-Identifier: Apache-2.0
//
// The table of functions that kernel text calls on the host, by the emulator's own name.

#pragma once

#include "compiler/device/host/tilewright/emulator.cuh"

namespace tilewright::emulator {

using Api = tw::emulator::Api;
using WgmmaCall = tw::emulator::wgmma_call;
using ApiScope = tw::emulator::scope;

} // namespace tilewright::emulator
