// SPDX-License-Identifier: Apache-2.0
//
// Barriers of a CTA.
#include "tests/emulator/core/Harness.h"

#include <gtest/gtest.h>

namespace tilewright::emulator {
namespace {

TEST(Barrier, ArriveAndSyncPairUp) {
  // The first warpgroup fills, the second takes; both ways.
  const Kernel kernel = [](const Api &t) {
    const int32_t me = t.thread_id(), other = (me + 128) % 256;
    for (uint32_t turn = 0; turn < 3; ++turn) {
      if (me < 128) {
        if (turn > 0)
          t.barrier_sync(2, 256, __LINE__);
        put(t.smem_base() + me * 4, turn);
        t.barrier_arrive(1, 256, __LINE__);
      } else {
        t.barrier_sync(1, 256, __LINE__);
        EXPECT_EQ(get(t.smem_base() + other * 4), turn);
        if (turn < 2)
          t.barrier_arrive(2, 256, __LINE__);
      }
    }
  };
  EXPECT_EQ(kindsOf({.threads = 256}, kernel), "");
}

TEST(Barrier, AnArriveDoesNotAcquire) {
  const Kernel kernel = [](const Api &t) {
    const int32_t me = t.thread_id();
    put(t.smem_base() + me * 4, 1);
    if (me < 32)
      t.barrier_arrive(1, 64, __LINE__);
    else
      t.barrier_sync(1, 64, __LINE__);
    t.barrier_sync(2 + me / 32, 32, __LINE__);
    if (me < 32)
      put(t.smem_base() + 128 + me * 4, 2);
  };
  EXPECT_EQ(kindsOf({}, kernel), "race-waw");
}

TEST(Barrier, BadIdsAndCounts) {
  auto sync = [](int32_t id, int32_t threads) {
    return [=](const Api &t) { t.barrier_sync(id, threads, __LINE__); };
  };
  EXPECT_EQ(kindsOf({}, sync(15, 64)), "");
  EXPECT_EQ(kindsOf({}, sync(16, 64)), "barrier-count");
  EXPECT_EQ(kindsOf({}, sync(1, 48)), "barrier-count");
  EXPECT_EQ(kindsOf({}, sync(1, 96)), "barrier-count");
}

TEST(Barrier, WarpsThatDisagree) {
  const Kernel kernel = [](const Api &t) {
    t.barrier_sync(1, t.thread_id() < 32 ? 64 : 96, __LINE__);
  };
  EXPECT_EQ(kindsOf({.threads = 96}, kernel), "barrier-count");
}

TEST(Barrier, AWarpThatComesTwice) {
  const Kernel kernel = [](const Api &t) {
    if (t.thread_id() < 32) {
      t.barrier_arrive(1, 64, __LINE__);
      t.barrier_sync(1, 64, __LINE__);
    }
  };
  EXPECT_EQ(kindsOf({}, kernel), "barrier-count");
}

TEST(Barrier, ACountThatIsTooLarge) {
  const Kernel kernel = [](const Api &t) {
    if (t.thread_id() < 64)
      t.barrier_sync(1, 96, 20);
  };
  EXPECT_EQ(kindsOf({.threads = 96}, kernel), "deadlock");
  const Finding finding = findingOf(FindingKind::deadlock, {.threads = 96}, kernel);
  EXPECT_NE(finding.message.find("64 threads of CTA 0 (warps 0, 1) at line 20 in barrier_sync on "
                                 "barrier 1 of CTA 0: 64 of 96 threads are there (warps 0, 1"),
            std::string::npos)
      << finding.message;
}

TEST(Barrier, ArrivalsThatNobodyTakes) {
  const Kernel kernel = [](const Api &t) {
    if (t.thread_id() < 32)
      t.barrier_arrive(1, 64, __LINE__);
  };
  EXPECT_EQ(kindsOf({}, kernel), "count-mismatch?");
}

TEST(Barrier, AWarpThatEndsBeforeCtaSync) {
  const Kernel kernel = [](const Api &t) {
    if (t.thread_id() < 32)
      t.cta_sync(__LINE__);
  };
  EXPECT_EQ(kindsOf({}, kernel), "deadlock");
}

TEST(Barrier, TwoGroupsThatShareOne) {
  // Two pairs of warps use one id: who pairs up with whom depends on the order.
  const Kernel kernel = [](const Api &t) {
    const int32_t me = t.thread_id();
    put(t.smem_base() + me * 4, 1);
    t.barrier_sync(1, 64, __LINE__);
    get(t.smem_base() + (me ^ 32) * 4);
  };
  const std::string kinds = kindsOf({.threads = 128}, kernel);
  EXPECT_NE(kinds, "");
  EXPECT_TRUE(kinds == "race-raw" || kinds == "race-raw uninitialised-read" ||
              kinds == "uninitialised-read")
      << kinds;
}

} // namespace
} // namespace tilewright::emulator
