// SPDX-License-Identifier: Apache-2.0
//
// Ordinary accesses of shared memory: what has to be ordered, and where they may go.
#include "tests/emulator/core/Harness.h"

#include <gtest/gtest.h>

namespace tilewright::emulator {
namespace {

int32_t word(const Api &t, int32_t index) { return t.smem_base() + index * 4; }

TEST(Memory, ABarrierOrders) {
  const Kernel kernel = [](const Api &t) {
    const int32_t me = t.thread_id();
    put(word(t, me), static_cast<uint32_t>(me));
    t.cta_sync(__LINE__);
    EXPECT_EQ(get(word(t, (me + 40) % 64)), static_cast<uint32_t>((me + 40) % 64));
    t.cta_sync(__LINE__);
    put(word(t, (me + 7) % 64), 0);
  };
  EXPECT_EQ(kindsOf({.threads = 64}, kernel), "");
}

// Whichever comes first, one of the pair is found.
TEST(Memory, AReadAndAWriteWithoutOrder) {
  const Kernel kernel = [](const Api &t) {
    if (t.thread_id() == 0)
      put(word(t, 0), 1, 10);
    t.cta_sync(__LINE__);
    if (t.thread_id() == 0)
      put(word(t, 0), 2, 20);
    if (t.thread_id() == 32)
      get(word(t, 0), 30);
  };
  EXPECT_EQ(kindsOf({.threads = 64}, kernel), "race-raw race-war");
  const Finding finding = findingOf(FindingKind::raceRaw, {.threads = 64}, kernel);
  EXPECT_EQ(finding.line, 30);
  EXPECT_EQ(finding.place, (Place{0, 1, 0}));
  EXPECT_EQ(finding.other.what, "st_shared by CTA 0, warp 0, lane 0");
  EXPECT_EQ(finding.other.line, 20);
}

TEST(Memory, TwoWritesWithoutOrder) {
  const Kernel kernel = [](const Api &t) {
    if (t.thread_id() % 32 == 0)
      put(word(t, 0), 1);
  };
  EXPECT_EQ(kindsOf({.threads = 64}, kernel), "race-waw");
}

TEST(Memory, NeighbouringWordsAndHalvesAreIndependent) {
  const Kernel kernel = [](const Api &t) {
    const int32_t me = t.thread_id();
    const uint16_t half = static_cast<uint16_t>(me);
    put(word(t, me), 1);
    t.st_shared(t.smem_base() + 512 + me * 2, 2, &half, __LINE__);
    uint16_t back = 0;
    t.ld_shared(t.smem_base() + 512 + me * 2, 2, &back, __LINE__);
    EXPECT_EQ(back, half);
  };
  EXPECT_EQ(kindsOf({.threads = 64}, kernel), "");
}

TEST(Memory, AReaderAmongManyThatIsNotOrdered) {
  const Kernel kernel = [](const Api &t) {
    if (t.thread_id() == 0)
      put(word(t, 0), 1);
    t.cta_sync(__LINE__);
    get(word(t, 0), 10);
    // The third warp's read is ordered before nobody.
    if (t.thread_id() < 64)
      t.barrier_sync(1, 64, __LINE__);
    if (t.thread_id() == 32)
      put(word(t, 0), 2, 20);
  };
  EXPECT_EQ(kindsOf({.threads = 96}, kernel), "race-raw race-war");
}

TEST(Memory, WarpSyncOrdersAndAShuffleDoesNot) {
  auto kernel = [](bool sync) {
    return [sync](const Api &t) {
      const int32_t me = t.thread_id();
      put(word(t, me), 1);
      if (sync)
        t.warp_sync(__LINE__);
      else
        t.shuffle(0, 0, __LINE__);
      get(word(t, (me + 1) % 32));
    };
  };
  EXPECT_EQ(kindsOf({.threads = 32}, kernel(true)), "");
  EXPECT_EQ(kindsOf({.threads = 32}, kernel(false)), "race-raw");
}

TEST(Memory, NothingHasWritten) {
  const Kernel kernel = [](const Api &t) { get(word(t, 3)); };
  EXPECT_EQ(kindsOf({.threads = 1}, kernel), "uninitialised-read");
  uint32_t value = 0;
  kindsOf({.threads = 1}, {.maxErrors = 2}, [&](const Api &t) { value = get(word(t, 3)); });
  EXPECT_EQ(value, kPoison);
}

TEST(Memory, OutOfBounds) {
  auto kernel = [](int32_t offset) {
    return [offset](const Api &t) { put(t.smem_base() + offset, 1); };
  };
  EXPECT_EQ(kindsOf({.threads = 1, .shared = 1024}, kernel(1020)), "");
  EXPECT_EQ(kindsOf({.threads = 1, .shared = 1024}, kernel(1024)), "shared-out-of-bounds");
  EXPECT_EQ(kindsOf({.threads = 1, .shared = 1024}, kernel(-4)), "shared-out-of-bounds");
  EXPECT_EQ(kindsOf({.threads = 1}, [](const Api &) { put(0, 1); }), "shared-out-of-bounds");
}

TEST(Memory, Misaligned) {
  const Kernel kernel = [](const Api &t) {
    const uint64_t value = 0;
    t.st_shared(t.smem_base() + 4, 8, &value, __LINE__);
  };
  EXPECT_EQ(kindsOf({.threads = 1}, kernel), "misaligned");
}

TEST(Memory, BytesOfAnMbarrier) {
  auto kernel = [](int32_t offset) {
    return [offset](const Api &t) {
      const int32_t bar = makeBarrier(t, 16, 1);
      if (t.thread_id() == 0)
        put(bar + offset, 1);
    };
  };
  EXPECT_EQ(kindsOf({}, kernel(0)), "barrier-overwritten");
  EXPECT_EQ(kindsOf({}, kernel(4)), "barrier-overwritten");
  EXPECT_EQ(kindsOf({}, kernel(8)), "");
  EXPECT_EQ(kindsOf({}, kernel(-4)), "");
}

} // namespace
} // namespace tilewright::emulator
