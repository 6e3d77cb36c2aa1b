// SPDX-License-Identifier: Apache-2.0
//
// ldmatrix and stmatrix: the last lane to come moves the matrices of the whole warp.
// PTX ISA: "ldmatrix", "stmatrix".
#include "runtime/emulator/core/Machine.h"

#include <cstring>

namespace tilewright::emulator {

constexpr uint32_t kRowBytes = 16;
constexpr int32_t kRows = 8;

/// Copies the two elements of a matrix that a lane holds from its register, or into it.
static void moveRegister(uint8_t *const (&rows)[kRows], int32_t lane, uint32_t *held,
                         bool transposed, bool store) {
  auto *halves = reinterpret_cast<uint8_t *>(held);
  for (int32_t half = 0; half < 2; ++half) {
    const int32_t row = transposed ? lane % 4 * 2 + half : lane / 4;
    const int32_t column = transposed ? lane / 4 : lane % 4 * 2 + half;
    uint8_t *element = rows[row] + column * 2;
    if (store)
      std::memcpy(element, halves + half * 2, 2);
    else
      std::memcpy(halves + half * 2, element, 2);
  }
}

void Machine::moveMatrices(Warp &warp, const WarpValues &lanes, int32_t count, bool transposed,
                           bool store, int32_t line) {
  const char *what = store ? "stmatrix" : "ldmatrix";
  Cta &cta = *warp.cta;
  for (int32_t matrix = 0; matrix < count; ++matrix) {
    uint8_t *rows[kRows];
    for (int32_t row = 0; row < kRows; ++row) {
      Thread &owner = *warp.lanes[static_cast<size_t>(matrix * kRows + row)];
      const int32_t address = lanes[static_cast<size_t>(owner.lane)].operand;
      if (!checkAddress(cta, address, kRowBytes, kRowBytes, what, line))
        return;
      const AccessId id = genericAccess(owner, store, what, line);
      if (store)
        noteWrite(cta, static_cast<uint32_t>(address), kRowBytes, id);
      else
        noteRead(cta, static_cast<uint32_t>(address), kRowBytes, id);
      rows[row] = cta.at(static_cast<uint32_t>(address));
    }
    for (int32_t lane = 0; lane < kLanes; ++lane) {
      auto *registers = reinterpret_cast<uint32_t *>(lanes[static_cast<size_t>(lane)].value);
      moveRegister(rows, lane, registers + matrix, transposed, store);
    }
  }
}

void Machine::ldmatrix(Thread &thread, int32_t count, bool transposed, int32_t address,
                       uint32_t *registers, int32_t line) {
  Gathering &gathering = thread.warp->gathering;
  const int32_t generation = gathering.generation;
  if (enter(thread, {"ldmatrix", line, count, transposed, true},
            {reinterpret_cast<uint64_t>(registers), address})) {
    moveMatrices(*thread.warp, gathering.values[static_cast<size_t>(generation & 1)], count,
                 transposed, false, line);
    wake(gathering);
  }
  while (gathering.generation == generation)
    block(gathering, "ldmatrix", line);
}

void Machine::stmatrix(Thread &thread, int32_t count, bool transposed, int32_t address,
                       const uint32_t *registers, int32_t line) {
  Gathering &gathering = thread.warp->gathering;
  const int32_t generation = gathering.generation;
  // The registers are only read.
  if (enter(thread, {"stmatrix", line, count, transposed, true},
            {reinterpret_cast<uint64_t>(registers), address})) {
    moveMatrices(*thread.warp, gathering.values[static_cast<size_t>(generation & 1)], count,
                 transposed, true, line);
    wake(gathering);
  }
  while (gathering.generation == generation)
    block(gathering, "stmatrix", line);
}

} // namespace tilewright::emulator
