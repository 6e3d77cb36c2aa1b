// SPDX-License-Identifier: Apache-2.0
#include "tools/tilewright/DriverProbe.h"

#include <dlfcn.h>

#include <array>
#include <optional>

namespace tilewright::cli {

namespace {

/// The driver's functions that we ask, under its own names and types (cuda.h is not needed).
struct Driver {
  using Result = int;
  using Device = int;
  Result (*init)(unsigned) = nullptr;
  Result (*version)(int *) = nullptr;
  Result (*errorString)(Result, const char **) = nullptr;
  Result (*deviceCount)(int *) = nullptr;
  Result (*device)(Device *, int) = nullptr;
  Result (*name)(char *, int, Device) = nullptr;
  Result (*totalMemory)(size_t *, Device) = nullptr;
  Result (*attribute)(int *, int, Device) = nullptr;

  [[nodiscard]] std::string describe(Result result) const {
    const char *text = nullptr;
    errorString(result, &text);
    return text ? text : "error " + std::to_string(result);
  }
};

/// CUdevice_attribute.
enum Attribute : int {
  kClockKilohertz = 13,
  kMultiprocessorCount = 16,
  kMemoryClockKilohertz = 36,
  kMemoryBusBits = 37,
  kL2Bytes = 38,
  kComputeMajor = 75,
  kComputeMinor = 76,
  kRegistersPerMultiprocessor = 82,
  kSharedBytesPerBlockOptin = 97,
};

Expected<Driver> openDriver() {
  void *handle = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *reason = dlerror();
    return Status::unavailable(std::string("no CUDA driver: ") + (reason ? reason : "no reason"));
  }
  Driver driver;
  bool isComplete = true;
  const auto load = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle, name));
    isComplete = isComplete && function;
  };
  load(driver.init, "cuInit");
  load(driver.version, "cuDriverGetVersion");
  load(driver.errorString, "cuGetErrorString");
  load(driver.deviceCount, "cuDeviceGetCount");
  load(driver.device, "cuDeviceGet");
  load(driver.name, "cuDeviceGetName");
  load(driver.totalMemory, "cuDeviceTotalMem_v2");
  load(driver.attribute, "cuDeviceGetAttribute");
  if (!isComplete)
    return Status::unavailable("libcuda.so.1 is no CUDA driver: functions are missing");
  return driver;
}

ProbedDevice probeDevice(const Driver &driver, Driver::Device device) {
  const auto attribute = [&](Attribute which) {
    int value = 0;
    driver.attribute(&value, which, device);
    return value;
  };
  std::array<char, 256> name = {};
  driver.name(name.data(), static_cast<int>(name.size()) - 1, device);
  size_t memory = 0;
  driver.totalMemory(&memory, device);

  ProbedDevice probed;
  probed.computeMajor = attribute(kComputeMajor);
  probed.computeMinor = attribute(kComputeMinor);
  probed.info.name = name.data();
  probed.info.smCount = attribute(kMultiprocessorCount);
  probed.info.sharedBytesPerBlock = attribute(kSharedBytesPerBlockOptin);
  probed.info.registersPerSm = attribute(kRegistersPerMultiprocessor);
  probed.info.l2Bytes = attribute(kL2Bytes);
  probed.info.memoryBytes = static_cast<int64_t>(memory);
  // Two transfers for each clock.
  probed.info.memoryBandwidth =
      2e3 * attribute(kMemoryClockKilohertz) * attribute(kMemoryBusBits) / 8;
  probed.info.clockHz = 1e3 * attribute(kClockKilohertz);
  return probed;
}

} // namespace

Expected<DriverProbe> probeDriver() {
  Expected<Driver> driver = openDriver();
  if (!driver)
    return driver.status();
  if (Driver::Result result = driver->init(0); result != 0)
    return Status::unavailable("the CUDA driver does not start: " + driver->describe(result));
  int version = 0;
  driver->version(&version);
  DriverProbe probe;
  probe.version = std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
  int count = 0;
  driver->deviceCount(&count);
  for (int i = 0; i < count; ++i)
    if (Driver::Device device = 0; driver->device(&device, i) == 0)
      probe.devices.push_back(probeDevice(*driver, device));
  return probe;
}

Expected<DeviceInfo> selectDevice(const std::string &target) {
  if (!target.empty())
    return DeviceInfo::forTarget(target);
  const char *hint = "; name a target to build without a GPU: --target h100 or --target h200";
  const Expected<DriverProbe> probe = probeDriver();
  if (!probe)
    return Status::unavailable(probe.status().message() + hint);
  std::string found;
  for (const ProbedDevice &device : probe->devices) {
    if (device.isUsable())
      return device.info;
    found += (found.empty() ? "" : ", ") + device.info.name;
  }
  return Status::unavailable("expected a Hopper GPU (compute capability 9.0), found " +
                             (found.empty() ? "none" : found) + hint);
}

} // namespace tilewright::cli
