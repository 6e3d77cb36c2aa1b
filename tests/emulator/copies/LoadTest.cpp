// SPDX-License-Identifier: Apache-2.0
//
// Tensor loads: where bytes land, what they complete, and what goes wrong around them.
#include "tests/emulator/copies/Lab.h"

#include <gtest/gtest.h>

namespace tilewright::emulator {
namespace {

constexpr int32_t kBar = 8192;
constexpr int32_t kLine = 77;

/// 64 columns by 20 rows of 16-bit numbers that count up.
class Load : public testing::Test {
protected:
  Load() { source_.count(); }

  Prepare prepare() {
    return [this](GlobalMemory &memory) { source_.addTo(memory, "a", true, false); };
  }
  LabMap map(int32_t swizzle, uint32_t boxWidth = 64) {
    return LabMap(planeOf(source_.data(), ElementType::bfloat16, 64, 20, boxWidth, 8, swizzle));
  }

  Buffer<uint16_t> source_{64 * 20};
};

/// The kernel of most tests: one box, waited for by all, then `then(tile)`.
template <typename Then>
LabKernel loadBox(const LabMap &map, int32_t x, int32_t y, int32_t bytes, Then then) {
  return [=, &map](const Api &t) {
    const int32_t bar = makeBarrier(t, kBar, 1);
    if (t.thread_id() == 0) {
      const int32_t at[] = {x, y};
      t.mbarrier_arrive_expect_tx(bar, bytes, kLine);
      t.tma_load(map, 2, at, t.smem_base(), bar, -1, kLine);
    }
    t.mbarrier_wait_parity(bar, 0, kLine);
    then(t);
  };
}

TEST_F(Load, Swizzles) {
  for (const int32_t swizzle : {0, 32, 64, 128}) {
    const uint32_t width = swizzle == 0 ? 64 : static_cast<uint32_t>(swizzle) / 2;
    const LabMap tile = map(swizzle, width);
    const auto row = static_cast<int32_t>(width * 2);
    EXPECT_EQ(kindsOf({}, prepare(),
                      loadBox(tile, 0, 4, 8 * row,
                              [=](const Api &t) {
                                for (int32_t at = t.thread_id() * 2; at < 8 * row; at += 128) {
                                  const auto where = static_cast<int32_t>(
                                      swizzled(static_cast<uint32_t>(t.smem_base() + at), swizzle));
                                  EXPECT_EQ(getShared<uint16_t>(t, where),
                                            64 * (4 + at / row) + at % row / 2);
                                }
                              })),
              "");
  }
}

TEST_F(Load, FillsOutsideWithZerosAndCountsAllBytes) {
  const LabMap tile = map(128);
  EXPECT_EQ(
      kindsOf({}, prepare(),
              loadBox(tile, 32, 16, 1024,
                      [](const Api &t) {
                        const int32_t column = t.thread_id();
                        for (int32_t row = 0; row < 8; ++row) {
                          const auto where = static_cast<int32_t>(swizzled(
                              static_cast<uint32_t>(t.smem_base() + row * 128 + column * 2), 128));
                          EXPECT_EQ(getShared<uint16_t>(t, where),
                                    row < 4 && column < 32 ? 64 * (16 + row) + 32 + column : 0);
                        }
                      })),
      "");
}

TEST_F(Load, ReadTooEarly) {
  const LabMap tile = map(128);
  const Finding finding = findingOf(FindingKind::readInFlight, {}, prepare(), [&](const Api &t) {
    const int32_t bar = makeBarrier(t, kBar, 1);
    if (t.thread_id() == 0) {
      const int32_t at[] = {0, 0};
      t.mbarrier_arrive_expect_tx(bar, 1024, 10);
      t.tma_load(tile, 2, at, t.smem_base(), bar, -1, 11);
      getShared<uint32_t>(t, t.smem_base(), 12);
    }
    t.mbarrier_wait_parity(bar, 0, 13);
  });
  EXPECT_EQ(finding.line, 12);
  EXPECT_EQ(finding.other.line, 11);
}

TEST_F(Load, WrongByteCounts) {
  const LabMap tile = map(128);
  const auto nothing = [](const Api &) {};
  EXPECT_EQ(kindsOf({}, prepare(), loadBox(tile, 0, 0, 512, nothing)), "deadlock");
  EXPECT_EQ(kindsOf({}, prepare(), loadBox(tile, 0, 0, 2048, nothing)), "deadlock");
}

TEST_F(Load, ArriveWithoutBytes) {
  const LabMap tile = map(128);
  EXPECT_EQ(findingOf(FindingKind::txWrongPhase, {}, prepare(),
                      [&](const Api &t) {
                        const int32_t bar = makeBarrier(t, kBar, 1);
                        const int32_t at[] = {0, 0};
                        if (t.thread_id() == 0) {
                          t.tma_load(tile, 2, at, t.smem_base(), bar, -1, kLine);
                          t.mbarrier_arrive(bar, kLine + 1);
                        }
                      })
                .line,
            kLine);
}

TEST_F(Load, Addresses) {
  const LabMap tile = map(128);
  for (const auto &[offset, kind] :
       {std::pair{16, "misaligned"}, {16384 - 512, "shared-out-of-bounds"}})
    EXPECT_EQ(kindsOf({}, prepare(),
                      [&, offset = offset](const Api &t) {
                        const int32_t bar = makeBarrier(t, kBar, 1);
                        const int32_t at[] = {0, 0};
                        if (t.thread_id() == 0)
                          t.tma_load(tile, 2, at, t.smem_base() + offset, bar, -1, kLine);
                      }),
              kind);
}

TEST_F(Load, BarrierInTheTile) {
  const LabMap tile = map(128);
  EXPECT_EQ(kindsOf({}, prepare(),
                    [&](const Api &t) {
                      const int32_t bar = makeBarrier(t, 512, 1);
                      const int32_t at[] = {0, 0};
                      if (t.thread_id() == 0) {
                        t.mbarrier_arrive_expect_tx(bar, 1024, kLine);
                        t.tma_load(tile, 2, at, t.smem_base(), bar, -1, kLine);
                      }
                    }),
            "barrier-overwritten");
}

TEST_F(Load, Maps) {
  const LabMap tile = map(128);
  const auto load = [&](const tw::tensor_map *map, int32_t rank) {
    return [=](const Api &t) {
      const int32_t bar = makeBarrier(t, kBar, 1);
      const int32_t at[] = {0, 0, 0};
      if (t.thread_id() == 0)
        t.tma_load(map, rank, at, t.smem_base(), bar, -1, kLine);
    };
  };
  EXPECT_EQ(kindsOf({}, prepare(), load(tile, 3)), "coordinates");
  LabMap broken = tile;
  broken.bytes[9] ^= 1;
  EXPECT_EQ(kindsOf({}, prepare(), load(broken, 2)), "tensor-map");
}

TEST_F(Load, MapBeyondItsBuffer) {
  const LabMap tile(planeOf(source_.data(), ElementType::bfloat16, 64, 24, 64, 8, 128));
  const Finding finding = findingOf(FindingKind::globalOutOfBounds, {}, prepare(),
                                    loadBox(tile, 0, 16, 1024, [](const Api &) {}));
  EXPECT_NE(finding.message.find("128 bytes behind the end of 'a' (2560 bytes)"), std::string::npos)
      << finding.message;
}

TEST_F(Load, OutOfBoundsAndOn) {
  const LabMap tile(planeOf(source_.data(), ElementType::bfloat16, 64, 24, 64, 8, 128));
  MachineOptions options;
  options.maxErrors = 10;
  const std::vector<Finding> findings =
      findingsOf({}, options, prepare(), loadBox(tile, 0, 16, 1024, [](const Api &t) {
                   EXPECT_EQ(getShared<uint16_t>(t, t.smem_base()), 0);
                 }));
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, FindingKind::globalOutOfBounds);
}

TEST_F(Load, Multicast) {
  const LabMap half(planeOf(source_.data(), ElementType::bfloat16, 64, 20, 64, 4, 0));
  EXPECT_EQ(kindsOf({.grid = 2, .cluster = 2}, prepare(),
                    [&](const Api &t) {
                      const int32_t bar = makeBarrier(t, kBar, 1);
                      const int32_t rank = t.cluster_rank();
                      if (t.thread_id() == 0) {
                        const int32_t at[] = {0, rank * 4};
                        t.mbarrier_arrive_expect_tx(bar, 1024, 10);
                        t.tma_load(half, 2, at, t.smem_base() + rank * 512, bar, 3, 11);
                      }
                      t.mbarrier_wait_parity(bar, 0, 12);
                      for (int32_t i = t.thread_id(); i < 512; i += 64)
                        EXPECT_EQ(getShared<uint16_t>(t, t.smem_base() + 2 * i), i);
                      t.cluster_arrive(13);
                      t.cluster_wait(14);
                    }),
            "");
}

TEST_F(Load, MulticastToNobody) {
  const LabMap tile = map(128);
  for (const auto &[mask, kind] : {std::pair{0, "coordinates"}, {4, "cluster-exit"}})
    EXPECT_EQ(kindsOf({.grid = 2, .cluster = 2}, prepare(),
                      [&, mask = mask](const Api &t) {
                        const int32_t bar = makeBarrier(t, kBar, 1);
                        const int32_t at[] = {0, 0};
                        if (t.thread_id() == 0)
                          t.tma_load(tile, 2, at, t.smem_base(), bar, mask, kLine);
                      }),
              kind);
}

TEST_F(Load, Bulk) {
  EXPECT_EQ(kindsOf({}, prepare(),
                    [&](const Api &t) {
                      const int32_t bar = makeBarrier(t, kBar, 1);
                      if (t.thread_id() == 0) {
                        t.mbarrier_arrive_expect_tx(bar, 128, 10);
                        t.bulk_load(t.smem_base() + 16, source_.data() + 64, 128, bar, 11);
                      }
                      t.mbarrier_wait_parity(bar, 0, 12);
                      EXPECT_EQ(getShared<uint16_t>(t, t.smem_base() + 16 + 2 * t.thread_id()),
                                64 + t.thread_id());
                    }),
            "");
  EXPECT_EQ(kindsOf({}, prepare(),
                    [&](const Api &t) {
                      const int32_t bar = makeBarrier(t, kBar, 1);
                      if (t.thread_id() == 0)
                        t.bulk_load(t.smem_base(), source_.data(), 8, bar, 11);
                    }),
            "misaligned");
}

} // namespace
} // namespace tilewright::emulator
