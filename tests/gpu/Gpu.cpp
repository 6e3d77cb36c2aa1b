// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/Gpu.h"

namespace tilewright {

namespace {

Expected<Gpu> open() {
  const Env env = Env::fromProcess();
  Expected<std::shared_ptr<const Driver>> driver = Driver::open({.env = env});
  if (!driver)
    return driver.status();
  Expected<DeviceFacts> facts = firstUsableDevice(**driver);
  if (!facts)
    return facts.status();
  Expected<std::shared_ptr<const PrimaryContext>> context =
      PrimaryContext::retain(*driver, facts->ordinal);
  if (!context)
    return context.status();
  // A device without a compiler is a broken set-up, not a machine to skip: the kind must not be
  // unavailable.
  Expected<Nvrtc> nvrtc = Nvrtc::find({.env = env});
  if (!nvrtc)
    return Status::internal("there is a device, but " + nvrtc.status().message());
  Expected<std::shared_ptr<const ReferenceKernel>> reference =
      ReferenceKernel::load(*context, *nvrtc);
  if (!reference)
    return Status::internal(reference.status().message());
  return Gpu{*driver, *std::move(facts), *context, std::make_shared<const Nvrtc>(*std::move(nvrtc)),
             *reference};
}

} // namespace

const Expected<Gpu> &gpu() {
  // NOTE: never destroyed: at the end of the process the driver may be gone before we are.
  static const Expected<Gpu> &kGpu = *new Expected<Gpu>(open());
  return kGpu;
}

void GpuTest::SetUp() {
  if (gpu())
    return;
  if (gpu().status().code() == StatusCode::unavailable)
    GTEST_SKIP() << gpu().status().message();
  FAIL() << gpu().status().toString();
}

} // namespace tilewright
