// SPDX-License-Identifier: Apache-2.0

#include "compiler/evaluator/Elementwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringMap.h"

#include <bit>
#include <cmath>
#include <limits>

using namespace mlir;

namespace tilewright::evaluator {

namespace {

/// Functions of the table, by the kinds of their operands and result. Integer functions get the
/// width of their type, and results are wrapped to it afterwards.
using Float1 = double (*)(double);
using Float2 = double (*)(double, double);
using Float3 = double (*)(double, double, double);
using Int1 = int64_t (*)(int64_t);
using Int2 = int64_t (*)(int64_t, int64_t, unsigned width);
using Function = std::variant<Float1, Float2, Float3, Int1, Int2>;

/// The low `width` bits of a number, which is its unsigned reading.
uint64_t unsignedOf(int64_t number, unsigned width) {
  return width >= 64 ? uint64_t(number) : uint64_t(number) & ((uint64_t{1} << width) - 1);
}

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

/// Every op that is one function of its operands. Sums and products wrap, so they go through
/// unsigned numbers.
const llvm::StringMap<Function> &functions() {
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

unsigned widthOf(Type type) {
  auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  return integer ? integer.getWidth() : 64; // index
}

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

/// Integers that do not fit are undefined on paper; the device clamps, and so does this.
int64_t floatToInt(double number, double low, double high) {
  if (std::isnan(number))
    return 0;
  if (number >= high)
    return high >= 0x1p63 ? std::numeric_limits<int64_t>::max() : int64_t(high);
  return number <= low ? int64_t(low) : int64_t(number);
}

/// An operand as a sequence: a number repeats.
template <typename T>
class Sequence {
public:
  explicit Sequence(const Value &value) {
    if (const Tile *tile = std::get_if<Tile>(&value)) {
      data_ = std::get<std::vector<T>>(*tile->elements).data();
      step_ = 1;
    } else {
      number_ = std::get<T>(std::get<Number>(value));
      data_ = &number_;
    }
  }
  Sequence(const Sequence &) = delete;
  T operator[](int64_t index) const { return data_[index * step_]; }

private:
  T number_ = {};
  const T *data_ = nullptr;
  int64_t step_ = 0;
};

using Floats = Sequence<double>;
using Ints = Sequence<int64_t>;

/// Collects the result: a tile of the operands' shape, or a number.
class Result {
public:
  explicit Result(ArrayRef<Value> operands) {
    for (const Value &operand : operands)
      if (const Tile *tile = std::get_if<Tile>(&operand))
        shape_ = &tile->shape;
  }

  /// `element(i)` for every element; its type decides between fp64 and int64.
  template <typename F>
  Value of(F element) const {
    using T = std::conditional_t<std::is_same_v<decltype(element(0)), double>, double, int64_t>;
    if (!shape_)
      return Number(T(element(0)));
    std::vector<T> elements(elementCount(*shape_));
    for (size_t i = 0; i < elements.size(); ++i)
      elements[i] = element(int64_t(i));
    return makeTile(*shape_, std::move(elements));
  }

private:
  const llvm::SmallVector<int64_t, 2> *shape_ = nullptr;
};

Value applyFunction(const Function &function, Type type, ArrayRef<Value> operands,
                    const Result &result) {
  if (auto f = std::get_if<Float1>(&function)) {
    Floats a(operands[0]);
    return result.of([&](int64_t i) { return (*f)(a[i]); });
  }
  if (auto f = std::get_if<Float2>(&function)) {
    Floats a(operands[0]), b(operands[1]);
    return result.of([&](int64_t i) { return (*f)(a[i], b[i]); });
  }
  if (auto f = std::get_if<Float3>(&function)) {
    Floats a(operands[0]), b(operands[1]), c(operands[2]);
    return result.of([&](int64_t i) { return (*f)(a[i], b[i], c[i]); });
  }
  if (auto f = std::get_if<Int1>(&function)) {
    Ints a(operands[0]);
    return result.of([&](int64_t i) { return wrapToType(type, (*f)(a[i])); });
  }
  auto f = std::get<Int2>(function);
  unsigned width = widthOf(type);
  Ints a(operands[0]), b(operands[1]);
  return result.of([&](int64_t i) { return wrapToType(type, f(a[i], b[i], width)); });
}

bool isIntegerDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::FloorDivSIOp,
             arith::CeilDivSIOp, arith::CeilDivUIOp>(op);
}

bool hasZero(const Value &value) {
  if (const Tile *tile = std::get_if<Tile>(&value))
    return llvm::is_contained(std::get<std::vector<int64_t>>(*tile->elements), 0);
  return std::get<int64_t>(std::get<Number>(value)) == 0;
}

Value selectElements(ArrayRef<Value> operands, bool isFloat, const Result &result) {
  Ints condition(operands[0]);
  if (isFloat) {
    Floats a(operands[1]), b(operands[2]);
    return result.of([&](int64_t i) { return condition[i] ? a[i] : b[i]; });
  }
  Ints a(operands[1]), b(operands[2]);
  return result.of([&](int64_t i) { return condition[i] ? a[i] : b[i]; });
}

/// Conversions between the kinds of numbers; nothing if the op is none.
std::optional<Value> convert(Operation *op, ArrayRef<Value> operands, bool round,
                             const Result &result) {
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  unsigned fromWidth = widthOf(from), toWidth = widthOf(to);
  if (isa<arith::ExtFOp>(op))
    return operands[0];
  if (isa<arith::TruncFOp>(op)) {
    if (!round)
      return operands[0];
    Floats a(operands[0]);
    return result.of([&](int64_t i) { return roundToType(to, a[i]); });
  }
  if (isa<arith::ExtSIOp>(op)) {
    Ints a(operands[0]);
    return result.of([&](int64_t i) { return fromWidth == 1 ? -a[i] : a[i]; });
  }
  if (isa<arith::ExtUIOp, arith::IndexCastUIOp>(op)) {
    Ints a(operands[0]);
    return result.of(
        [&](int64_t i) { return wrapToType(to, int64_t(unsignedOf(a[i], fromWidth))); });
  }
  if (isa<arith::TruncIOp, arith::IndexCastOp>(op)) {
    Ints a(operands[0]);
    return result.of([&](int64_t i) { return wrapToType(to, a[i]); });
  }
  if (isa<arith::SIToFPOp>(op)) {
    Ints a(operands[0]);
    return result.of([&](int64_t i) { return double(fromWidth == 1 ? -a[i] : a[i]); });
  }
  if (isa<arith::UIToFPOp>(op)) {
    Ints a(operands[0]);
    return result.of([&](int64_t i) { return double(unsignedOf(a[i], fromWidth)); });
  }
  if (isa<arith::FPToSIOp>(op)) {
    Floats a(operands[0]);
    double limit = std::ldexp(1.0, int(toWidth) - 1);
    double high = toWidth >= 64 ? limit : limit - 1;
    return result.of([&](int64_t i) { return wrapToType(to, floatToInt(a[i], -limit, high)); });
  }
  if (isa<arith::FPToUIOp>(op)) {
    Floats a(operands[0]);
    double high = toWidth >= 63 ? 0x1p63 : std::ldexp(1.0, int(toWidth)) - 1;
    return result.of([&](int64_t i) { return wrapToType(to, floatToInt(a[i], 0, high)); });
  }
  return std::nullopt;
}

/// `arith.bitcast` between f32 and i32, the pair that programs use.
std::optional<Value> bitcast(arith::BitcastOp op, ArrayRef<Value> operands, const Result &result) {
  Type from = getElementTypeOrSelf(op.getIn().getType()), to = getElementTypeOrSelf(op.getType());
  if (from.isF32() && to.isInteger(32)) {
    Floats a(operands[0]);
    return result.of([&](int64_t i) { return int64_t(std::bit_cast<int32_t>(float(a[i]))); });
  }
  if (from.isInteger(32) && to.isF32()) {
    Ints a(operands[0]);
    return result.of([&](int64_t i) { return double(std::bit_cast<float>(int32_t(a[i]))); });
  }
  return std::nullopt;
}

} // namespace

bool isElementwise(Operation *op) {
  return functions().contains(op->getName().getStringRef()) ||
         isa<arith::CmpIOp, arith::CmpFOp, arith::SelectOp, arith::ExtFOp, arith::TruncFOp,
             arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp,
             arith::IndexCastUIOp, arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp,
             arith::FPToUIOp, arith::BitcastOp>(op);
}

FailureOr<Value> evaluateElementwise(Operation *op, ArrayRef<Value> operands, bool round) {
  Result result(operands);
  auto function = functions().find(op->getName().getStringRef());
  if (function != functions().end()) {
    if (isIntegerDivision(op) && hasZero(operands[1]))
      return op->emitOpError("divides by zero");
    return applyFunction(function->second, op->getResult(0).getType(), operands, result);
  }
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    unsigned width = widthOf(compare.getLhs().getType());
    Ints a(operands[0]), b(operands[1]);
    return result.of([&](int64_t i) -> int64_t {
      return compareInts(compare.getPredicate(), a[i], b[i], width);
    });
  }
  if (auto compare = dyn_cast<arith::CmpFOp>(op)) {
    Floats a(operands[0]), b(operands[1]);
    return result.of(
        [&](int64_t i) -> int64_t { return compareFloats(compare.getPredicate(), a[i], b[i]); });
  }
  if (isa<arith::SelectOp>(op))
    return selectElements(operands, isFloatLike(op->getResult(0).getType()), result);
  if (auto cast = dyn_cast<arith::BitcastOp>(op)) {
    if (auto value = bitcast(cast, operands, result))
      return *value;
    return op->emitOpError("is evaluated between f32 and i32 only; found ")
           << op->getOperand(0).getType() << " to " << op->getResult(0).getType();
  }
  if (auto value = convert(op, operands, round, result))
    return *value;
  return op->emitOpError("is not known to the evaluator");
}

} // namespace tilewright::evaluator
