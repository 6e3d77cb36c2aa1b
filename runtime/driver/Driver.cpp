// SPDX-License-Identifier: Apache-2.0
#include "runtime/driver/Driver.h"

#include <dlfcn.h>

#include <atomic>
#include <pthread.h>
#include <type_traits>

namespace tilewright {

namespace {

/// Forks between this process and the first that opened a driver. The driver's state does not work
/// in a child, and asking for the process id each time would cost a system call.
// NOTE: process-wide because fork is; nothing else is kept in it.
std::atomic<uint32_t> forks{0};

uint32_t watchForks() {
  [[maybe_unused]] static const int registered =
      pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1, std::memory_order_relaxed); });
  return forks.load(std::memory_order_relaxed);
}

std::string loaderError() {
  const char *message = dlerror();
  return message ? message : "no reason given";
}

std::string needed() { return "Tilewright needs CUDA " + kOldestDriver.toString() + " or newer"; }

} // namespace

std::string CudaVersion::toString() const {
  return std::to_string(major) + "." + std::to_string(minor);
}

bool Driver::isForked() const { return forks.load(std::memory_order_relaxed) != generation_; }

Status Driver::forkedStatus() {
  return Status::unavailable(
      "this process was forked from one that uses the CUDA driver, which does not survive it; use "
      "the device before no fork, or start the process anew (exec, Python's \"spawn\")");
}

/// Fills the table. NOTE: the names say which version of a function is meant: those without a
/// suffix are often an older one with other types, which cuda.h renames by macros.
Status Driver::load(void *handle) {
  std::string missing;
  const auto load = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle, name));
    if (!function)
      missing += missing.empty() ? name : std::string(", ") + name;
  };
  load(functions_.driverGetVersion, "cuDriverGetVersion");
  if (!functions_.driverGetVersion)
    return Status::unavailable(library_ + " is no CUDA driver: it lacks cuDriverGetVersion");
  int number = 0;
  functions_.driverGetVersion(&number);
  version_ = {.major = number / 1000, .minor = number % 1000 / 10};
  if (number != 0 && version_ < kOldestDriver)
    return Status::unavailable("the CUDA driver (" + library_ + ") supports CUDA " +
                               version_.toString() + ", " + needed() +
                               ": install a driver of release 550 or newer");

  load(functions_.init, "cuInit");
  load(functions_.getErrorName, "cuGetErrorName");
  load(functions_.getErrorString, "cuGetErrorString");
  load(functions_.deviceGetCount, "cuDeviceGetCount");
  load(functions_.deviceGet, "cuDeviceGet");
  load(functions_.deviceGetName, "cuDeviceGetName");
  load(functions_.deviceGetUuid, "cuDeviceGetUuid_v2");
  load(functions_.deviceGetPciBusId, "cuDeviceGetPCIBusId");
  load(functions_.deviceTotalMem, "cuDeviceTotalMem_v2");
  load(functions_.deviceGetAttribute, "cuDeviceGetAttribute");
  load(functions_.primaryCtxRetain, "cuDevicePrimaryCtxRetain");
  load(functions_.primaryCtxRelease, "cuDevicePrimaryCtxRelease_v2");
  load(functions_.primaryCtxGetState, "cuDevicePrimaryCtxGetState");
  load(functions_.ctxGetId, "cuCtxGetId");
  load(functions_.ctxGetCurrent, "cuCtxGetCurrent");
  load(functions_.ctxPushCurrent, "cuCtxPushCurrent_v2");
  load(functions_.ctxPopCurrent, "cuCtxPopCurrent_v2");
  load(functions_.ctxSynchronize, "cuCtxSynchronize");
  load(functions_.moduleLoadData, "cuModuleLoadData");
  load(functions_.moduleUnload, "cuModuleUnload");
  load(functions_.moduleGetFunction, "cuModuleGetFunction");
  load(functions_.funcLoad, "cuFuncLoad");
  load(functions_.funcGetAttribute, "cuFuncGetAttribute");
  load(functions_.funcSetAttribute, "cuFuncSetAttribute");
  load(functions_.launchKernelEx, "cuLaunchKernelEx");
  load(functions_.tensorMapEncodeTiled, "cuTensorMapEncodeTiled");
  load(functions_.pointerGetAttribute, "cuPointerGetAttribute");
  load(functions_.memGetInfo, "cuMemGetInfo_v2");
  load(functions_.memAlloc, "cuMemAlloc_v2");
  load(functions_.memFree, "cuMemFree_v2");
  load(functions_.memcpyHtoDAsync, "cuMemcpyHtoDAsync_v2");
  load(functions_.memcpyDtoHAsync, "cuMemcpyDtoHAsync_v2");
  load(functions_.memcpyDtoDAsync, "cuMemcpyDtoDAsync_v2");
  load(functions_.memsetD8Async, "cuMemsetD8Async");
  load(functions_.memsetD32Async, "cuMemsetD32Async");
  load(functions_.streamCreate, "cuStreamCreate");
  load(functions_.streamDestroy, "cuStreamDestroy_v2");
  load(functions_.streamSynchronize, "cuStreamSynchronize");
  load(functions_.streamWaitEvent, "cuStreamWaitEvent");
  load(functions_.streamBeginCapture, "cuStreamBeginCapture_v2");
  load(functions_.streamEndCapture, "cuStreamEndCapture");
  load(functions_.threadExchangeStreamCaptureMode, "cuThreadExchangeStreamCaptureMode");
  load(functions_.streamIsCapturing, "cuStreamIsCapturing");
  load(functions_.eventCreate, "cuEventCreate");
  load(functions_.eventDestroy, "cuEventDestroy_v2");
  load(functions_.eventRecord, "cuEventRecord");
  load(functions_.eventSynchronize, "cuEventSynchronize");
  load(functions_.eventElapsedTime, "cuEventElapsedTime");
  load(functions_.graphInstantiate, "cuGraphInstantiateWithFlags");
  load(functions_.graphLaunch, "cuGraphLaunch");
  load(functions_.graphExecDestroy, "cuGraphExecDestroy");
  load(functions_.graphDestroy, "cuGraphDestroy");
  if (!missing.empty())
    return Status::unavailable(library_ + " is no CUDA driver that is fit (" + needed() +
                               "): it lacks " + missing);
  return Status::ok();
}

Status Driver::start() {
  const cu::Result result = functions_.init(0);
  if (result == cu::kNoDevice)
    return Status::ok();
  if (Status started = check(result, "start the CUDA driver (" + library_ + ")"); !started.isOk())
    // NOTE: whatever the reason, nothing of the caller's is wrong.
    return Status::unavailable(started.message());
  return check(functions_.deviceGetCount(&deviceCount_), "count the devices");
}

Expected<std::shared_ptr<const Driver>> Driver::open(const DriverSearch &search) {
  const bool isNamed = !search.library.empty() || search.env.isSet(EnvKey::driver);
  std::shared_ptr<Driver> driver(new Driver);
  driver->library_ = !search.library.empty() ? search.library
                     : isNamed               ? search.env.get(EnvKey::driver)
                                             : "libcuda.so.1";
  driver->generation_ = watchForks();
  // NOTE: never closed. The driver has threads and state that do not survive being unloaded.
  void *handle = dlopen(driver->library_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return Status::unavailable(
        "no CUDA driver: " + loaderError() +
        (isNamed ? "; name another library, or leave TILEWRIGHT_DRIVER unset"
                 : "; install NVIDIA's driver, or start the container with its GPUs"));
  if (Status loaded = driver->load(handle); !loaded.isOk())
    return loaded;
  if (Status started = driver->start(); !started.isOk())
    return started;
  return std::shared_ptr<const Driver>(std::move(driver));
}

} // namespace tilewright
