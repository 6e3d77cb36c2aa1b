// SPDX-License-Identifier: Apache-2.0
//
// The device that all tests of this folder share, with what they need on it.
#pragma once

#include "runtime/check/GemmTrial.h"
#include "runtime/driver/Context.h"
#include "runtime/driver/Device.h"
#include "runtime/nvrtc/Nvrtc.h"

#include <gtest/gtest.h>

#include <memory>

namespace tilewright {

/// A usable device, its primary context, a compiler and the reference.
struct Gpu {
  std::shared_ptr<const Driver> driver;
  DeviceFacts facts;
  std::shared_ptr<const PrimaryContext> context;
  std::shared_ptr<const Nvrtc> nvrtc;
  std::shared_ptr<const ReferenceKernel> reference;

  /// The CUDA version of what nvrtc makes.
  [[nodiscard]] CudaVersion cubinVersion() const {
    return {nvrtc->version().major, nvrtc->version().minor};
  }
};

/// The first usable device; found once. unavailable if this machine has none.
const Expected<Gpu> &gpu();

/// A test that needs the device: skipped where there is none.
class GpuTest : public testing::Test {
protected:
  void SetUp() override;
};

} // namespace tilewright
