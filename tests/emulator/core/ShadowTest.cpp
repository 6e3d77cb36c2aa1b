// SPDX-License-Identifier: Apache-2.0
//
// Clocks and shadow cells by themselves.
#include "runtime/emulator/core/Shadow.h"
#include "runtime/emulator/core/Clock.h"

#include <gtest/gtest.h>

namespace tilewright::emulator {
namespace {

TEST(Clock, JoinTakesTheNewerOfEach) {
  Clock a, b;
  a.raise({makeActor(0, 1), 5});
  a.raise({makeActor(0, 2), 1});
  b.raise({makeActor(0, 2), 3});
  b.raise({makeActor(0, 200), 9});
  b.raise({makeActor(7, 0), 4});
  a.join(b);
  EXPECT_EQ(a[makeActor(0, 1)], 5);
  EXPECT_EQ(a[makeActor(0, 2)], 3);
  EXPECT_EQ(a[makeActor(0, 200)], 9);
  EXPECT_EQ(a[makeActor(7, 0)], 4);
  EXPECT_EQ(a[makeActor(7, 1)], 0);
  EXPECT_TRUE(a.covers({makeActor(0, 2), 3}));
  EXPECT_FALSE(a.covers({makeActor(0, 2), 4}));
}

TEST(Clock, RaiseDoesNotLower) {
  Clock clock;
  clock.raise({3, 5});
  clock.raise({3, 4});
  EXPECT_EQ(clock[3], 5);
}

TEST(Clock, AnAsynchronousJoinLeavesThreadsOut) {
  Clock a, b;
  b.raise({makeActor(0, 3), 5});
  b.raise({makeActor(0, 4), 6});
  a.joinAsynchronous(b, 4);
  EXPECT_EQ(a[makeActor(0, 3)], 0);
  EXPECT_EQ(a[makeActor(0, 4)], 6);
}

/// Two actors that know nothing of each other, and one that knows both.
class ShadowCells : public testing::Test {
protected:
  ShadowCells() { shadow.reset(64); }

  AccessId access(Actor actor, bool write) {
    return log.add({{actor, 1}, Proxy::generic, write, false, 1, "access", nullptr});
  }
  static Past pastOf(std::initializer_list<Actor> actors) {
    Past past;
    for (const Actor actor : actors)
      past.raise({actor, 1});
    return past;
  }
  bool reads(uint32_t offset, uint32_t bytes, Actor actor, const Past &past) {
    const Past *first = &past;
    return !shadow.read(offset, bytes, access(actor, false), {&first, 1});
  }
  bool writes(uint32_t offset, uint32_t bytes, Actor actor, const Past &past) {
    const Past *first = &past;
    return !shadow.write(offset, bytes, access(actor, true), {&first, 1});
  }

  AccessLog log;
  Shadow shadow{log};
  Past one = pastOf({1}), two = pastOf({2}), both = pastOf({1, 2});
};

TEST_F(ShadowCells, NeighbouringWordsDoNotConflict) {
  EXPECT_TRUE(writes(0, 4, 1, one));
  EXPECT_TRUE(writes(4, 4, 2, two));
  EXPECT_FALSE(writes(4, 4, 1, one));
}

TEST_F(ShadowCells, HalvesOfAWordDoNotConflict) {
  EXPECT_TRUE(writes(0, 2, 1, one));
  EXPECT_TRUE(writes(2, 2, 2, two));
  EXPECT_TRUE(reads(0, 2, 1, one));
  EXPECT_TRUE(reads(2, 2, 2, two));
  EXPECT_FALSE(reads(0, 4, 1, one));
  EXPECT_TRUE(writes(0, 2, 1, one));
  EXPECT_FALSE(writes(2, 2, 1, one));
}

TEST_F(ShadowCells, AWholeWordTakesTheHalvesBack) {
  EXPECT_TRUE(writes(0, 2, 1, one));
  EXPECT_TRUE(writes(2, 2, 2, two));
  EXPECT_TRUE(writes(0, 4, 1, both));
  EXPECT_FALSE(reads(2, 2, 2, two));
}

TEST_F(ShadowCells, ReadsOfAnUnwrittenByteAreFound) {
  EXPECT_TRUE(writes(1, 1, 1, one));
  EXPECT_TRUE(reads(1, 1, 1, one));
  const Past *first = &one;
  const auto conflict = shadow.read(0, 4, access(1, false), {&first, 1});
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->rule, Conflict::Rule::uninitialised);
}

TEST_F(ShadowCells, EveryReaderCounts) {
  EXPECT_TRUE(writes(8, 4, 1, one));
  Past all = one;
  for (Actor reader = 10; reader < 20; ++reader) {
    EXPECT_TRUE(reads(8, 4, reader, pastOf({1, reader})));
    all.raise({reader, 1});
  }
  for (Actor missing = 10; missing < 20; ++missing) {
    Shadow copy = shadow;
    Past but = one;
    for (Actor reader = 10; reader < 20; ++reader)
      if (reader != missing)
        but.raise({reader, 1});
    const Past *first = &but;
    EXPECT_TRUE(copy.write(8, 4, access(1, true), {&first, 1})) << missing;
  }
  EXPECT_TRUE(writes(8, 4, 1, all));
}

TEST_F(ShadowCells, AllObserversMustSeeTheWrite) {
  EXPECT_TRUE(writes(0, 16, 1, one));
  const Past *pasts[] = {&both, &one, &both};
  EXPECT_FALSE(shadow.read(0, 16, access(3, false), {pasts, 3}));
  pasts[1] = &two;
  EXPECT_TRUE(shadow.read(0, 16, access(3, false), {pasts, 3}));
}

} // namespace
} // namespace tilewright::emulator
