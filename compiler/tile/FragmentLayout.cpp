// SPDX-License-Identifier: Apache-2.0

#include "compiler/tile/FragmentLayout.h"

#include <cassert>
#include <utility>
#include <vector>

namespace tilewright::tile {

namespace {

using Kind = FragmentLayout::Kind;

constexpr int kWarpgroupThreads = 128;
constexpr int kWarpThreads = 32;
/// Rows of one wgmma instruction, and of the part of it that one warp holds.
constexpr int kWaveRows = 64;
constexpr int kWarpRows = 16;
/// Columns of a core matrix of the accumulator, and of one chunk of the A operand.
constexpr int kAccCols = 8;
constexpr int kChunkCols = 16;

std::string text(int64_t value) { return std::to_string(value); }

/// Columns of an Acc or Operand layout that one warpgroup holds.
int64_t warpgroupCols(const FragmentLayout &layout) { return layout.cols / layout.warpgroups[1]; }

/// Rows of an Acc or Operand layout that one warpgroup holds.
int64_t warpgroupRows(const FragmentLayout &layout) { return int64_t{kWaveRows} * layout.waves; }

/// The accumulator formula, before any packing.
Owner accOwner(const FragmentLayout &layout, int64_t r, int64_t c) {
  int64_t n = warpgroupCols(layout), m = warpgroupRows(layout);
  int64_t warpgroup = r / m + layout.warpgroups[0] * (c / n);
  int64_t wave = r % m / kWaveRows;
  int64_t row = r % kWaveRows, col = c % n;
  int64_t lane = 4 * (row % 8) + col % 8 / 2;
  int64_t reg = wave * n / 2 + 4 * (col / 8) + 2 * (row % kWarpRows / 8) + col % 2;
  int64_t thread = kWarpgroupThreads * warpgroup + kWarpThreads * (row / kWarpRows) + lane;
  return {int(thread), int(reg)};
}

/// Inverse of accOwner for an existing thread and register.
Coord accCoord(const FragmentLayout &layout, int thread, int reg) {
  int64_t n = warpgroupCols(layout), m = warpgroupRows(layout);
  int warpgroup = thread / kWarpgroupThreads;
  int warp = thread % kWarpgroupThreads / kWarpThreads;
  int lane = thread % kWarpThreads;
  int64_t wave = reg / (n / 2), inWave = reg % (n / 2);
  int64_t row = kWarpRows * warp + lane / 4 + 8 * (inWave % 4 / 2);
  int64_t col = 8 * (inWave / 4) + 2 * (lane % 4) + inWave % 2;
  return {warpgroup % layout.warpgroups[0] * m + wave * kWaveRows + row,
          warpgroup / layout.warpgroups[0] * n + col};
}

Owner blockedOwner(const FragmentLayout &layout, int64_t r, int64_t c) {
  auto [tr, tc] = layout.threadGrid;
  int64_t v = layout.vec;
  int64_t reg = (r / tr * (layout.cols / (v * tc)) + c / (v * tc)) * v + c % v;
  return {int(r % tr * tc + c / v % tc), int(reg)};
}

Coord blockedCoord(const FragmentLayout &layout, int thread, int reg) {
  auto [tr, tc] = layout.threadGrid;
  int64_t v = layout.vec, groups = layout.cols / (v * tc);
  int64_t group = reg / v;
  return {group / groups * tr + thread / tc, group % groups * (v * tc) + thread % tc * v + reg % v};
}

/// Register of a slice that belongs to the parent's element (r, c).
int sliceRegister(const FragmentLayout &parent, int dim, int64_t r, int64_t c) {
  if (parent.kind == Kind::Blocked) {
    auto [tr, tc] = parent.threadGrid;
    int64_t v = parent.vec;
    return int(dim == 1 ? r / tr : c / (v * tc) * v + c % v);
  }
  if (dim == 1)
    return int(2 * (r % warpgroupRows(parent) / kWaveRows) + r % kWarpRows / 8);
  int64_t col = c % warpgroupCols(parent);
  return int(2 * (col / 8) + col % 2);
}

/// A register of the parent, held by the same thread, that lies in the row or column of `reg`.
int parentRegister(const FragmentLayout &parent, int dim, int reg) {
  if (parent.kind == Kind::Blocked) {
    int64_t perRow = parent.cols / parent.threadGrid[1];
    return int(dim == 1 ? reg * perRow : reg);
  }
  if (dim == 1)
    return int(reg / 2 * (warpgroupCols(parent) / 2) + reg % 2 * 2);
  return reg / 2 * 4 + reg % 2;
}

std::optional<std::string> checkMma(const FragmentLayout &layout) {
  bool isAcc = layout.kind == Kind::Acc;
  std::string name = isAcc ? "acc" : "operand";
  auto [a, b] = layout.warpgroups;
  if (a < 1 || b < 1 || layout.waves < 1)
    return name + " layout: expected warpgroups and waves of at least 1, found wgs = [" + text(a) +
           ", " + text(b) + "], waves = " + text(layout.waves);
  int64_t expected = int64_t{kWaveRows} * a * layout.waves;
  if (layout.rows != expected)
    return name + " layout: expected " + text(expected) + " rows (64 x " + text(a) +
           " warpgroups x " + text(layout.waves) + " waves), found " + text(layout.rows);
  int64_t unit = int64_t{isAcc ? kAccCols : kChunkCols} * b;
  if (layout.cols < 1 || layout.cols % unit != 0)
    return name + " layout: expected a multiple of " + text(unit) + " columns, found " +
           text(layout.cols);
  return std::nullopt;
}

std::optional<std::string> checkBlocked(const FragmentLayout &layout) {
  auto [tr, tc] = layout.threadGrid;
  if (tr < 1 || tc < 1 || layout.vec < 1)
    return "blocked layout: expected threads and vec of at least 1, found threads = [" + text(tr) +
           ", " + text(tc) + "], vec = " + text(layout.vec);
  if (layout.rows < 1 || layout.rows % tr != 0)
    return "blocked layout: expected a multiple of " + text(tr) + " rows, found " +
           text(layout.rows);
  int64_t unit = int64_t{tc} * layout.vec;
  if (layout.cols < 1 || layout.cols % unit != 0)
    return "blocked layout: expected a multiple of " + text(unit) + " columns (" + text(tc) +
           " threads x vec " + text(layout.vec) + "), found " + text(layout.cols);
  return std::nullopt;
}

std::optional<std::string> checkSlice(const FragmentLayout &layout) {
  if (layout.dim != 0 && layout.dim != 1)
    return "slice layout: expected dim 0 or 1, found " + text(layout.dim);
  if (!layout.parent)
    return "slice layout: expected a parent layout, found none";
  if (layout.parent->kind != Kind::Acc && layout.parent->kind != Kind::Blocked)
    return "slice layout: expected an acc or blocked parent, found " +
           std::string(layout.parent->kind == Kind::Slice ? "a slice" : "an operand");
  return layout.parent->check();
}

} // namespace

bool FragmentLayout::operator==(const FragmentLayout &other) const {
  if (bool(parent) != bool(other.parent) || (parent && !(*parent == *other.parent)))
    return false;
  return kind == other.kind && rows == other.rows && cols == other.cols &&
         warpgroups == other.warpgroups && waves == other.waves && threadGrid == other.threadGrid &&
         vec == other.vec && dim == other.dim;
}

FragmentLayout FragmentLayout::acc(int64_t rows, int64_t cols, std::array<int, 2> warpgroups,
                                   int waves) {
  FragmentLayout layout;
  layout.kind = Kind::Acc;
  layout.rows = rows;
  layout.cols = cols;
  layout.warpgroups = warpgroups;
  layout.waves = waves;
  return layout;
}

FragmentLayout FragmentLayout::operand(int64_t rows, int64_t cols, int warpgroups, int waves) {
  FragmentLayout layout = acc(rows, cols, {warpgroups, 1}, waves);
  layout.kind = Kind::Operand;
  return layout;
}

FragmentLayout FragmentLayout::slice(int dim, FragmentLayout parent) {
  FragmentLayout layout;
  layout.kind = Kind::Slice;
  layout.rows = parent.rows;
  layout.cols = parent.cols;
  layout.dim = dim;
  layout.parent = std::make_shared<const FragmentLayout>(std::move(parent));
  return layout;
}

FragmentLayout FragmentLayout::blocked(int64_t rows, int64_t cols, std::array<int, 2> threads,
                                       int vec) {
  FragmentLayout layout;
  layout.kind = Kind::Blocked;
  layout.rows = rows;
  layout.cols = cols;
  layout.threadGrid = threads;
  layout.vec = vec;
  return layout;
}

std::optional<std::string> FragmentLayout::check() const {
  switch (kind) {
  case Kind::Acc:
  case Kind::Operand:
    return checkMma(*this);
  case Kind::Blocked:
    return checkBlocked(*this);
  case Kind::Slice:
    return checkSlice(*this);
  }
  return "unknown kind of register layout";
}

int FragmentLayout::threads() const {
  switch (kind) {
  case Kind::Acc:
  case Kind::Operand:
    return kWarpgroupThreads * warpgroups[0] * warpgroups[1];
  case Kind::Blocked:
    return threadGrid[0] * threadGrid[1];
  case Kind::Slice:
    return parent->threads();
  }
  return 0;
}

int FragmentLayout::registersPerThread() const {
  if (kind != Kind::Slice)
    return int(rows * cols / threads() / elementsPerRegister());
  // Every thread of the parent holds the last element of some row or column.
  return sliceRegister(*parent, dim, rows - 1, cols - 1) + 1;
}

int FragmentLayout::replication() const {
  if (kind != Kind::Slice)
    return 1;
  int64_t elements = dim == 1 ? rows : cols;
  return int(int64_t{threads()} * registersPerThread() / elements);
}

Owner FragmentLayout::owner(int64_t r, int64_t c) const {
  assert(r >= 0 && r < rows && c >= 0 && c < cols && "element outside the tile");
  switch (kind) {
  case Kind::Acc:
    return accOwner(*this, r, c);
  case Kind::Operand: {
    Owner owner = accOwner(*this, r, c);
    return {owner.thread, owner.reg / 2, owner.reg % 2};
  }
  case Kind::Blocked:
    return blockedOwner(*this, r, c);
  case Kind::Slice:
    return {parent->owner(r, c).thread, sliceRegister(*parent, dim, r, c)};
  }
  return {};
}

std::optional<Coord> FragmentLayout::inverse(Owner owner) const {
  if (owner.thread < 0 || owner.thread >= threads() || owner.reg < 0 ||
      owner.reg >= registersPerThread() || owner.part < 0 || owner.part >= elementsPerRegister())
    return std::nullopt;
  switch (kind) {
  case Kind::Acc:
    return accCoord(*this, owner.thread, owner.reg);
  case Kind::Operand:
    return accCoord(*this, owner.thread, 2 * owner.reg + owner.part);
  case Kind::Blocked:
    return blockedCoord(*this, owner.thread, owner.reg);
  case Kind::Slice: {
    auto coord = parent->inverse({owner.thread, parentRegister(*parent, dim, owner.reg)});
    (dim == 1 ? coord->col : coord->row) = kEvery;
    return coord;
  }
  }
  return std::nullopt;
}

BijectivityProof FragmentLayout::proveBijective() const {
  BijectivityProof failed{false, ProofMethod::Enumeration};
  if (check())
    return failed;
  // An element index: of a slice it counts rows or columns only.
  auto indexOf = [&](int64_t r, int64_t c) {
    return kind != Kind::Slice ? r * cols + c : dim == 1 ? r : c;
  };
  size_t elements = indexOf(rows - 1, cols - 1) + 1;
  std::vector<int> holders(elements, 0);
  std::vector<int64_t> held(size_t(threads()) * registersPerThread() * elementsPerRegister(), -1);
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < cols; ++c) {
      Owner at = owner(r, c);
      if (at.thread >= threads() || at.reg >= registersPerThread())
        return failed;
      int64_t &place =
          held[(size_t(at.thread) * registersPerThread() + at.reg) * elementsPerRegister() +
               at.part];
      int64_t index = indexOf(r, c);
      if (place == index)
        continue; // a slice meets its places once per dropped coordinate
      if (place != -1)
        return failed;
      place = index;
      ++holders[index];
    }
  }
  for (int64_t place : held)
    if (place == -1)
      return failed;
  for (int count : holders)
    if (count != replication())
      return failed;
  return {true, ProofMethod::Enumeration};
}

Coord matrixLaneCoord(int64_t warpRow, int chunk, int lane, MatrixOrder order) {
  // Matrix q = lane / 8 holds the 8x8 block of row half q % 2 and column half q / 2.
  int64_t inMatrix = lane % 8, rowHalf = lane / 8 % 2, colHalf = lane / 16;
  if (order == MatrixOrder::Normal)
    return {warpRow + 8 * rowHalf + inMatrix, kChunkCols * chunk + 8 * colHalf};
  return {kChunkCols * chunk + 8 * colHalf + inMatrix, warpRow + 8 * rowHalf};
}

int64_t matrixLaneOffset(const SharedLayout &layout, int64_t warpRow, int chunk, int lane,
                         MatrixOrder order) {
  assert(layout.elementBytes == 2 && "stmatrix and ldmatrix move 16-bit elements");
  Coord coord = matrixLaneCoord(warpRow, chunk, lane, order);
  return layout.offset(coord.row, coord.col);
}

} // namespace tilewright::tile
