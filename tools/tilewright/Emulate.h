// SPDX-License-Identifier: Apache-2.0
//
// --emulate: a kernel executed without a GPU, in several schedules, every access checked.
#pragma once

#include "tools/tilewright/GemmOptions.h"
#include "tools/tilewright/Mutations.h"
#include "tools/tilewright/Report.h"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>

namespace tilewright::cli {

struct EmulateOptions {
  bool isWanted = false;
  int32_t seeds = 1;
  /// Empty: all of them.
  std::string schedule;
  std::string fences = "strict";
  int32_t sms = 2;
  MutateOption mutate;

  /// Adds --emulate and what goes with it. This object must outlive the command.
  void addTo(CLI::App &command);
};

/// Emulates a GEMM with the config that `gemm` names, or the model's choice for its target (H200 if
/// there is none).
Expected<Report> emulateGemm(const Session &session, const GemmOptions &gemm,
                             const EmulateOptions &options, uint64_t seed);

} // namespace tilewright::cli
