// SPDX-License-Identifier: Apache-2.0

#include "compiler/evaluator/Elementwise.h"

#include "compiler/evaluator/ElementwiseFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

#include <bit>
#include <cmath>
#include <limits>

using namespace mlir;

namespace tilewright::evaluator {

namespace {

unsigned widthOf(Type type) {
  auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  return integer ? integer.getWidth() : 64; // index
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
  return elementwiseFunctions().contains(op->getName().getStringRef()) ||
         isa<arith::CmpIOp, arith::CmpFOp, arith::SelectOp, arith::ExtFOp, arith::TruncFOp,
             arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp,
             arith::IndexCastUIOp, arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp,
             arith::FPToUIOp, arith::BitcastOp>(op);
}

FailureOr<Value> evaluateElementwise(Operation *op, ArrayRef<Value> operands, bool round) {
  Result result(operands);
  auto function = elementwiseFunctions().find(op->getName().getStringRef());
  if (function != elementwiseFunctions().end()) {
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
