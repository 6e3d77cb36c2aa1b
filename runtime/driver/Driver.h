// SPDX-License-Identifier: Apache-2.0
//
// Driver: the CUDA driver of this machine, opened at run time, found fit, started.
// Thread-safety: immutable after open. A Driver does not survive fork: the child is told so by
// every call that would reach the device, and must exec or open nothing.
#pragma once

#include "runtime/driver/DriverFunctions.h"
#include "support/Env.h"
#include "tilewright/Status.h"

#include <compare>
#include <memory>
#include <string>
#include <string_view>

namespace tilewright {

/// A version of CUDA: what a driver supports, what a compiler is part of.
struct CudaVersion {
  int32_t major = 0;
  int32_t minor = 0;
  friend auto operator<=>(const CudaVersion &, const CudaVersion &) = default;
  /// "13.0".
  [[nodiscard]] std::string toString() const;
};

/// The oldest driver that has what we call (loading a function ahead of its first launch).
inline constexpr CudaVersion kOldestDriver = {12, 4};

/// Where to look for the driver.
struct DriverSearch {
  /// A library file. If set, nothing else is tried; so is TILEWRIGHT_DRIVER in `env` after it.
  std::string library = {};
  Env env = {};
};

/// A driver that has been started (cuInit). The library stays loaded until the process ends.
///
///   Expected<std::shared_ptr<const Driver>> driver = Driver::open({.env = Env::fromProcess()});
class Driver {
public:
  /// The library that `search` names, else libcuda.so.1 from the loader's places. unavailable if
  /// there is none, if it is the toolkit's stub, older than kOldestDriver (both versions are named)
  /// or does not start. A driver that finds no device is no failure here: deviceCount() is 0.
  static Expected<std::shared_ptr<const Driver>> open(const DriverSearch &search);

  Driver(const Driver &) = delete;
  Driver &operator=(const Driver &) = delete;

  /// The CUDA version that the driver supports.
  [[nodiscard]] CudaVersion version() const { return version_; }
  /// What was opened: "libcuda.so.1", or the file that was named.
  [[nodiscard]] const std::string &library() const { return library_; }
  /// Devices that this process may see (CUDA_VISIBLE_DEVICES hides some).
  [[nodiscard]] int32_t deviceCount() const { return deviceCount_; }
  [[nodiscard]] const DriverFunctions &functions() const { return functions_; }

  /// What `result` means, ok for success. `what` was attempted: "allocate 4096 bytes". The message
  /// has the driver's own name and text of the error. Kinds:
  ///   outOfMemory      device memory is used up
  ///   deviceFault      a kernel failed (illegal address, trap, ECC, …): the context is lost
  ///   unavailable      no device, no permission to it, a context that is gone, driver shut down
  ///   unsupported      this device or driver cannot do it
  ///   invalidArgument  a handle or value of the caller's is wrong, or a capture forbids the call
  ///   notFound         no such name
  ///   internal         all else
  [[nodiscard]] Status check(cu::Result result, std::string_view what) const {
    return result == cu::kSuccess ? Status::ok() : failure(result, what);
  }

  /// ok in the process that opened the driver, unavailable in a process forked from it. Costs one
  /// load from memory.
  [[nodiscard]] Status checkProcess() const { return isForked() ? forkedStatus() : Status::ok(); }
  [[nodiscard]] bool isForked() const;

private:
  Driver() = default;
  Status load(void *handle);
  Status start();
  [[nodiscard]] Status failure(cu::Result result, std::string_view what) const;
  static Status forkedStatus();

  DriverFunctions functions_;
  CudaVersion version_;
  std::string library_;
  int32_t deviceCount_ = 0;
  /// How many forks lie between this process and the first that used this library.
  uint32_t generation_ = 0;
};

} // namespace tilewright
