// SPDX-License-Identifier: Apache-2.0
//
// PrimaryContext and ContextScope: the context that a device's users share (the CUDA runtime,
// PyTorch, us), and making it current for a while. We retain it and make none of our own.
// Thread-safety: a PrimaryContext is immutable; a ContextScope belongs to its thread.
#pragma once

#include "runtime/driver/Driver.h"
#include "tilewright/DeviceInfo.h"
#include "tilewright/Status.h"

#include <memory>

namespace tilewright {

/// The primary context of one device, held until this value dies. What lives on it (modules,
/// memory, streams) keeps it alive by a shared pointer.
class PrimaryContext {
public:
  /// Retains the context of a device that runs our kernels; fails where describeDevice does.
  static Expected<std::shared_ptr<const PrimaryContext>>
  retain(std::shared_ptr<const Driver> driver, int32_t ordinal);

  /// Releases it, unless the process is a fork or the context is gone.
  ~PrimaryContext();
  PrimaryContext(const PrimaryContext &) = delete;
  PrimaryContext &operator=(const PrimaryContext &) = delete;

  [[nodiscard]] const Driver &driver() const { return *driver_; }
  [[nodiscard]] const DriverFunctions &functions() const { return driver_->functions(); }
  [[nodiscard]] const DeviceInfo &device() const { return device_; }
  [[nodiscard]] int32_t ordinal() const { return ordinal_; }
  [[nodiscard]] cu::Context handle() const { return handle_; }

  /// Whether what was made on this context still exists. false after a reset of the device
  /// (cudaDeviceReset) or the end of the driver, and in a forked child: handles then dangle, and a
  /// destructor must not give them to the driver.
  [[nodiscard]] bool isAlive() const;

  /// Waits for all work of the context; reports deviceFault for what failed on the device.
  [[nodiscard]] Status synchronize() const;

private:
  PrimaryContext() = default;

  std::shared_ptr<const Driver> driver_;
  DeviceInfo device_;
  int32_t ordinal_ = 0;
  cu::Device handleOfDevice_ = 0;
  cu::Context handle_ = nullptr;
  /// The driver's number of this incarnation of the context; a reset makes another.
  unsigned long long id_ = 0;
};

/// Makes a context current in this thread, and the caller's again at the end of the scope. Nothing
/// is pushed where it is current already (the CUDA runtime leaves the primary context current).
///
///   ContextScope scope(*context);
///   if (!scope.isEntered())
///     return scope.status();
class ContextScope {
public:
  explicit ContextScope(const PrimaryContext &context);
  ~ContextScope();
  ContextScope(const ContextScope &) = delete;
  ContextScope &operator=(const ContextScope &) = delete;

  [[nodiscard]] bool isEntered() const { return isEntered_; }
  /// ok if entered; unavailable in a forked process, or if the context is gone.
  [[nodiscard]] Status status() const;

private:
  const PrimaryContext &context_;
  cu::Result result_ = cu::kSuccess;
  bool isEntered_ = false;
  bool isPushed_ = false;
};

/// Lets this thread load, unload, allocate and free while some stream is being captured, until the
/// end of the scope. Without it such a call fails and breaks the capture, also that of another
/// thread (PyTorch's captures forbid them to the whole process). What is done within must have no
/// part in a captured sequence.
class RelaxedCapture {
public:
  explicit RelaxedCapture(const Driver &driver);
  ~RelaxedCapture();
  RelaxedCapture(const RelaxedCapture &) = delete;
  RelaxedCapture &operator=(const RelaxedCapture &) = delete;

private:
  const DriverFunctions &functions_;
  /// What the thread's mode is to be again.
  cu::CaptureMode mode_ = cu::kCaptureRelaxed;
  bool isExchanged_ = false;
};

} // namespace tilewright
