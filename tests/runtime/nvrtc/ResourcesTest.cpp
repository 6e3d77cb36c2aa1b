// SPDX-License-Identifier: Apache-2.0
#include "runtime/nvrtc/Resources.h"

#include <gtest/gtest.h>

using namespace tilewright;

namespace {

const KernelResources kClean = {.kernel = "clean", .registers = 168, .stackBytes = 16};
const KernelResources kSpills = {
    .kernel = "spills", .registers = 168, .spillStoreBytes = 12, .spillLoadBytes = 24};

TEST(Rejections, CleanPasses) { EXPECT_TRUE(rejections({kClean}, {}).empty()); }

TEST(Rejections, SpillsAreNamedWithTheirSize) {
  EXPECT_EQ(rejections({kClean, kSpills}, {}), (std::vector<Rejection>{{"spills", "spills 24 B"}}));
}

TEST(Rejections, TheAllowanceIsInclusive) {
  EXPECT_TRUE(rejections({kSpills}, {}, {.spillAllowance = 24}).empty());
  EXPECT_EQ(rejections({kSpills}, {}, {.spillAllowance = 23}).size(), 1u);
}

TEST(Rejections, AdvisoriesAreNamedWithTheirCode) {
  const std::vector<Advisory> advisories = {
      {"C7510", "wgmma.mma_async instructions are serialized due to function call", "a"},
      {"C7519", "warpgroup.arrive is injected in around line 5", "b"},
  };
  EXPECT_EQ(rejections({}, advisories),
            (std::vector<Rejection>{{"a", "C7510 wgmma serialized"},
                                    {"b", "C7519 warpgroup.arrive is injected in around line 5"}}));
  EXPECT_TRUE(rejections({}, advisories, {.refuseAdvisories = false}).empty());
}

} // namespace
