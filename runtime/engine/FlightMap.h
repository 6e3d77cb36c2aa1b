// SPDX-License-Identifier: Apache-2.0
//
// FlightMap: values by key, each made once however many threads ask for it at the same time, and
// found again without waiting for anything that is being made.
// Thread-safety: any thread may call any function at any time, but `make` must not ask the same
// map.
#pragma once

#include "tilewright/Status.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tilewright {

/// Invariants of a shard: `order` has each key of `values` once, in the order in which they may be
/// forgotten; a key leaves `flights` after it is in `values`.
template <typename Key, typename Value, typename Hash = std::hash<Key>>
class FlightMap {
public:
  using Pointer = std::shared_ptr<Value>;
  using Result = Expected<Pointer>;

  /// Remembers `capacity` values, roughly. Beyond, it forgets those that were not found lately; who
  /// holds one keeps it.
  explicit FlightMap(size_t capacity) : capacity_(std::max<size_t>(1, capacity / kShards)) {}

  /// The value of a key, or null.
  Pointer find(const Key &key) const {
    const Shard &shard = shardOf(key);
    const std::shared_lock lock(shard.mutex);
    const auto found = shard.values.find(key);
    return found == shard.values.end() ? nullptr : found->second.use();
  }

  struct Found {
    Result result;
    /// Whether this call made it.
    bool isMade = false;
  };

  /// The value of a key; if there is none, that of `make()`. Of threads that ask for one key at the
  /// same time one makes it, and the others wait for it and share its failure, which is not
  /// remembered.
  template <typename Make>
  Found findOrMake(const Key &key, Make &&make) {
    if (Pointer value = find(key))
      return {std::move(value)};
    Shard &shard = shardOf(key);
    std::promise<Result> promise;
    std::shared_future<Result> flight;
    {
      const std::unique_lock lock(shard.mutex);
      if (const auto found = shard.values.find(key); found != shard.values.end())
        return {found->second.use()};
      const auto [entry, isFirst] = shard.flights.try_emplace(key);
      if (isFirst)
        entry->second = promise.get_future().share();
      else
        flight = entry->second;
    }
    if (flight.valid())
      return {flight.get()};

    // Whatever happens, those who wait get an answer.
    Landing landing{shard, key, promise, Status::internal("what was waited for was given up")};
    Result result = std::forward<Make>(make)();
    if (result)
      result = insert(key, *std::move(result));
    landing.forOthers = result;
    return {std::move(result), true};
  }

  /// Remembers a value, unless the key has one; returns the one it has.
  Pointer insert(const Key &key, Pointer value) {
    Shard &shard = shardOf(key);
    // Forgotten values may take long to destroy: not under the lock.
    std::vector<Pointer> forgotten;
    const std::unique_lock lock(shard.mutex);
    if (const auto found = shard.values.find(key); found != shard.values.end())
      return found->second.use();
    shard.makeRoom(capacity_, forgotten);
    const auto entry = shard.values.try_emplace(key, value).first;
    shard.order.push_back(&entry->first);
    return value;
  }

private:
  static constexpr size_t kShards = 16;

  struct Slot {
    explicit Slot(Pointer pointer) : value(std::move(pointer)) {}
    /// The value, marked as used. Reading first spares other processors the write.
    Pointer use() const {
      if (!isUsed.load(std::memory_order_relaxed))
        isUsed.store(true, std::memory_order_relaxed);
      return value;
    }

    Pointer value;
    /// Whether it was found since it was looked at for forgetting.
    mutable std::atomic<bool> isUsed = false;
  };

  struct alignas(64) Shard {
    /// Second chance: what was used since it was last looked at goes to the end.
    void makeRoom(size_t capacity, std::vector<Pointer> &forgotten) {
      while (values.size() >= capacity) {
        const auto entry = values.find(*order.front());
        order.pop_front();
        if (entry->second.isUsed.exchange(false)) {
          order.push_back(&entry->first);
          continue;
        }
        forgotten.push_back(std::move(entry->second.value));
        values.erase(entry);
      }
    }

    mutable std::shared_mutex mutex;
    std::unordered_map<Key, Slot, Hash> values;
    std::deque<const Key *> order;
    std::unordered_map<Key, std::shared_future<Result>, Hash> flights;
  };

  /// Ends a flight when it goes out of scope.
  struct Landing {
    ~Landing() {
      {
        const std::unique_lock lock(shard.mutex);
        shard.flights.erase(key);
      }
      promise.set_value(std::move(forOthers));
    }
    Shard &shard;
    const Key &key;
    std::promise<Result> &promise;
    Result forOthers;
  };

  Shard &shardOf(const Key &key) { return shards_[Hash()(key) >> 7 & (kShards - 1)]; }
  const Shard &shardOf(const Key &key) const { return shards_[Hash()(key) >> 7 & (kShards - 1)]; }

  size_t capacity_;
  std::array<Shard, kShards> shards_;
};

} // namespace tilewright
