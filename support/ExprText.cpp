// SPDX-License-Identifier: Apache-2.0
#include "support/ExprText.h"

#include <array>
#include <cassert>
#include <charconv>

namespace tilewright {
namespace {

using Op = Expr::Op;

struct Function {
  std::string_view name;
  Op op;
};
constexpr std::array<Function, 5> kFunctions = {{{"ceildiv", Op::ceilDiv},
                                                 {"floordiv", Op::floorDiv},
                                                 {"mod", Op::mod},
                                                 {"min", Op::min},
                                                 {"max", Op::max}}};
constexpr std::string_view kSmCount = "sm_count";

// Binding strength of the outermost operator of a piece of text.
enum Precedence : int { kSum = 0, kProduct = 1, kPrimary = 2 };

// Nested parentheses and calls that a parser accepts: far above any real plan, far below the
// stack of a thread.
constexpr int kMaxDepth = 200;

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

struct Piece {
  std::string text;
  Precedence precedence;
};

std::string parenthesised(const Piece &piece, int least) {
  return piece.precedence < least ? "(" + piece.text + ")" : piece.text;
}

Piece joined(const Piece &a, Op op, const Piece &b) {
  // A right operand of equal strength keeps its parentheses: the text rebuilds the same tree.
  if (op == Op::add || op == Op::sub)
    return {parenthesised(a, kSum) + (op == Op::add ? " + " : " - ") + parenthesised(b, kProduct),
            kSum};
  if (op == Op::mul)
    return {parenthesised(a, kProduct) + " * " + parenthesised(b, kPrimary), kProduct};
  for (const Function &function : kFunctions)
    if (function.op == op)
      return {std::string(function.name) + "(" + a.text + ", " + b.text + ")", kPrimary};
  assert(false && "every binary op has a spelling");
  return a;
}

/// Recursive descent over one expression; remembers the first failure.
class Parser {
public:
  Parser(std::string_view text, std::span<const PlanArgument> arguments)
      : text_(text), arguments_(arguments) {}

  Expected<Expr> run() {
    Expected<Expr> expr = sum(0);
    if (!expr)
      return expr;
    skipSpace();
    if (position_ != text_.size())
      return expected("an operator or the end");
    return expr;
  }

private:
  Expected<Expr> sum(int depth) {
    Expected<Expr> left = product(depth);
    while (left) {
      bool isAdd = accept('+');
      if (!isAdd && !accept('-'))
        break;
      Expected<Expr> right = product(depth);
      if (!right)
        return right;
      left = isAdd ? *std::move(left) + *right : *std::move(left) - *right;
    }
    return left;
  }

  Expected<Expr> product(int depth) {
    Expected<Expr> left = primary(depth);
    while (left && accept('*')) {
      Expected<Expr> right = primary(depth);
      if (!right)
        return right;
      left = *std::move(left) * *right;
    }
    return left;
  }

  Expected<Expr> primary(int depth) {
    if (depth > kMaxDepth)
      return Status::invalidArgument("expression is nested deeper than " +
                                     std::to_string(kMaxDepth));
    if (accept('(')) {
      Expected<Expr> inner = sum(depth + 1);
      if (inner && !accept(')'))
        return expected("')'");
      return inner;
    }
    skipSpace();
    if (position_ < text_.size() && (isDigit(text_[position_]) || text_[position_] == '-'))
      return number();
    std::string_view name = word();
    if (name.empty())
      return expected("a number, a name or '('");
    if (name == kSmCount)
      return Expr::smCount();
    for (const Function &function : kFunctions)
      if (function.name == name)
        return call(function.op, depth);
    for (size_t i = 0; i < arguments_.size(); ++i)
      if (arguments_[i].name == name)
        return Expr::argument(static_cast<int32_t>(i));
    return Status::invalidArgument("expression '" + std::string(text_) + "': '" +
                                   std::string(name) + "' is no argument and no function");
  }

  Expected<Expr> call(Op op, int depth) {
    if (!accept('('))
      return expected("'('");
    Expected<Expr> a = sum(depth + 1);
    if (!a)
      return a;
    if (!accept(','))
      return expected("','");
    Expected<Expr> b = sum(depth + 1);
    if (!b)
      return b;
    if (!accept(')'))
      return expected("')'");
    switch (op) {
    case Op::ceilDiv:
      return Expr::ceilDiv(*std::move(a), *b);
    case Op::floorDiv:
      return Expr::floorDiv(*std::move(a), *b);
    case Op::mod:
      return Expr::mod(*std::move(a), *b);
    case Op::min:
      return Expr::min(*std::move(a), *b);
    default:
      return Expr::max(*std::move(a), *b);
    }
  }

  Expected<Expr> number() {
    int64_t value = 0;
    const char *begin = text_.data() + position_;
    auto [rest, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc())
      return expected("a number of 64 bits");
    position_ += static_cast<size_t>(rest - begin);
    return Expr::constant(value);
  }

  std::string_view word() {
    size_t begin = position_;
    while (position_ < text_.size() &&
           (isLetter(text_[position_]) || (position_ > begin && isDigit(text_[position_]))))
      ++position_;
    return text_.substr(begin, position_ - begin);
  }

  void skipSpace() {
    while (position_ < text_.size() && text_[position_] == ' ')
      ++position_;
  }

  bool accept(char c) {
    skipSpace();
    if (position_ == text_.size() || text_[position_] != c)
      return false;
    ++position_;
    return true;
  }

  Status expected(std::string_view what) const {
    return Status::invalidArgument("expression '" + std::string(text_) + "': expected " +
                                   std::string(what) + " at position " + std::to_string(position_));
  }

  std::string_view text_;
  std::span<const PlanArgument> arguments_;
  size_t position_ = 0;
};

} // namespace

std::string printExpr(const Expr &expr, std::span<const PlanArgument> arguments) {
  std::vector<Piece> stack;
  for (const Expr::Node &node : expr.nodes()) {
    switch (node.op) {
    case Op::constant:
      stack.push_back({std::to_string(node.value), kPrimary});
      break;
    case Op::argument:
      assert(static_cast<size_t>(node.value) < arguments.size() && "argument without a name");
      stack.push_back({arguments[static_cast<size_t>(node.value)].name, kPrimary});
      break;
    case Op::smCount:
      stack.push_back({std::string(kSmCount), kPrimary});
      break;
    default: {
      Piece b = std::move(stack.back());
      stack.pop_back();
      stack.back() = joined(stack.back(), node.op, b);
    }
    }
  }
  return stack.back().text;
}

Expected<Expr> parseExpr(std::string_view text, std::span<const PlanArgument> arguments) {
  return Parser(text, arguments).run();
}

bool isExprName(std::string_view name) {
  if (name.empty() || isDigit(name.front()) || name == kSmCount)
    return false;
  for (char c : name)
    if (!isLetter(c) && !isDigit(c))
      return false;
  for (const Function &function : kFunctions)
    if (function.name == name)
      return false;
  return true;
}

} // namespace tilewright
