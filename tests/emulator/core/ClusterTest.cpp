// SPDX-License-Identifier: Apache-2.0
//
// Clusters: their barrier, arrivals and copies between CTAs, their end.
#include "tests/emulator/core/Harness.h"

#include <gtest/gtest.h>

namespace tilewright::emulator {
namespace {

constexpr int32_t kBytes = 128;
constexpr int32_t kBar = 512;
constexpr Shape kPair = {.threads = 64, .grid = 2, .cluster = 2};

void clusterSync(const Api &t, int32_t line = __builtin_LINE()) {
  t.cluster_arrive(line);
  t.cluster_wait(line);
}

TEST(Cluster, Identity) {
  const Kernel kernel = [](const Api &t) {
    EXPECT_EQ(t.cluster_count(), 3);
    EXPECT_EQ(t.grid_size(), 6);
    EXPECT_EQ(t.cluster_id(), t.cta_id() / 2);
    EXPECT_EQ(t.cluster_rank(), t.cta_id() % 2);
  };
  EXPECT_EQ(kindsOf({.threads = 32, .grid = 6, .cluster = 2}, kernel), "");
}

/// CTA 0 loads into both; each waits, releases to CTA 0, which loads again.
Kernel multicast(bool initByCta, bool lastSync) {
  return [=](const Api &t) {
    const int32_t full = t.smem_base() + kBar, empty = full + 8;
    if (t.thread_id() == 0) {
      t.mbarrier_init(full, 1, __LINE__);
      t.mbarrier_init(empty, 2, __LINE__);
      t.fence_mbarrier_init(__LINE__);
    }
    if (initByCta)
      t.cta_sync(__LINE__);
    else
      clusterSync(t);
    for (int32_t turn = 0; turn < 4; ++turn) {
      if (t.thread_id() == 0) {
        t.mbarrier_arrive_expect_tx(full, kBytes, __LINE__);
        if (t.cluster_rank() == 0) {
          t.mbarrier_wait_parity(empty, (turn & 1) ^ 1, __LINE__);
          for (int32_t rank = 0; rank < 2; ++rank)
            load(t.smem_base(), kBytes, 7, full, 30, rank);
        }
      }
      t.mbarrier_wait_parity(full, turn & 1, __LINE__);
      t.cta_sync(__LINE__);
      if (t.thread_id() == 32)
        t.mbarrier_arrive_remote(empty, 0, 40);
    }
    if (lastSync)
      clusterSync(t);
  };
}

TEST(Cluster, CopiesAndReleasesBetweenCtas) {
  EXPECT_EQ(kindsOf(kPair, multicast(false, true)), "");
}

TEST(Cluster, InitialisedBehindACtaBarrierOnly) {
  EXPECT_EQ(kindsOf(kPair, multicast(true, true)), "mbarrier-init");
}

TEST(Cluster, ItsEndBeforeAPeersLastAccess) {
  const std::string kinds = kindsOf(kPair, multicast(false, false));
  EXPECT_NE(kinds.find("cluster-exit"), std::string::npos) << kinds;
}

TEST(Cluster, ItsEndWhileAPeerStillUsesIt) {
  const Kernel kernel = [](const Api &t) {
    const int32_t bar = makeBarrier(t, kBar, 1);
    if (t.cluster_rank() == 1 && t.thread_id() == 0)
      t.mbarrier_arrive_remote(bar, 0, 20);
  };
  const Finding finding = findingOf(FindingKind::clusterExit, kPair, kernel);
  EXPECT_EQ(finding.line, 20);
}

TEST(Cluster, DrainedWaitsWillDo) {
  // CTA 0 ends after it has waited for the phase that the remote arrival completes.
  const Kernel kernel = [](const Api &t) {
    const int32_t bar = makeBarrier(t, kBar, 1);
    if (t.cluster_rank() == 1) {
      if (t.thread_id() == 0)
        t.mbarrier_arrive_remote(bar, 0, __LINE__);
    } else {
      t.mbarrier_wait_parity(bar, 0, __LINE__);
    }
  };
  EXPECT_EQ(kindsOf(kPair, kernel), "");
}

TEST(Cluster, ARankThatDoesNotExist) {
  const Kernel kernel = [](const Api &t) {
    t.mbarrier_arrive_remote(makeBarrier(t, kBar, 64), 2, __LINE__);
  };
  EXPECT_EQ(kindsOf(kPair, kernel), "cluster-exit");
}

TEST(Cluster, ArriveTwiceAndWaitWithoutArrive) {
  EXPECT_EQ(kindsOf(kPair,
                    [](const Api &t) {
                      t.cluster_arrive(__LINE__);
                      t.cluster_arrive(__LINE__);
                    }),
            "barrier-count");
  EXPECT_EQ(kindsOf(kPair, [](const Api &t) { t.cluster_wait(__LINE__); }), "barrier-count");
}

TEST(Cluster, ACtaThatDoesNotCome) {
  const Kernel kernel = [](const Api &t) {
    if (t.cluster_rank() == 0)
      clusterSync(t, 20);
    else if (t.thread_id() < 32)
      t.barrier_sync(1, 64, 30);
  };
  const Finding finding = findingOf(FindingKind::deadlock, kPair, kernel);
  EXPECT_NE(finding.message.find("64 threads of CTA 0 (warps 0, 1) at line 20 in cluster_wait on "
                                 "barrier of cluster 0: 96 of 128 threads have arrived or ended"),
            std::string::npos)
      << finding.message;
  EXPECT_NE(finding.message.find("32 threads of CTA 1 (warp 0) at line 30 in barrier_sync"),
            std::string::npos)
      << finding.message;
}

TEST(Cluster, ThreadsThatHaveEndedCount) {
  const Kernel kernel = [](const Api &t) {
    if (t.cluster_rank() == 0)
      clusterSync(t);
  };
  EXPECT_EQ(kindsOf(kPair, kernel), "");
}

/// Threads of CTA 1 read a stage by ordinary loads (or write it) and release it to CTA 0 with an
/// arrive of CTA scope; CTA 0 overwrites it.
Kernel releaseToPeer(bool writes) {
  return [writes](const Api &t) {
    const int32_t full = makeBarrier(t, kBar, 1), empty = makeBarrier(t, kBar + 8, 64);
    if (t.cluster_rank() == 1) {
      if (t.thread_id() == 0)
        t.mbarrier_arrive_expect_tx(full, kBytes * 2, __LINE__);
      t.mbarrier_wait_parity(full, 0, __LINE__);
      if (writes)
        put(t.smem_base() + t.thread_id() * 4, 1);
      else
        get(t.smem_base() + t.thread_id() * 4);
      t.fence_proxy_async_shared(__LINE__);
      t.mbarrier_arrive_remote(empty, 0, __LINE__);
      if (t.thread_id() == 0)
        t.mbarrier_arrive_expect_tx(full, kBytes * 2, __LINE__);
      t.mbarrier_wait_parity(full, 1, __LINE__);
    } else if (t.thread_id() == 0) {
      load(t.smem_base(), kBytes * 2, 7, full, __LINE__, 1);
      t.mbarrier_wait_parity(empty, 0, __LINE__);
      load(t.smem_base(), kBytes * 2, 8, full, __LINE__, 1);
    }
    clusterSync(t);
  };
}

TEST(Cluster, OrdinaryAccessesReleasedAtCtaScope) {
  EXPECT_EQ(kindsOf(kPair, releaseToPeer(true)), "scope");
  EXPECT_EQ(kindsOf(kPair, releaseToPeer(false)), "scope?");
}

TEST(Cluster, ScopesOfGlobalSynchronisation) {
  auto kernel = [](Scope release, Scope acquire) {
    return [=](const Api &t) {
      // A store into the peer is ordered by a location of global memory.
      static SyncPoint sync;
      static StoreState flag;
      Machine &machine = Machine::current();
      Thread &self = machine.self();
      clusterSync(t);
      if (t.thread_id() != 0)
        return;
      Cta &target = *self.cta->cluster->ctas[0];
      const auto address = static_cast<uint32_t>(t.smem_base());
      if (t.cluster_rank() == 0) {
        sync.sources.clear();
        machine.noteWrite(target, address, 4, machine.genericAccess(self, true, "write", 10));
        machine.release(self, sync, release);
        flag.read = true;
        machine.wake(flag);
      } else {
        while (!flag.read)
          machine.block(flag, "ld_acquire", 20);
        flag.read = false;
        machine.acquire(self, sync, acquire);
        machine.noteRead(target, address, 4, machine.genericAccess(self, false, "read", 30));
        machine.leave();
      }
    };
  };
  EXPECT_EQ(kindsOf(kPair, kernel(Scope::cluster, Scope::cluster)), "");
  EXPECT_EQ(kindsOf(kPair, kernel(Scope::gpu, Scope::gpu)), "");
  EXPECT_EQ(kindsOf(kPair, kernel(Scope::cta, Scope::gpu)), "scope");
  EXPECT_EQ(kindsOf(kPair, kernel(Scope::gpu, Scope::cta)), "scope");
}

} // namespace
} // namespace tilewright::emulator
