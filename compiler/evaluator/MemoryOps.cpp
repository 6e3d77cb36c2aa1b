// SPDX-License-Identifier: Apache-2.0
//
// Accesses to global memory.

#include "compiler/evaluator/Interpreter.h"

#include <limits>

using namespace mlir;

namespace tilewright::evaluator {

namespace {

/// Calls visit(memory index or -1, position in the tile) for every element of a tile of `shape`
/// whose first element is at `origin` of the view; the tile lies in the view's last dimensions.
template <typename F>
void forEachElement(const View &view, ArrayRef<int64_t> origin, ArrayRef<int64_t> shape, F visit) {
  llvm::SmallVector<int64_t, 4> coords(origin), offsets(shape.size(), 0);
  size_t leading = origin.size() - shape.size();
  for (int64_t position = 0, count = elementCount(shape); position < count; ++position) {
    int64_t rest = position;
    for (size_t dim = shape.size(); dim-- > 0; rest /= shape[dim])
      coords[leading + dim] = origin[leading + dim] + rest % shape[dim];
    visit(view.indexOf(coords), position);
  }
}

/// What a load finds outside of a view.
template <typename T>
T outside(bool isUndefined) {
  if constexpr (std::is_same_v<T, double>)
    return isUndefined ? std::numeric_limits<double>::quiet_NaN() : 0;
  return T(0);
}

int64_t &counterAt(Memory &memory, int64_t index) {
  return std::get<std::vector<int64_t>>(memory.elements)[index];
}

LogicalResult checkCounter(Operation *op, const Memory &memory, int64_t index) {
  if (index >= 0 && index < memory.size())
    return success();
  return op->emitOpError("accesses counter ")
         << index << " of \"" << memory.name << "\", which holds " << memory.size();
}

} // namespace

Tile Interpreter::loadTile(const View &view, ArrayRef<int64_t> origin, ArrayRef<int64_t> shape,
                           bool isUndefined) const {
  return std::visit(
      [&](const auto &memory) {
        std::decay_t<decltype(memory)> elements(elementCount(shape));
        using T = typename std::decay_t<decltype(memory)>::value_type;
        forEachElement(view, origin, shape, [&](int64_t index, int64_t position) {
          elements[position] = index < 0 ? outside<T>(isUndefined) : memory[index];
        });
        return makeTile(shape, std::move(elements));
      },
      view.memory->elements);
}

LogicalResult Interpreter::runLoad(tile::LoadOp op) {
  return set(op.getResult(), loadTile(viewOf(op.getView()), intsOf(op.getCoords()),
                                      op.getType().getShape(), op.getOob() == tile::Oob::Undef));
}

LogicalResult Interpreter::runGather(tile::GatherOp op) {
  const View &view = viewOf(op.getView());
  ArrayRef<int64_t> shape = op.getType().getShape();
  const auto &rows = std::get<std::vector<int64_t>>(*tileOf(op.getRows()).elements);
  int64_t column = intOf(op.getColumn());
  Elements gathered = std::visit(
      [&](const auto &memory) -> Elements {
        std::decay_t<decltype(memory)> elements(elementCount(shape));
        for (int64_t r = 0; r < shape[0]; ++r)
          for (int64_t c = 0; c < shape[1]; ++c) {
            int64_t index = view.indexOf({rows[r], column + c});
            elements[r * shape[1] + c] = index < 0 ? 0 : memory[index];
          }
        return elements;
      },
      view.memory->elements);
  return set(op.getResult(), makeTile(shape, std::move(gathered)));
}

void Interpreter::storeTile(const Tile &tile, const View &view, ArrayRef<int64_t> origin,
                            bool adds) {
  Type type = view.memory->elementType;
  if (auto *memory = std::get_if<std::vector<double>>(&view.memory->elements)) {
    const auto &elements = std::get<std::vector<double>>(*tile.elements);
    forEachElement(view, origin, tile.shape, [&](int64_t index, int64_t position) {
      if (index < 0)
        return;
      double number = elements[position] + (adds ? (*memory)[index] : 0);
      (*memory)[index] = options_.round ? roundToType(type, number) : number;
    });
    return;
  }
  auto &memory = std::get<std::vector<int64_t>>(view.memory->elements);
  const auto &elements = std::get<std::vector<int64_t>>(*tile.elements);
  forEachElement(view, origin, tile.shape, [&](int64_t index, int64_t position) {
    if (index >= 0)
      memory[index] = wrapToType(type, elements[position] + (adds ? memory[index] : 0));
  });
}

LogicalResult Interpreter::runStore(tile::StoreOp op) {
  storeTile(tileOf(op.getValue()), viewOf(op.getView()), intsOf(op.getCoords()),
            op.getVia() == tile::Via::ReduceAdd);
  return success();
}

LogicalResult Interpreter::runRead(tile::ReadOp op) {
  const View &view = viewOf(op.getView());
  // Inside a map that is evaluated as a whole, coordinates are tiles.
  Values coords = valuesOf(op.getCoords());
  const Tile *shaped = nullptr;
  for (const Value &coord : coords)
    if (const Tile *tile = std::get_if<Tile>(&coord))
      shaped = tile;
  auto indexAt = [&](int64_t position) {
    llvm::SmallVector<int64_t, 4> at;
    for (const Value &coord : coords) {
      const Tile *tile = std::get_if<Tile>(&coord);
      at.push_back(tile ? std::get<std::vector<int64_t>>(*tile->elements)[position]
                        : std::get<int64_t>(std::get<Number>(coord)));
    }
    return view.indexOf(at);
  };
  Value result = std::visit(
      [&](const auto &memory) -> Value {
        using T = typename std::decay_t<decltype(memory)>::value_type;
        auto elementAt = [&](int64_t position) {
          int64_t index = indexAt(position);
          return index < 0 ? T(0) : memory[index];
        };
        if (!shaped)
          return Number(elementAt(0));
        std::vector<T> elements(elementCount(shaped->shape));
        for (size_t i = 0; i < elements.size(); ++i)
          elements[i] = elementAt(i);
        return makeTile(shaped->shape, std::move(elements));
      },
      view.memory->elements);
  return set(op.getResult(), std::move(result));
}

LogicalResult Interpreter::runAtomicAdd(tile::AtomicAddOp op) {
  Memory &memory = *std::get<Pointer>(valueOf(op.getAddress())).memory;
  if (failed(checkCounter(op, memory, 0)))
    return failure();
  int64_t before = counterAt(memory, 0);
  counterAt(memory, 0) = wrapToType(memory.elementType, before + intOf(op.getValue()));
  return set(op.getResult(), Number(before));
}

LogicalResult Interpreter::runSemaphoreWait(tile::SemaphoreWaitOp op) {
  Memory &memory = *std::get<Pointer>(valueOf(op.getAddress())).memory;
  int64_t index = intOf(op.getIndex()), wanted = intOf(op.getValue());
  if (failed(checkCounter(op, memory, index)))
    return failure();
  if (counterAt(memory, index) >= wanted)
    return success();
  return op.emitOpError("waits for ")
         << wanted << " in counter " << index << " of \"" << memory.name << "\", which stands at "
         << counterAt(memory, index)
         << ": tiles are evaluated in order, so an earlier one has to post it";
}

LogicalResult Interpreter::runSemaphorePost(tile::SemaphorePostOp op) {
  Memory &memory = *std::get<Pointer>(valueOf(op.getAddress())).memory;
  int64_t index = intOf(op.getIndex());
  if (failed(checkCounter(op, memory, index)))
    return failure();
  ++counterAt(memory, index);
  return success();
}

} // namespace tilewright::evaluator
