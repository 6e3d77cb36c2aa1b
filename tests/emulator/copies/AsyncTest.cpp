// SPDX-License-Identifier: Apache-2.0
//
// cp.async and st.async: when their bytes may be read, and how they meet the other proxy.
#include "tests/emulator/copies/Lab.h"

#include <gtest/gtest.h>

namespace tilewright::emulator {
namespace {

constexpr int32_t kBar = 8192;

class Async : public testing::Test {
protected:
  Async() { source_.count(); }

  Prepare prepare() {
    return [this](GlobalMemory &memory) {
      source_.addTo(memory, "a", true, false);
      target_.addTo(memory, "d", true, true);
    };
  }
  /// Every thread copies 16 bytes, of which `bytes` come from the source.
  void copy(const Api &t, int32_t bytes = 16) {
    t.cp_async(16, t.smem_base() + 16 * t.thread_id(), source_.data() + 4 * t.thread_id(), bytes,
               10);
  }
  /// The first word that a thread `by` threads further has copied.
  static uint32_t word(const Api &t, int32_t by, int32_t line) {
    return getShared<uint32_t>(t, t.smem_base() + 16 * ((t.thread_id() + by) % 64), line);
  }

  Buffer<uint32_t> source_{256};
  Buffer<uint32_t> target_{256};
};

TEST_F(Async, WaitsForItsOwn) {
  EXPECT_EQ(kindsOf({}, prepare(),
                    [&](const Api &t) {
                      copy(t);
                      t.cp_async_commit(11);
                      t.cp_async_wait(0, 12);
                      EXPECT_EQ(word(t, 0, 13), static_cast<uint32_t>(4 * t.thread_id()));
                    }),
            "");
}

TEST_F(Async, OthersNeedABarrier) {
  for (const bool syncs : {false, true})
    EXPECT_EQ(kindsOf({}, prepare(),
                      [&, syncs](const Api &t) {
                        copy(t);
                        t.cp_async_commit(11);
                        t.cp_async_wait(0, 12);
                        if (syncs)
                          t.cta_sync(13);
                        word(t, 1, 14);
                      })
                  .empty(),
              syncs);
}

TEST_F(Async, ReadTooEarly) {
  EXPECT_EQ(kindsOf({}, prepare(),
                    [&](const Api &t) {
                      copy(t);
                      t.cp_async_commit(11);
                      copy(t);
                      t.cp_async_commit(11);
                      t.cp_async_wait(1, 12);
                      word(t, 0, 13);
                      t.cp_async_wait(0, 14);
                    }),
            "race-waw write-in-flight");
  EXPECT_EQ(kindsOf({}, prepare(),
                    [&](const Api &t) {
                      copy(t);
                      word(t, 0, 13);
                      t.cp_async_commit(11);
                      t.cp_async_wait(0, 14);
                    }),
            "race-raw read-in-flight");
}

TEST_F(Async, FillsWithZeros) {
  EXPECT_EQ(kindsOf({}, prepare(),
                    [&](const Api &t) {
                      copy(t, 4);
                      t.cp_async_commit(11);
                      t.cp_async_wait(0, 12);
                      EXPECT_EQ(word(t, 0, 13), static_cast<uint32_t>(4 * t.thread_id()));
                      EXPECT_EQ(getShared<uint32_t>(t, t.smem_base() + 16 * t.thread_id() + 4, 14),
                                0u);
                    }),
            "");
}

TEST_F(Async, NothingFromOutside) {
  const auto kinds = [&](int32_t bytes) {
    return kindsOf({}, prepare(), [&, bytes](const Api &t) {
      t.cp_async(16, t.smem_base() + 16 * t.thread_id(), source_.data() + 256, bytes, 10);
      t.cp_async_commit(11);
      t.cp_async_wait(0, 12);
    });
  };
  EXPECT_EQ(kinds(0), "");
  EXPECT_EQ(kinds(4), "global-out-of-bounds");
  EXPECT_EQ(kinds(20), "misaligned");
}

TEST_F(Async, Forgotten) {
  EXPECT_EQ(kindsOf({}, prepare(), [&](const Api &t) { copy(t); }), "pending-at-exit");
  EXPECT_EQ(kindsOf({}, prepare(),
                    [&](const Api &t) {
                      copy(t);
                      t.cp_async_commit(11);
                    }),
            "pending-at-exit");
}

TEST_F(Async, ArrivesAtABarrier) {
  const auto kinds = [&](int32_t count) {
    return kindsOf({}, prepare(), [&, count](const Api &t) {
      const int32_t bar = makeBarrier(t, kBar, count);
      copy(t);
      t.cp_async_mbarrier_arrive(bar, 12);
      t.mbarrier_wait_parity(bar, 0, 13);
      EXPECT_EQ(word(t, 1, 14), static_cast<uint32_t>(4 * ((t.thread_id() + 1) % 64)));
    });
  };
  EXPECT_EQ(kinds(64), "");
  EXPECT_EQ(kinds(65), "deadlock");
}

TEST_F(Async, AnArrivalDoesNotCoverWhatComesLater) {
  EXPECT_NE(kindsOf({}, prepare(),
                    [&](const Api &t) {
                      const int32_t bar = makeBarrier(t, kBar, 64);
                      t.cp_async_mbarrier_arrive(bar, 12);
                      copy(t);
                      t.mbarrier_wait_parity(bar, 0, 13);
                      word(t, 0, 14);
                      t.cp_async_commit(15);
                      t.cp_async_wait(0, 16);
                    }),
            "");
}

TEST_F(Async, BeforeABulkStoreItNeedsAFence) {
  const auto kinds = [&](bool byWriter, bool byReader) {
    return kindsOf({}, prepare(), [&, byWriter, byReader](const Api &t) {
      copy(t);
      t.cp_async_commit(11);
      t.cp_async_wait(0, 12);
      if (byWriter)
        t.fence_proxy_async_shared(13);
      t.cta_sync(14);
      if (t.thread_id() != 0)
        return;
      if (byReader)
        t.fence_proxy_async_shared(15);
      t.bulk_store(target_.data(), t.smem_base(), 1024, 16);
      t.bulk_commit(17);
      t.bulk_wait(0, true, 18);
    });
  };
  EXPECT_EQ(kinds(true, false), "");
  EXPECT_EQ(kinds(false, true), "");
  EXPECT_EQ(kinds(false, false), "proxy-fence");
}

TEST(StAsync, LandsInThePeer) {
  const auto kinds = [](int32_t rank, bool waits) {
    return kindsOf(
        {.threads = 32, .grid = 2, .cluster = 2}, [](GlobalMemory &) {},
        [=](const Api &t) {
          const int32_t bar = makeBarrier(t, kBar, 1);
          const int32_t me = t.cluster_rank();
          if (t.thread_id() == 0)
            t.mbarrier_arrive_expect_tx(bar, 128, 10);
          t.st_async(t.smem_base() + 4 * t.thread_id(),
                     static_cast<uint32_t>(100 * me + t.thread_id()), bar, rank < 0 ? 1 - me : rank,
                     11);
          if (waits)
            t.mbarrier_wait_parity(bar, 0, 12);
          const auto got = getShared<uint32_t>(t, t.smem_base() + 4 * t.thread_id(), 13);
          if (waits) {
            EXPECT_EQ(got, static_cast<uint32_t>(100 * (1 - me) + t.thread_id()));
          }
          t.mbarrier_wait_parity(bar, 0, 14);
          t.cluster_arrive(15);
          t.cluster_wait(16);
        });
  };
  EXPECT_EQ(kinds(-1, true), "");
  EXPECT_NE(kinds(-1, false), "");
  EXPECT_EQ(kinds(2, true), "cluster-exit");
}

} // namespace
} // namespace tilewright::emulator
