// SPDX-License-Identifier: Apache-2.0
//
// What a module looks like at each stage of its compilation, from tile IR to machine code.
// Thread-safety: as the module's context.

#pragma once

#include "runtime/nvrtc/Resources.h"
#include "tools/tilewright/Report.h"

#include "mlir/IR/BuiltinOps.h"

#include <array>
#include <string>
#include <string_view>

namespace tilewright::cli {

/// The stages that a person may ask for, in the order of compilation.
enum class Shown : uint8_t { tile, scheduled, sm90, cuda, plan, ptx, cubin, sass, resources };
inline constexpr std::array<std::string_view, 9> kShownNames = {
    "tile", "scheduled", "sm90", "cuda", "plan", "ptx", "cubin", "sass", "resources"};

/// "tile|scheduled|…", for help.
std::string shownNames();

/// The stage of that name; invalidArgument lists the names.
Expected<Shown> parseShown(std::string_view name);

/// How to show a stage.
struct ShowOptions {
  Shown stage = Shown::cuda;
  /// Where it goes; empty: stdout. Of a plan with several kernels, each cubin gets its own file:
  /// "out.cubin" becomes "out.<kernel>.cubin".
  std::string output = {};
  ResourcePolicy policy = {};
};

/// Compiles `module`, which must not be used afterwards, as far as the stage needs, and adds it to
/// `report`: text, files, and in JSON "stage", "text" or "output", "kernels", "rejections". A
/// kernel that the policy rejects is shown with a warning, but makes no cubin.
Expected<Report> showStage(const Session &session, mlir::ModuleOp module,
                           const ShowOptions &options, Report report);

} // namespace tilewright::cli
