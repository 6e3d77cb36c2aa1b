// SPDX-License-Identifier: Apache-2.0
//
// What lanes do together, and setmaxnreg.
#include "tests/emulator/core/Harness.h"

#include <gtest/gtest.h>

#include <set>

namespace tilewright::emulator {
namespace {

TEST(Warp, ShufflesAndVotes) {
  const Kernel kernel = [](const Api &t) {
    const int32_t lane = t.thread_id() % 32;
    for (int32_t mask = 1; mask < 32; mask *= 2)
      EXPECT_EQ(t.shuffle(static_cast<uint32_t>(lane), lane ^ mask, __LINE__),
                static_cast<uint32_t>(lane ^ mask));
    EXPECT_EQ(t.shuffle(static_cast<uint32_t>(t.thread_id() / 32), 0, __LINE__),
              static_cast<uint32_t>(t.thread_id() / 32));
    EXPECT_EQ(t.vote_any(t.thread_id() == 40, __LINE__), t.thread_id() >= 32);
  };
  EXPECT_EQ(kindsOf({}, kernel), "");
}

TEST(Warp, OneLaneIsElectedAndTheSeedSaysWhich) {
  std::set<int32_t> lanes;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    int32_t elected = -1, count = 0;
    findingsOf({.threads = 32}, {.seed = seed}, [&](const Api &t) {
      for (int turn = 0; turn < 2; ++turn)
        if (t.elect_one(__LINE__)) {
          elected = t.thread_id();
          ++count;
        }
    });
    EXPECT_EQ(count, 2);
    lanes.insert(elected);
  }
  EXPECT_GT(lanes.size(), 5u);
}

TEST(Warp, LanesAtDifferentFunctions) {
  EXPECT_EQ(kindsOf({.threads = 32},
                    [](const Api &t) {
                      if (t.thread_id() < 5)
                        t.vote_any(true, 10);
                      else
                        t.warp_sync(20);
                    }),
            "divergent-warp");
  EXPECT_EQ(kindsOf({.threads = 32},
                    [](const Api &t) { t.barrier_sync(1 + t.thread_id() % 2, 32, __LINE__); }),
            "divergent-warp");
  // An aligned instruction in both arms of a branch is two instructions.
  EXPECT_EQ(kindsOf({.threads = 32}, [](const Api &t) { t.cta_sync(t.thread_id() < 5 ? 10 : 20); }),
            "divergent-warp");
}

TEST(Warp, ALaneThatIsGone) {
  const Kernel kernel = [](const Api &t) {
    if (t.thread_id() != 7)
      t.shuffle(0, 0, 20);
  };
  EXPECT_EQ(kindsOf({.threads = 32}, kernel), "divergent-warp");
  const Finding finding = findingOf(FindingKind::divergentWarp, {.threads = 32}, kernel);
  EXPECT_NE(finding.message.find("lanes 0-6, 8-31 are at shuffle, lanes 7 are not"),
            std::string::npos)
      << finding.message;
}

TEST(Warp, ALaneThatIsElsewhere) {
  // Lane 3 waits for an mbarrier that the others would complete after their barrier.
  const Kernel kernel = [](const Api &t) {
    const int32_t bar = makeBarrier(t, 0, 1);
    if (t.thread_id() == 3)
      t.mbarrier_wait_parity(bar, 0, __LINE__);
    t.cta_sync(__LINE__);
    if (t.thread_id() == 0)
      t.mbarrier_arrive(bar, __LINE__);
  };
  EXPECT_EQ(kindsOf({.threads = 32}, kernel), "deadlock");
}

/// Stores an 8 x 8 matrix per register and loads it back.
Kernel matrices(bool transStore, bool transLoad) {
  return [=](const Api &t) {
    const int32_t lane = t.thread_id() % 32;
    const int32_t row = t.smem_base() + t.thread_id() * 16;
    uint32_t in[4], out[4];
    for (uint32_t i = 0; i < 4; ++i)
      in[i] = i << 24 | static_cast<uint32_t>(lane * 2 + 1) << 16 | static_cast<uint32_t>(lane * 2);
    t.stmatrix(4, transStore, row, in, __LINE__);
    t.warp_sync(__LINE__);
    t.ldmatrix(4, transLoad, row, out, __LINE__);
    for (uint32_t i = 0; i < 4; ++i)
      if (transStore == transLoad)
        EXPECT_EQ(out[i], in[i]);
      else
        // Element (r, c) came from (c, r): lane l holds row l / 4, columns l % 4 * 2 and + 1.
        EXPECT_EQ(out[i] & 0xff, static_cast<uint32_t>(lane % 4 * 2 * 8 + lane / 4));
    if (!transStore && t.thread_id() == 0) {
      // Row 0 of matrix 0 lies as it is.
      EXPECT_EQ(get(t.smem_base()) & 0xffff, 0u);
      EXPECT_EQ(get(t.smem_base() + 4) & 0xffff, 2u);
    }
  };
}

TEST(Warp, Matrices) {
  for (const bool store : {false, true})
    for (const bool load : {false, true})
      EXPECT_EQ(kindsOf({}, matrices(store, load)), "") << store << load;
}

TEST(Warp, MatricesAreChecked) {
  auto at = [](int32_t offset) {
    return [offset](const Api &t) {
      uint32_t in[4] = {};
      t.stmatrix(4, false, t.smem_base() + offset + t.thread_id() * 16, in, __LINE__);
    };
  };
  EXPECT_EQ(kindsOf({.threads = 32}, at(0)), "");
  EXPECT_EQ(kindsOf({.threads = 32}, at(8)), "misaligned");
  EXPECT_EQ(kindsOf({.threads = 32}, at(528)), "shared-out-of-bounds");
  EXPECT_EQ(kindsOf({.threads = 32},
                    [](const Api &t) {
                      uint32_t out[1];
                      t.ldmatrix(1, false, t.smem_base() + t.thread_id() * 16, out, __LINE__);
                    }),
            "uninitialised-read");
}

/// Two warpgroups: the first goes down to `low`, the second up to `high` from 128 registers.
Kernel trade(int32_t low, int32_t high) {
  return [=](const Api &t) {
    if (t.thread_id() < 128)
      t.setmaxnreg(low, false, 10);
    else
      t.setmaxnreg(high, true, 20);
  };
}

TEST(Registers, TradedWithinTheBudget) {
  EXPECT_EQ(kindsOf({.threads = 256, .registers = 128}, trade(24, 232)), "");
}

TEST(Registers, MoreThanThePoolHas) {
  const Shape shape = {.threads = 256, .registers = 128};
  EXPECT_EQ(kindsOf(shape, trade(32, 232)), "register-budget");
  EXPECT_EQ(findingOf(FindingKind::registerBudget, shape, trade(32, 232)).line, 20);
}

TEST(Registers, NumbersThatAreRefused) {
  const Shape shape = {.threads = 256, .registers = 128};
  EXPECT_EQ(kindsOf(shape, trade(136, 128)), "register-budget");
  EXPECT_EQ(kindsOf(shape, trade(24, 120)), "register-budget");
  EXPECT_EQ(kindsOf(shape, trade(28, 128)), "register-budget");
  EXPECT_EQ(kindsOf(shape, trade(16, 128)), "register-budget");
}

TEST(Registers, WarpsOfAWarpgroupThatDiffer) {
  const Kernel kernel = [](const Api &t) {
    if (t.thread_id() < 96)
      t.setmaxnreg(64, false, 10);
  };
  EXPECT_EQ(kindsOf({.threads = 128, .registers = 128}, kernel), "register-budget");
}

} // namespace
} // namespace tilewright::emulator
