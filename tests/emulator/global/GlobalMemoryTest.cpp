// SPDX-License-Identifier: Apache-2.0
//
// Loads and stores of global memory: where they may go, and what has to be ordered.
#include "tests/emulator/copies/Lab.h"

#include "runtime/emulator/global/Numbers.h"

#include <gtest/gtest.h>

#include <bit>

namespace tilewright::emulator {
namespace {

class Global : public testing::Test {
protected:
  Prepare prepare() {
    return [this](GlobalMemory &memory) {
      a_.count();
      d_.fill(0);
      a_.addTo(memory, "a", true, false);
      d_.addTo(memory, "d", true, true);
      w_.addTo(memory, "workspace", true, true, false);
      out_.addTo(memory, "out", false, true);
    };
  }
  std::string kinds(const LabKernel &kernel, LabShape shape = {}) {
    return kindsOf(shape, prepare(), kernel);
  }

  Buffer<float> a_{256};
  Buffer<float> d_{256};
  Buffer<float> w_{256};
  Buffer<float> out_{256};
};

TEST_F(Global, Copies) {
  EXPECT_EQ(kindsOf(
                {.grid = 4}, prepare(),
                [&](const Api &t) {
                  const auto i = static_cast<size_t>(t.cta_id() * 64 + t.thread_id());
                  putGlobal(t, &d_[i], getGlobal(t, &a_[i]));
                },
                [&] { EXPECT_EQ(d_[255], 255); }),
            "");
}

TEST_F(Global, OutOfBounds) {
  const Finding finding =
      findingOf(FindingKind::globalOutOfBounds, {}, prepare(),
                [&](const Api &t) { getGlobal(t, a_.data() + 200 + t.thread_id(), 10); });
  EXPECT_EQ(finding.line, 10);
  EXPECT_EQ(finding.place.cta, 0);
  EXPECT_NE(finding.message.find("4 bytes behind the end of 'a' (1024 bytes)"), std::string::npos)
      << finding.message;
  EXPECT_NE(findingOf(FindingKind::globalOutOfBounds, {}, prepare(),
                      [&](const Api &t) { getGlobal(t, a_.data() - 2, 10); })
                .message.find("8 bytes ahead of the start of 'a'"),
            std::string::npos);
  EXPECT_NE(findingOf(FindingKind::globalOutOfBounds, {}, prepare(),
                      [](const Api &t) { getGlobal<float>(t, nullptr, 10); })
                .message.find("near no buffer"),
            std::string::npos);
}

TEST_F(Global, Rights) {
  EXPECT_EQ(kinds([&](const Api &t) { putGlobal(t, &a_[0], 1.0f); }), "global-out-of-bounds");
  EXPECT_EQ(kinds([&](const Api &t) { getGlobal(t, &out_[0]); }), "global-out-of-bounds");
}

TEST_F(Global, Alignment) {
  EXPECT_EQ(
      kinds([&](const Api &t) { getGlobal<uint64_t>(t, reinterpret_cast<uint64_t *>(&a_[1])); }),
      "misaligned");
}

TEST_F(Global, BytesThatNobodyWrote) {
  EXPECT_EQ(kinds([&](const Api &t) { getGlobal(t, &w_[static_cast<size_t>(t.thread_id())]); }),
            "uninitialised-read");
  EXPECT_EQ(kinds([&](const Api &t) {
              float *mine = &w_[static_cast<size_t>(t.thread_id())];
              putGlobal(t, mine, 2.0f);
              EXPECT_EQ(getGlobal(t, mine), 2.0f);
            }),
            "");
}

TEST_F(Global, Races) {
  // Two threads write one word; one reads what another writes; a barrier orders both.
  EXPECT_EQ(kinds([&](const Api &t) { putGlobal(t, &d_[0], 1.0f); }), "global-race");
  for (const bool syncs : {false, true})
    EXPECT_EQ(kinds([&, syncs](const Api &t) {
                putGlobal(t, &d_[static_cast<size_t>(t.thread_id())], 1.0f);
                if (syncs)
                  t.cta_sync(10);
                getGlobal(t, &d_[static_cast<size_t>((t.thread_id() + 1) % 64)]);
              }),
              syncs ? "" : "global-race");
}

TEST_F(Global, NeighboursDoNotRace) {
  auto *halves = reinterpret_cast<uint16_t *>(d_.data());
  EXPECT_EQ(kinds([&](const Api &t) {
              putGlobal<uint16_t>(t, halves + t.thread_id(), 1);
              putGlobal<uint8_t>(t, reinterpret_cast<uint8_t *>(halves + 128) + t.thread_id(), 1);
            }),
            "");
  EXPECT_EQ(kinds([&](const Api &t) {
              if (t.thread_id() < 2)
                putGlobal<uint16_t>(t, halves + t.thread_id(), 1);
              else if (t.thread_id() == 2)
                putGlobal<uint32_t>(t, reinterpret_cast<uint32_t *>(halves), 1);
            }),
            "global-race");
}

TEST_F(Global, AdditionsDoNotRace) {
  EXPECT_EQ(kindsOf(
                {.grid = 4}, prepare(), [&](const Api &t) { t.red_add(&d_[3], 1.0f, 10); },
                [&] { EXPECT_EQ(d_[3], 256.0f); }),
            "");
  EXPECT_EQ(kinds([&](const Api &t) {
              if (t.thread_id() == 0)
                getGlobal(t, &d_[3]);
              else
                t.red_add(&d_[3], 1.0f, 10);
            }),
            "global-race");
}

TEST_F(Global, LaunchesAreOrdered) {
  // Each launch reads what another thread wrote in the last one; the first one finds nothing.
  const LabKernel kernel = [&](const Api &t) {
    const int32_t i = t.thread_id();
    if (d_[0] != 0) {
      EXPECT_EQ(getGlobal(t, &w_[static_cast<size_t>(63 - i)]), d_[0]);
    }
    t.cta_sync(10);
    putGlobal(t, &w_[static_cast<size_t>(i)], d_[0] + 1);
    t.cta_sync(11);
    if (i == 0)
      putGlobal(t, &d_[0], d_[0] + 1);
  };
  EXPECT_TRUE(findingsOf({}, {}, prepare(), kernel, 3).empty());
  EXPECT_EQ(d_[0], 3);
}

TEST_F(Global, OverlappingBuffersAreOne) {
  EXPECT_EQ(kindsOf(
                {},
                [&](GlobalMemory &memory) {
                  memory.add(d_.data(), d_.bytes(), "c", true, false);
                  memory.add(d_.data(), d_.bytes(), "d", false, true);
                },
                [&](const Api &t) {
                  float *mine = &d_[static_cast<size_t>(t.thread_id())];
                  putGlobal(t, mine, getGlobal(t, mine) + 1);
                }),
            "");
}

TEST_F(Global, Poison) {
  EXPECT_EQ(kinds([&](const Api &t) {
              putGlobal<uint32_t>(
                  t, reinterpret_cast<uint32_t *>(&d_[static_cast<size_t>(t.thread_id())]),
                  kPoison);
            }),
            "poison");
}

TEST(Numbers, FlushSubnormals) {
  EXPECT_EQ(addGlobal(1, 2), 3);
  EXPECT_EQ(addGlobal(0x1p-127f, 0), 0);
  EXPECT_EQ(addGlobal(0x1p-126f, -0x1.8p-126f), 0);
  EXPECT_EQ(std::bit_cast<uint32_t>(flushed(-0x1p-140f)), 0x80000000u);
}

} // namespace
} // namespace tilewright::emulator
