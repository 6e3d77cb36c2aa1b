// SPDX-License-Identifier: Apache-2.0
// The reference kernel compiles, for what the device has to offer.
#include "runtime/check/ReferenceText.h"
#include "runtime/nvrtc/Nvrtc.h"

#include <gtest/gtest.h>

using namespace tilewright;

namespace {

TEST(ReferenceText, CompilesWithoutSpills) {
  const Expected<Nvrtc> nvrtc = Nvrtc::find({.env = Env::fromProcess()});
  ASSERT_TRUE(nvrtc) << nvrtc.status().message();
  ASSERT_EQ(referenceText().size(), 1u);
  const Expected<NvrtcOutput> output =
      nvrtc->compile({.text = std::string(referenceText().front().second), .name = "reference.cu"});
  ASSERT_TRUE(output) << output.status().message();
  ASSERT_EQ(output->kernels.size(), 2u);
  for (const KernelResources &kernel : output->kernels) {
    EXPECT_EQ(kernel.spillBytes(), 0) << kernel.kernel;
    // Two blocks of 256 threads on an SM.
    EXPECT_LE(kernel.registers, 128) << kernel.kernel;
  }
}

} // namespace
