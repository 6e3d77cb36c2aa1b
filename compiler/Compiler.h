// SPDX-License-Identifier: Apache-2.0
//
// From a module of tile programs to a plan. Everything that hangs on one MLIRContext belongs to one
// thread at a time; distinct contexts compile in parallel.

#pragma once

#include "tilewright/Plan.h"
#include "tilewright/Status.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>
#include <string>
#include <string_view>

namespace tilewright {

/// Where a person may look at a module on its way.
enum class Stage {
  tile,      ///< as the template or the user wrote it
  scheduled, ///< roles, rings and waits explicit
  sm90,      ///< one op, one device function
  cuda,      ///< the text that NVRTC compiles
};

/// A context with the compiler's dialects, single-threaded. One per compiling thread.
std::unique_ptr<mlir::MLIRContext> makeCompilerContext();

/// Parses and verifies the text of a module. invalidArgument with place and reason; `name` stands
/// for the file in it.
Expected<mlir::OwningOpRef<mlir::ModuleOp>>
parseModule(mlir::MLIRContext &context, std::string_view text, std::string_view name);

/// The module at `stage`, printed. Runs the passes up to there on `module`, which must not be used
/// afterwards. compileFailed with the passes' diagnostics when a directive cannot be obeyed.
Expected<std::string> printStage(mlir::ModuleOp module, Stage stage);

/// A plan, and where the time of its making went.
struct TimedPlan {
  Plan plan;
  /// From the module to sm90: schedule and lowering.
  double passSeconds = 0;
  /// From sm90 to text.
  double emissionSeconds = 0;
};

/// Compiles `module` to a plan: kernels with their text, and, if the module has a tile.program, its
/// arguments, buffers, preconditions and launches (a module without one gives a plan that nothing
/// can launch). `module` must not be used afterwards. compileFailed with the passes' diagnostics;
/// internal if the program and its kernels do not fit together. What is consistent:
/// support/PlanCheck.h.
Expected<Plan> compileToPlan(mlir::ModuleOp module);

/// What is done to a module of sm90 kernels before their text is made: compiler/mutation.
using LoweredChange = llvm::function_ref<Status(mlir::ModuleOp)>;

/// The same, with a change of the lowered module; its failure is the result.
Expected<Plan> compileToPlan(mlir::ModuleOp module, LoweredChange change);

/// The same with its times.
Expected<TimedPlan> compileToTimedPlan(mlir::ModuleOp module);

} // namespace tilewright
