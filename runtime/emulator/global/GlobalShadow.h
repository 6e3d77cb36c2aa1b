// SPDX-License-Identifier: Apache-2.0
//
// The shadow of one buffer in global memory: who wrote and read each piece of it in this launch,
// and what was ever written. A piece is four bytes until an access of less comes by.

#pragma once

#include "runtime/emulator/core/Shadow.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tilewright::emulator {

/// How an access of global memory behaves towards others.
enum class GlobalUse : uint8_t { read, write, atomicRead, atomicWrite };

constexpr bool isWrite(GlobalUse use) {
  return use == GlobalUse::write || use == GlobalUse::atomicWrite;
}
constexpr bool isAtomic(GlobalUse use) {
  return use == GlobalUse::atomicRead || use == GlobalUse::atomicWrite;
}

/// See the top of the file. Offsets are in bounds. Atomics do not conflict with one another.
class GlobalShadow {
public:
  /// `holdsData`: the buffer has been written before the first launch.
  GlobalShadow(uint64_t bytes, bool holdsData);

  /// Notes an access and returns its first conflict; `past` is what the accessing thread knows.
  std::optional<Conflict> note(const AccessLog &log, uint64_t offset, uint64_t bytes, AccessId id,
                               GlobalUse use, const Past &past);
  /// Everything so far lies in the past of all that comes.
  void forgetAccesses();

private:
  struct Cell {
    /// Numbers of records with kAtomic.
    AccessId write = 0;
    AccessId read = 0;
    /// Index into more_ plus one: further readers and atomic writers.
    uint32_t more = 0;
    bool initialised = false;
  };
  class Check;

  void refine(uint64_t offset, uint64_t bytes);
  void addTo(Cell &cell, AccessId &place, AccessId id, const AccessLog &log);
  std::vector<AccessId> &moreOf(Cell &cell);

  uint64_t granule_ = 4;
  std::vector<Cell> cells_;
  std::vector<std::vector<AccessId>> more_;
};

} // namespace tilewright::emulator
