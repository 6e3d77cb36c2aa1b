// SPDX-License-Identifier: Apache-2.0
//
// The arithmetic of wgmma, and which thread holds what of it. Pure functions.

#pragma once

#include <array>
#include <cstdint>

namespace tilewright::emulator {

constexpr int32_t kWarpgroup = 128;
constexpr int32_t kMatrixRows = 64;
constexpr int32_t kMatrixDepth = 16;
constexpr int32_t kMaxColumns = 256;

/// A as rows of depth, B as depths of columns (leading dimension kMaxColumns), widened.
struct Operands {
  std::array<float, kMatrixRows * kMatrixDepth> a;
  std::array<float, kMatrixDepth * kMaxColumns> b;
};

/// Row and column of accumulator `reg` of a thread of the warpgroup. PTX ISA: "Register Fragments
/// and Shared Memory Matrix Layouts", figure for D.
constexpr int32_t rowOf(int32_t thread, int32_t reg) {
  return thread / 32 * 16 + thread % 32 / 4 + reg / 2 % 2 * 8;
}
constexpr int32_t columnOf(int32_t thread, int32_t reg) {
  return reg / 4 * 8 + thread % 4 * 2 + reg % 2;
}
/// Row and depth of half `half` of register `reg` of A's fragment.
constexpr int32_t fragmentRow(int32_t thread, int32_t reg) {
  return thread / 32 * 16 + thread % 32 / 4 + reg % 2 * 8;
}
constexpr int32_t fragmentDepth(int32_t thread, int32_t reg, int32_t half) {
  return reg / 2 * 8 + thread % 4 * 2 + half;
}

/// A 16-bit float widened.
float widenBf16(uint16_t bits);
float widenHalf(uint16_t bits);

/// d[thread][reg] = c[thread][reg] + sum over k of a[row][k] * b[k][column], with n / 2 registers a
/// thread; c may be d, or null for 0. Products are exact, their sum is taken in fp32 in the order
/// of k, then added to c. The order in the tensor core is not documented.
void multiply(const Operands &operands, int32_t n, const float *c, float *d);

} // namespace tilewright::emulator
