// SPDX-License-Identifier: Apache-2.0
#include "runtime/driver/Context.h"

#include "runtime/driver/Device.h"

namespace tilewright {

Expected<std::shared_ptr<const PrimaryContext>>
PrimaryContext::retain(std::shared_ptr<const Driver> driver, int32_t ordinal) {
  Expected<DeviceInfo> device = describeDevice(*driver, ordinal);
  if (!device)
    return device.status();
  const DriverFunctions &functions = driver->functions();
  const std::string what = "use the context of device " + std::to_string(ordinal);
  cu::Device handleOfDevice = 0;
  if (Status got = driver->check(functions.deviceGet(&handleOfDevice, ordinal), what); !got.isOk())
    return got;
  RelaxedCapture relaxed(*driver);
  cu::Context handle = nullptr;
  if (Status retained = driver->check(functions.primaryCtxRetain(&handle, handleOfDevice), what);
      !retained.isOk())
    return retained;

  unsigned long long id = 0;
  if (Status named = driver->check(functions.ctxGetId(handle, &id), what); !named.isOk()) {
    functions.primaryCtxRelease(handleOfDevice);
    return named;
  }

  std::shared_ptr<PrimaryContext> context(new PrimaryContext);
  context->driver_ = std::move(driver);
  context->device_ = *std::move(device);
  context->ordinal_ = ordinal;
  context->handleOfDevice_ = handleOfDevice;
  context->handle_ = handle;
  context->id_ = id;
  return std::shared_ptr<const PrimaryContext>(std::move(context));
}

PrimaryContext::~PrimaryContext() {
  if (!isAlive())
    return;
  RelaxedCapture relaxed(*driver_);
  functions().primaryCtxRelease(handleOfDevice_);
}

bool PrimaryContext::isAlive() const {
  if (driver_->isForked())
    return false;
  unsigned flags = 0;
  int isActive = 0;
  if (functions().primaryCtxGetState(handleOfDevice_, &flags, &isActive) != cu::kSuccess ||
      !isActive)
    return false;
  unsigned long long id = 0;
  return functions().ctxGetId(handle_, &id) == cu::kSuccess && id == id_;
}

Status PrimaryContext::synchronize() const {
  ContextScope scope(*this);
  if (!scope.isEntered())
    return scope.status();
  return driver().check(functions().ctxSynchronize(), "wait for the device");
}

ContextScope::ContextScope(const PrimaryContext &context) : context_(context) {
  if (context.driver().isForked())
    return;
  const DriverFunctions &functions = context.functions();
  cu::Context current = nullptr;
  result_ = functions.ctxGetCurrent(&current);
  if (result_ == cu::kSuccess && current != context.handle()) {
    result_ = functions.ctxPushCurrent(context.handle());
    isPushed_ = result_ == cu::kSuccess;
  }
  isEntered_ = result_ == cu::kSuccess;
}

ContextScope::~ContextScope() {
  cu::Context ours = nullptr;
  if (isPushed_)
    context_.functions().ctxPopCurrent(&ours);
}

Status ContextScope::status() const {
  if (isEntered_)
    return Status::ok();
  if (Status process = context_.driver().checkProcess(); !process.isOk())
    return process;
  return context_.driver().check(result_, "make the context of device " +
                                              std::to_string(context_.ordinal()) + " current");
}

RelaxedCapture::RelaxedCapture(const Driver &driver) : functions_(driver.functions()) {
  isExchanged_ = functions_.threadExchangeStreamCaptureMode(&mode_) == cu::kSuccess;
}

RelaxedCapture::~RelaxedCapture() {
  if (isExchanged_)
    functions_.threadExchangeStreamCaptureMode(&mode_);
}

} // namespace tilewright
