// SPDX-License-Identifier: Apache-2.0
//
// Where the elements of a tile lie in shared memory, and what an access pattern costs there.
// Plain values, no MLIR, no state: safe to use from any thread.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tilewright::tile {

/// Row and column of an element of a two-dimensional tile.
struct Coord {
  int64_t row = 0;
  int64_t col = 0;

  bool operator==(const Coord &) const = default;
};

/// How a claim about a layout was established.
enum class ProofMethod {
  Construction, ///< follows from properties that were checked, for any size
  Enumeration,  ///< every element was visited
};

/// The answer to "does every element have a place of its own?".
struct BijectivityProof {
  bool holds = false;
  ProofMethod method = ProofMethod::Enumeration;
};

/// Layout of a `rows` x `cols` tile in shared memory: row-major panels of `panel` columns, every
/// row of a panel followed by `pad` unused elements, then an XOR swizzle(b, m, s) of the byte
/// offset:
///
///     offset = (c / P) * rows * rowBytes + r * rowBytes + (c % P) * elementBytes
///     offset ^= ((offset >> (m + s)) & (2^b - 1)) << m
///
/// Offsets count from the tile's base, which must be aligned to `alignment()`; only then is the XOR
/// of offsets the XOR of addresses that TMA and wgmma apply. Invariants are those of `check()`; all
/// other members may be called only on a layout that passes it, except `proveBijective`.
struct SharedLayout {
  int64_t rows = 0;
  int64_t cols = 0;
  int elementBytes = 0;
  int panel = 0;    ///< columns per panel; 0 = one panel that holds all columns
  int pad = 0;      ///< unused elements at the end of each row of a panel
  int xorBits = 0;  ///< b: number of address bits that are changed; 0 = no swizzle
  int xorBase = 0;  ///< m: lowest address bit that is changed
  int xorShift = 0; ///< s: distance from a changed bit up to the bit that it is XORed with

  bool operator==(const SharedLayout &) const = default;

  /// One panel, rows back to back.
  static SharedLayout rowMajor(int64_t rows, int64_t cols, int elementBytes);

  /// As rowMajor, with `pad` unused elements after each row.
  static SharedLayout padded(int64_t rows, int64_t cols, int elementBytes, int pad);

  /// As rowMajor, then swizzle(bits, base, shift) of the byte offset.
  static SharedLayout xorSwizzle(int64_t rows, int64_t cols, int elementBytes, int bits, int base,
                                 int shift);

  /// What a TMA box {panel, rows, cols / panel} leaves in shared memory. `swizzleBytes` is 0, 32,
  /// 64 or 128; a panel is `swizzleBytes` wide, or holds all columns when `swizzleBytes` is 0.
  static SharedLayout tma(int64_t rows, int64_t cols, int elementBytes, int swizzleBytes);

  /// Nothing if the layout is well formed, else what was expected and what was found.
  std::optional<std::string> check() const;

  /// Columns of one panel (`cols` when `panel` is 0).
  int64_t panelCols() const { return panel ? panel : cols; }

  /// Bytes from a row of a panel to the next one, padding included.
  int64_t rowBytes() const { return (panelCols() + pad) * elementBytes; }

  /// Bytes from a panel to the next one.
  int64_t panelBytes() const { return rows * rowBytes(); }

  /// Byte offset of the element (r, c) from the tile's base.
  int64_t offset(int64_t r, int64_t c) const;

  /// The element whose first byte lies at `byteOffset`; nothing for padding, the inside of an
  /// element, and offsets outside the tile.
  std::optional<Coord> inverse(int64_t byteOffset) const;

  /// Bytes that the tile occupies, padding included: all offsets are below it.
  int64_t sizeBytes() const;

  /// Alignment in bytes that the base needs: one period of the swizzle (1024, 512 and 256 B for the
  /// TMA modes of 128, 64 and 32 B), or the 128 B that TMA asks for without one.
  int64_t alignment() const;

  /// Whether no two elements share a byte. By construction for layouts that pass `check()`: the
  /// row-major part is a mixed-radix number, and the XOR is its own inverse when s >= b. Any other
  /// layout is enumerated.
  BijectivityProof proveBijective() const;

  /// Shorthand for `proveBijective().holds`.
  bool isBijective() const { return proveBijective().holds; }

  /// Byte width of the TMA swizzle mode that writes this layout: 0 (none), 32, 64 or 128. Nothing
  /// if TMA cannot write it (padding, another XOR, rows that are no multiple of 16 B).
  std::optional<int> swizzleMode() const;
};

/// Stands for a lane that takes no part in an access.
inline constexpr int64_t kInactiveLane = -1;

/// Byte offsets of a warp that goes down a column: lane l accesses the bytes from element
/// (firstRow + l, col) on. Lanes past the last row are inactive.
std::vector<int64_t> columnAccess(const SharedLayout &layout, int64_t firstRow, int64_t col);

/// Byte offsets of a warp that goes along a row: lane l accesses `accessBytes` bytes that start at
/// element (row, firstCol + l * accessBytes / elementBytes). Lanes past the last column are
/// inactive.
std::vector<int64_t> rowAccess(const SharedLayout &layout, int64_t row, int64_t firstCol,
                               int accessBytes);

/// Bank-conflict degree of one shared-memory instruction of a warp: the number of passes that its
/// worst phase needs, 1 being free of conflicts (0 if no lane is active).
///
/// `laneOffsets` holds the byte offset of each lane (at most 32; `kInactiveLane` for none), each a
/// multiple of `accessBytes`, which is 4, 8 or 16. Memory has 32 banks of 4 bytes. A warp is served
/// in phases: all lanes at 4 bytes, half warps at 8, quarter warps at 16. Lanes of a phase that
/// touch the same word share it; otherwise each bank delivers one word per pass.
int conflictDegree(std::span<const int64_t> laneOffsets, int accessBytes);

} // namespace tilewright::tile
