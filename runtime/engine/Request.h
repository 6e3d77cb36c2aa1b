// SPDX-License-Identifier: Apache-2.0
//
// GemmRequest: a problem and what is wanted of its kernel: by it the engine remembers kernels.
// Plain values, free of MLIR.
#pragma once

#include "tilewright/Problem.h"
#include "tilewright/Status.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace tilewright {

/// How products are summed.
enum class Accumulate : uint8_t { fp32 };

/// What is wanted of a kernel beside its problem. The defaults ask for nothing.
struct RequestFlags {
  bool deterministic = false;
  bool batchInvariant = false;
  bool pdl = true;
  Accumulate accumulate = Accumulate::fp32;
  int32_t smCap = 0;
  /// Bytes that every operand begins at a multiple of.
  int32_t pointerAlignment = 16;
  friend bool operator==(const RequestFlags &, const RequestFlags &) = default;
};

struct GemmRequest {
  GemmProblem problem = {};
  RequestFlags flags = {};
  /// The schedule that the caller wants, "bm=128,…"; empty: the engine's choice.
  std::string config = {};

  /// Whether it can be served: what GemmProblem::validate says, and invalidArgument or unsupported
  /// for a flag.
  [[nodiscard]] Status validate() const;

  friend bool operator==(const GemmRequest &, const GemmRequest &) = default;
};

/// A hash for tables in memory: equal requests have equal hashes in one process.
struct GemmRequestHash {
  size_t operator()(const GemmRequest &request) const;
};

} // namespace tilewright
