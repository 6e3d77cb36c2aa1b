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

/// Proxy fences for global memory. They count as those for shared memory do, whose order the clocks
/// of threads carry; here they are a list, for kernels have few.
class GlobalFences {
public:
  /// A thread fences in its epoch `epoch`; in the permissive reading all that it has seen.
  void add(Epoch epoch, const Past &past, bool isPermissive);
  /// Whether a fence lies between a write and who has that past.
  [[nodiscard]] bool lieBetween(Epoch write, const Past &past) const;
  void clear() { fences_.clear(); }

private:
  struct Fence {
    Epoch epoch;
    /// Nothing in the strict reading.
    Clock seen;
  };
  std::vector<Fence> fences_;
};

/// See the top of the file. Offsets are in bounds. Atomics do not conflict with one another.
class GlobalShadow {
public:
  /// `holdsData`: the buffer has been written before the first launch.
  GlobalShadow(uint64_t bytes, bool holdsData);

  /// Notes an access and returns its first conflict; `past` is what the accessing thread knows.
  std::optional<Conflict> note(const AccessLog &log, uint64_t offset, uint64_t bytes, AccessId id,
                               GlobalUse use, const Past &past, const GlobalFences &fences);
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
