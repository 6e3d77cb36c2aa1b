// SPDX-License-Identifier: Apache-2.0
//
// Which thread holds an element of a register tile, and in which register; and the addresses that
// stmatrix and ldmatrix need to move such tiles to and from shared memory.
// Plain values, no MLIR, no state: safe to use from any thread.

#pragma once

#include "compiler/tile/SharedLayout.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace tilewright::tile {

/// Stands for "every row" or "every column" in coordinates of a slice.
inline constexpr int64_t kEvery = -1;

/// Where an element lives: thread of the role, register of that thread, and position within the
/// register (0 = low half; always 0 when a register holds one element).
struct Owner {
  int thread = 0;
  int reg = 0;
  int part = 0;

  bool operator==(const Owner &) const = default;
};

/// Layout of a `rows` x `cols` register tile. Threads count from the first thread of the role that
/// holds the tile. Invariants are those of `check()`; other members may be called only on a layout
/// that passes it. Built by the factories.
struct FragmentLayout {
  enum class Kind {
    Acc,     ///< accumulator of wgmma, 32-bit registers
    Operand, ///< A operand of wgmma in registers, two 16-bit elements per register
    Slice,   ///< one value per row or per column of the parent, replicated over the rest
    Blocked, ///< threads in a grid, `vec` neighbouring columns each; row kernels
  };

  Kind kind = Kind::Blocked;
  int64_t rows = 0;
  int64_t cols = 0;
  std::array<int, 2> warpgroups = {1, 1};       ///< Acc, Operand: along rows, along columns
  int waves = 1;                                ///< Acc, Operand: 64-row pieces per warpgroup
  std::array<int, 2> threadGrid = {1, 1};       ///< Blocked: along rows, along columns
  int vec = 1;                                  ///< Blocked: neighbouring columns per thread
  int dim = 0;                                  ///< Slice: the dimension that is dropped
  std::shared_ptr<const FragmentLayout> parent; ///< Slice: the layout that is sliced

  /// Compares by value, parents included.
  bool operator==(const FragmentLayout &other) const;

  /// Accumulator: rows = 64 * warpgroups[0] * waves, n = cols / warpgroups[1] columns per
  /// warpgroup. (r, c) is held by warpgroup r / (64 * waves) + warpgroups[0] * (c / n), in wave (r
  /// % (64 * waves)) / 64; with r' = r % 64, c' = c % n by warp r' / 16, lane 4 * (r' % 8) + (c' %
  /// 8) / 2, register wave * n / 2 + 4 * (c' / 8) + 2 * ((r' % 16) / 8) + c' % 2. PTX ISA,
  /// "Register fragments and shared memory matrix layouts" of wgmma, matrix D.
  static FragmentLayout acc(int64_t rows, int64_t cols, std::array<int, 2> warpgroups,
                            int waves = 1);

  /// A operand of 16-bit wgmma: threads as in `acc(rows, cols, {warpgroups, 1}, waves)`,
  /// accumulator registers 2i and 2i + 1 packed into register i. So register q of the 16-column
  /// chunk j holds accumulator registers 8j + 2q and 8j + 2q + 1: an accumulator becomes an operand
  /// in place.
  static FragmentLayout operand(int64_t rows, int64_t cols, int warpgroups, int waves = 1);

  /// What remains of `parent` without dimension `dim`: one value per row (dim = 1) or per column
  /// (dim = 0), held by every thread that holds a parent element of that row or column.
  /// Of an accumulator, per row: register 2 * wave + (r' % 16) / 8, replicated over the lanes of a
  /// quad; per column: register 2 * (c' / 8) + c' % 2, replicated over all rows.
  static FragmentLayout slice(int dim, FragmentLayout parent);

  /// Threads in a grid of `threads` = {tr, tc}, each with `vec` neighbouring columns at a time:
  /// thread (r % tr) * tc + (c / vec) % tc, register
  /// ((r / tr) * (cols / (vec * tc)) + c / (vec * tc)) * vec + c % vec.
  static FragmentLayout blocked(int64_t rows, int64_t cols, std::array<int, 2> threads, int vec);

  /// Nothing if the layout fits its shape, else what was expected and what was found.
  std::optional<std::string> check() const;

  /// Threads that take part, counted from 0.
  int threads() const;

  /// Registers that each thread holds.
  int registersPerThread() const;

  /// Elements that share a register: 2 for operands, else 1.
  int elementsPerRegister() const { return kind == Kind::Operand ? 2 : 1; }

  /// Number of threads that hold a copy of each element: 1 except for slices.
  int replication() const;

  /// The owner of element (r, c). Of a slice: where the thread that owns the *parent's* element
  /// (r, c) keeps the value of its row or column; so broadcasting a slice moves nothing.
  Owner owner(int64_t r, int64_t c) const;

  /// The element that `owner` holds; `kEvery` stands in the dimension that a slice has dropped.
  /// Nothing if the thread or the register does not exist.
  std::optional<Coord> inverse(Owner owner) const;

  /// Whether every register holds one element and every element is held exactly `replication()`
  /// times. By enumeration of all elements.
  BijectivityProof proveBijective() const;

  /// Shorthand for `proveBijective().holds`.
  bool isBijective() const { return proveBijective().holds; }
};

/// Whether stmatrix / ldmatrix move the fragment as it is or transposed (`.trans`).
enum class MatrixOrder { Normal, Transposed };

/// Element whose 16 bytes lane `lane` addresses in `stmatrix.x4` / `ldmatrix.x4` on 16-bit data,
/// for 16-column chunk `chunk` of a fragment whose warp starts at tile row `warpRow` (16 * warp,
/// plus 64 per wave or warpgroup). The four matrices are operand registers 0 to 3 of the chunk,
/// which are packed accumulator registers (8 * chunk + 2q, + 1). With MatrixOrder::Transposed the
/// tile in memory is the transpose of the fragment, and the coordinate is one of that tile.
Coord matrixLaneCoord(int64_t warpRow, int chunk, int lane, MatrixOrder order);

/// Byte offset from the tile's base that lane `lane` supplies: `layout.offset` of the coordinate
/// above. `layout` must keep 8 neighbouring 16-bit elements together (swizzles with m >= 4, rows
/// that are multiples of 16 B).
int64_t matrixLaneOffset(const SharedLayout &layout, int64_t warpRow, int chunk, int lane,
                         MatrixOrder order);

} // namespace tilewright::tile
