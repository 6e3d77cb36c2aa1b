// SPDX-License-Identifier: Apache-2.0
//
// `compile --check`: runs a tile program in the reference evaluator on random operands. It says
// what the program computes, and whether the scheduling passes keep that.

#pragma once

#include "compiler/evaluator/Evaluator.h"
#include "tools/tilewright/Report.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace tilewright::cli {

/// What to check and on what.
struct CheckOptions {
  /// "name=value" for each scalar argument.
  std::vector<std::string> settings;
  /// A module with the same arguments that computes the expected outputs; empty: none.
  std::string against;
  uint64_t seed = 1;
};

/// Evaluates `module` on operands drawn from [-1, 1) (whole numbers from -4 to 4 for integers; what
/// is only written starts as NaN), in exact arithmetic and three ways: as it stands, after the
/// scheduling passes, and against the other module. The report has "check" in its JSON. Its outcome
/// is checkFailed if outputs differ.
Expected<Report> checkProgram(const Session &session, mlir::ModuleOp module,
                              const CheckOptions &options);

} // namespace tilewright::cli
