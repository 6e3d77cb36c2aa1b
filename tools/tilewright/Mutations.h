// SPDX-License-Identifier: Apache-2.0
//
// --mutate: one fault put into a kernel before it is emulated, so that a person sees what a finding
// looks like. Thread-safety: as the module's context.

#pragma once

#include "tilewright/Plan.h"
#include "tools/tilewright/Report.h"

#include "mlir/IR/BuiltinOps.h"

#include <CLI/CLI.hpp>

#include <string>

namespace tilewright::cli {

struct MutateOption {
  /// "KIND" or "KIND:SITE"; empty: none; "list".
  std::string text;

  /// Adds --mutate to a command. This object must outlive it.
  void addTo(CLI::App &command);

  [[nodiscard]] bool isList() const { return text == "list"; }
  /// All kinds: a name on each line; in JSON also class, sentence and the findings to expect.
  static Report list();

  /// Compiles `module`, which must not be used afterwards, with the mutation. invalidArgument if
  /// there is no such kind or its kernels have no such site. `where` gets the place in words.
  Expected<Plan> compile(mlir::ModuleOp module, std::string &where) const;
};

} // namespace tilewright::cli
