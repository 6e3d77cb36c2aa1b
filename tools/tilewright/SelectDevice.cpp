// SPDX-License-Identifier: Apache-2.0
#include "tools/tilewright/SelectDevice.h"

#include "runtime/driver/Device.h"

namespace tilewright::cli {

Status withTargetHint(const Status &status) {
  // A device that was named and is not there: naming another is the way out.
  if (status.code() == StatusCode::invalidArgument)
    return status;
  return Status::unavailable(
      status.message() + "; name a target to build without a GPU: --target h100 or --target h200");
}

Expected<DeviceInfo> selectDevice(const std::string &target, const Env &env) {
  if (!target.empty())
    return DeviceInfo::forTarget(target);
  const Expected<std::shared_ptr<const Driver>> driver = Driver::open({.env = env});
  if (!driver)
    return withTargetHint(driver.status());
  Expected<DeviceFacts> device = firstUsableDevice(**driver);
  if (!device)
    return withTargetHint(device.status());
  return std::move(device->info);
}

} // namespace tilewright::cli
