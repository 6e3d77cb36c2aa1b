// SPDX-License-Identifier: Apache-2.0

#include "compiler/evaluator/ElementwiseFunctions.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;

namespace tilewright::evaluator {

namespace {

/// The smallest number divided by -1 wraps.
int64_t divide(int64_t a, int64_t b) { return b == -1 ? int64_t(-uint64_t(a)) : a / b; }
int64_t remainder(int64_t a, int64_t b) { return b == -1 ? 0 : a % b; }
int64_t floorDivide(int64_t a, int64_t b) {
  return divide(a, b) - (remainder(a, b) != 0 && (a < 0) != (b < 0));
}
int64_t ceilDivide(int64_t a, int64_t b) {
  return divide(a, b) + (remainder(a, b) != 0 && (a < 0) == (b < 0));
}

double propagateNan(double a, double b, bool takeFirst) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<double>::quiet_NaN();
  return takeFirst ? a : b;
}

#define UNSIGNED2(expression)                                                                      \
  Int2([](int64_t x, int64_t y, unsigned width) -> int64_t {                                       \
    uint64_t a = unsignedOf(x, width), b = unsignedOf(y, width);                                   \
    return int64_t(expression);                                                                    \
  })
#define SIGNED2(expression)                                                                        \
  Int2([](int64_t a, int64_t b, [[maybe_unused]] unsigned width) -> int64_t { return expression; })

} // namespace

uint64_t unsignedOf(int64_t number, unsigned width) {
  return width >= 64 ? uint64_t(number) : uint64_t(number) & ((uint64_t{1} << width) - 1);
}

// NOTE: sums and products wrap, so they go through unsigned numbers.
const llvm::StringMap<Function> &elementwiseFunctions() {
  static const llvm::StringMap<Function> table = {
      {"arith.addf", Float2([](double a, double b) { return a + b; })},
      {"arith.subf", Float2([](double a, double b) { return a - b; })},
      {"arith.mulf", Float2([](double a, double b) { return a * b; })},
      {"arith.divf", Float2([](double a, double b) { return a / b; })},
      {"arith.remf", Float2([](double a, double b) { return std::fmod(a, b); })},
      {"arith.negf", Float1([](double a) { return -a; })},
      {"arith.maximumf", Float2([](double a, double b) { return propagateNan(a, b, a > b); })},
      {"arith.minimumf", Float2([](double a, double b) { return propagateNan(a, b, a < b); })},
      {"arith.maxnumf", Float2([](double a, double b) { return std::fmax(a, b); })},
      {"arith.minnumf", Float2([](double a, double b) { return std::fmin(a, b); })},
      {"arith.addi", UNSIGNED2(a + b)},
      {"arith.subi", UNSIGNED2(a - b)},
      {"arith.muli", UNSIGNED2(a * b)},
      {"arith.divsi", SIGNED2(divide(a, b))},
      {"arith.remsi", SIGNED2(remainder(a, b))},
      {"arith.floordivsi", SIGNED2(floorDivide(a, b))},
      {"arith.ceildivsi", SIGNED2(ceilDivide(a, b))},
      {"arith.divui", UNSIGNED2(a / b)},
      {"arith.remui", UNSIGNED2(a % b)},
      {"arith.ceildivui", UNSIGNED2(a / b + (a % b != 0))},
      {"arith.andi", SIGNED2(a & b)},
      {"arith.ori", SIGNED2(a | b)},
      {"arith.xori", SIGNED2(a ^ b)},
      {"arith.shli", UNSIGNED2(b < width ? a << b : 0)},
      {"arith.shrui", UNSIGNED2(b < width ? a >> b : 0)},
      {"arith.shrsi", SIGNED2(a >> (unsignedOf(b, width) < width ? b : int64_t(width) - 1))},
      {"arith.maxsi", SIGNED2(std::max(a, b))},
      {"arith.minsi", SIGNED2(std::min(a, b))},
      {"arith.maxui", UNSIGNED2(std::max(a, b))},
      {"arith.minui", UNSIGNED2(std::min(a, b))},
      {"math.absf", Float1([](double a) { return std::fabs(a); })},
      {"math.absi", Int1([](int64_t a) { return a < 0 ? int64_t(-uint64_t(a)) : a; })},
      {"math.atan", Float1([](double a) { return std::atan(a); })},
      {"math.atan2", Float2([](double a, double b) { return std::atan2(a, b); })},
      {"math.cbrt", Float1([](double a) { return std::cbrt(a); })},
      {"math.ceil", Float1([](double a) { return std::ceil(a); })},
      {"math.copysign", Float2([](double a, double b) { return std::copysign(a, b); })},
      {"math.cos", Float1([](double a) { return std::cos(a); })},
      {"math.erf", Float1([](double a) { return std::erf(a); })},
      {"math.exp", Float1([](double a) { return std::exp(a); })},
      {"math.exp2", Float1([](double a) { return std::exp2(a); })},
      {"math.expm1", Float1([](double a) { return std::expm1(a); })},
      {"math.floor", Float1([](double a) { return std::floor(a); })},
      {"math.fma", Float3([](double a, double b, double c) { return std::fma(a, b, c); })},
      {"math.log", Float1([](double a) { return std::log(a); })},
      {"math.log10", Float1([](double a) { return std::log10(a); })},
      {"math.log1p", Float1([](double a) { return std::log1p(a); })},
      {"math.log2", Float1([](double a) { return std::log2(a); })},
      {"math.powf", Float2([](double a, double b) { return std::pow(a, b); })},
      {"math.round", Float1([](double a) { return std::round(a); })},
      {"math.roundeven", Float1([](double a) { return std::nearbyint(a); })},
      {"math.rsqrt", Float1([](double a) { return 1 / std::sqrt(a); })},
      {"math.sin", Float1([](double a) { return std::sin(a); })},
      {"math.sqrt", Float1([](double a) { return std::sqrt(a); })},
      {"math.tan", Float1([](double a) { return std::tan(a); })},
      {"math.tanh", Float1([](double a) { return std::tanh(a); })},
      {"math.trunc", Float1([](double a) { return std::trunc(a); })},
  };
  return table;
}

#undef UNSIGNED2
#undef SIGNED2

bool compareInts(arith::CmpIPredicate predicate, int64_t a, int64_t b, unsigned width) {
  uint64_t ua = unsignedOf(a, width), ub = unsignedOf(b, width);
  if (width == 1) { // the signed reading of true is -1
    a = -a;
    b = -b;
  }
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
    return a < b;
  case arith::CmpIPredicate::sle:
    return a <= b;
  case arith::CmpIPredicate::sgt:
    return a > b;
  case arith::CmpIPredicate::sge:
    return a >= b;
  case arith::CmpIPredicate::ult:
    return ua < ub;
  case arith::CmpIPredicate::ule:
    return ua <= ub;
  case arith::CmpIPredicate::ugt:
    return ua > ub;
  case arith::CmpIPredicate::uge:
    return ua >= ub;
  }
  return false;
}

bool compareFloats(arith::CmpFPredicate predicate, double a, double b) {
  bool unordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
  case arith::CmpFPredicate::AlwaysFalse:
    return false;
  case arith::CmpFPredicate::OEQ:
    return a == b;
  case arith::CmpFPredicate::OGT:
    return a > b;
  case arith::CmpFPredicate::OGE:
    return a >= b;
  case arith::CmpFPredicate::OLT:
    return a < b;
  case arith::CmpFPredicate::OLE:
    return a <= b;
  case arith::CmpFPredicate::ONE:
    return a < b || a > b;
  case arith::CmpFPredicate::ORD:
    return !unordered;
  case arith::CmpFPredicate::UEQ:
    return unordered || a == b;
  case arith::CmpFPredicate::UGT:
    return unordered || a > b;
  case arith::CmpFPredicate::UGE:
    return unordered || a >= b;
  case arith::CmpFPredicate::ULT:
    return unordered || a < b;
  case arith::CmpFPredicate::ULE:
    return unordered || a <= b;
  case arith::CmpFPredicate::UNE:
    return unordered || a != b;
  case arith::CmpFPredicate::UNO:
    return unordered;
  case arith::CmpFPredicate::AlwaysTrue:
    return true;
  }
  return false;
}

} // namespace tilewright::evaluator
