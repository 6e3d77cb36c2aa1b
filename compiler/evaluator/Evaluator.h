// SPDX-License-Identifier: Apache-2.0
//
// The oracle: a reference evaluator of the `tile` dialect on the host. It says what a module of
// ours or of a user computes: layouts, clusters, grids and the order of tiles have no influence.
//
// Arithmetic is fp64 throughout, whatever the types say; only where the module itself narrows a
// number (`arith.truncf`, a store to memory) is it rounded, to nearest even. A call touches no
// state but the MLIRContext of its operation, whose diagnostics it captures: one call per context
// at a time.

#pragma once

#include "tilewright/Status.h"

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace mlir {
class Operation;
} // namespace mlir

namespace tilewright {

/// What the arguments of a program or kernel stand for, by their names (`tile.name`).
struct Bindings {
  /// Memory behind pointers, outputs included: element i is what the pointer's element i holds
  /// before the first launch, rounded to the pointer's type when it is bound. Integers up to 2^53.
  std::map<std::string, std::vector<double>> arrays;
  /// Values of the scalar arguments: integers for i32 and i64, either kind for f32.
  std::map<std::string, std::variant<int64_t, double>> scalars;
};

/// Knobs of an evaluation.
struct EvaluationOptions {
  /// Round where the module narrows numbers. Off, the result is that of exact arithmetic on the
  /// bound inputs.
  bool round = true;
  /// What `tile.sm_count` says.
  int32_t smCount = 132;
};

/// Memory after the last launch, in fp64.
struct EvaluationResult {
  /// Every bound array, under its argument's name.
  std::map<std::string, std::vector<double>> arrays;
  /// Every workspace buffer of a program, under its own name.
  std::map<std::string, std::vector<double>> buffers;
};

/// Evaluates a `tile.program` (its buffers, preconditions and launches, in order), a single
/// `tile.kernel`, or a module that holds exactly one program, or no program and exactly one kernel.
///
/// A kernel runs once over all tiles of its schedule; the roles of a scheduled kernel take turns
/// whenever one has to wait for another. Loads outside of a view's extents give zero,
/// or NaN where they are declared undefined; stores outside are dropped. Workspace that is not
/// zeroed holds NaN. What the program promises is checked: a `skippable` region that changes its
/// values in a range where it said that it would not, ranges out of order, strides that break a
/// view's alignment.
///
/// Fails with invalidArgument if bindings are missing, left over, too small or of the wrong kind,
/// or if evaluation meets an error (a precondition that does not hold, a division by zero); with
/// unsupported for operations that it does not know. Messages carry the location in the module.
///
///   Bindings bindings;
///   bindings.arrays = {{"a", a}, {"b", b}, {"d", std::vector<double>(m * n)}};
///   bindings.scalars = {{"m", m}, {"n", n}, {"k", k}};
///   Expected<EvaluationResult> result = evaluate(module, bindings);
Expected<EvaluationResult> evaluate(mlir::Operation *operation, const Bindings &bindings,
                                    const EvaluationOptions &options = {});

} // namespace tilewright
