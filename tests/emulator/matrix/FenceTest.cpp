// SPDX-License-Identifier: Apache-2.0
//
// Which registers wgmma_fence has to name, and when. Each finding is provoked, its legal neighbours
// stay silent.
#include "tests/emulator/matrix/WithOperands.h"

namespace tilewright::emulator {
namespace {

using Fence = WithOperands;

TEST_F(Fence, NoFenceIsFound) {
  const LabKernel kernel = [] {
    float acc[8];
    tw::fill(acc, 0.0F);
    multiply(acc);
    finish(acc);
  };
  EXPECT_EQ(kinds(kernel), "wgmma-fence");
  EXPECT_NE(finding(FindingKind::wgmmaFence, kernel).object.find("accumulators of CTA 0"),
            std::string::npos);
}

TEST_F(Fence, AWriteBehindTheFenceIsFound) {
  EXPECT_EQ(kinds([] {
              float acc[8];
              tw::fill(acc, 0.0F);
              tw::wgmma_fence(acc);
              acc[3] = 1;
              multiply(acc);
              finish(acc);
            }),
            "wgmma-fence");
}

TEST_F(Fence, AFenceOfOtherRegistersIsFound) {
  EXPECT_EQ(kinds([] {
              float acc[8], other[8];
              tw::fill(acc, 0.0F);
              tw::fill(other, 0.0F);
              tw::wgmma_fence(other);
              multiply(acc);
              finish(acc);
            }),
            "wgmma-fence");
}

TEST_F(Fence, AWriteBetweenBatchesNeedsAFence) {
  EXPECT_EQ(kinds([] {
              float acc[8];
              tw::fill(acc, 0.0F);
              tw::wgmma_fence(acc);
              multiply(acc);
              finish(acc);
              acc[0] *= 2;
              multiply(acc, 1);
              finish(acc);
            }),
            "wgmma-fence");
}

TEST_F(Fence, UntouchedRegistersNeedNoFurtherFence) {
  EXPECT_EQ(kinds([] {
              float acc[8];
              tw::fill(acc, 0.0F);
              tw::wgmma_fence(acc);
              multiply(acc);
              multiply(acc, 1);
              finish(acc);
              multiply(acc, 2);
              finish(acc);
            }),
            "");
}

TEST_F(Fence, AFenceForEachBatchIsLegal) {
  EXPECT_EQ(kinds([] {
              float acc[8];
              tw::fill(acc, 0.0F);
              for (int32_t k = 0; k < 3; ++k) {
                tw::wgmma_fence(acc);
                multiply(acc, k);
                tw::wgmma_commit();
                tw::wgmma_wait<0>(acc);
                acc[k] += 1;
              }
            }),
            "");
}

TEST_F(Fence, AFenceWhileTheChainRunsIsLegal) {
  EXPECT_EQ(kinds([] {
              float acc[8];
              tw::fill(acc, 0.0F);
              for (int32_t k = 0; k < 3; ++k) {
                tw::wgmma_fence(acc);
                multiply(acc, k);
                tw::wgmma_commit();
                tw::wgmma_wait<1>();
              }
              tw::wgmma_wait<0>(acc);
            }),
            "");
}

// Arrays of other scopes had these addresses before.
TEST_F(Fence, AnEarlierFenceOfTheSameAddressesDoesNotCount) {
  EXPECT_EQ(kinds([] {
              float storage[32];
              auto &whole = reinterpret_cast<float(&)[32]>(storage);
              tw::fill(whole, 0.0F);
              tw::wgmma_fence(whole);
              auto &acc = reinterpret_cast<float(&)[8]>(storage[8]);
              tw::fill(acc, 5.0F);
              tw::wgmma_fence(acc);
              multiply(acc);
              finish(acc);
            }),
            "");
}

TEST_F(Fence, AFragmentThatNoFenceNamesIsFound) {
  const LabKernel kernel = [] {
    uint32_t a[4];
    tw::fill(a, 0U);
    float acc[8];
    tw::fill(acc, 0.0F);
    tw::wgmma_fence(acc);
    multiplyFragments(acc, a);
    finish(acc);
  };
  EXPECT_EQ(kinds(kernel), "wgmma-fence");
  EXPECT_NE(finding(FindingKind::wgmmaFence, kernel).object.find("fragment of A"),
            std::string::npos);
}

TEST_F(Fence, AFragmentWrittenBehindTheFenceIsFound) {
  EXPECT_EQ(kinds([] {
              uint32_t a[4];
              tw::fill(a, 0U);
              float acc[8];
              tw::fill(acc, 0.0F);
              tw::wgmma_fence(acc, a);
              a[2] = 7;
              multiplyFragments(acc, a);
              finish(acc);
            }),
            "wgmma-fence");
}

TEST_F(Fence, AFragmentWrittenInFlightIsLegalIfFencedBeforeItsNextUse) {
  EXPECT_EQ(kinds([] {
              uint32_t a[4];
              tw::fill(a, 0U);
              float acc[8];
              tw::fill(acc, 0.0F);
              tw::wgmma_fence(acc, a);
              multiplyFragments(acc, a);
              tw::wgmma_commit();
              tw::fill(a, 0x3f803f80U);
              tw::wgmma_fence(acc, a);
              multiplyFragments(acc, a);
              finish(acc);
            }),
            "");
}

} // namespace
} // namespace tilewright::emulator
