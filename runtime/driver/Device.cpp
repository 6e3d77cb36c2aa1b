// SPDX-License-Identifier: Apache-2.0
#include "runtime/driver/Device.h"

#include <algorithm>
#include <array>

namespace tilewright {

namespace {

/// The datasheets of Hopper state their rates at this clock, while the driver reports the highest
/// that the SMs may reach.
constexpr double kDatasheetClockHz = 1830e6;

/// "GPU-8d3b6a5e-…", as nvidia-smi prints it.
std::string uuidText(const cu::Uuid &uuid) {
  constexpr const char *kDigits = "0123456789abcdef";
  std::string text = "GPU-";
  for (size_t i = 0; i < uuid.bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10)
      text += '-';
    text += kDigits[uuid.bytes[i] >> 4];
    text += kDigits[uuid.bytes[i] & 15];
  }
  return text;
}

/// "NVIDIA H200 (compute capability 9.0)".
std::string describe(const DeviceFacts &device) {
  return device.info.name + " (compute capability " + std::to_string(device.computeMajor) + "." +
         std::to_string(device.computeMinor) + ")";
}

Status noDevice(const Driver &driver) {
  return Status::unavailable("the CUDA driver (" + driver.version().toString() +
                             ") finds no device; see what nvidia-smi and CUDA_VISIBLE_DEVICES say");
}

} // namespace

Expected<DeviceFacts> readDevice(const Driver &driver, int32_t ordinal) {
  if (Status process = driver.checkProcess(); !process.isOk())
    return process;
  if (driver.deviceCount() == 0)
    return noDevice(driver);
  if (ordinal < 0 || ordinal >= driver.deviceCount())
    return Status::invalidArgument("there is no device " + std::to_string(ordinal) +
                                   "; this process sees " + std::to_string(driver.deviceCount()) +
                                   ", counted from 0");
  const DriverFunctions &functions = driver.functions();
  const std::string what = "read the properties of device " + std::to_string(ordinal);
  // Every call is the same question to the same driver: the first that fails speaks for all.
  cu::Result failed = cu::kSuccess;
  const auto ask = [&](cu::Result result) { failed = failed != cu::kSuccess ? failed : result; };
  cu::Device device = 0;
  ask(functions.deviceGet(&device, ordinal));
  if (failed != cu::kSuccess)
    return driver.check(failed, what);
  const auto attribute = [&](cu::DeviceAttribute which) {
    int value = 0;
    ask(functions.deviceGetAttribute(&value, which, device));
    return value;
  };

  std::array<char, 256> name = {};
  std::array<char, 32> pciBusId = {};
  cu::Uuid uuid = {};
  size_t memory = 0;
  ask(functions.deviceGetName(name.data(), static_cast<int>(name.size()) - 1, device));
  ask(functions.deviceGetPciBusId(pciBusId.data(), static_cast<int>(pciBusId.size()) - 1, device));
  ask(functions.deviceGetUuid(&uuid, device));
  ask(functions.deviceTotalMem(&memory, device));

  DeviceFacts facts;
  facts.ordinal = ordinal;
  facts.computeMajor = attribute(cu::kComputeMajor);
  facts.computeMinor = attribute(cu::kComputeMinor);
  facts.uuid = uuidText(uuid);
  facts.pciBusId = pciBusId.data();
  facts.info.name = name.data();
  facts.info.arch = "sm_" + std::to_string(facts.computeMajor) +
                    std::to_string(facts.computeMinor) + (facts.isUsable() ? "a" : "");
  facts.info.smCount = attribute(cu::kMultiprocessorCount);
  facts.info.sharedBytesPerBlock = attribute(cu::kSharedBytesPerBlockOptin);
  facts.info.registersPerSm = attribute(cu::kRegistersPerMultiprocessor);
  facts.info.l2Bytes = attribute(cu::kL2Bytes);
  facts.info.memoryBytes = static_cast<int64_t>(memory);
  // Two transfers for each clock.
  facts.info.memoryBandwidth =
      2e3 * attribute(cu::kMemoryClockKilohertz) * attribute(cu::kMemoryBusBits) / 8;
  facts.info.clockHz = std::min(1e3 * attribute(cu::kClockKilohertz), kDatasheetClockHz);
  if (failed != cu::kSuccess)
    return driver.check(failed, what);
  return facts;
}

Expected<DeviceInfo> describeDevice(const Driver &driver, int32_t ordinal) {
  Expected<DeviceFacts> device = readDevice(driver, ordinal);
  if (!device)
    return device.status();
  if (!device->isUsable())
    return Status::unsupported("device " + std::to_string(ordinal) + " is " + describe(*device) +
                               "; kernels are built for compute capability 9.0 (H100, H200)");
  return device->info;
}

Expected<DeviceFacts> firstUsableDevice(const Driver &driver) {
  if (driver.deviceCount() == 0)
    return noDevice(driver);
  std::string found;
  for (int32_t ordinal = 0; ordinal < driver.deviceCount(); ++ordinal) {
    Expected<DeviceFacts> device = readDevice(driver, ordinal);
    if (device && device->isUsable())
      return device;
    found += found.empty() ? "" : ", ";
    found += device ? describe(*device) : device.status().message();
  }
  return Status::unavailable("expected a Hopper GPU (compute capability 9.0), found " + found);
}

} // namespace tilewright
