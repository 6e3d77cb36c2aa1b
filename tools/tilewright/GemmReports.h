// SPDX-License-Identifier: Apache-2.0
//
// Reports on a GEMM that are no stage of it: its space of configs, and where compile time goes.

#pragma once

#include "runtime/engine/Compile.h"
#include "tools/tilewright/GemmOptions.h"
#include "tools/tilewright/Report.h"

namespace tilewright::cli {

/// "problem", "target" and "config", for every report on a request.
Json requestJson(const GemmRequest &request);

/// Every config that can be built, and the others with the rule that each breaks.
Expected<Report> listGemmConfigs(const Session &session, const GemmOptions &options);

/// Compiles `request` that often from scratch: the split of the first run, and of the median run.
Expected<Report> timeGemm(const Session &session, const GemmRequest &request, int32_t repetitions);

} // namespace tilewright::cli
