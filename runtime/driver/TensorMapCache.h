// SPDX-License-Identifier: Apache-2.0
//
// TensorMapCache: the encoded tensor maps of a plan for the addresses that it was run with last.
// Thread-safety: any thread may find and insert at any time; neither waits for the other. A reader
// copies an entry out and then looks whether it was changed meanwhile (a sequence lock), so it
// never writes to memory that other readers share.
#pragma once

#include "runtime/driver/DriverFunctions.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace tilewright {

/// A table of fixed capacity from tuples of addresses to tuples of maps. That an entry is found
/// also says that its addresses passed the checks that came before it was inserted.
class TensorMapCache {
public:
  /// Room for the layers of a model, which run one plan with different weights.
  static constexpr size_t kSets = 16;
  static constexpr size_t kWays = 4;

  /// Tuples of `addressCount` addresses and `mapCount` maps; either may be 0.
  TensorMapCache(size_t addressCount, size_t mapCount);

  /// Copies the maps of `addresses` to `maps` if they are there.
  bool find(std::span<const uint64_t> addresses, cu::TensorMap *maps) const;

  /// Puts an entry in place of an older one. Does nothing where another thread is inserting there.
  void insert(std::span<const uint64_t> addresses, const cu::TensorMap *maps);

private:
  using Word = std::atomic<uint64_t>;

  /// The entries of the set that `addresses` fall into, kWays in a row.
  [[nodiscard]] Word *set(std::span<const uint64_t> addresses) const;

  size_t addressCount_;
  size_t mapCount_;
  /// Words of one entry: a version (0: empty; odd: being written), the addresses, the maps.
  size_t entryWords_;
  std::unique_ptr<Word[]> words_;
  std::atomic<uint32_t> nextWay_{0};
};

} // namespace tilewright
