// SPDX-License-Identifier: Apache-2.0
//
// The commands. Each function adds one to the command line: its options, its help with examples,
// and what it does, which it leaves in the session when the parser meets its name.

#pragma once

#include "tools/tilewright/Report.h"

#include <CLI/CLI.hpp>

namespace tilewright::cli {

/// `doctor`: what works on this machine, what is missing and how to get it.
void addDoctor(CLI::App &app, Session &session);

/// `emit gemm`: any stage of a problem's compilation, the space of configs, the time it takes.
void addEmit(CLI::App &app, Session &session);

/// `compile FILE.mlir`: a tile program of the user's own.
void addCompile(CLI::App &app, Session &session);

/// `gemm`: a kernel for a problem by the engine: where it comes from, whether it is right, how
/// fast.
void addGemm(CLI::App &app, Session &session);

/// Options that every command has: --json, --nvrtc.
void addCommonOptions(CLI::App &command, Session &session);

/// `--version`: this build, its MLIR, and the NVRTC that it would use.
Report versionReport(const Session &session);

} // namespace tilewright::cli
