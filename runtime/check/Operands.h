// SPDX-License-Identifier: Apache-2.0
//
// The operands of a GEMM: which there are, random contents for them, and the image of their memory
// with guard zones before and after. Everything a check needs to know of memory, on the host.
// Thread-safety: plain values and pure functions.
#pragma once

#include "runtime/check/Elements.h"
#include "tilewright/Problem.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// One operand of a problem: a matrix in memory, row-major; vectors are matrices of one row.
struct GemmOperand {
  /// The role under which it is bound: "a", "d", "bias".
  std::string role = {};
  DType type = DType::bf16;
  int64_t rows = 0;
  int64_t columns = 0;
  /// Elements from one row to the next.
  int64_t pitch = 0;
  bool isOutput = false;

  /// Bytes from the first to the end of the last element; 0 if there is none.
  [[nodiscard]] size_t bytes() const;
  /// Byte offset of an element.
  [[nodiscard]] size_t offset(int64_t row, int64_t column) const {
    return static_cast<size_t>((row * pitch + column) * dtypeBytes(type));
  }
  friend bool operator==(const GemmOperand &, const GemmOperand &) = default;
};

/// The operands of `problem`, which is valid: a, b, c (unless beta is 0), d, and those of the
/// epilogue in list order.
std::vector<GemmOperand> gemmOperands(const GemmProblem &problem);

/// The bytes of an operand's memory: a guard zone, the matrix, a guard zone.
struct OperandImage {
  GemmOperand operand = {};
  /// Bytes of each guard zone, a multiple of 256.
  size_t guard = 0;
  std::vector<uint8_t> bytes = {};

  [[nodiscard]] const uint8_t *matrix() const { return bytes.data() + guard; }
  [[nodiscard]] const uint8_t *at(int64_t row, int64_t column) const {
    return matrix() + operand.offset(row, column);
  }
  [[nodiscard]] double value(int64_t row, int64_t column) const {
    return decodeElement(operand.type, at(row, column));
  }
};

/// Guard zones that hold two rows of the operand, from 4 KiB to 1 MiB: a kernel that goes one tile
/// too far along either axis leaves its traces there or in the gaps between rows.
size_t guardBytes(const GemmOperand &operand);

/// The memory of an operand before the launch. Elements of an input are drawn from N(0, 1) and
/// rounded to its type, the same for each seed and role on every machine; all else is poison: an
/// output, the gaps between rows, the guard zones.
OperandImage makeImage(const GemmOperand &operand, size_t guard, uint64_t seed);

/// Bytes of guard zones and of gaps between rows that no longer hold poison.
struct Damage {
  int64_t bytes = 0;
  /// Offset of the first from the first element of the matrix; negative before it.
  int64_t first = 0;
  friend bool operator==(const Damage &, const Damage &) = default;
};

/// Looks for damage in an image.
Damage findDamage(const OperandImage &image);

} // namespace tilewright
