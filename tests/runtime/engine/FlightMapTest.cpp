// SPDX-License-Identifier: Apache-2.0
#include "runtime/engine/FlightMap.h"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace tilewright;

namespace {

using Map = FlightMap<int, std::string>;

Map::Result text(std::string value) { return std::make_shared<std::string>(std::move(value)); }

/// Runs `body` in `count` threads that start together.
template <typename Body>
void inThreads(int count, Body body) {
  std::barrier start(count);
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i)
    threads.emplace_back([&, i] {
      start.arrive_and_wait();
      body(i);
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST(FlightMap, MakesAValueOnceAndFindsItAgain) {
  Map map(100);
  EXPECT_EQ(map.find(1), nullptr);
  const Map::Found made = map.findOrMake(1, [] { return text("one"); });
  ASSERT_TRUE(made.result);
  EXPECT_TRUE(made.isMade);
  const Map::Found found = map.findOrMake(1, [] { return text("another"); });
  ASSERT_TRUE(found.result);
  EXPECT_FALSE(found.isMade);
  EXPECT_EQ(*found.result, *made.result);
  EXPECT_EQ(map.find(1), *made.result);
}

TEST(FlightMap, SixtyFourThreadsMakeItOnce) {
  Map map(100);
  std::atomic<int> made = 0;
  std::atomic<int> isMade = 0;
  std::atomic<int> wrong = 0;
  inThreads(64, [&](int) {
    const Map::Found found = map.findOrMake(7, [&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      ++made;
      return text("seven");
    });
    isMade += found.isMade ? 1 : 0;
    wrong += found.result && **found.result == "seven" ? 0 : 1;
  });
  EXPECT_EQ(made, 1);
  EXPECT_EQ(isMade, 1);
  EXPECT_EQ(wrong, 0);
}

TEST(FlightMap, OtherKeysAreNotWaitedFor) {
  Map map(100);
  std::promise<void> release;
  std::thread slow([&] {
    (void)map.findOrMake(1, [&] {
      release.get_future().wait();
      return text("one");
    });
  });
  // Keys of every shard, that of 1 among them.
  for (int key = 2; key < 5000; key += 7)
    EXPECT_TRUE(map.findOrMake(key, [] { return text("quick"); }).result);
  release.set_value();
  slow.join();
  EXPECT_NE(map.find(1), nullptr);
}

TEST(FlightMap, AFailureIsSharedByThoseWhoWaitAndForgotten) {
  Map map(100);
  std::atomic<int> made = 0;
  std::atomic<int> failed = 0;
  inThreads(16, [&](int) {
    const Map::Found found = map.findOrMake(1, [&]() -> Map::Result {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      ++made;
      return Status::unavailable("no compiler");
    });
    failed += found.result.status() == Status::unavailable("no compiler") ? 1 : 0;
  });
  EXPECT_EQ(failed, 16);
  EXPECT_LT(made, 16);
  EXPECT_TRUE(map.findOrMake(1, [] { return text("one"); }).result);
}

TEST(FlightMap, AnExceptionReachesItsThreadAndFailsTheOthers) {
  Map map(100);
  std::promise<void> started;
  std::thread thrower([&] {
    EXPECT_THROW((void)map.findOrMake(1,
                                      [&]() -> Map::Result {
                                        started.set_value();
                                        std::this_thread::sleep_for(std::chrono::milliseconds(50));
                                        throw std::runtime_error("out of everything");
                                      }),
                 std::runtime_error);
  });
  started.get_future().wait();
  const Map::Found found = map.findOrMake(1, [] { return text("one"); });
  thrower.join();
  if (!found.isMade) {
    EXPECT_EQ(found.result.status().code(), StatusCode::internal);
  }
  EXPECT_TRUE(map.findOrMake(1, [] { return text("one"); }).result);
}

TEST(FlightMap, InsertKeepsWhatIsThere) {
  Map map(100);
  const auto first = map.insert(1, std::make_shared<std::string>("first"));
  EXPECT_EQ(map.insert(1, std::make_shared<std::string>("second")), first);
  EXPECT_EQ(map.find(1), first);
}

TEST(FlightMap, ForgetsWhatWasNotUsedAndKeepsWhatWas) {
  Map map(160);
  const auto used = map.insert(0, std::make_shared<std::string>("used"));
  std::weak_ptr<std::string> unused = map.insert(1, std::make_shared<std::string>("unused"));
  const auto held = map.insert(2, std::make_shared<std::string>("held"));
  for (int key = 3; key < 3000; ++key) {
    map.insert(key, std::make_shared<std::string>());
    EXPECT_EQ(map.find(0), used) << "after " << key;
  }
  EXPECT_TRUE(unused.expired());
  EXPECT_EQ(map.find(2), nullptr);
  EXPECT_EQ(*held, "held");
  int remembered = 0;
  for (int key = 0; key < 3000; ++key)
    remembered += map.find(key) ? 1 : 0;
  EXPECT_LE(remembered, 160);
}

TEST(FlightMap, ThreadsInsertFindAndForget) {
  Map map(64);
  std::atomic<int> wrong = 0;
  inThreads(8, [&](int thread) {
    for (int round = 0; round < 3000; ++round) {
      const int key = (round * 7 + thread) % 200;
      const Map::Found found = map.findOrMake(key, [&] { return text(std::to_string(key)); });
      wrong += found.result && **found.result == std::to_string(key) ? 0 : 1;
    }
  });
  EXPECT_EQ(wrong, 0);
}

} // namespace
