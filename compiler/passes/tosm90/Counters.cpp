// SPDX-License-Identifier: Apache-2.0
//
// Quotients and remainders of register indices. An index is a sum of counters of unrolled loops, so
// most of its divisions are known when it is built: (4 * c + 2 * r + 1) / 4 is c where r is 0 or 1.

#include "compiler/passes/tosm90/KernelLowering.h"

#include "mlir/IR/Matchers.h"

#include <optional>

using namespace mlir;

namespace tilewright::tosm90 {

/// offset + the sum of factor * counter. No factor and no offset is negative.
struct CounterSum {
  SmallVector<std::pair<Value, int64_t>> terms;
  int64_t offset = 0;
};

namespace {

/// The number of trips of the unrolled loop that `value` counts; 0 if it counts none.
int64_t countOf(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
  APInt upper;
  if (!loop || argument != loop.getInductionVar() || !loop->hasAttr("tw.unroll") ||
      !matchPattern(loop.getLowerBound(), m_Zero()) || !matchPattern(loop.getStep(), m_One()) ||
      !matchPattern(loop.getUpperBound(), m_ConstantInt(&upper)))
    return 0;
  return upper.getSExtValue();
}

/// Adds factor * value to `sum`. False if that is no sum of counters.
bool addTo(CounterSum &sum, Value value, int64_t factor) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number))) {
    sum.offset += factor * number.getSExtValue();
    return !number.isNegative();
  }
  if (countOf(value) > 0) {
    sum.terms.emplace_back(value, factor);
    return true;
  }
  Operation *op = value.getDefiningOp();
  if (auto add = dyn_cast_or_null<arith::AddIOp>(op))
    return addTo(sum, add.getLhs(), factor) && addTo(sum, add.getRhs(), factor);
  if (auto mul = dyn_cast_or_null<arith::MulIOp>(op))
    return matchPattern(mul.getRhs(), m_ConstantInt(&number)) && number.isStrictlyPositive() &&
           addTo(sum, mul.getLhs(), factor * number.getSExtValue());
  return false;
}

/// The quotient and the remainder of a sum of counters, themselves such sums.
struct Division {
  CounterSum quotient, remainder;
};

std::optional<Division> divide(Value value, int64_t by) {
  CounterSum sum;
  if (by < 1 || !addTo(sum, value, 1))
    return std::nullopt;
  Division result;
  result.quotient.offset = sum.offset / by;
  result.remainder.offset = sum.offset % by;
  int64_t most = result.remainder.offset;
  for (auto [counter, factor] : sum.terms) {
    if (factor % by == 0) {
      result.quotient.terms.emplace_back(counter, factor / by);
    } else {
      result.remainder.terms.emplace_back(counter, factor);
      most += factor * (countOf(counter) - 1);
    }
  }
  return most < by ? std::optional(result) : std::nullopt;
}

} // namespace

Value KernelLowering::valueOf(const CounterSum &sum) {
  Value result = i32(sum.offset);
  for (auto [counter, factor] : llvm::reverse(sum.terms))
    result = add(mul(counter, factor), result);
  return result;
}

Value KernelLowering::div(Value a, int64_t by) {
  std::optional<Division> known = divide(a, by);
  return known ? valueOf(known->quotient) : div(a, i32(by));
}

Value KernelLowering::rem(Value a, int64_t by) {
  std::optional<Division> known = divide(a, by);
  return known ? valueOf(known->remainder) : rem(a, i32(by));
}

} // namespace tilewright::tosm90
