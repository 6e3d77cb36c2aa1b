// SPDX-License-Identifier: Apache-2.0
//
// Expr: an integer expression over the arguments of a program, kept as data so that a launch
// can be sized without the compiler. Plain values; evaluation is pure and safe from any thread.

#pragma once

#include "tilewright/Status.h"

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tilewright {

/// What an Expr may read: the arguments of the plan in their order (integers as they are,
/// pointers as addresses; floats are not readable) and the device's number of SMs.
struct ExprInputs {
  std::span<const int64_t> arguments;
  int32_t smCount = 0;
};

/// An integer expression. Build it with the named constructors and operators:
///
///   Expr m = Expr::argument(3);
///   Expr tiles = Expr::ceilDiv(m, 128) * Expr::ceilDiv(n, 256);
///   Expr grid = Expr::min(tiles, Expr::smCount());
///
/// Invariant: nodes() is one complete expression in postfix order. Division rounds down
/// (floorDiv) or up (ceilDiv), also for negative values; mod has the sign of the divisor.
class Expr {
public:
  enum class Op : uint8_t {
    constant, ///< value
    argument, ///< the argument of index value
    smCount,
    add,
    sub,
    mul,
    ceilDiv,
    floorDiv,
    mod,
    min,
    max,
  };

  struct Node {
    Op op;
    /// The constant or the argument's index; 0 for the others.
    int64_t value = 0;
    friend bool operator==(const Node &, const Node &) = default;
  };

  /// The constant 0.
  Expr() : Expr(int64_t{0}) {}
  // NOTE: implicit on purpose, so that `Expr::ceilDiv(m, 128) + 1` reads as it would in text.
  Expr(int64_t value) : nodes_{{Op::constant, value}} {}

  static Expr constant(int64_t value) { return Expr(value); }
  static Expr argument(int32_t index) { return leaf({Op::argument, index}); }
  static Expr smCount() { return leaf({Op::smCount}); }
  static Expr ceilDiv(Expr a, const Expr &b) { return join(std::move(a), b, Op::ceilDiv); }
  static Expr floorDiv(Expr a, const Expr &b) { return join(std::move(a), b, Op::floorDiv); }
  static Expr mod(Expr a, const Expr &b) { return join(std::move(a), b, Op::mod); }
  static Expr min(Expr a, const Expr &b) { return join(std::move(a), b, Op::min); }
  static Expr max(Expr a, const Expr &b) { return join(std::move(a), b, Op::max); }
  friend Expr operator+(Expr a, const Expr &b) { return join(std::move(a), b, Op::add); }
  friend Expr operator-(Expr a, const Expr &b) { return join(std::move(a), b, Op::sub); }
  friend Expr operator*(Expr a, const Expr &b) { return join(std::move(a), b, Op::mul); }

  [[nodiscard]] const std::vector<Node> &nodes() const { return nodes_; }

  /// Whether the expression is one plain number.
  [[nodiscard]] bool isConstant() const {
    return nodes_.size() == 1 && nodes_.front().op == Op::constant;
  }

  /// The value for `inputs`. invalidArgument when an argument's index is out of range, a divisor
  /// is 0, or a step leaves the range of int64.
  [[nodiscard]] Expected<int64_t> evaluate(const ExprInputs &inputs) const;

  friend bool operator==(const Expr &, const Expr &) = default;

private:
  static Expr leaf(Node node) {
    Expr expr;
    expr.nodes_ = {node};
    return expr;
  }
  static Expr join(Expr a, const Expr &b, Op op) {
    // NOTE: `a` may be a copy of `b`, never `b` itself: it is taken by value.
    a.nodes_.insert(a.nodes_.end(), b.nodes_.begin(), b.nodes_.end());
    a.nodes_.push_back({op});
    return a;
  }

  static Expected<int64_t> apply(Op op, int64_t a, int64_t b);

  std::vector<Node> nodes_;
};

inline Expected<int64_t> Expr::apply(Op op, int64_t a, int64_t b) {
  int64_t result = 0;
  bool overflow = false;
  switch (op) {
  case Op::add:
    overflow = __builtin_add_overflow(a, b, &result);
    break;
  case Op::sub:
    overflow = __builtin_sub_overflow(a, b, &result);
    break;
  case Op::mul:
    overflow = __builtin_mul_overflow(a, b, &result);
    break;
  case Op::min:
    return a < b ? a : b;
  case Op::max:
    return a > b ? a : b;
  default: {
    if (b == 0)
      return Status::invalidArgument("division of " + std::to_string(a) + " by zero");
    // The one quotient that does not fit, and a remainder that traps on x86.
    if (a == std::numeric_limits<int64_t>::min() && b == -1) {
      overflow = op != Op::mod;
      break;
    }
    int64_t quotient = a / b;
    int64_t remainder = a % b;
    bool sameSign = (remainder < 0) == (b < 0);
    if (op == Op::floorDiv)
      result = remainder != 0 && !sameSign ? quotient - 1 : quotient;
    else if (op == Op::ceilDiv)
      result = remainder != 0 && sameSign ? quotient + 1 : quotient;
    else
      result = remainder != 0 && !sameSign ? remainder + b : remainder;
  }
  }
  if (overflow)
    return Status::invalidArgument("a step with " + std::to_string(a) + " and " +
                                   std::to_string(b) + " leaves the range of int64");
  return result;
}

inline Expected<int64_t> Expr::evaluate(const ExprInputs &inputs) const {
  std::vector<int64_t> stack;
  stack.reserve(nodes_.size());
  for (const Node &node : nodes_) {
    switch (node.op) {
    case Op::constant:
      stack.push_back(node.value);
      break;
    case Op::argument:
      if (node.value < 0 || static_cast<size_t>(node.value) >= inputs.arguments.size())
        return Status::invalidArgument("expression reads argument " + std::to_string(node.value) +
                                       " of " + std::to_string(inputs.arguments.size()));
      stack.push_back(inputs.arguments[static_cast<size_t>(node.value)]);
      break;
    case Op::smCount:
      stack.push_back(inputs.smCount);
      break;
    default: {
      int64_t b = stack.back();
      stack.pop_back();
      Expected<int64_t> value = apply(node.op, stack.back(), b);
      if (!value)
        return value.status();
      stack.back() = *value;
    }
    }
  }
  return stack.back();
}

} // namespace tilewright
