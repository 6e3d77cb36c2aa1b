// SPDX-License-Identifier: Apache-2.0
//
// Devices and contexts of the fake driver.
#include "tests/runtime/driver/fake/State.h"

#include <cstdio>
#include <cstring>

using namespace tilewright;
using namespace tilewright::fake;

namespace {

bool isDevice(int device) { return device >= 0 && device < State::get().settings.deviceCount; }

struct ErrorText {
  cu::Result result;
  const char *name;
  const char *text;
};

constexpr ErrorText kErrors[] = {
    {cu::kInvalidValue, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {cu::kOutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {kNotInitialized, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {cu::kDeinitialized, "CUDA_ERROR_DEINITIALIZED", "driver shutting down"},
    {cu::kStubLibrary, "CUDA_ERROR_STUB_LIBRARY", "CUDA driver is a stub library"},
    {cu::kNoDevice, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {kInvalidDevice, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {cu::kInvalidImage, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {kInvalidContext, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {cu::kNoBinaryForGpu, "CUDA_ERROR_NO_BINARY_FOR_GPU",
     "no kernel image is available for execution on the device"},
    {kInvalidHandle, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {kNotFound, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {cu::kContextIsDestroyed, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "context is destroyed"},
    {kCaptureUnsupported, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
     "operation not permitted when stream is capturing"},
};

} // namespace

// NOLINTBEGIN(readability-identifier-naming): the names are the driver's.
extern "C" {

cu::Result cuInit(unsigned) {
  TW_FAKE_ENTER(nothing);
  if (state.settings.deviceCount == 0)
    return cu::kNoDevice;
  state.isInitialized = true;
  while (state.primary.size() < static_cast<size_t>(state.settings.deviceCount)) {
    state.primary.push_back(state.make<CUctx_st>());
    state.primary.back()->ordinal = static_cast<int>(state.primary.size()) - 1;
  }
  return cu::kSuccess;
}

cu::Result cuDriverGetVersion(int *version) {
  TW_FAKE_ENTER(nothing);
  *version = state.settings.version;
  return cu::kSuccess;
}

cu::Result cuGetErrorName(cu::Result result, const char **name) {
  for (const ErrorText &error : kErrors)
    if (error.result == result) {
      *name = error.name;
      return cu::kSuccess;
    }
  *name = nullptr;
  return cu::kInvalidValue;
}

cu::Result cuGetErrorString(cu::Result result, const char **text) {
  for (const ErrorText &error : kErrors)
    if (error.result == result) {
      *text = error.text;
      return cu::kSuccess;
    }
  *text = nullptr;
  return cu::kInvalidValue;
}

cu::Result cuDeviceGetCount(int *count) {
  TW_FAKE_ENTER(init);
  *count = state.settings.deviceCount;
  return cu::kSuccess;
}

cu::Result cuDeviceGet(cu::Device *device, int ordinal) {
  TW_FAKE_ENTER(init);
  *device = ordinal;
  return isDevice(ordinal) ? cu::kSuccess : kInvalidDevice;
}

cu::Result cuDeviceGetName(char *name, int size, cu::Device device) {
  TW_FAKE_ENTER(init);
  std::snprintf(name, static_cast<size_t>(size), "Fake GPU %d", device);
  return isDevice(device) ? cu::kSuccess : kInvalidDevice;
}

cu::Result cuDeviceGetUuid_v2(cu::Uuid *uuid, cu::Device device) {
  TW_FAKE_ENTER(init);
  for (size_t i = 0; i < uuid->bytes.size(); ++i)
    uuid->bytes[i] = static_cast<unsigned char>(i * 17);
  return isDevice(device) ? cu::kSuccess : kInvalidDevice;
}

cu::Result cuDeviceGetPCIBusId(char *id, int size, cu::Device device) {
  TW_FAKE_ENTER(init);
  std::snprintf(id, static_cast<size_t>(size), "0000:%02x:00.0", device + 1);
  return isDevice(device) ? cu::kSuccess : kInvalidDevice;
}

cu::Result cuDeviceTotalMem_v2(size_t *bytes, cu::Device device) {
  TW_FAKE_ENTER(init);
  *bytes = state.settings.memory;
  return isDevice(device) ? cu::kSuccess : kInvalidDevice;
}

cu::Result cuDeviceGetAttribute(int *value, cu::DeviceAttribute attribute, cu::Device device) {
  TW_FAKE_ENTER(init);
  if (!isDevice(device))
    return kInvalidDevice;
  switch (attribute) {
  case cu::kClockKilohertz:
    *value = 1980000;
    break;
  case cu::kMultiprocessorCount:
    *value = 132;
    break;
  case cu::kMemoryClockKilohertz:
    *value = 3201000;
    break;
  case cu::kMemoryBusBits:
    *value = 6144;
    break;
  case cu::kL2Bytes:
    *value = 50 << 20;
    break;
  case cu::kComputeMajor:
    *value = state.settings.computeMajor;
    break;
  case cu::kComputeMinor:
    *value = state.settings.computeMinor;
    break;
  case cu::kRegistersPerMultiprocessor:
    *value = 65536;
    break;
  case cu::kSharedBytesPerBlockOptin:
    *value = kSharedPerBlock;
    break;
  default:
    return state.violate(__func__, "an attribute that the fake does not know", cu::kInvalidValue);
  }
  return cu::kSuccess;
}

cu::Result cuDevicePrimaryCtxRetain(cu::Context *context, cu::Device device) {
  TW_FAKE_ENTER(init);
  if (!isDevice(device))
    return kInvalidDevice;
  if (cu::Result refused = refuseInCapture(__func__); refused != cu::kSuccess)
    return refused;
  *context = state.primary[static_cast<size_t>(device)];
  if ((*context)->references++ == 0)
    (*context)->id = ++state.lastContextId;
  return cu::kSuccess;
}

cu::Result cuDevicePrimaryCtxRelease_v2(cu::Device device) {
  TW_FAKE_ENTER(init);
  if (!isDevice(device))
    return kInvalidDevice;
  CUctx_st *context = state.primary[static_cast<size_t>(device)];
  if (!context->isActive())
    return state.violate(__func__, "the context is not retained", kInvalidContext);
  if (--context->references == 0)
    destroyContents(context);
  return cu::kSuccess;
}

cu::Result cuDevicePrimaryCtxGetState(cu::Device device, unsigned *flags, int *isActive) {
  TW_FAKE_ENTER(init);
  if (!isDevice(device))
    return kInvalidDevice;
  *flags = 0;
  *isActive = state.primary[static_cast<size_t>(device)]->isActive();
  return cu::kSuccess;
}

cu::Result cuCtxGetId(cu::Context context, unsigned long long *id) {
  TW_FAKE_ENTER(init);
  if (!context->isActive())
    return cu::kContextIsDestroyed;
  *id = context->id;
  return cu::kSuccess;
}

cu::Result cuCtxGetCurrent(cu::Context *context) {
  // NOTE: on the path of each launch; the stack is the thread's own.
  if (isRecording) {
    TW_FAKE_ENTER(init);
  }
  *context = stack().empty() ? nullptr : stack().back();
  return cu::kSuccess;
}

cu::Result cuCtxPushCurrent_v2(cu::Context context) {
  TW_FAKE_ENTER(init);
  if (!context->isActive())
    return cu::kContextIsDestroyed;
  stack().push_back(context);
  return cu::kSuccess;
}

cu::Result cuCtxPopCurrent_v2(cu::Context *context) {
  TW_FAKE_ENTER(init);
  if (stack().empty())
    return state.violate(__func__, "the stack is empty", kInvalidContext);
  *context = stack().back();
  stack().pop_back();
  return cu::kSuccess;
}

cu::Result cuCtxSynchronize() {
  TW_FAKE_ENTER(context);
  return refuseInCapture(__func__);
}

} // extern "C"
// NOLINTEND(readability-identifier-naming)
