// SPDX-License-Identifier: Apache-2.0
//
// KernelCode: a compiled plan, and its kernels on a device once somebody needs them there. Problems
// that differ in their sizes share it.
// Thread-safety: any thread may call any function at any time.
#pragma once

#include "cache/StoredPlan.h"
#include "runtime/driver/PreparedPlan.h"
#include "tilewright/Status.h"

#include <memory>
#include <mutex>

namespace tilewright {

class KernelCode {
public:
  explicit KernelCode(StoredPlan stored) : stored_(std::move(stored)) {}

  [[nodiscard]] const StoredPlan &stored() const { return stored_; }
  [[nodiscard]] const Plan &plan() const { return stored_.plan; }
  [[nodiscard]] CudaVersion cubinVersion() const {
    return {stored_.nvrtcMajor, stored_.nvrtcMinor};
  }

  /// The kernels on the device of `context`, which is the same in all calls. They are loaded by the
  /// first call that succeeds; failures are those of LoadedPlan::load.
  Expected<std::shared_ptr<const LoadedPlan>>
  load(const std::shared_ptr<const PrimaryContext> &context);

private:
  const StoredPlan stored_;
  std::mutex mutex_;
  std::shared_ptr<const LoadedPlan> loaded_;
};

} // namespace tilewright
