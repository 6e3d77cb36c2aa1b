// SPDX-License-Identifier: Apache-2.0
//
// Accesses of the async proxy: copies in flight, and the fences between the proxies.
#include "tests/emulator/core/Harness.h"

#include <gtest/gtest.h>

namespace tilewright::emulator {
namespace {

constexpr int32_t kBytes = 256;
constexpr int32_t kBar = 512;

TEST(Proxy, ALoadThatIsWaitedFor) {
  const Kernel kernel = [](const Api &t) {
    const int32_t bar = makeBarrier(t, kBar, 1);
    if (t.thread_id() == 0) {
      t.mbarrier_arrive_expect_tx(bar, kBytes, __LINE__);
      load(t.smem_base(), kBytes, 7, bar, __LINE__);
    }
    t.mbarrier_wait_parity(bar, 0, __LINE__);
    EXPECT_EQ(get(t.smem_base() + t.thread_id() * 4), 7u);
    // Twice is legal.
    t.mbarrier_wait_parity(bar, 0, __LINE__);
  };
  EXPECT_EQ(kindsOf({}, kernel), "");
}

TEST(Proxy, ALoadBeforeItsExpectIsLegal) {
  const Kernel kernel = [](const Api &t) {
    const int32_t bar = makeBarrier(t, kBar, 1);
    if (t.thread_id() == 0) {
      load(t.smem_base(), kBytes, 7, bar, __LINE__);
      t.mbarrier_arrive_expect_tx(bar, kBytes, __LINE__);
    }
    t.mbarrier_wait_parity(bar, 0, __LINE__);
    EXPECT_EQ(get(t.smem_base()), 7u);
  };
  EXPECT_EQ(kindsOf({}, kernel), "");
}

// The last warp does not wait: in flight where the copy is late, a race where it was early.
TEST(Proxy, OneWarpSkipsTheWait) {
  const Kernel kernel = [](const Api &t) {
    const int32_t bar = makeBarrier(t, kBar, 1);
    if (t.thread_id() == 0) {
      t.mbarrier_arrive_expect_tx(bar, kBytes, __LINE__);
      load(t.smem_base(), kBytes, 7, bar, 40);
    }
    t.barrier_sync(1, 64, __LINE__);
    if (t.thread_id() < 32)
      t.mbarrier_wait_parity(bar, 0, __LINE__);
    get(t.smem_base() + 128, 50);
  };
  EXPECT_EQ(kindsOf({}, kernel), "race-raw read-in-flight");
  const Finding finding = findingOf(FindingKind::readInFlight, {}, kernel);
  EXPECT_EQ(finding.line, 50);
  EXPECT_EQ(finding.place.warp, 1);
  EXPECT_EQ(finding.other.line, 40);
}

TEST(Proxy, AWriteIntoALoadInFlight) {
  const Kernel kernel = [](const Api &t) {
    const int32_t bar = makeBarrier(t, kBar, 1);
    if (t.thread_id() == 0) {
      t.mbarrier_arrive_expect_tx(bar, kBytes, __LINE__);
      load(t.smem_base(), kBytes, 7, bar, __LINE__);
      put(t.smem_base(), 1);
    }
    t.mbarrier_wait_parity(bar, 0, __LINE__);
  };
  EXPECT_EQ(kindsOf({}, kernel), "race-waw write-in-flight");
}

TEST(Proxy, APartThatStillFlies) {
  // Two loads into one place.
  const Kernel kernel = [](const Api &t) {
    const int32_t bar = makeBarrier(t, kBar, 1);
    if (t.thread_id() == 0) {
      t.mbarrier_arrive_expect_tx(bar, 2 * kBytes, __LINE__);
      load(t.smem_base(), kBytes, 7, bar, __LINE__);
      load(t.smem_base() + kBytes - 16, kBytes, 7, bar, __LINE__);
    }
    t.mbarrier_wait_parity(bar, 0, __LINE__);
  };
  EXPECT_EQ(kindsOf({.shared = 1024}, kernel), "race-waw write-in-flight");
}

/// Threads write, one of them stores what they wrote; `fence` says when: 0 never, 1 each after its
/// write, 2 each before its write, 3 only the storing thread.
Kernel staging(int fence) {
  return [fence](const Api &t) {
    static StoreState state;
    const int32_t me = t.thread_id();
    if (fence == 2)
      t.fence_proxy_async_shared(__LINE__);
    put(t.smem_base() + me * 4, 1, 20);
    if (fence == 1)
      t.fence_proxy_async_shared(__LINE__);
    t.cta_sync(__LINE__);
    if (me == 5) {
      if (fence == 3)
        t.fence_proxy_async_shared(__LINE__);
      store(t.smem_base(), kBytes, state, 30);
      waitRead(state, __LINE__);
    }
    t.cta_sync(__LINE__);
    put(t.smem_base() + me * 4, 2);
  };
}

TEST(Proxy, AStoreOfFencedWrites) { EXPECT_EQ(kindsOf({}, staging(1)), ""); }

TEST(Proxy, AStoreOfUnfencedWrites) {
  EXPECT_EQ(kindsOf({}, staging(0)), "proxy-fence");
  EXPECT_EQ(kindsOf({}, staging(0), FenceMode::permissive), "proxy-fence");
  const Finding finding = findingOf(FindingKind::proxyFence, {}, staging(0));
  EXPECT_EQ(finding.line, 30);
  EXPECT_EQ(finding.other.line, 20);
}

TEST(Proxy, AFenceBeforeTheWritesCoversNothing) {
  EXPECT_EQ(kindsOf({}, staging(2)), "proxy-fence");
  EXPECT_EQ(kindsOf({}, staging(2), FenceMode::permissive), "proxy-fence");
}

TEST(Proxy, AFenceOfTheStoringThreadIsEnoughInPermissiveMode) {
  EXPECT_EQ(kindsOf({}, staging(3)), "proxy-fence");
  EXPECT_EQ(kindsOf({}, staging(3), FenceMode::permissive), "");
}

TEST(Proxy, StagingReusedBeforeTheStoreHasRead) {
  const Kernel kernel = [](const Api &t) {
    static StoreState state;
    put(t.smem_base() + t.thread_id() * 4, 1);
    t.fence_proxy_async_shared(__LINE__);
    t.cta_sync(__LINE__);
    if (t.thread_id() == 0)
      store(t.smem_base(), kBytes, state, __LINE__);
    t.cta_sync(__LINE__);
    put(t.smem_base() + t.thread_id() * 4, 2);
    if (t.thread_id() == 0)
      waitRead(state, __LINE__);
  };
  EXPECT_EQ(kindsOf({}, kernel), "race-war write-in-flight");
}

// A wait by the storing thread helps the others only if they meet it afterwards.
TEST(Proxy, StagingReusedWithoutABarrierAfterTheWait) {
  const Kernel kernel = [](const Api &t) {
    static StoreState state;
    put(t.smem_base() + t.thread_id() * 4, 1);
    t.fence_proxy_async_shared(__LINE__);
    t.cta_sync(__LINE__);
    if (t.thread_id() == 0) {
      store(t.smem_base(), kBytes, state, __LINE__);
      waitRead(state, __LINE__);
    }
    put(t.smem_base() + t.thread_id() * 4, 2);
  };
  // Which of them depends on who comes first; none is silent.
  for (uint64_t seed = 0; seed < 20; ++seed)
    EXPECT_NE(kindsOf({}, {.seed = seed}, kernel), "") << seed;
}

/// A stage that threads read by ordinary loads, and a load that replaces it.
Kernel reuse(bool fence, bool arrive) {
  return [fence, arrive](const Api &t) {
    const int32_t full = makeBarrier(t, kBar, 1), empty = makeBarrier(t, kBar + 8, 64);
    if (t.thread_id() == 0) {
      t.mbarrier_arrive_expect_tx(full, kBytes, __LINE__);
      load(t.smem_base(), kBytes, 7, full, __LINE__);
    }
    t.mbarrier_wait_parity(full, 0, __LINE__);
    get(t.smem_base() + t.thread_id() * 4);
    if (fence)
      t.fence_proxy_async_shared(__LINE__);
    t.mbarrier_arrive(empty, __LINE__);
    if (t.thread_id() == 0) {
      if (arrive)
        t.mbarrier_wait_parity(empty, 0, __LINE__);
      t.mbarrier_arrive_expect_tx(full, kBytes, __LINE__);
      load(t.smem_base(), kBytes, 8, full, __LINE__);
    }
    t.mbarrier_wait_parity(full, 1, __LINE__);
    EXPECT_EQ(get(t.smem_base() + t.thread_id() * 4), 8u);
  };
}

TEST(Proxy, AStageIsReleasedWithAFence) { EXPECT_EQ(kindsOf({}, reuse(true, true)), ""); }

TEST(Proxy, AStageIsReleasedWithoutAFence) {
  EXPECT_EQ(kindsOf({}, reuse(false, true)), "proxy-fence-release?");
}

TEST(Proxy, AStageIsOverwrittenTooSoon) {
  const std::string kinds = kindsOf({}, {.seed = 1, .policy = Policy::latest},
                                    [](const Api &t) { reuse(true, false)(t); });
  EXPECT_EQ(kinds, "race-war");
}

} // namespace
} // namespace tilewright::emulator
