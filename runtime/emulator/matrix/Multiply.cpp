// SPDX-License-Identifier: Apache-2.0
#include "runtime/emulator/matrix/Multiply.h"

#include <bit>
#include <cstddef>

namespace tilewright::emulator {

float widenBf16(uint16_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }

float widenHalf(uint16_t bits) {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
  const uint32_t exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
  if (exponent == 31)
    return std::bit_cast<float>(sign | 0x7f800000 | fraction << 13);
  if (exponent == 0) {
    const float size = static_cast<float>(fraction) * 0x1p-24F;
    return sign ? -size : size;
  }
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
}

void multiply(const Operands &operands, int32_t n, const float *c, float *d) {
  const auto registers = static_cast<size_t>(n / 2);
  for (int32_t row = 0; row < kMatrixRows; ++row) {
    alignas(64) float sums[kMaxColumns] = {};
    const float *a = operands.a.data() + static_cast<ptrdiff_t>(row) * kMatrixDepth;
    for (int32_t k = 0; k < kMatrixDepth; ++k) {
      const float *b = operands.b.data() + static_cast<ptrdiff_t>(k) * kMaxColumns;
      const float factor = a[k];
      for (int32_t column = 0; column < n; ++column)
        sums[column] += factor * b[column];
    }
    // The four threads that hold this row, pairs of columns each.
    const int32_t first = row / 16 * 32 + row % 8 * 4, upper = row % 16 / 8 * 2;
    for (int32_t column = 0; column < n; column += 2) {
      const auto thread = static_cast<size_t>(first + column % 8 / 2);
      const size_t at = thread * registers + static_cast<size_t>(column / 8 * 4 + upper);
      d[at] = (c ? c[at] : 0.0F) + sums[column];
      d[at + 1] = (c ? c[at + 1] : 0.0F) + sums[column + 1];
    }
  }
}

} // namespace tilewright::emulator
