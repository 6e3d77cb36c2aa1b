// SPDX-License-Identifier: Apache-2.0
#include "runtime/driver/Device.h"

#include "tests/runtime/driver/OnFakeDriver.h"

using namespace tilewright;

namespace {

struct Device : testing::Test {
  void SetUp() override { fake::reset(); }
  static std::shared_ptr<const Driver> open(int devices, int major = 9, int minor = 0) {
    fake::setDevices(devices, major, minor);
    return valueOf(Driver::open({.library = fake::libraryPath()}));
  }
};

TEST_F(Device, HasItsProperties) {
  const DeviceFacts facts = valueOf(readDevice(*open(1), 0));
  EXPECT_TRUE(facts.isUsable());
  EXPECT_EQ(facts.uuid, "GPU-00112233-4455-6677-8899-aabbccddeeff");
  EXPECT_EQ(facts.pciBusId, "0000:01:00.0");
  EXPECT_EQ(facts.info.name, "Fake GPU 0");
  EXPECT_EQ(facts.info.arch, "sm_90a");
  EXPECT_EQ(facts.info.smCount, 132);
  EXPECT_EQ(facts.info.sharedBytesPerBlock, 232448);
  EXPECT_EQ(facts.info.registersPerSm, 65536);
  EXPECT_EQ(facts.info.l2Bytes, 50 << 20);
  EXPECT_EQ(facts.info.memoryBytes, 1 << 30);
  EXPECT_NEAR(facts.info.memoryBandwidth, 4.917e12, 1e9);
  // The highest clock is above the one of the datasheet.
  EXPECT_EQ(facts.info.clockHz, 1830e6);
  EXPECT_EQ(valueOf(describeDevice(*open(1), 0)), facts.info);
}

TEST_F(Device, IsReadAndRefusedOnAnotherArchitecture) {
  const auto driver = open(1, 8, 0);
  EXPECT_EQ(valueOf(readDevice(*driver, 0)).info.arch, "sm_80");
  expectFailure(describeDevice(*driver, 0).status(), StatusCode::unsupported,
                "device 0 is Fake GPU 0 (compute capability 8.0)");
  expectFailure(firstUsableDevice(*driver).status(), StatusCode::unavailable,
                "found Fake GPU 0 (compute capability 8.0)");
  expectFailure(PrimaryContext::retain(driver, 0).status(), StatusCode::unsupported,
                "kernels are built for compute capability 9.0");
}

TEST_F(Device, IsMissing) {
  const auto driver = open(0);
  for (const Status &status :
       {readDevice(*driver, 0).status(), describeDevice(*driver, 0).status(),
        firstUsableDevice(*driver).status(), PrimaryContext::retain(driver, 0).status()})
    expectFailure(status, StatusCode::unavailable, "(13.0) finds no device");
}

TEST_F(Device, HasANumber) {
  const auto driver = open(2);
  EXPECT_EQ(valueOf(readDevice(*driver, 1)).info.name, "Fake GPU 1");
  for (int32_t ordinal : {-1, 2})
    expectFailure(readDevice(*driver, ordinal).status(), StatusCode::invalidArgument,
                  "this process sees 2");
  EXPECT_EQ(valueOf(firstUsableDevice(*driver)).ordinal, 0);
}

TEST_F(Device, ReportsWhatTheDriverRefuses) {
  const auto driver = open(1);
  for (const char *function : {"cuDeviceGet", "cuDeviceGetName", "cuDeviceGetAttribute"}) {
    fake::failNext(function, 999);
    expectFailure(readDevice(*driver, 0).status(), StatusCode::deviceFault,
                  "read the properties of device 0");
  }
}

} // namespace
