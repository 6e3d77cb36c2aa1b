// SPDX-License-Identifier: Apache-2.0
//
// Functions on tiles that move, multiply and combine their elements. Pure; preconditions are what
// the verifiers of the corresponding ops check.

#pragma once

#include "compiler/evaluator/Value.h"
#include "compiler/tile/TileDialect.h"

#include <optional>

namespace tilewright::evaluator {

/// Element (…, i, …) along dimension `dim` is offset + i.
Tile coordinates(llvm::ArrayRef<int64_t> shape, int64_t dim, int64_t offset);

/// The matrix whose dimension `dim`, of `extent`, repeats the vector.
Tile broadcast(const Tile &vector, int64_t dim, int64_t extent);

/// Columns [first, first + width) of a matrix, or of a vector along them.
Tile columns(const Tile &matrix, int64_t first, int64_t width);

/// The transposed matrix.
Tile transpose(const Tile &matrix);

/// acc + a·b, a being MxK and b being NxK (so transposed already), the sums in the tiles' own kind
/// of number. With scales the product of row m and column n counts scaleA[m]·scaleB[n] times.
Tile multiplyAdd(const Tile &a, const Tile &b, const Tile &acc, const Tile *scaleA,
                 const Tile *scaleB);

/// The matrix combined along dimension `dim`. NaN wins over every number, so that an element that
/// should have been masked shows.
Tile reduce(tile::ReduceKind kind, const Tile &matrix, int64_t dim);

/// An element that two tiles do not share.
struct Difference {
  int64_t index; ///< in row-major order
  double before;
  double after;
};

/// The first element in which two tiles of one shape and kind differ; NaN equals NaN.
std::optional<Difference> firstDifference(const Tile &before, const Tile &after);

} // namespace tilewright::evaluator
