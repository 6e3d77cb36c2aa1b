// SPDX-License-Identifier: Apache-2.0
#include "tests/templates/gemm/GemmReference.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace tilewright {
namespace {

struct Shape {
  int64_t rows;
  int64_t columns;
  int64_t pitch;
};

Shape shapeOf(const GemmProblem &problem, std::string_view name) {
  if (name == "a")
    return {problem.m, problem.k, problem.pitchA()};
  if (name == "b")
    return {problem.n, problem.k, problem.pitchB()};
  if (name == "c")
    return {problem.m, problem.n, problem.pitchC()};
  if (name == "d")
    return {problem.m, problem.n, problem.pitchD()};
  for (const EpilogueOp &op : problem.epilogue.ops())
    if (op.name() == name && op.operand() == EpilogueOperand::matrix)
      return {problem.m, problem.n, op.ld != 0 ? op.ld : problem.n};
  int64_t length = name.substr(name.size() - 4) == "_row" ? problem.m : problem.n;
  return {1, length, length};
}

double applyOp(const EpilogueOp &op, double x, double operand) {
  const double pi = std::acos(-1.0);
  switch (op.kind) {
  case EpilogueKind::bias:
  case EpilogueKind::biasRow:
  case EpilogueKind::residual:
    return x + operand;
  case EpilogueKind::scaleRow:
  case EpilogueKind::scaleCol:
    return x * operand;
  case EpilogueKind::relu:
    return x > 0 ? x : 0;
  case EpilogueKind::gelu:
    return 0.5 * x * (1 + std::tanh(std::sqrt(2 / pi) * (x + 0.044715 * x * x * x)));
  case EpilogueKind::geluErf:
    return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
  case EpilogueKind::silu:
    return x / (1 + std::exp(-x));
  default:
    return std::nan("");
  }
}

} // namespace

Bindings randomBindings(const GemmProblem &problem, uint64_t seed) {
  Bindings bindings;
  std::mt19937_64 random(seed);
  std::uniform_int_distribution<int> sixteenths(-24, 24);
  for (const GemmArgument &argument : gemmArguments(problem)) {
    if (argument.kind == ArgumentKind::f32) {
      bindings.scalars[argument.name] = static_cast<double>(argument.number);
      continue;
    }
    if (argument.kind != ArgumentKind::pointer) {
      bindings.scalars[argument.name] = argument.integer;
      continue;
    }
    std::vector<double> &memory = bindings.arrays[argument.name];
    memory.assign(argument.elements, kSentinel);
    Shape shape = shapeOf(problem, argument.name);
    if (argument.access == Access::write || argument.elements == 0)
      continue;
    // Sixteenths of at most 5 bits: exact in every type.
    for (int64_t row = 0; row < shape.rows; ++row)
      for (int64_t column = 0; column < shape.columns; ++column)
        memory[row * shape.pitch + column] = sixteenths(random) / 16.0;
  }
  return bindings;
}

std::vector<double> referenceGemm(const GemmProblem &problem, const Bindings &bindings) {
  std::vector<double> result = bindings.arrays.at("d");
  auto element = [&](std::string_view name, int64_t row, int64_t column) {
    Shape shape = shapeOf(problem, name);
    return bindings.arrays.at(std::string(name))[row * shape.pitch + column];
  };
  for (int64_t i = 0; i < problem.m; ++i)
    for (int64_t j = 0; j < problem.n; ++j) {
      double x = 0;
      for (int64_t k = 0; k < problem.k; ++k)
        x += element("a", i, k) * element("b", j, k);
      x *= problem.alpha;
      if (problem.beta != 0)
        x += problem.beta * element("c", i, j);
      for (const EpilogueOp &op : problem.epilogue.ops()) {
        double operand = 0;
        if (op.operand() == EpilogueOperand::matrix)
          operand = element(op.name(), i, j);
        else if (op.hasOperand())
          operand = element(op.name(), 0, op.operand() == EpilogueOperand::rowVector ? i : j);
        x = applyOp(op, x, operand);
      }
      result[i * problem.pitchD() + j] = x;
    }
  return result;
}

} // namespace tilewright
