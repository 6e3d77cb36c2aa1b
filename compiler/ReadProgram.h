// SPDX-License-Identifier: Apache-2.0
//
// The host side of a module as data: a tile.program and the parameters of the kernels that it
// launches, as a Plan.

#pragma once

#include "tilewright/Plan.h"
#include "tilewright/Status.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

namespace tilewright {

/// Reads in three steps, each at its stage of compilation: the program from the scheduled form
/// (constructor), what each kernel takes from the sm90 form (readParameters), the kernels' text at
/// the end (finish). One use, one thread.
class ProgramReader {
public:
  /// Reads arguments, buffers, preconditions and launches of the module's tile.program, if it has
  /// one.
  explicit ProgramReader(mlir::ModuleOp scheduled);

  /// Reads `parameters` of each sm90.kernel.
  void readParameters(mlir::ModuleOp lowered);

  /// The plan, with its kernels. internal if a launch has no kernel or an expression none that a
  /// plan can hold.
  Expected<Plan> finish(std::vector<PlanKernel> kernels);

private:
  /// A launch as the program says it: what each argument of its kernel is, in terms of the
  /// program's.
  struct Launch {
    std::string kernel;
    std::array<Expr, 3> grid = {Expr(1), Expr(1), Expr(1)};
    bool pdl = false;
    std::vector<Expr> values;      ///< by kernel argument; unused for pointers
    std::vector<MemoryRef> memory; ///< by kernel argument; unused for scalars
    std::vector<int32_t>
        programArgs; ///< by kernel argument: index of the program's f32 argument, -1 if none
  };

  /// Keeps the first reason why there is no plan.
  void refuse(mlir::Operation *op, const std::string &reason);

  Plan plan;
  std::vector<Launch> launches;
  llvm::StringMap<mlir::ArrayAttr> parameters;
  Status problem = Status::ok();
};

} // namespace tilewright
