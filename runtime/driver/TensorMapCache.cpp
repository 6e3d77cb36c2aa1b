// SPDX-License-Identifier: Apache-2.0
#include "runtime/driver/TensorMapCache.h"

namespace tilewright {

namespace {

constexpr size_t kWordsOfMap = sizeof(cu::TensorMap) / sizeof(uint64_t);
constexpr size_t kWordsOfLine = 8;

constexpr auto kRelaxed = std::memory_order_relaxed;

} // namespace

TensorMapCache::TensorMapCache(size_t addressCount, size_t mapCount)
    : addressCount_(addressCount), mapCount_(mapCount),
      // Whole cache lines, so that no two entries share one.
      entryWords_((1 + addressCount + mapCount * kWordsOfMap + kWordsOfLine - 1) / kWordsOfLine *
                  kWordsOfLine),
      words_(new Word[kSets * kWays * entryWords_]) {}

TensorMapCache::Word *TensorMapCache::set(std::span<const uint64_t> addresses) const {
  // Addresses differ in few bits, most of them in the middle: a multiplication spreads these to the
  // top, where the number of the set is taken.
  uint64_t hash = 0;
  for (uint64_t address : addresses)
    hash = (hash ^ address ^ (hash >> 29)) * 0x9e3779b97f4a7c15;
  return &words_[(hash >> 32) % kSets * kWays * entryWords_];
}

bool TensorMapCache::find(std::span<const uint64_t> addresses, cu::TensorMap *maps) const {
  const Word *entry = set(addresses);
  for (size_t way = 0; way < kWays; ++way, entry += entryWords_) {
    const uint64_t version = entry->load(std::memory_order_acquire);
    if (version == 0 || version % 2 != 0)
      continue;
    const Word *word = entry + 1;
    bool isSame = true;
    for (size_t i = 0; i < addressCount_; ++i)
      isSame = isSame && word[i].load(kRelaxed) == addresses[i];
    if (!isSame)
      continue;
    word += addressCount_;
    for (size_t map = 0; map < mapCount_; ++map)
      for (uint64_t &part : maps[map].words)
        part = (word++)->load(kRelaxed);
    // What was copied is whole if nobody began to write in the meantime.
    std::atomic_thread_fence(std::memory_order_acquire);
    if (entry->load(kRelaxed) == version)
      return true;
  }
  return false;
}

void TensorMapCache::insert(std::span<const uint64_t> addresses, const cu::TensorMap *maps) {
  Word *entry = set(addresses) + nextWay_.fetch_add(1, kRelaxed) % kWays * entryWords_;
  uint64_t version = entry->load(kRelaxed);
  if (version % 2 != 0 || !entry->compare_exchange_strong(version, version + 1, kRelaxed))
    return;
  std::atomic_thread_fence(std::memory_order_release);
  Word *word = entry + 1;
  for (uint64_t address : addresses)
    (word++)->store(address, kRelaxed);
  for (size_t map = 0; map < mapCount_; ++map)
    for (uint64_t part : maps[map].words)
      (word++)->store(part, kRelaxed);
  entry->store(version + 2, std::memory_order_release);
}

} // namespace tilewright
