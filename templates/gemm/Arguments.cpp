// SPDX-License-Identifier: Apache-2.0
#include "templates/gemm/Arguments.h"

#include <algorithm>

namespace tilewright {
namespace {

int64_t span(int64_t rows, int64_t columns, int64_t pitch) {
  return rows == 0 || columns == 0 ? 0 : (rows - 1) * pitch + columns;
}

GemmArgument matrix(std::string name, std::string what, DType type, int64_t elements,
                    Access access = Access::read) {
  GemmArgument argument;
  argument.description = std::move(what);
  argument.name = std::move(name);
  argument.dtype = type;
  argument.access = access;
  argument.elements = elements;
  return argument;
}

GemmArgument integer(std::string name, ArgumentKind kind, int64_t value, std::string what) {
  GemmArgument argument;
  argument.name = std::move(name);
  argument.kind = kind;
  argument.description = std::move(what);
  argument.integer = value;
  return argument;
}

GemmArgument factor(std::string name, float value, std::string what) {
  GemmArgument argument;
  argument.name = std::move(name);
  argument.kind = ArgumentKind::f32;
  argument.description = std::move(what);
  argument.number = value;
  return argument;
}

GemmArgument operand(const GemmProblem &problem, const EpilogueOp &op) {
  std::string name(op.name());
  DType type = op.operandType(problem.d);
  switch (op.operand()) {
  case EpilogueOperand::rowVector:
    return matrix(name, "one value for each of M rows", type, problem.m);
  case EpilogueOperand::columnVector:
    return matrix(name, "one value for each of N columns", type, problem.n);
  default:
    return matrix(name, "M x N, rows ldr elements apart", type,
                  span(problem.m, problem.n, op.ld != 0 ? op.ld : problem.n));
  }
}

} // namespace

std::vector<GemmArgument> gemmArguments(const GemmProblem &problem) {
  const int64_t m = problem.m, n = problem.n, k = problem.k;
  std::vector<GemmArgument> list;
  list.push_back(
      matrix("a", "A, M x K, rows lda elements apart", problem.a, span(m, k, problem.pitchA())));
  list.push_back(
      matrix("b", "B, N x K, rows ldb elements apart", problem.b, span(n, k, problem.pitchB())));
  if (problem.usesC())
    list.push_back(matrix("c", "C, M x N, rows ldc elements apart", problem.typeC(),
                          span(m, n, problem.pitchC())));
  list.push_back(matrix("d", "D, M x N, rows ldd elements apart", problem.d,
                        span(m, n, problem.pitchD()), Access::write));
  for (const EpilogueOp &op : problem.epilogue.ops())
    if (op.hasOperand())
      list.push_back(operand(problem, op));

  list.push_back(integer("m", ArgumentKind::i32, m, "rows of A and D"));
  list.push_back(integer("n", ArgumentKind::i32, n, "rows of B, columns of D"));
  list.push_back(integer("k", ArgumentKind::i32, k, "columns of A and B"));

  auto addPitch = [&](std::string name, int64_t value, std::string_view of) {
    list.push_back(integer(std::move(name), ArgumentKind::i64, value,
                           "elements from one row of " + std::string(of) + " to the next"));
  };
  addPitch("lda", problem.pitchA(), "A");
  addPitch("ldb", problem.pitchB(), "B");
  if (problem.usesC())
    addPitch("ldc", problem.pitchC(), "C");
  addPitch("ldd", problem.pitchD(), "D");
  for (const EpilogueOp &op : problem.epilogue.ops())
    if (op.operand() == EpilogueOperand::matrix)
      addPitch("ldr", op.ld != 0 ? op.ld : n, op.name());

  if (problem.usesAlpha())
    list.push_back(factor("alpha", problem.alpha, "factor of A·B"));
  if (problem.usesC())
    list.push_back(factor("beta", problem.beta, "factor of C"));
  return list;
}

int64_t rowAlignment(int64_t pitch, DType type) {
  int64_t bytes = pitch * dtypeBytes(type);
  int64_t lowestBit = bytes & -bytes;
  return bytes == 0 ? 16 : std::min<int64_t>(lowestBit, 16);
}

} // namespace tilewright
