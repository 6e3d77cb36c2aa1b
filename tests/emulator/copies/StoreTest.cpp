// SPDX-License-Identifier: Apache-2.0
//
// Tensor stores and bulk stores: what they write, when shared memory is free again, and what is
// forgotten around them.
#include "tests/emulator/copies/Lab.h"

#include "runtime/emulator/copies/Elements.h"

#include <gtest/gtest.h>

namespace tilewright::emulator {
namespace {

constexpr uint16_t kOld = 0x5a5a;

/// 40 columns by 12 rows of 16-bit numbers.
class Store : public testing::Test {
protected:
  Prepare prepare() {
    return [this](GlobalMemory &memory) {
      target_.fill(kOld);
      target_.addTo(memory, "d", true, true);
    };
  }
  LabMap map(int32_t swizzle = 128) {
    return LabMap(planeOf(target_.data(), ElementType::bfloat16, 40, 12, 32, 8, swizzle));
  }

  Buffer<uint16_t> target_{40 * 12};
};

/// Writes 1, 2, … to a tile of 8 rows of 64 bytes, which is `pitch` bytes a row.
void fillTile(const Api &t, int32_t swizzle, int32_t pitch) {
  for (int32_t i = t.thread_id(); i < 256; i += 64) {
    const auto at = static_cast<uint32_t>(t.smem_base() + i / 32 * pitch + i % 32 * 2);
    putShared<uint16_t>(t, static_cast<int32_t>(swizzled(at, swizzle)),
                        static_cast<uint16_t>(i + 1));
  }
}

/// Which of the steps around a store a kernel takes.
struct Steps {
  bool fence = true;
  bool sync = true;
  bool commit = true;
  bool wait = true;
  bool read = true;
};

LabKernel storeBox(const LabMap &map, int32_t x, int32_t y, Steps steps = {}, int32_t swizzle = 128,
                   int32_t pitch = 128) {
  return [=, &map](const Api &t) {
    fillTile(t, swizzle, pitch);
    if (steps.fence)
      t.fence_proxy_async_shared(20);
    if (steps.sync)
      t.cta_sync(21);
    if (t.thread_id() != 0)
      return;
    const int32_t at[] = {x, y};
    t.tma_store(map, 2, at, t.smem_base(), 22);
    if (steps.commit)
      t.bulk_commit(23);
    if (steps.wait)
      t.bulk_wait(0, steps.read, 24);
  };
}

TEST_F(Store, WritesWhatIsInside) {
  for (const int32_t swizzle : {0, 64}) {
    const LabMap tile = map(swizzle);
    EXPECT_EQ(kindsOf({}, prepare(), storeBox(tile, 16, 8, {}, swizzle, 64),
                      [&] {
                        for (size_t y = 0; y < 12; ++y)
                          for (size_t x = 0; x < 40; ++x)
                            ASSERT_EQ(target_[y * 40 + x],
                                      y >= 8 && x >= 16 ? (y - 8) * 32 + x - 16 + 1 : kOld);
                      }),
              "");
  }
}

TEST_F(Store, Forgotten) {
  const LabMap tile = map(64);
  const auto kinds = [&](Steps steps) {
    return kindsOf({}, prepare(), storeBox(tile, 0, 0, steps, 64, 64));
  };
  EXPECT_EQ(kinds({.fence = false}), "proxy-fence");
  EXPECT_EQ(kinds({.commit = false}), "pending-at-exit");
  EXPECT_EQ(kinds({.wait = false}), "pending-at-exit");
  EXPECT_EQ(kinds({.read = false}), "");
  // What other threads wrote is neither ordered nor, perhaps, there.
  EXPECT_NE(kinds({.sync = false}), "");
}

TEST_F(Store, TileReusedTooEarly) {
  const LabMap tile = map(64);
  const auto kinds = [&](bool waits, int32_t outstanding) {
    return kindsOf({}, prepare(), [&, waits, outstanding](const Api &t) {
      fillTile(t, 64, 64);
      t.fence_proxy_async_shared(20);
      t.cta_sync(21);
      if (t.thread_id() == 0) {
        const int32_t at[] = {0, 0};
        t.tma_store(tile, 2, at, t.smem_base(), 22);
        t.bulk_commit(23);
        if (waits)
          t.bulk_wait(outstanding, true, 24);
      }
      t.cta_sync(25);
      putShared<uint16_t>(t, t.smem_base() + t.thread_id() * 2, 7, 26);
      if (t.thread_id() == 0)
        t.bulk_wait(0, true, 27);
    });
  };
  EXPECT_EQ(kinds(true, 0), "");
  EXPECT_EQ(kinds(true, 1), "race-war write-in-flight");
  EXPECT_EQ(kinds(false, 0), "race-war write-in-flight");
}

TEST_F(Store, GlobalMemoryReadTooEarly) {
  const LabMap tile = map(64);
  const auto kinds = [&](bool read) {
    return kindsOf({}, prepare(), [&, read](const Api &t) {
      fillTile(t, 64, 64);
      t.fence_proxy_async_shared(20);
      t.cta_sync(21);
      if (t.thread_id() == 0) {
        const int32_t at[] = {0, 0};
        t.tma_store(tile, 2, at, t.smem_base(), 22);
        t.bulk_commit(23);
        t.bulk_wait(0, read, 24);
      }
      t.cta_sync(25);
      if (t.thread_id() < 32)
        getGlobal(t, target_.data() + t.thread_id(), 26);
    });
  };
  EXPECT_EQ(kinds(false), "");
  EXPECT_EQ(kinds(true), "global-race");
}

TEST_F(Store, ToABufferThatIsOnlyRead) {
  const LabMap tile = map(64);
  EXPECT_EQ(kindsOf(
                {}, [&](GlobalMemory &memory) { target_.addTo(memory, "a", true, false); },
                storeBox(tile, 0, 0, {}, 64, 64)),
            "global-out-of-bounds");
}

TEST_F(Store, UninitialisedAndPoisoned) {
  const LabMap tile = map(64);
  EXPECT_EQ(kindsOf({}, prepare(),
                    [&](const Api &t) {
                      const int32_t at[] = {0, 0};
                      if (t.thread_id() == 0)
                        t.tma_store(tile, 2, at, t.smem_base(), 22);
                    }),
            "uninitialised-read");
  EXPECT_EQ(kindsOf({}, prepare(),
                    [&](const Api &t) {
                      for (int32_t i = t.thread_id(); i < 128; i += 64)
                        putShared<uint32_t>(t, t.smem_base() + 4 * i, kQuietPoison, 20);
                      t.fence_proxy_async_shared(21);
                      t.cta_sync(22);
                      const int32_t at[] = {0, 0};
                      if (t.thread_id() == 0) {
                        t.tma_store(tile, 2, at, t.smem_base(), 23);
                        t.bulk_commit(24);
                        t.bulk_wait(0, true, 25);
                      }
                    }),
            "poison");
}

TEST(Reduce, AddsFloatsOfTwoCtas) {
  Buffer<float> sum(16 * 4);
  const LabMap tile(planeOf(sum.data(), ElementType::float32, 16, 4, 8, 8, 32));
  EXPECT_EQ(
      kindsOf(
          {.grid = 2},
          [&](GlobalMemory &memory) {
            sum.fill(1);
            sum.addTo(memory, "d", true, true);
          },
          [&](const Api &t) {
            const int32_t i = t.thread_id();
            const auto at = static_cast<uint32_t>(t.smem_base() + 4 * i);
            putShared<float>(t, static_cast<int32_t>(swizzled(at, 32)), static_cast<float>(i), 20);
            t.fence_proxy_async_shared(21);
            t.cta_sync(22);
            const int32_t corner[] = {8, 0};
            if (i == 0) {
              t.tma_reduce_add(tile, 2, corner, t.smem_base(), 23);
              t.bulk_commit(24);
              t.bulk_wait(0, true, 25);
            }
          },
          [&] {
            for (size_t i = 0; i < 64; ++i)
              ASSERT_EQ(sum[i],
                        i % 16 < 8 ? 1.0f : 1.0f + 2 * static_cast<float>(i / 16 * 8 + i % 16 - 8));
          }),
      "");
}

TEST(Reduce, NotOfBytes) {
  Buffer<uint8_t> bytes(64);
  const LabMap tile(planeOf(bytes.data(), ElementType::uint8, 16, 4, 16, 4, 0));
  EXPECT_EQ(kindsOf(
                {}, [&](GlobalMemory &memory) { bytes.addTo(memory, "d", true, true); },
                [&](const Api &t) {
                  const int32_t at[] = {0, 0};
                  if (t.thread_id() == 0)
                    t.tma_reduce_add(tile, 2, at, t.smem_base(), 23);
                }),
            "tensor-map");
}

TEST(BulkStore, StoresAndAdds) {
  Buffer<float> sum(64);
  EXPECT_EQ(kindsOf(
                {},
                [&](GlobalMemory &memory) {
                  sum.fill(1);
                  sum.addTo(memory, "d", true, true);
                },
                [&](const Api &t) {
                  putShared<float>(t, t.smem_base() + 4 * t.thread_id(), 2, 20);
                  t.fence_proxy_async_shared(21);
                  t.cta_sync(22);
                  if (t.thread_id() == 0) {
                    t.bulk_store(sum.data(), t.smem_base(), 64, 23);
                    t.bulk_reduce_add(sum.data() + 16, t.smem_base() + 64, 128, 24);
                    t.bulk_commit(25);
                    t.bulk_wait(0, false, 26);
                  }
                },
                [&] {
                  EXPECT_EQ(sum[0], 2);
                  EXPECT_EQ(sum[15], 2);
                  EXPECT_EQ(sum[16], 3);
                  EXPECT_EQ(sum[47], 3);
                  EXPECT_EQ(sum[48], 1);
                }),
            "");
}

TEST(BulkStore, GroupsEndInOrder) {
  Buffer<float> out(64);
  const auto kinds = [&](int32_t outstanding, int32_t group) {
    return kindsOf(
        {}, [&](GlobalMemory &memory) { out.addTo(memory, "d", true, true); },
        [&, outstanding, group](const Api &t) {
          putShared<float>(t, t.smem_base() + 4 * t.thread_id(), 2, 20);
          t.fence_proxy_async_shared(21);
          t.cta_sync(22);
          if (t.thread_id() != 0)
            return;
          for (int32_t i = 0; i < 3; ++i) {
            t.bulk_store(out.data() + 16 * i, t.smem_base() + 64 * i, 64, 23);
            t.bulk_commit(24);
          }
          t.bulk_wait(outstanding, true, 25);
          putShared<float>(t, t.smem_base() + 64 * group, 3, 26);
          t.bulk_wait(0, true, 27);
        });
  };
  EXPECT_EQ(kinds(1, 0), "");
  EXPECT_EQ(kinds(1, 1), "");
  EXPECT_EQ(kinds(1, 2), "race-war write-in-flight");
  EXPECT_EQ(kinds(2, 1), "race-war write-in-flight");
}

TEST(Elements, Rounds) {
  EXPECT_EQ(narrowToBfloat16(1.0f), 0x3f80);
  EXPECT_EQ(narrowToBfloat16(1.00390625f), 0x3f80); // a tie, to even
  EXPECT_EQ(narrowToBfloat16(1.01171875f), 0x3f82); // a tie, to even
  EXPECT_EQ(narrowToFloat16(65519.0f), 0x7bff);
  EXPECT_EQ(narrowToFloat16(65520.0f), 0x7c00);
  EXPECT_EQ(narrowToFloat16(0x1p-24f), 0x0001);
  EXPECT_EQ(narrowToFloat16(-0x1p-26f), 0x8000);
  for (uint32_t bits = 0; bits < 0x7c01; ++bits) {
    ASSERT_EQ(narrowToFloat16(widenFloat16(static_cast<uint16_t>(bits))), bits);
    ASSERT_EQ(narrowToBfloat16(widenBfloat16(static_cast<uint16_t>(bits))), bits);
  }
  float sum = 0x1p-126f;
  const float less = -0x1.8p-126f;
  addElements(ElementType::float32, &sum, &less, 4);
  EXPECT_EQ(sum, 0); // subnormal
}

} // namespace
} // namespace tilewright::emulator
