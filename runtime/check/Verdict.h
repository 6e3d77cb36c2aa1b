// SPDX-License-Identifier: Apache-2.0
//
// Verdict: whether a result is right, and if not, where and by how much.
// Thread-safety: plain values and pure functions; judging uses all cores.
#pragma once

#include "runtime/check/Operands.h"
#include "tilewright/Problem.h"
#include "tilewright/Status.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tilewright {

/// Sums over K for some rows of D, in fp64.
struct ReferenceSums {
  /// Ascending.
  std::vector<int64_t> rows = {};
  /// For each of the rows, N values: Σ a·b and Σ |a|·|b|.
  std::vector<double> sums = {};
  std::vector<double> absolutes = {};
};

/// The same by three loops on the host, for small problems and to test the device's.
ReferenceSums sumOnHost(const GemmProblem &problem, const OperandImage &a, const OperandImage &b,
                        std::vector<int64_t> rows);

/// An element that is wrong.
struct BadElement {
  int64_t row = 0;
  int64_t column = 0;
  double expected = 0;
  double found = 0;
  /// How far `found` may be off.
  double bound = 0;
};

/// What came of a check. Of elements in rows that are not compared only poison and what is not
/// finite count as wrong.
struct Verdict {
  int64_t rows = 0;
  int64_t rowsCompared = 0;
  int64_t elementsCompared = 0;

  /// Elements that are wrong, those below included; the first in row-major order.
  int64_t wrong = 0;
  std::optional<BadElement> first = {};
  /// Elements that nobody wrote.
  int64_t unwritten = 0;
  /// Elements that are infinite or no number where the reference is finite.
  int64_t notFinite = 0;
  /// Guard zones and gaps between rows of D.
  Damage damage = {};
  /// Roles of inputs that the launch changed, guard zones included.
  std::vector<std::string> changedInputs = {};

  /// The largest error, and the largest as a share of its bound.
  double largestError = 0;
  double largestShare = 0;
  /// ‖found - expected‖ / ‖expected‖ over all compared elements; unset: not judged, since there are
  /// (in effect) fewer than 64, terms cancel, or values are below the normal numbers of the type.
  std::optional<double> relativeError = {};
  double relativeLimit = 0;
  /// The largest relative error of a row, and that row; -1: none was judged.
  double worstRowError = 0;
  int64_t worstRow = -1;

  [[nodiscard]] bool isRight() const;
  /// checkFailed with everything that is wrong, else ok.
  [[nodiscard]] Status status() const;
  /// One line: "16777216 elements, largest error 0.43 of its bound, relative error 1.63e-03 (limit
  /// 2.5e-03)".
  [[nodiscard]] std::string summary() const;
};

/// The most that the relative error of many elements may be: 2.5e-3 for bf16, 4e-4 for fp16; for
/// fp32 2e-5 + K·2^-25, as there the sum's rounding decides.
double relativeErrorLimit(DType d, int64_t k);

/// How much larger the relative error of one row may be.
inline constexpr double kRowAllowance = 1.6;

/// Judges D. `operands` are the images of all inputs (those that the epilogue reads are used),
/// `output` is D's image after the launch.
Verdict judge(const GemmProblem &problem, const ReferenceSums &reference,
              std::span<const OperandImage> operands, const OperandImage &output);

} // namespace tilewright
