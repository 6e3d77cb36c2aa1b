// SPDX-License-Identifier: Apache-2.0
//
// Order between CTAs through words of global memory.
#include "tests/emulator/copies/Lab.h"

#include <gtest/gtest.h>

namespace tilewright::emulator {
namespace {

class Semaphores : public testing::Test {
protected:
  Prepare prepare() {
    return [this](GlobalMemory &memory) {
      word_.fill(0);
      data_.fill(0);
      word_.addTo(memory, "semaphore", true, true);
      data_.addTo(memory, "data", true, true);
    };
  }
  std::string kinds(const LabKernel &kernel, LabShape shape = {.threads = 32, .grid = 2}) {
    return kindsOf(shape, prepare(), kernel);
  }

  Buffer<int32_t> word_{4};
  Buffer<int32_t> data_{64};
};

TEST_F(Semaphores, ReleaseAndAcquire) {
  EXPECT_EQ(kinds([&](const Api &t) {
              if (t.thread_id() != 0)
                return;
              if (t.cta_id() == 1) {
                putGlobal(t, &data_[0], 5, 10);
                t.red_release(&word_[0], 1, 11);
              } else {
                while (t.ld_acquire(&word_[0], 12) == 0) {
                }
                EXPECT_EQ(getGlobal(t, &data_[0], 13), 5);
              }
            }),
            "");
}

TEST_F(Semaphores, CtasThatHandOverInOrder) {
  // The last CTA comes first, so that each waits for one that starts with it.
  EXPECT_EQ(kindsOf(
                {.threads = 64, .grid = 4}, prepare(),
                [&](const Api &t) {
                  const int32_t turn = 3 - t.cta_id();
                  if (t.thread_id() == 0)
                    while (t.ld_acquire(&word_[0], 10) != turn) {
                    }
                  t.cta_sync(11);
                  int32_t *mine = &data_[static_cast<size_t>(t.thread_id())];
                  putGlobal(t, mine, getGlobal(t, mine, 12) + 1, 13);
                  t.cta_sync(14);
                  if (t.thread_id() == 0)
                    t.red_release(&word_[0], 1, 15);
                },
                [&] { EXPECT_EQ(data_[63], 4); }),
            "");
}

TEST_F(Semaphores, WithoutTheBarrierOthersRace) {
  EXPECT_EQ(kindsOf({.threads = 64, .grid = 2}, prepare(),
                    [&](const Api &t) {
                      if (t.thread_id() == 0)
                        while (t.ld_acquire(&word_[0], 10) != t.cta_id()) {
                        }
                      t.cta_sync(11);
                      int32_t *mine = &data_[static_cast<size_t>(t.thread_id())];
                      putGlobal(t, mine, getGlobal(t, mine, 12) + 1, 13);
                      if (t.thread_id() == 0)
                        t.red_release(&word_[0], 1, 15);
                    }),
            "global-race");
}

TEST_F(Semaphores, RelaxedAtomicsNeedFences) {
  const auto kernel = [&](bool fences, tw::emulator::scope scope) {
    return [&, fences, scope](const Api &t) {
      if (t.thread_id() != 0)
        return;
      putGlobal(t, &data_[static_cast<size_t>(t.cta_id())], 1, 10);
      if (fences)
        t.fence_acq_rel(scope, 11);
      const bool isLast = t.atomic_add(&word_[0], 1, 12) == 1;
      if (fences)
        t.fence_acq_rel(scope, 13);
      if (isLast) {
        EXPECT_EQ(getGlobal(t, &data_[static_cast<size_t>(1 - t.cta_id())], 14), 1);
      }
    };
  };
  EXPECT_EQ(kinds(kernel(true, tw::emulator::scope::gpu)), "");
  EXPECT_EQ(kinds(kernel(false, tw::emulator::scope::gpu)), "global-race");
  EXPECT_EQ(kinds(kernel(true, tw::emulator::scope::cta)), "scope");
}

TEST_F(Semaphores, AStoreEndsWhatWasReleased) {
  EXPECT_EQ(kinds([&](const Api &t) {
              if (t.thread_id() != 0)
                return;
              if (t.cta_id() == 0) {
                putGlobal(t, &data_[0], 5, 10);
                t.red_release(&word_[0], 1, 11);
                putGlobal(t, &word_[0], 7, 12);
              } else {
                while (t.ld_acquire(&word_[0], 13) != 7) {
                }
                getGlobal(t, &data_[0], 14);
              }
            }),
            "global-race");
}

TEST_F(Semaphores, NobodyReleases) {
  const Finding finding =
      findingOf(FindingKind::deadlock, {.threads = 32}, prepare(), [&](const Api &t) {
        while (t.ld_acquire(&word_[0], 10) == 0) {
        }
      });
  EXPECT_EQ(finding.line, 10);
}

TEST_F(Semaphores, BulkStoresEndBeforeTheRelease) {
  const auto kernel = [&](bool read) {
    return [&, read](const Api &t) {
      if (t.thread_id() != 0)
        return;
      if (t.cta_id() == 1) {
        for (int32_t i = 0; i < 4; ++i)
          putShared<int32_t>(t, t.smem_base() + 4 * i, 9, 10);
        t.fence_proxy_async_shared(11);
        t.bulk_store(&data_[0], t.smem_base(), 16, 12);
        t.bulk_commit(13);
        t.bulk_wait(0, read, 14);
        t.red_release(&word_[0], 1, 15);
      } else {
        while (t.ld_acquire(&word_[0], 16) == 0) {
        }
        const int32_t got = getGlobal(t, &data_[3], 17);
        if (!read) {
          EXPECT_EQ(got, 9);
        }
      }
    };
  };
  EXPECT_EQ(kinds(kernel(false)), "");
  EXPECT_EQ(kinds(kernel(true)), "global-race");
}

TEST_F(Semaphores, LoadsOfTheAsyncProxyNeedAFence) {
  const auto kernel = [&](bool fences, bool ofShared) {
    return [&, fences, ofShared](const Api &t) {
      const int32_t bar = t.smem_base() + 1024;
      if (t.thread_id() != 0)
        return;
      putGlobal(t, &data_[0], 3, 10);
      putGlobal(t, &data_[1], 3, 10);
      putGlobal(t, &data_[2], 3, 10);
      putGlobal(t, &data_[3], 3, 10);
      if (fences)
        ofShared ? t.fence_proxy_async_shared(11) : t.fence_proxy_async_global(11);
      t.mbarrier_init(bar, 1, 12);
      t.fence_mbarrier_init(13);
      t.mbarrier_arrive_expect_tx(bar, 16, 14);
      t.bulk_load(t.smem_base(), &data_[0], 16, bar, 15);
      t.mbarrier_wait_parity(bar, 0, 16);
      EXPECT_EQ(getShared<int32_t>(t, t.smem_base(), 17), 3);
    };
  };
  EXPECT_EQ(kinds(kernel(true, false), {.threads = 32}), "");
  EXPECT_EQ(kinds(kernel(true, true), {.threads = 32}), "proxy-fence");
  EXPECT_EQ(kinds(kernel(false, false), {.threads = 32}), "proxy-fence");
}

TEST_F(Semaphores, AGlobalFenceIsNoneOfSharedMemory) {
  EXPECT_EQ(kinds(
                [&](const Api &t) {
                  if (t.thread_id() != 0)
                    return;
                  for (int32_t i = 0; i < 4; ++i)
                    putShared<int32_t>(t, t.smem_base() + 4 * i, 9, 10);
                  t.fence_proxy_async_global(11);
                  t.bulk_store(&data_[0], t.smem_base(), 16, 12);
                  t.bulk_commit(13);
                  t.bulk_wait(0, true, 14);
                },
                {.threads = 32}),
            "proxy-fence");
}

} // namespace
} // namespace tilewright::emulator
