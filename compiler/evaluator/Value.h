// SPDX-License-Identifier: Apache-2.0
//
// What the evaluator computes with: numbers, tiles, memories and views. Floating-point numbers of
// any type are held as fp64, integers as int64 in their signed reading (i1 as 0 or 1).

#pragma once

#include "mlir/IR/Types.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace tilewright::evaluator {

/// A scalar: fp64 or int64, as its MLIR type says.
using Number = std::variant<double, int64_t>;

/// Elements in row-major order, all of one kind.
using Elements = std::variant<std::vector<double>, std::vector<int64_t>>;

/// A tile. Values never change once they are made, so that copies share their elements.
struct Tile {
  llvm::SmallVector<int64_t, 2> shape;
  std::shared_ptr<const Elements> elements;
};

/// Global memory behind a pointer: a bound array or a workspace buffer.
struct Memory {
  std::string name;
  mlir::Type elementType;
  Elements elements;

  /// Number of elements.
  int64_t size() const {
    return std::visit([](const auto &list) { return int64_t(list.size()); }, elements);
  }
};

/// `!tile.ptr`: the first element of a memory.
struct Pointer {
  std::shared_ptr<Memory> memory;
};

/// `!tile.view`: extents, and strides in elements of every dimension.
struct View {
  std::shared_ptr<Memory> memory;
  llvm::SmallVector<int64_t, 4> sizes;
  llvm::SmallVector<int64_t, 4> strides;

  /// Index of an element in the memory, or -1 if a coordinate lies outside of the view.
  int64_t indexOf(llvm::ArrayRef<int64_t> coords) const;
};

/// `!tile.schedule`: the coordinates of every work unit, in the order of evaluation.
struct Schedule {
  std::vector<llvm::SmallVector<int64_t, 4>> units;
};

struct PendingDot;
struct Ring;
struct SlotMemory;
struct Turn;

/// The value of an SSA value. A cursor is a Number, its position: the stages advanced so far.
using Value =
    std::variant<std::monostate, Number, Tile, Pointer, View, std::shared_ptr<const Schedule>,
                 std::shared_ptr<Ring>, std::shared_ptr<SlotMemory>, std::shared_ptr<PendingDot>,
                 std::shared_ptr<Turn>>;

/// A tile of the given elements; their number is the product of `shape`.
Tile makeTile(llvm::ArrayRef<int64_t> shape, Elements elements);

/// A tile with `number` everywhere.
Tile splat(llvm::ArrayRef<int64_t> shape, Number number);

/// Number of elements of a shape.
int64_t elementCount(llvm::ArrayRef<int64_t> shape);

/// Rounds to what `type` (or its element type) can hold: floating-point numbers to the nearest,
/// ties to even; integers to their low bits. Other types than those of the dialect come back
/// unchanged.
double roundToType(mlir::Type type, double number);
int64_t wrapToType(mlir::Type type, int64_t number);

/// Whether numbers of `type` (or its element type) are held as fp64.
bool isFloatLike(mlir::Type type);

/// Bytes of one element in memory.
int64_t storageBytes(mlir::Type elementType);

} // namespace tilewright::evaluator
