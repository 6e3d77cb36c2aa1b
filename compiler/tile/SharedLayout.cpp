// SPDX-License-Identifier: Apache-2.0

#include "compiler/tile/SharedLayout.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <unordered_set>

namespace tilewright::tile {

namespace {

constexpr int kLanes = 32;
constexpr int kBanks = 32;
constexpr int kBankBytes = 4;

/// A TMA swizzle mode as swizzle(b, m, s).
struct TmaSwizzle {
  int bytes;
  int bits;
};
constexpr TmaSwizzle kTmaSwizzles[] = {{32, 1}, {64, 2}, {128, 3}};
constexpr int kTmaXorBase = 4;
constexpr int kTmaXorShift = 3;
/// Addresses and sizes of TMA boxes are multiples of these.
constexpr int kTmaRowBytes = 16;
constexpr int kTmaAlignment = 128;

int64_t applyXor(const SharedLayout &layout, int64_t offset) {
  int64_t mask = (int64_t{1} << layout.xorBits) - 1;
  return offset ^ (((offset >> (layout.xorBase + layout.xorShift)) & mask) << layout.xorBase);
}

} // namespace

SharedLayout SharedLayout::rowMajor(int64_t rows, int64_t cols, int elementBytes) {
  return {.rows = rows, .cols = cols, .elementBytes = elementBytes};
}

SharedLayout SharedLayout::padded(int64_t rows, int64_t cols, int elementBytes, int pad) {
  return {.rows = rows, .cols = cols, .elementBytes = elementBytes, .pad = pad};
}

SharedLayout SharedLayout::xorSwizzle(int64_t rows, int64_t cols, int elementBytes, int bits,
                                      int base, int shift) {
  return {.rows = rows,
          .cols = cols,
          .elementBytes = elementBytes,
          .xorBits = bits,
          .xorBase = base,
          .xorShift = shift};
}

SharedLayout SharedLayout::tma(int64_t rows, int64_t cols, int elementBytes, int swizzleBytes) {
  SharedLayout layout = rowMajor(rows, cols, elementBytes);
  for (TmaSwizzle mode : kTmaSwizzles) {
    if (mode.bytes != swizzleBytes)
      continue;
    layout.panel = elementBytes > 0 ? swizzleBytes / elementBytes : 0;
    layout.xorBits = mode.bits;
    layout.xorBase = kTmaXorBase;
    layout.xorShift = kTmaXorShift;
  }
  assert((swizzleBytes == 0 || layout.xorBits != 0) && "TMA swizzles 0, 32, 64 or 128 bytes");
  return layout;
}

std::optional<std::string> SharedLayout::check() const {
  auto text = [](int64_t value) { return std::to_string(value); };
  if (rows < 1 || cols < 1)
    return "expected a shared-memory tile of at least 1x1 elements, found " + text(rows) + "x" +
           text(cols);
  if (elementBytes < 1 || elementBytes > 16 || !std::has_single_bit(unsigned(elementBytes)))
    return "expected elements of 1, 2, 4, 8 or 16 bytes, found " + text(elementBytes);
  if (panel < 0 || cols % panelCols() != 0)
    return "expected columns in whole panels of " + text(panel) + ", found " + text(cols) +
           " columns";
  if (pad < 0)
    return "expected a padding of 0 or more elements, found " + text(pad);
  if (xorBits < 0 || xorBase < 0 || xorShift < 0 || xorBits + xorBase + xorShift > 20)
    return "expected a swizzle(b, m, s) of address bits 0 to 19, found (" + text(xorBits) + ", " +
           text(xorBase) + ", " + text(xorShift) + ")";
  if (xorBits == 0)
    return std::nullopt;
  if (xorShift < xorBits)
    return "expected a swizzle(b, m, s) with s >= b, so that it is its own inverse, found b = " +
           text(xorBits) + ", s = " + text(xorShift);
  if ((int64_t{1} << xorBase) < elementBytes)
    return "expected a swizzle(b, m, s) that moves whole elements of " + text(elementBytes) +
           " bytes, found m = " + text(xorBase) + ", which moves pieces of " +
           text(int64_t{1} << xorBase) + " bytes";
  return std::nullopt;
}

int64_t SharedLayout::offset(int64_t r, int64_t c) const {
  int64_t linear = c / panelCols() * panelBytes() + r * rowBytes() + c % panelCols() * elementBytes;
  return applyXor(*this, linear);
}

std::optional<Coord> SharedLayout::inverse(int64_t byteOffset) const {
  if (byteOffset < 0 || byteOffset >= sizeBytes())
    return std::nullopt;
  int64_t linear = applyXor(*this, byteOffset); // its own inverse, see check()
  int64_t inRow = linear % rowBytes();
  Coord coord{linear % panelBytes() / rowBytes(),
              linear / panelBytes() * panelCols() + inRow / elementBytes};
  if (inRow % elementBytes != 0 || inRow >= panelCols() * elementBytes || coord.col >= cols)
    return std::nullopt;
  return coord;
}

int64_t SharedLayout::sizeBytes() const {
  int64_t linear = cols / panelCols() * panelBytes();
  // The XOR changes only bits below b + m, so it stays inside blocks of that size.
  int64_t block = xorBits ? int64_t{1} << (xorBits + xorBase) : 1;
  return (linear + block - 1) / block * block;
}

int64_t SharedLayout::alignment() const {
  return xorBits ? int64_t{1} << (xorBits + xorBase + xorShift) : kTmaAlignment;
}

BijectivityProof SharedLayout::proveBijective() const {
  if (!check())
    return {true, ProofMethod::Construction};
  if (rows < 1 || cols < 1 || elementBytes < 1 || panel < 0)
    return {false, ProofMethod::Enumeration};
  std::unordered_set<int64_t> taken;
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c)
      for (int byte = 0; byte < elementBytes; ++byte)
        if (!taken.insert(offset(r, c) + byte).second)
          return {false, ProofMethod::Enumeration};
  return {true, ProofMethod::Enumeration};
}

std::optional<int> SharedLayout::swizzleMode() const {
  if (pad != 0 || rowBytes() % kTmaRowBytes != 0)
    return std::nullopt;
  if (xorBits == 0)
    return 0;
  for (TmaSwizzle mode : kTmaSwizzles)
    if (xorBits == mode.bits && xorBase == kTmaXorBase && xorShift == kTmaXorShift &&
        rowBytes() == mode.bytes)
      return mode.bytes;
  return std::nullopt;
}

std::vector<int64_t> columnAccess(const SharedLayout &layout, int64_t firstRow, int64_t col) {
  std::vector<int64_t> offsets(kLanes, kInactiveLane);
  for (int lane = 0; lane < kLanes && firstRow + lane < layout.rows; ++lane)
    offsets[lane] = layout.offset(firstRow + lane, col);
  return offsets;
}

std::vector<int64_t> rowAccess(const SharedLayout &layout, int64_t row, int64_t firstCol,
                               int accessBytes) {
  int64_t step = std::max(1, accessBytes / layout.elementBytes);
  std::vector<int64_t> offsets(kLanes, kInactiveLane);
  for (int lane = 0; lane < kLanes && firstCol + lane * step < layout.cols; ++lane)
    offsets[lane] = layout.offset(row, firstCol + lane * step);
  return offsets;
}

int conflictDegree(std::span<const int64_t> laneOffsets, int accessBytes) {
  assert((accessBytes == 4 || accessBytes == 8 || accessBytes == 16) && "no such access width");
  assert(laneOffsets.size() <= kLanes && "a warp has 32 lanes");
  int lanesPerPhase = kLanes * kBankBytes / accessBytes;
  int degree = 0;
  for (size_t first = 0; first < laneOffsets.size(); first += lanesPerPhase) {
    size_t last = std::min(laneOffsets.size(), first + lanesPerPhase);
    std::unordered_set<int64_t> words;
    int perBank[kBanks] = {};
    for (int64_t offset : laneOffsets.subspan(first, last - first)) {
      if (offset == kInactiveLane)
        continue;
      assert(offset % accessBytes == 0 && "misaligned shared-memory access");
      for (int64_t word = offset / kBankBytes; word < (offset + accessBytes) / kBankBytes; ++word)
        if (words.insert(word).second)
          degree = std::max(degree, ++perBank[word % kBanks]);
    }
  }
  return degree;
}

} // namespace tilewright::tile
