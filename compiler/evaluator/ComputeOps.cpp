// SPDX-License-Identifier: Apache-2.0
//
// Tile arithmetic: dots, reductions, maps.

#include "compiler/evaluator/Elementwise.h"
#include "compiler/evaluator/Interpreter.h"
#include "compiler/evaluator/TileMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tilewright::evaluator {

namespace {

/// The dimension along which a vector is read by the elements of a matrix: what its slice layout
/// keeps, or the only one of its length; nothing if both have it.
std::optional<int64_t> keptDimension(RankedTensorType vector, ArrayRef<int64_t> shape) {
  if (auto slice = dyn_cast_or_null<tile::SliceAttr>(vector.getEncoding()))
    return 1 - slice.getDim();
  if (shape[0] == shape[1])
    return std::nullopt;
  return vector.getDimSize(0) == shape[0] ? 0 : 1;
}

/// Whether a map's region can be evaluated on whole tiles at once.
bool isStraight(Block &body) {
  return llvm::all_of(body.without_terminator(), [](Operation &op) {
    return isElementwise(&op) || isa<arith::ConstantOp, tile::ReadOp>(op);
  });
}

/// Element `position` of a tile.
Number elementAt(const Tile &tile, int64_t position) {
  return std::visit([&](const auto &list) { return Number(list[position]); }, *tile.elements);
}

/// Builds tiles from numbers, element by element.
class Collector {
public:
  Collector(ArrayRef<int64_t> shape, bool isFloat) : shape_(shape) {
    if (isFloat)
      elements_ = std::vector<double>();
    else
      elements_ = std::vector<int64_t>();
  }
  void add(Number number) {
    std::visit(
        [&](auto &list) {
          list.push_back(std::get<typename std::decay_t<decltype(list)>::value_type>(number));
        },
        elements_);
  }
  Tile take() { return makeTile(shape_, std::move(elements_)); }

private:
  ArrayRef<int64_t> shape_;
  Elements elements_;
};

} // namespace

LogicalResult Interpreter::runDot(tile::DotOp op) {
  Tile a = op.getTransA() ? transpose(tileOf(op.getA())) : tileOf(op.getA());
  Tile b = op.getTransB() ? tileOf(op.getB()) : transpose(tileOf(op.getB()));
  const Tile *scaleA = op.getScaleA() ? &tileOf(op.getScaleA()) : nullptr;
  const Tile *scaleB = op.getScaleB() ? &tileOf(op.getScaleB()) : nullptr;
  const Tile &acc = tileOf(op.getAcc());
  if (a.elements->index() != acc.elements->index() || b.elements->index() != acc.elements->index())
    return op.emitOpError("is evaluated on operands and accumulators of one kind, found ")
           << op.getA().getType() << ", " << op.getB().getType() << ", " << op.getAcc().getType();
  for (auto [scale, extent] : {std::pair(scaleA, a.shape[0]), std::pair(scaleB, b.shape[0])})
    if (scale && (scale->shape.size() != 1 || scale->shape[0] != extent))
      return op.emitOpError("is evaluated with one scale per row of a and column of b");
  return set(op.getResult(), multiplyAdd(a, b, acc, scaleA, scaleB));
}

LogicalResult Interpreter::runReduce(tile::ReduceOp op) {
  return set(op.getResult(), reduce(op.getKind(), tileOf(op.getValue()), op.getDim()));
}

LogicalResult Interpreter::runMap(tile::MapOp op) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(op.getResultTypes().front()).getShape();
  // Every argument of the region as a tile of the result's shape.
  Values arguments;
  for (mlir::Value input : op.getIns()) {
    auto slot = dyn_cast<tile::SlotType>(input.getType());
    RankedTensorType type = slot ? slot.getTile() : cast<RankedTensorType>(input.getType());
    FailureOr<Tile> tile = slot ? contentsOf(op, input) : FailureOr<Tile>(tileOf(input));
    if (failed(tile))
      return failure();
    if (type.getRank() == 1 && shape.size() == 2) {
      std::optional<int64_t> kept = keptDimension(type, shape);
      if (!kept || type.getDimSize(0) != shape[*kept])
        return op.emitOpError("cannot tell whether ")
               << type << " runs along the rows or the columns of its square result; give it a "
               << "#tile.slice layout or use tile.broadcast";
      arguments.push_back(broadcast(*tile, 1 - *kept, shape[1 - *kept]));
      continue;
    }
    if (type.getShape() != shape)
      return op.emitOpError("needs inputs of its result's shape, found ") << type;
    arguments.push_back(std::move(*tile));
  }
  for (size_t dim = 0; dim < shape.size(); ++dim)
    arguments.push_back(coordinates(shape, int64_t(dim), 0));

  Block &body = op.getBody().front();
  if (isStraight(body)) {
    FailureOr<Values> yielded = runBlock(body, arguments);
    if (failed(yielded))
      return failure();
    for (Value &value : *yielded) // a constant is yielded as a number
      if (auto number = std::get_if<Number>(&value))
        value = splat(shape, *number);
    return setAll(op, std::move(yielded));
  }

  std::vector<Collector> results;
  for (Type type : op.getResultTypes())
    results.emplace_back(shape, isFloatLike(type));
  for (int64_t position = 0; position < elementCount(shape); ++position) {
    Values numbers = llvm::map_to_vector<4>(arguments, [&](const Value &argument) {
      return Value(elementAt(std::get<Tile>(argument), position));
    });
    FailureOr<Values> yielded = runBlock(body, numbers);
    if (failed(yielded))
      return failure();
    for (auto [result, value] : llvm::zip_equal(results, *yielded))
      result.add(std::get<Number>(value));
  }
  for (auto [value, result] : llvm::zip_equal(op.getResults(), results))
    values_[value] = result.take();
  return success();
}

} // namespace tilewright::evaluator
