// SPDX-License-Identifier: Apache-2.0
#include "runtime/driver/TensorMapCache.h"

#include <gtest/gtest.h>

#include <array>
#include <thread>
#include <vector>

using namespace tilewright;

namespace {

/// Two addresses and the two maps that stand for them here.
struct Entry {
  std::array<uint64_t, 2> addresses;
  std::array<cu::TensorMap, 2> maps;

  explicit Entry(uint64_t number) : addresses{number * 4096, number << 20} {
    for (cu::TensorMap &map : maps)
      map.words.fill(number);
  }
};

TEST(TensorMapCache, FindsWhatWasInserted) {
  TensorMapCache cache(2, 2);
  const Entry entry(1);
  std::array<cu::TensorMap, 2> maps;
  EXPECT_FALSE(cache.find(entry.addresses, maps.data()));
  cache.insert(entry.addresses, entry.maps.data());
  ASSERT_TRUE(cache.find(entry.addresses, maps.data()));
  for (const cu::TensorMap &map : maps)
    EXPECT_EQ(map.words, entry.maps[0].words);
  EXPECT_FALSE(cache.find(Entry(2).addresses, maps.data()));
  const std::array<uint64_t, 2> swapped = {entry.addresses[1], entry.addresses[0]};
  EXPECT_FALSE(cache.find(swapped, maps.data()));
}

TEST(TensorMapCache, HoldsAboutItsCapacity) {
  TensorMapCache cache(2, 2);
  constexpr uint64_t kEntries = 32;
  for (uint64_t i = 1; i <= kEntries; ++i)
    cache.insert(Entry(i).addresses, Entry(i).maps.data());
  uint64_t found = 0;
  std::array<cu::TensorMap, 2> maps;
  for (uint64_t i = 1; i <= kEntries; ++i)
    found += cache.find(Entry(i).addresses, maps.data());
  EXPECT_GE(found, kEntries * 3 / 4);
  // The newest is there however many came before.
  for (uint64_t i = 1; i <= 1000; ++i) {
    cache.insert(Entry(i).addresses, Entry(i).maps.data());
    ASSERT_TRUE(cache.find(Entry(i).addresses, maps.data()));
  }
}

TEST(TensorMapCache, RemembersAddressesWithoutMaps) {
  TensorMapCache cache(1, 0);
  const std::array<uint64_t, 1> address = {4096};
  EXPECT_FALSE(cache.find(address, nullptr));
  cache.insert(address, nullptr);
  EXPECT_TRUE(cache.find(address, nullptr));
}

TEST(TensorMapCache, NeverMixesEntriesOfThreads) {
  TensorMapCache cache(2, 2);
  std::vector<std::thread> threads;
  std::atomic<int> mixed = 0;
  for (uint64_t thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      std::array<cu::TensorMap, 2> maps;
      for (uint64_t i = 0; i < 20000; ++i) {
        const Entry entry((i * 7 + thread * 13) % 97 + 1);
        if (!cache.find(entry.addresses, maps.data())) {
          cache.insert(entry.addresses, entry.maps.data());
          continue;
        }
        for (const cu::TensorMap &map : maps)
          mixed += map.words != entry.maps[0].words;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(mixed, 0);
}

} // namespace
