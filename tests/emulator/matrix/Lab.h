// SPDX-License-Identifier: Apache-2.0
//
// Small kernels for wgmma: a lambda that every thread runs, with the functions that kernel text
// calls. Operands hold small numbers, so that every sum is exact.

#pragma once

#include "runtime/emulator/core/Machine.h"
#include "tests/emulator/matrix/Layout.h"

#include "tilewright/barriers.cuh"
#include "tilewright/fences.cuh"
#include "tilewright/fragment.cuh"
#include "tilewright/shared.cuh"
#include "tilewright/types.cuh"
#include "tilewright/warp.cuh"
#include "tilewright/wgmma.cuh"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tilewright::emulator {

struct LabShape {
  int32_t threads = 128;
  int32_t shared = 65536;
};

/// What each thread runs.
using LabKernel = std::function<void()>;

std::vector<Finding> findingsOf(const LabShape &shape, const MachineOptions &options,
                                const LabKernel &kernel);

/// The kinds that all policies and several seeds find, sorted, with blanks between; "" for none.
/// Warnings have a "?" behind. `check` looks at the results after each run.
std::string kindsOf(const LabShape &shape, const LabKernel &kernel,
                    const std::function<void()> &check = {});
inline std::string kindsOf(const LabKernel &kernel, const std::function<void()> &check = {}) {
  return kindsOf(LabShape{}, kernel, check);
}

/// For faults whose kind depends on the order in which things happened.
bool isFoundInEverySchedule(const LabShape &shape, const LabKernel &kernel);

/// The first finding of that kind of any policy and seed; a test failure if there is none.
Finding findingOf(FindingKind kind, const LabKernel &kernel);

/// Where the operands of these kernels begin, from the base of shared memory.
constexpr int32_t kOperandA = 0;
constexpr int32_t kOperandB = 16384;

/// Element (mn, k) of operand A or B of a tile.
float elementA(int32_t tile, uint32_t row, uint32_t k);
float elementB(int32_t tile, uint32_t column, uint32_t k);
/// Row by column, `depth` products from k = first on.
float productOf(int32_t tile, int32_t row, int32_t column, uint32_t depth, uint32_t first = 0);

/// Tile 0 of both operands as 16-bit numbers of T, as bytes of shared memory.
template <class T>
std::vector<uint8_t> imageOf(const OperandLayout &layout, bool isA, int32_t tile = 0) {
  std::vector<uint8_t> image(layout.bytes());
  for (uint32_t mn = 0; mn < layout.extent; ++mn)
    for (uint32_t k = 0; k < layout.depth; ++k) {
      const float value = isA ? elementA(tile, mn, k) : elementB(tile, mn, k);
      const uint16_t bits = tw::from_float<T>(value).bits;
      image[layout.offsetOf(mn, k)] = static_cast<uint8_t>(bits);
      image[layout.offsetOf(mn, k) + 1] = static_cast<uint8_t>(bits >> 8);
    }
  return image;
}

/// Threads first … first + count - 1 store an image at that offset of shared memory, with no fence
/// behind it.
void storeImage(const std::vector<uint8_t> &image, int32_t offset, int32_t first = 0,
                int32_t count = 128);

/// Both operands in the layout that most kernels have: K-major, 64 deep, 128-byte swizzle.
struct Operands128 {
  explicit Operands128(int32_t tile = 0);
  /// All 128 threads store, fence and meet.
  void put() const;

  std::vector<uint8_t> a;
  std::vector<uint8_t> b;
};
/// Columns of their B.
constexpr int32_t kColumns = 16;
/// Descriptors of step k (of 16) of those operands.
uint64_t descriptorA(int32_t k = 0);
uint64_t descriptorB(int32_t k = 0);

/// Accumulators of one warpgroup, as its threads left them.
struct Results {
  explicit Results(int32_t columns)
      : n(columns), values(static_cast<size_t>(64 * columns), -1.0F) {}
  /// Stores this thread's n / 2 registers at their rows and columns.
  void take(const float *registers);
  /// That all are that multiple of the products of a tile.
  void expectProducts(int32_t tile, uint32_t depth, float factor = 1, uint32_t first = 0) const;

  int32_t n;
  std::vector<float> values;
};

} // namespace tilewright::emulator
