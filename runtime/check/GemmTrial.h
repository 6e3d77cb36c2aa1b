// SPDX-License-Identifier: Apache-2.0
//
// GemmTrial: a problem with operands on a device, ready to be run and judged. Whoever runs it needs
// the addresses only.
// Thread-safety: a trial belongs to one thread at a time; different trials are independent.
#pragma once

#include "runtime/check/ReferenceKernel.h"
#include "runtime/check/RowSample.h"
#include "runtime/check/Verdict.h"
#include "runtime/driver/DeviceMemory.h"
#include "tilewright/Problem.h"
#include "tilewright/Status.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

struct TrialOptions {
  /// Of the contents of operands and the drawn rows.
  uint64_t seed = 1;
  RowLimits limits = {};
  /// Whether operands have guard zones. Without them allocations end with the operand, which is
  /// what compute-sanitizer sees the ends of.
  bool hasGuards = true;
};

/// Operands of a problem in device memory, and what its result must be.
///
///   Expected<GemmTrial> trial = GemmTrial::create(problem, *reference, {});
///   …run with trial->address("a"), …
///   Expected<Verdict> verdict = trial->judge();
class GemmTrial {
public:
  /// Fills the operands with random numbers, D with poison, and computes the reference. `problem`
  /// is valid. Its memory is ready when this returns. outOfMemory if the device has not enough.
  static Expected<GemmTrial> create(const GemmProblem &problem, const ReferenceKernel &reference,
                                    const TrialOptions &options);

  /// Other contents for all operands, at the same addresses, and their reference. Waits until the
  /// device has them.
  [[nodiscard]] Status refill(const ReferenceKernel &reference, uint64_t seed);

  /// D as if it had never been written. Waits until the device has it.
  [[nodiscard]] Status poison();

  /// The address of an operand, a multiple of 256; 0 if the problem has no such operand or it has
  /// no elements.
  [[nodiscard]] uint64_t address(std::string_view role) const;

  /// Compares D and looks for damage. What writes D must be done: pass its stream, or synchronize.
  [[nodiscard]] Expected<Verdict> judge(cu::Stream stream = nullptr) const;

  /// The bytes of D, pitch included, as they are now.
  [[nodiscard]] Expected<std::vector<uint8_t>> result(cu::Stream stream = nullptr) const;

  [[nodiscard]] const GemmProblem &problem() const { return problem_; }

private:
  struct Piece {
    OperandImage image;
    DeviceBuffer memory;
  };

  GemmTrial() = default;
  [[nodiscard]] const Piece *find(std::string_view role) const;
  [[nodiscard]] Status upload(Piece &piece);

  GemmProblem problem_;
  TrialOptions options_;
  std::shared_ptr<const PrimaryContext> context_;
  std::vector<Piece> pieces_;
  ReferenceSums sums_;
};

} // namespace tilewright
