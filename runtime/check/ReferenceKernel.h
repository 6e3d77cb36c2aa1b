// SPDX-License-Identifier: Apache-2.0
//
// ReferenceKernel: the sums of a GEMM in fp64, on the device, by a kernel that shares nothing with
// those it judges (runtime/check/reference.cu).
// Thread-safety: immutable; sum may be called by several threads at once.
#pragma once

#include "runtime/check/Verdict.h"
#include "runtime/driver/Module.h"
#include "runtime/nvrtc/Nvrtc.h"
#include "tilewright/Problem.h"
#include "tilewright/Status.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace tilewright {

/// The reference, compiled and loaded.
class ReferenceKernel {
public:
  /// Compiles it (some tenths of a second). Fails as Nvrtc::compile and Module::load do.
  static Expected<std::shared_ptr<const ReferenceKernel>>
  load(std::shared_ptr<const PrimaryContext> context, const Nvrtc &nvrtc);

  /// The sums of `rows` of the problem's D, of A and B at these addresses. Allocates, and waits for
  /// its end; runs on a stream of its own, so what writes A and B must be done. unsupported for a
  /// layout but nt and for types but bf16 and fp16.
  [[nodiscard]] Expected<ReferenceSums> sum(const GemmProblem &problem, uint64_t a, uint64_t b,
                                            std::vector<int64_t> rows) const;

  [[nodiscard]] std::shared_ptr<const PrimaryContext> context() const { return context_; }

private:
  ReferenceKernel() = default;

  std::shared_ptr<const PrimaryContext> context_;
  std::shared_ptr<const Module> module_;
  LoadedKernel bf16_;
  LoadedKernel fp16_;
};

} // namespace tilewright
