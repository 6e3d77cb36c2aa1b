// SPDX-License-Identifier: Apache-2.0
//
// Accumulators in flight, warpgroups that part, and what is left at the end. Each finding is
// provoked, its legal neighbours stay silent.
#include "tests/emulator/matrix/WithOperands.h"

#include "runtime/emulator/core/Shadow.h"

#include <cstring>

namespace tilewright::emulator {
namespace {

using Hazard = WithOperands;

// --- accumulators in flight ---------------------------------------------------------------------

TEST_F(Hazard, AWriteInFlightIsFoundAtTheWait) {
  EXPECT_EQ(kinds([] {
              float acc[8];
              tw::fill(acc, 0.0F);
              tw::wgmma_fence(acc);
              multiply(acc);
              acc[5] = 0;
              finish(acc);
            }),
            "accumulator-in-flight");
}

// A quiet NaN would survive the product bit by bit.
TEST_F(Hazard, ScalingInFlightIsFound) {
  EXPECT_EQ(kinds([] {
              float acc[8];
              tw::fill(acc, 0.0F);
              tw::wgmma_fence(acc);
              multiply(acc);
              tw::wgmma_commit();
              for (float &value : acc)
                value *= 1.5F;
              tw::wgmma_wait<0>(acc);
            }),
            "accumulator-in-flight");
}

TEST_F(Hazard, AWriteInFlightIsFoundAtTheNextOfTheChain) {
  const Finding found = finding(FindingKind::accumulatorInFlight, [] {
    float acc[8];
    tw::fill(acc, 0.0F);
    tw::wgmma_fence(acc);
    multiply(acc, 0, 10);
    tw::wgmma_commit();
    acc[0] = 1;
    multiply(acc, 1, 20);
    finish(acc);
  });
  EXPECT_EQ(found.line, 20);
  EXPECT_EQ(found.place.cta, 0);
}

TEST_F(Hazard, AReadInFlightSeesPoison) {
  EXPECT_EQ(kinds([] {
              float acc[8];
              tw::fill(acc, 0.0F);
              tw::wgmma_fence(acc);
              multiply(acc);
              tw::wgmma_commit();
              uint32_t bits[8];
              std::memcpy(bits, acc, sizeof bits);
              for (const uint32_t word : bits)
                EXPECT_EQ(word, kPoison);
              tw::wgmma_wait<0>(acc);
              std::memcpy(bits, acc, sizeof bits);
              for (const uint32_t word : bits)
                EXPECT_NE(word, kPoison);
            }),
            "");
}

TEST_F(Hazard, AWaitForFewerGroupsLeavesTheLaterPoisoned) {
  EXPECT_EQ(kinds([] {
              float early[8], late[8];
              tw::fill(early, 0.0F);
              tw::fill(late, 0.0F);
              tw::wgmma_fence(early);
              tw::wgmma_fence(late);
              multiply(early);
              tw::wgmma_commit();
              multiply(late, 1);
              tw::wgmma_commit();
              tw::wgmma_wait<1>(early);
              uint32_t word;
              std::memcpy(&word, early, sizeof word);
              EXPECT_NE(word, kPoison);
              std::memcpy(&word, late, sizeof word);
              EXPECT_EQ(word, kPoison);
              early[0] += 1; // Legal: it is back.
              tw::wgmma_wait<0>(late);
            }),
            "");
}

TEST_F(Hazard, AnotherShapeOnRegistersInFlightIsFound) {
  EXPECT_EQ(kinds([] {
              float acc[8];
              tw::fill(acc, 0.0F);
              tw::wgmma_fence(acc);
              multiply(acc);
              tw::wgmma_ss<8, tw::bf16>(acc, descriptorA(), descriptorB(), 1);
              finish(acc);
            }),
            "accumulator-in-flight");
}

TEST_F(Hazard, AnotherShapeBehindTheWaitIsLegal) {
  EXPECT_EQ(kinds([] {
              float acc[8];
              tw::fill(acc, 0.0F);
              tw::wgmma_fence(acc);
              multiply(acc);
              finish(acc);
              tw::wgmma_ss<8, tw::bf16>(acc, descriptorA(), descriptorB(), 1);
              finish(acc);
            }),
            "");
}

TEST_F(Hazard, WaitingTwiceIsLegal) {
  EXPECT_EQ(kinds([] {
              float acc[8];
              tw::fill(acc, 0.0F);
              tw::wgmma_wait<0>();
              tw::wgmma_fence(acc);
              multiply(acc);
              finish(acc);
              tw::wgmma_wait<0>(acc);
            }),
            "");
}

// --- the warpgroup ------------------------------------------------------------------------------

TEST_F(Hazard, DescriptorsThatDifferByWarpAreFound) {
  const Finding found = finding(FindingKind::accumulatorDivergent, [] {
    float acc[8];
    tw::fill(acc, 0.0F);
    tw::wgmma_fence(acc);
    multiply(acc, tw::warp_id() == 2 ? 1 : 0, 10);
    finish(acc);
  });
  EXPECT_EQ(found.line, 10);
  EXPECT_EQ(found.other.line, 10);
  EXPECT_EQ(found.object, "wgmma 0 of warpgroup 0 of CTA 0");
}

TEST_F(Hazard, TheSameWgmmaAtTwoLinesIsFound) {
  const Finding found = finding(FindingKind::accumulatorDivergent, [] {
    float acc[8];
    tw::fill(acc, 0.0F);
    tw::wgmma_fence(acc);
    if (tw::warp_id() < 2)
      multiply(acc, 0, 10);
    else
      multiply(acc, 0, 20);
    finish(acc);
  });
  EXPECT_EQ(found.line + found.other.line, 30);
}

TEST_F(Hazard, GroupsThatDifferByWarpAreFound) {
  EXPECT_EQ(kinds([] {
              float acc[8];
              tw::fill(acc, 0.0F);
              tw::wgmma_fence(acc);
              multiply(acc);
              if (tw::warp_id() == 1)
                tw::wgmma_commit();
              multiply(acc, 1);
              finish(acc);
            }),
            "accumulator-divergent");
}

TEST_F(Hazard, AWarpThatTakesNoPartIsFound) {
  const Finding found = finding(FindingKind::deadlock, [] {
    if (tw::warp_id() == 3)
      return;
    float acc[8];
    tw::fill(acc, 0.0F);
    tw::wgmma_fence(acc);
    multiply(acc);
    finish(acc);
  });
  EXPECT_NE(found.message.find("called by 96 of 128 threads"), std::string::npos) << toText(found);
}

TEST(HazardShape, WarpsThatMakeNoWarpgroupAreFound) {
  EXPECT_EQ(kindsOf({.threads = 160},
                    [] {
                      if (tw::thread_id() < 128)
                        return;
                      float acc[8];
                      tw::fill(acc, 0.0F);
                      tw::wgmma_fence(acc);
                      multiply(acc);
                      finish(acc);
                    }),
            "accumulator-divergent");
}

// --- the end ------------------------------------------------------------------------------------

TEST_F(Hazard, AWgmmaThatNobodyCommitsIsFound) {
  EXPECT_EQ(kinds([] {
              float acc[8];
              tw::fill(acc, 0.0F);
              tw::wgmma_fence(acc);
              multiply(acc);
              tw::wgmma_wait<0>();
            }),
            "pending-at-exit");
}

TEST_F(Hazard, AWgmmaThatNobodyWaitsForIsFound) {
  EXPECT_EQ(kinds([] {
              float acc[8];
              tw::fill(acc, 0.0F);
              tw::wgmma_fence(acc);
              multiply(acc);
              tw::wgmma_commit();
            }),
            "pending-at-exit");
}

} // namespace
} // namespace tilewright::emulator
