// SPDX-License-Identifier: Apache-2.0
//
// Our declarations of the driver against NVIDIA's, where a toolkit is installed.
#include "runtime/driver/DriverFunctions.h"

#include "tests/runtime/driver/fake/FakeDriver.h"

#include <gtest/gtest.h>

#ifdef TW_HAS_CUDA_H
#include <cuda.h>
#include <dlfcn.h>

using namespace tilewright;

namespace {

// Handles are the same types.
static_assert(std::is_same_v<CUcontext, cu::Context> && std::is_same_v<CUmodule, cu::Module> &&
              std::is_same_v<CUfunction, cu::Function> && std::is_same_v<CUstream, cu::Stream> &&
              std::is_same_v<CUevent, cu::Event> && std::is_same_v<CUgraph, cu::Graph> &&
              std::is_same_v<CUgraphExec, cu::GraphExec>);
static_assert(sizeof(CUdeviceptr) == sizeof(cu::DevicePointer));
static_assert(sizeof(CUdevice) == sizeof(cu::Device) && sizeof(CUresult) == sizeof(cu::Result));

static_assert(cu::kInvalidValue == CUDA_ERROR_INVALID_VALUE);
static_assert(cu::kOutOfMemory == CUDA_ERROR_OUT_OF_MEMORY);
static_assert(cu::kDeinitialized == CUDA_ERROR_DEINITIALIZED);
static_assert(cu::kStubLibrary == CUDA_ERROR_STUB_LIBRARY);
static_assert(cu::kNoDevice == CUDA_ERROR_NO_DEVICE);
static_assert(cu::kInvalidImage == CUDA_ERROR_INVALID_IMAGE);
static_assert(cu::kNoBinaryForGpu == CUDA_ERROR_NO_BINARY_FOR_GPU);
static_assert(cu::kUnsupportedPtxVersion == CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
static_assert(cu::kContextIsDestroyed == CUDA_ERROR_CONTEXT_IS_DESTROYED);

static_assert(int{cu::kClockKilohertz} == CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
static_assert(int{cu::kMultiprocessorCount} == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
static_assert(int{cu::kMemoryClockKilohertz} == CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
static_assert(int{cu::kMemoryBusBits} == CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
static_assert(int{cu::kL2Bytes} == CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
static_assert(int{cu::kComputeMajor} == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
static_assert(int{cu::kComputeMinor} == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
static_assert(int{cu::kRegistersPerMultiprocessor} ==
              CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
static_assert(int{cu::kSharedBytesPerBlockOptin} ==
              CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);

static_assert(int{cu::kMaxThreadsPerBlock} == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
static_assert(int{cu::kStaticSharedBytes} == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
static_assert(int{cu::kLocalBytes} == CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
static_assert(int{cu::kRegisters} == CU_FUNC_ATTRIBUTE_NUM_REGS);
static_assert(int{cu::kMaxDynamicSharedBytes} == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
static_assert(int{cu::kNonPortableClusterSize} ==
              CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);

static_assert(int{cu::kMemoryType} == CU_POINTER_ATTRIBUTE_MEMORY_TYPE);
static_assert(int{cu::kIsManaged} == CU_POINTER_ATTRIBUTE_IS_MANAGED);
static_assert(int{cu::kDeviceOrdinal} == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL);
static_assert(int{cu::kMemoryHost} == CU_MEMORYTYPE_HOST);
static_assert(int{cu::kMemoryDevice} == CU_MEMORYTYPE_DEVICE);
static_assert(int{cu::kMemoryUnified} == CU_MEMORYTYPE_UNIFIED);

static_assert(cu::kStreamNonBlocking == CU_STREAM_NON_BLOCKING);
static_assert(cu::kEventDefault == CU_EVENT_DEFAULT);
static_assert(cu::kEventNoTiming == CU_EVENT_DISABLE_TIMING);
static_assert(int{cu::kCaptureGlobal} == CU_STREAM_CAPTURE_MODE_GLOBAL);
static_assert(int{cu::kCaptureThreadLocal} == CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
static_assert(int{cu::kCaptureRelaxed} == CU_STREAM_CAPTURE_MODE_RELAXED);
static_assert(int{cu::kCaptureActive} == CU_STREAM_CAPTURE_STATUS_ACTIVE);
static_assert(int{cu::kCaptureInvalidated} == CU_STREAM_CAPTURE_STATUS_INVALIDATED);

static_assert(sizeof(CUtensorMap) == sizeof(cu::TensorMap) &&
              alignof(cu::TensorMap) % alignof(CUtensorMap) == 0);
static_assert(int{cu::kMapUint8} == CU_TENSOR_MAP_DATA_TYPE_UINT8);
static_assert(int{cu::kMapInt32} == CU_TENSOR_MAP_DATA_TYPE_INT32);
static_assert(int{cu::kMapFloat16} == CU_TENSOR_MAP_DATA_TYPE_FLOAT16);
static_assert(int{cu::kMapFloat32} == CU_TENSOR_MAP_DATA_TYPE_FLOAT32);
static_assert(int{cu::kMapBfloat16} == CU_TENSOR_MAP_DATA_TYPE_BFLOAT16);
static_assert(int{cu::kMapTfloat32} == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32);
static_assert(int{cu::kMapNoInterleave} == CU_TENSOR_MAP_INTERLEAVE_NONE);
static_assert(int{cu::kMapZeroFill} == CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
// Numbered as log2 of the span.
static_assert(CU_TENSOR_MAP_SWIZZLE_NONE == 0 && CU_TENSOR_MAP_SWIZZLE_32B == 1 &&
              CU_TENSOR_MAP_SWIZZLE_64B == 2 && CU_TENSOR_MAP_SWIZZLE_128B == 3);
static_assert(CU_TENSOR_MAP_L2_PROMOTION_NONE == 0 && CU_TENSOR_MAP_L2_PROMOTION_L2_64B == 1 &&
              CU_TENSOR_MAP_L2_PROMOTION_L2_128B == 2 && CU_TENSOR_MAP_L2_PROMOTION_L2_256B == 3);

static_assert(cu::kClusterDimension == uint32_t{CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION});
static_assert(cu::kProgrammaticStreamSerialization ==
              uint32_t{CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION});
static_assert(sizeof(CUlaunchAttribute) == sizeof(cu::LaunchAttribute) &&
              offsetof(CUlaunchAttribute, value) == offsetof(cu::LaunchAttribute, value));
static_assert(sizeof(CUlaunchConfig) == sizeof(cu::LaunchConfig) &&
              offsetof(CUlaunchConfig, blockDimX) == offsetof(cu::LaunchConfig, blockX) &&
              offsetof(CUlaunchConfig, sharedMemBytes) == offsetof(cu::LaunchConfig, sharedBytes) &&
              offsetof(CUlaunchConfig, hStream) == offsetof(cu::LaunchConfig, stream) &&
              offsetof(CUlaunchConfig, attrs) == offsetof(cu::LaunchConfig, attributes) &&
              offsetof(CUlaunchConfig, numAttrs) == offsetof(cu::LaunchConfig, attributeCount));
static_assert(sizeof(CUuuid) == sizeof(cu::Uuid));

// The name after cuda.h's macros, which choose the version of a function.
#define TW_TEXT(name) #name
#define TW_SYMBOL(name) TW_TEXT(name)

/// The fake has just the versions that Driver.cpp asks for.
TEST(Functions, AreOfTheVersionsThatTheHeaderChooses) {
  const char *symbols[] = {
      TW_SYMBOL(cuDeviceGetUuid),
      TW_SYMBOL(cuDeviceTotalMem),
      TW_SYMBOL(cuCtxPushCurrent),
      TW_SYMBOL(cuCtxPopCurrent),
      TW_SYMBOL(cuMemGetInfo),
      TW_SYMBOL(cuMemAlloc),
      TW_SYMBOL(cuMemFree),
      TW_SYMBOL(cuMemcpyHtoDAsync),
      TW_SYMBOL(cuMemcpyDtoHAsync),
      TW_SYMBOL(cuMemcpyDtoDAsync),
      TW_SYMBOL(cuMemsetD8Async),
      TW_SYMBOL(cuMemsetD32Async),
      TW_SYMBOL(cuStreamDestroy),
      TW_SYMBOL(cuStreamBeginCapture),
      TW_SYMBOL(cuEventDestroy),
      TW_SYMBOL(cuGraphInstantiate),
      TW_SYMBOL(cuLaunchKernelEx),
      TW_SYMBOL(cuTensorMapEncodeTiled),
      TW_SYMBOL(cuModuleLoadData),
      TW_SYMBOL(cuDevicePrimaryCtxRelease),
      TW_SYMBOL(cuStreamIsCapturing),
      TW_SYMBOL(cuPointerGetAttribute),
      TW_SYMBOL(cuStreamSynchronize),
      TW_SYMBOL(cuEventRecord),
      TW_SYMBOL(cuFuncLoad),
      TW_SYMBOL(cuCtxGetId),
      TW_SYMBOL(cuDeviceGetAttribute),
      TW_SYMBOL(cuGraphLaunch),
  };
  void *library = dlopen(fake::libraryPath().c_str(), RTLD_NOW | RTLD_NOLOAD);
  ASSERT_TRUE(library);
  for (const char *symbol : symbols)
    EXPECT_TRUE(dlsym(library, symbol)) << symbol;
}

} // namespace

#else

TEST(Functions, AreComparedWithTheHeader) {
  GTEST_SKIP() << "no cuda.h: no CUDA toolkit in CUDA_HOME or /usr/local/cuda";
}

#endif
