// SPDX-License-Identifier: Apache-2.0
#include "runtime/check/Verdict.h"

#include "runtime/check/Estimate.h"
#include "runtime/check/InParallel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewright {

namespace {

/// Fewer elements scatter too much for a relative error.
constexpr double kLeastElements = 64;

/// Sums of squares from which a relative error follows.
struct Norms {
  double error = 0;
  double value = 0;
  double fourth = 0;
  double magnitude = 0;
  double count = 0;

  void operator+=(const Norms &other) {
    error += other.error;
    value += other.value;
    fourth += other.fourth;
    magnitude += other.magnitude;
    count += other.count;
  }
  void addElement(const Estimate &expected, double found) {
    const double off = found - expected.value, square = expected.value * expected.value;
    error += off * off;
    value += square;
    fourth += square * square;
    magnitude += expected.magnitude * expected.magnitude;
    ++count;
  }
  /// Whether terms cancel, or elements are in the subnormal range of `type`.
  [[nodiscard]] bool isSmall(DType type) const {
    const double least = 16 * elementFormat(type).smallestNormal();
    return value < magnitude / 64 || value < count * least * least;
  }
  /// How many elements of equal size would weigh as much.
  [[nodiscard]] double effectiveCount() const { return fourth > 0 ? value * value / fourth : 0; }
  [[nodiscard]] double relative() const { return std::sqrt(error / value); }
};

/// What one row contributes to a verdict.
struct RowVerdict {
  int64_t wrong = 0, unwritten = 0, notFinite = 0;
  std::optional<BadElement> first = {};
  double largestError = 0, largestShare = 0;
  Norms norms = {};

  void addWrong(const BadElement &element) {
    if (wrong++ == 0)
      first = element;
  }
};

/// Reads the operands of the epilogue.
class EpilogueReference {
public:
  EpilogueReference(const GemmProblem &problem, std::span<const OperandImage> operands)
      : problem_(problem), c_(problem.usesC() ? find(operands, "c") : nullptr) {
    for (const EpilogueOp &op : problem.epilogue.ops())
      steps_.push_back({op, op.hasOperand() ? find(operands, op.name()) : nullptr});
  }

  [[nodiscard]] Estimate apply(Estimate x, int64_t row, int64_t column) const {
    if (problem_.usesAlpha())
      x = scale(x, problem_.alpha);
    if (c_)
      x = add(x, problem_.beta * c_->value(row, column));
    for (const Step &step : steps_)
      x = applyOp(step.op.kind, x, read(step, row, column));
    return x;
  }

private:
  struct Step {
    EpilogueOp op;
    const OperandImage *image;
  };

  static const OperandImage *find(std::span<const OperandImage> operands, std::string_view role) {
    for (const OperandImage &image : operands)
      if (image.operand.role == role)
        return &image;
    return nullptr;
  }
  static double read(const Step &step, int64_t row, int64_t column) {
    if (!step.image)
      return 0;
    switch (step.op.operand()) {
    case EpilogueOperand::rowVector:
      return step.image->value(0, row);
    case EpilogueOperand::columnVector:
      return step.image->value(0, column);
    default:
      return step.image->value(row, column);
    }
  }

  const GemmProblem &problem_;
  const OperandImage *c_;
  std::vector<Step> steps_;
};

/// Judges a row against the reference: `sums` and `absolutes` are those of the row.
RowVerdict compareRow(const GemmProblem &problem, const EpilogueReference &epilogue,
                      const double *sums, const double *absolutes, const OperandImage &output,
                      int64_t row) {
  RowVerdict verdict;
  const DType type = output.operand.type;
  const double largest = elementFormat(type).largest;
  for (int64_t column = 0; column < problem.n; ++column) {
    const Estimate expected =
        epilogue.apply(estimateSum(sums[column], absolutes[column], problem.k), row, column);
    const double bound = roundingStep(type, expected.value) + expected.error;
    const uint8_t *memory = output.at(row, column);
    const double found = decodeElement(type, memory);
    if (isPoison(type, memory)) {
      ++verdict.unwritten;
      verdict.addWrong({row, column, expected.value, found, bound});
      continue;
    }
    // Where the bound reaches beyond the type, infinity is a right answer.
    const bool mayOverflow = std::fabs(expected.value) + bound > largest;
    if (mayOverflow && std::isinf(found) && (found > 0) == (expected.value > 0))
      continue;
    if (!std::isfinite(found)) {
      ++verdict.notFinite;
      verdict.addWrong({row, column, expected.value, found, bound});
      continue;
    }
    const double error = std::fabs(found - expected.value);
    verdict.largestError = std::max(verdict.largestError, error);
    verdict.largestShare = std::max(verdict.largestShare, error / bound);
    if (!(error <= bound))
      verdict.addWrong({row, column, expected.value, found, bound});
    if (!mayOverflow)
      verdict.norms.addElement(expected, found);
  }
  return verdict;
}

/// Looks at a row that has no reference.
RowVerdict scanRow(const OperandImage &output, int64_t row) {
  RowVerdict verdict;
  const DType type = output.operand.type;
  for (int64_t column = 0; column < output.operand.columns; ++column) {
    const uint8_t *memory = output.at(row, column);
    const double found = decodeElement(type, memory);
    if (!std::isnan(found))
      continue;
    ++(isPoison(type, memory) ? verdict.unwritten : verdict.notFinite);
    verdict.addWrong({row, column, std::nan(""), found, 0});
  }
  return verdict;
}

} // namespace

ReferenceSums sumOnHost(const GemmProblem &problem, const OperandImage &a, const OperandImage &b,
                        std::vector<int64_t> rows) {
  ReferenceSums result{std::move(rows), {}, {}};
  const size_t count = result.rows.size() * static_cast<size_t>(problem.n);
  result.sums.resize(count);
  result.absolutes.resize(count);
  inParallel(result.rows.size(), [&](size_t index) {
    for (int64_t column = 0; column < problem.n; ++column) {
      double sum = 0, absolute = 0;
      for (int64_t k = 0; k < problem.k; ++k) {
        const double product = a.value(result.rows[index], k) * b.value(column, k);
        sum += product;
        absolute += std::fabs(product);
      }
      const size_t at = index * static_cast<size_t>(problem.n) + static_cast<size_t>(column);
      result.sums[at] = sum;
      result.absolutes[at] = absolute;
    }
  });
  return result;
}

double relativeErrorLimit(DType d, int64_t k) {
  switch (d) {
  case DType::bf16:
    return 2.5e-3;
  case DType::fp16:
    return 4e-4;
  default:
    return 2e-5 + 0x1p-25 * static_cast<double>(k);
  }
}

Verdict judge(const GemmProblem &problem, const ReferenceSums &reference,
              std::span<const OperandImage> operands, const OperandImage &output) {
  Verdict verdict;
  verdict.rows = problem.m;
  verdict.rowsCompared = static_cast<int64_t>(reference.rows.size());
  verdict.elementsCompared = verdict.rowsCompared * problem.n;
  verdict.relativeLimit = relativeErrorLimit(problem.d, problem.k);
  verdict.damage = findDamage(output);
  if (problem.m == 0 || problem.n == 0)
    return verdict;

  const EpilogueReference epilogue(problem, operands);
  std::vector<RowVerdict> rows(static_cast<size_t>(problem.m));
  inParallel(rows.size(), [&](size_t row) {
    const auto number = static_cast<int64_t>(row);
    const auto at = std::lower_bound(reference.rows.begin(), reference.rows.end(), number);
    if (at == reference.rows.end() || *at != number) {
      rows[row] = scanRow(output, number);
      return;
    }
    const size_t first =
        static_cast<size_t>(at - reference.rows.begin()) * static_cast<size_t>(problem.n);
    rows[row] = compareRow(problem, epilogue, &reference.sums[first], &reference.absolutes[first],
                           output, number);
  });

  Norms all;
  for (size_t row = 0; row < rows.size(); ++row) {
    const RowVerdict &one = rows[row];
    verdict.wrong += one.wrong;
    verdict.unwritten += one.unwritten;
    verdict.notFinite += one.notFinite;
    if (!verdict.first)
      verdict.first = one.first;
    verdict.largestError = std::max(verdict.largestError, one.largestError);
    verdict.largestShare = std::max(verdict.largestShare, one.largestShare);
    all += one.norms;
    if (problem.k == 0 || one.norms.count < kLeastElements || one.norms.isSmall(problem.d))
      continue;
    if (const double error = one.norms.relative();
        verdict.worstRow < 0 || error > verdict.worstRowError) {
      verdict.worstRowError = error;
      verdict.worstRow = static_cast<int64_t>(row);
    }
  }
  if (problem.k != 0 && all.effectiveCount() >= kLeastElements && !all.isSmall(problem.d))
    verdict.relativeError = all.relative();
  return verdict;
}

bool Verdict::isRight() const { return status().isOk(); }

Status Verdict::status() const {
  std::string text;
  const auto say = [&](std::string what) { text += (text.empty() ? "" : "; ") + what; };
  if (wrong > 0)
    say(fmt::format("{} elements are wrong, {} of them never written, {} not finite; the first is "
                    "D[{}, {}]: expected {:.9g} within {:.3g}, found {:.9g}",
                    wrong, unwritten, notFinite, first->row, first->column, first->expected,
                    first->bound, first->found));
  if (relativeError && !(*relativeError <= relativeLimit))
    say(fmt::format("the relative error is {:.3g}, the limit {:.3g}", *relativeError,
                    relativeLimit));
  if (worstRow >= 0 && !(worstRowError <= kRowAllowance * relativeLimit))
    say(fmt::format("the relative error of row {} is {:.3g}, the limit {:.3g}", worstRow,
                    worstRowError, kRowAllowance * relativeLimit));
  if (damage.bytes > 0)
    say(fmt::format("{} bytes around or between the rows of D were overwritten, the first {} bytes "
                    "from D[0, 0]",
                    damage.bytes, damage.first));
  for (const std::string &role : changedInputs)
    say("the launch changed its input " + role);
  return text.empty() ? Status::ok() : Status::checkFailed(text);
}

std::string Verdict::summary() const {
  std::string text = fmt::format("{} elements", elementsCompared);
  if (rowsCompared < rows)
    text += fmt::format(" ({} of {} rows)", rowsCompared, rows);
  text += fmt::format(", largest error {:.2g} of its bound", largestShare);
  if (relativeError)
    text += fmt::format(", relative error {:.2e} (limit {:.1e})", *relativeError, relativeLimit);
  return text;
}

} // namespace tilewright
