// SPDX-License-Identifier: Apache-2.0
//
// mbarriers: initialisation, arrivals, bytes, phases.
#include "tests/emulator/core/Harness.h"

#include <gtest/gtest.h>

namespace tilewright::emulator {
namespace {

constexpr int32_t kBytes = 128;
constexpr int32_t kBar = 512;

// --- initialisation
// -------------------------------------------------------------------------------

/// Sets a barrier up in the way that `step` leaves out, then loads against it.
Kernel setUp(bool fence, bool sync) {
  return [fence, sync](const Api &t) {
    const int32_t bar = t.smem_base() + kBar;
    if (t.thread_id() == 0) {
      t.mbarrier_init(bar, 1, 10);
      if (fence)
        t.fence_mbarrier_init(__LINE__);
    }
    if (sync)
      t.cta_sync(__LINE__);
    else
      t.barrier_sync(1 + t.thread_id() / 32, 32, __LINE__);
    if (t.thread_id() == 32) {
      t.mbarrier_arrive_expect_tx(bar, kBytes, 20);
      load(t.smem_base(), kBytes, 7, bar, 30);
    }
    t.mbarrier_wait_parity(bar, 0, __LINE__);
  };
}

TEST(MbarrierInit, FencedAndOrdered) { EXPECT_EQ(kindsOf({}, setUp(true, true)), ""); }

TEST(MbarrierInit, NotOrdered) { EXPECT_EQ(kindsOf({}, setUp(true, false)), "mbarrier-init"); }

TEST(MbarrierInit, NotFenced) {
  EXPECT_EQ(kindsOf({}, setUp(false, true)), "mbarrier-init");
  EXPECT_EQ(findingOf(FindingKind::mbarrierInit, {}, setUp(false, true)).line, 30);
}

TEST(MbarrierInit, AProxyFenceWillDo) {
  EXPECT_EQ(kindsOf({},
                    [](const Api &t) {
                      const int32_t bar = t.smem_base() + kBar;
                      if (t.thread_id() == 0) {
                        t.mbarrier_init(bar, 1, __LINE__);
                        t.fence_proxy_async_shared(__LINE__);
                      }
                      t.cta_sync(__LINE__);
                      if (t.thread_id() == 0) {
                        t.mbarrier_arrive_expect_tx(bar, kBytes, __LINE__);
                        load(t.smem_base(), kBytes, 7, bar, __LINE__);
                      }
                      t.mbarrier_wait_parity(bar, 0, __LINE__);
                    }),
            "");
}

TEST(MbarrierInit, WithoutTheAsyncProxyNoFenceIsNeeded) {
  EXPECT_EQ(kindsOf({},
                    [](const Api &t) {
                      const int32_t bar = t.smem_base() + kBar;
                      if (t.thread_id() == 0)
                        t.mbarrier_init(bar, 64, __LINE__);
                      t.cta_sync(__LINE__);
                      t.mbarrier_arrive(bar, __LINE__);
                      t.mbarrier_wait_parity(bar, 0, __LINE__);
                    }),
            "");
}

TEST(MbarrierInit, Never) {
  EXPECT_EQ(kindsOf({}, [](const Api &t) { t.mbarrier_arrive(t.smem_base(), __LINE__); }),
            "mbarrier-init");
}

TEST(MbarrierInit, TwiceOrWithABadCount) {
  EXPECT_EQ(kindsOf({.threads = 1},
                    [](const Api &t) {
                      t.mbarrier_init(t.smem_base(), 1, __LINE__);
                      t.mbarrier_init(t.smem_base(), 1, __LINE__);
                    }),
            "mbarrier-init");
  EXPECT_EQ(
      kindsOf({.threads = 1}, [](const Api &t) { t.mbarrier_init(t.smem_base(), 0, __LINE__); }),
      "mbarrier-init");
  EXPECT_EQ(kindsOf({.threads = 1},
                    [](const Api &t) { t.mbarrier_init(t.smem_base() + 4, 1, __LINE__); }),
            "misaligned");
}

// --- arrivals
// -------------------------------------------------------------------------------------

TEST(Mbarrier, ARing) {
  // A producer and 32 consumers, 3 stages, 8 steps; the producer's first waits pass at once.
  const Kernel kernel = [](const Api &t) {
    const int32_t base = t.smem_base(), full = base + kBar, empty = full + 32;
    if (t.thread_id() == 0) {
      for (int32_t stage = 0; stage < 3; ++stage) {
        t.mbarrier_init(full + stage * 8, 1, __LINE__);
        t.mbarrier_init(empty + stage * 8, 32, __LINE__);
      }
      t.fence_mbarrier_init(__LINE__);
    }
    t.cta_sync(__LINE__);
    for (int32_t step = 0; step < 9; ++step) {
      const int32_t stage = step % 3, turn = step / 3 & 1;
      if (t.thread_id() == 0) {
        t.mbarrier_wait_parity(empty + stage * 8, turn ^ 1, __LINE__);
        t.mbarrier_arrive_expect_tx(full + stage * 8, kBytes, __LINE__);
        load(base + stage * kBytes, kBytes, static_cast<uint32_t>(step), full + stage * 8,
             __LINE__);
      } else if (t.thread_id() >= 32) {
        t.mbarrier_wait_parity(full + stage * 8, turn, __LINE__);
        EXPECT_EQ(get(base + stage * kBytes + t.thread_id() % 32 * 4), static_cast<uint32_t>(step));
        t.fence_proxy_async_shared(__LINE__);
        t.mbarrier_arrive(empty + stage * 8, __LINE__);
      }
    }
  };
  EXPECT_EQ(kindsOf({}, kernel), "");
}

TEST(Mbarrier, OneArrivalTooMany) {
  // At once: the phase is still open because of its bytes.
  const Kernel kernel = [](const Api &t) {
    const int32_t bar = makeBarrier(t, kBar, 1);
    if (t.thread_id() == 0) {
      t.mbarrier_arrive_expect_tx(bar, kBytes, __LINE__);
      t.mbarrier_arrive(bar, 50);
      load(t.smem_base(), kBytes, 7, bar, __LINE__);
    }
    t.mbarrier_wait_parity(bar, 0, __LINE__);
  };
  EXPECT_EQ(kindsOf({}, kernel), "over-arrival");
  EXPECT_EQ(findingOf(FindingKind::overArrival, {}, kernel).line, 50);
}

TEST(Mbarrier, ArrivalsLeftAtTheEnd) {
  const Kernel kernel = [](const Api &t) {
    const int32_t bar = makeBarrier(t, kBar, 3);
    if (t.thread_id() < 4)
      t.mbarrier_arrive(bar, __LINE__);
    t.mbarrier_wait_parity(bar, 0, __LINE__);
  };
  EXPECT_EQ(kindsOf({}, kernel), "count-mismatch");
}

TEST(Mbarrier, AnArrivalTooFew) {
  const Kernel kernel = [](const Api &t) {
    const int32_t bar = makeBarrier(t, kBar, 33);
    if (t.thread_id() < 32)
      t.mbarrier_arrive(bar, __LINE__);
    t.mbarrier_wait_parity(bar, 0, 60);
  };
  EXPECT_EQ(kindsOf({}, kernel), "deadlock");
  const Finding finding = findingOf(FindingKind::deadlock, {}, kernel);
  EXPECT_EQ(finding.line, 60);
  EXPECT_NE(finding.message.find("64 threads of CTA 0 (warps 0, 1) at line 60 in "
                                 "mbarrier_wait_parity on mbarrier"),
            std::string::npos)
      << finding.message;
  EXPECT_NE(finding.message.find("phase 0 lacks 1 of 33 arrivals and 0 bytes"), std::string::npos)
      << finding.message;
}

// --- bytes
// ----------------------------------------------------------------------------------------

/// Expects so many bytes for a load of kBytes, and then for a second one.
Kernel expecting(int32_t bytes, bool waits = true) {
  return [bytes, waits](const Api &t) {
    const int32_t bar = makeBarrier(t, kBar, 1);
    for (int32_t turn = 0; turn < 2; ++turn) {
      if (t.thread_id() == 0) {
        t.mbarrier_arrive_expect_tx(bar, bytes, __LINE__);
        load(t.smem_base(), kBytes, 7, bar, 40);
      }
      if (!waits)
        return;
      t.mbarrier_wait_parity(bar, turn, __LINE__);
      t.cta_sync(__LINE__);
    }
  };
}

TEST(MbarrierBytes, AsManyAsExpected) { EXPECT_EQ(kindsOf({}, expecting(kBytes)), ""); }

TEST(MbarrierBytes, TooManyExpected) { EXPECT_EQ(kindsOf({}, expecting(kBytes + 16)), "deadlock"); }

TEST(MbarrierBytes, TooFewExpected) {
  // -16 bytes keep the phase open for ever.
  EXPECT_EQ(kindsOf({}, expecting(kBytes - 16)), "deadlock");
}

TEST(MbarrierBytes, NoneExpected) {
  const Kernel kernel = [](const Api &t) {
    const int32_t bar = makeBarrier(t, kBar, 1);
    if (t.thread_id() == 0) {
      load(t.smem_base(), kBytes, 7, bar, 40);
      t.mbarrier_arrive(bar, __LINE__);
    }
    t.mbarrier_wait_parity(bar, 0, __LINE__);
  };
  const std::string kinds = kindsOf({}, kernel);
  // Late, the bytes land in the next phase; early, they hold up this one.
  EXPECT_EQ(kinds, "deadlock pending-at-exit tx-wrong-phase");
}

TEST(MbarrierBytes, MoreLandedThanExpectedAtTheEnd) {
  const Kernel kernel = [](const Api &t) {
    const int32_t bar = makeBarrier(t, kBar, 1);
    if (t.thread_id() == 0)
      load(t.smem_base(), kBytes, 7, bar, 40);
  };
  EXPECT_EQ(kindsOf({}, {.policy = Policy::earliest}, kernel), "tx-underflow");
  EXPECT_EQ(kindsOf({}, {.policy = Policy::latest}, kernel), "pending-at-exit");
}

TEST(MbarrierBytes, ACountOutOfRange) {
  const Kernel kernel = [](const Api &t) {
    const int32_t bar = makeBarrier(t, kBar, 1);
    if (t.thread_id() == 0)
      t.mbarrier_arrive_expect_tx(bar, 1 << 20, __LINE__);
  };
  EXPECT_EQ(kindsOf({}, kernel), "tx-underflow");
}

TEST(MbarrierBytes, InFlightOrMissingAtTheEnd) {
  const std::string kinds = kindsOf({}, expecting(kBytes, false));
  EXPECT_NE(kinds.find("pending-at-exit"), std::string::npos) << kinds;
  EXPECT_EQ(kindsOf({},
                    [](const Api &t) {
                      const int32_t bar = makeBarrier(t, kBar, 1);
                      if (t.thread_id() == 0)
                        t.mbarrier_arrive_expect_tx(bar, kBytes, __LINE__);
                    }),
            "count-mismatch");
}

// --- phases
// ---------------------------------------------------------------------------------------

TEST(MbarrierPhase, AParityThatDoesNotExist) {
  const Kernel kernel = [](const Api &t) {
    t.mbarrier_wait_parity(makeBarrier(t, kBar, 1), 2, __LINE__);
  };
  EXPECT_EQ(kindsOf({}, kernel), "wrong-phase-wait");
}

TEST(MbarrierPhase, AWaiterThatIsOvertaken) {
  // Thread 0 completes two phases without hearing from the waiters.
  const Kernel kernel = [](const Api &t) {
    const int32_t bar = makeBarrier(t, kBar, 1);
    if (t.thread_id() == 0) {
      t.mbarrier_arrive(bar, __LINE__);
      t.mbarrier_arrive(bar, __LINE__);
    } else if (t.thread_id() >= 32) {
      t.mbarrier_wait_parity(bar, 0, __LINE__);
    }
  };
  const std::string kinds = kindsOf({}, kernel);
  EXPECT_NE(kinds.find("wrong-phase-wait"), std::string::npos) << kinds;
}

TEST(MbarrierPhase, AWaitAcquiresOnlyWhatItsPhaseReleased) {
  // Thread 32 writes after its arrival in phase 0 and arrives in phase 1: who waits for phase 0
  // must not rely on it, even if phase 1 has begun.
  const Kernel kernel = [](const Api &t) {
    const int32_t bar = makeBarrier(t, kBar, 32);
    const int32_t me = t.thread_id();
    if (me >= 32) {
      put(t.smem_base() + me * 4, 1);
      t.mbarrier_arrive(bar, __LINE__);
      put(t.smem_base() + me * 4, 2);
      if (me == 32)
        t.mbarrier_arrive(bar, __LINE__);
    } else if (me == 0) {
      t.mbarrier_wait_parity(bar, 0, __LINE__);
      get(t.smem_base() + 32 * 4);
    }
  };
  const std::string kinds = kindsOf({}, kernel);
  EXPECT_NE(kinds.find("race-raw"), std::string::npos) << kinds;
}

} // namespace
} // namespace tilewright::emulator
