// SPDX-License-Identifier: Apache-2.0
//
// From the structs of tilewright.h to requests. Thread-safety: functions without state.
#pragma once

#include "runtime/engine/Request.h"
#include "tilewright/DType.h"
#include "tilewright/Status.h"
#include "tilewright/tilewright.h"

namespace tilewright::capi {

/// A request as the engine takes it.
struct ReadRequest {
  GemmRequest request = {};
  bool mayCompile = true;
};

/// Reads a problem and options, which may be null. invalidArgument or unsupported names a field and
/// what it may be; whether the problem makes sense is not looked at.
Expected<ReadRequest> readRequest(const twGemmProblem *problem, const twRequestOptions *options);

/// The number of an element type in tilewright.h.
constexpr twDType toC(DType type) { return static_cast<twDType>(type) + 1; }

} // namespace tilewright::capi
