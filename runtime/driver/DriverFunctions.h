// SPDX-License-Identifier: Apache-2.0
//
// DriverFunctions: the functions of libcuda that this library calls, with their types and constants
// written down here, so that no CUDA header is needed to build or to run. A test compares them with
// cuda.h where a toolkit is installed.
// Thread-safety: the driver's functions may be called from any thread; the current context is the
// thread's own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

// NOTE: the driver's own tags, in the global namespace, so that a handle is one type for a file
// that sees cuda.h too.
struct CUctx_st;
struct CUmod_st;
struct CUfunc_st;
struct CUstream_st;
struct CUevent_st;
struct CUgraph_st;
struct CUgraphExec_st;

namespace tilewright::cu {

using Result = int;
using Device = int;
using Context = CUctx_st *;
using Module = CUmod_st *;
using Function = CUfunc_st *;
using Stream = CUstream_st *;
using Event = CUevent_st *;
using Graph = CUgraph_st *;
using GraphExec = CUgraphExec_st *;
using DevicePointer = uint64_t;

/// CUresult: those that we tell apart. Driver::check sorts all others.
inline constexpr Result kSuccess = 0;
inline constexpr Result kInvalidValue = 1;
inline constexpr Result kOutOfMemory = 2;
inline constexpr Result kDeinitialized = 4;
inline constexpr Result kStubLibrary = 34;
inline constexpr Result kNoDevice = 100;
inline constexpr Result kInvalidImage = 200;
inline constexpr Result kNoBinaryForGpu = 209;
inline constexpr Result kUnsupportedPtxVersion = 222;
inline constexpr Result kContextIsDestroyed = 709;

/// CUdevice_attribute.
enum DeviceAttribute : int {
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

/// CUfunction_attribute.
enum FunctionAttribute : int {
  kMaxThreadsPerBlock = 0,
  kStaticSharedBytes = 1,
  kLocalBytes = 3,
  kRegisters = 4,
  kMaxDynamicSharedBytes = 8,
  kNonPortableClusterSize = 14,
};

/// CUpointer_attribute.
enum PointerAttribute : int { kMemoryType = 2, kIsManaged = 8, kDeviceOrdinal = 9 };

/// CUmemorytype.
enum MemoryType : int { kMemoryHost = 1, kMemoryDevice = 2, kMemoryUnified = 4 };

/// CUstream_flags, CUevent_flags, CUstreamCaptureMode, CUstreamCaptureStatus.
inline constexpr unsigned kStreamNonBlocking = 1;
inline constexpr unsigned kEventDefault = 0;
inline constexpr unsigned kEventNoTiming = 2;
enum CaptureMode : int { kCaptureGlobal = 0, kCaptureThreadLocal = 1, kCaptureRelaxed = 2 };
enum CaptureStatus : int { kCaptureNone = 0, kCaptureActive = 1, kCaptureInvalidated = 2 };

/// CUtensorMap: 128 opaque bytes. Aligned as CUDA 13 has it; before, 64 were enough.
struct alignas(128) TensorMap {
  std::array<uint64_t, 16> words;
};

/// CUtensorMapDataType, CUtensorMapInterleave, CUtensorMapFloatOOBfill. The swizzle and the L2
/// promotion are numbered as their log2: 0, 32, 64, 128 and 0, 64, 128, 256 bytes are 0, 1, 2, 3.
enum TensorMapType : int {
  kMapUint8 = 0,
  kMapInt32 = 3,
  kMapFloat16 = 6,
  kMapFloat32 = 7,
  kMapBfloat16 = 9,
  kMapTfloat32 = 11,
};
inline constexpr int kMapNoInterleave = 0;
inline constexpr int kMapZeroFill = 0;

/// CUlaunchAttributeID and CUlaunchAttribute.
enum LaunchAttributeId : uint32_t {
  kClusterDimension = 4,
  kProgrammaticStreamSerialization = 6,
};
struct LaunchAttribute {
  LaunchAttributeId id;
  uint32_t padding;
  union {
    struct {
      uint32_t x, y, z;
    } cluster;
    int32_t isAllowed;
    std::array<uint64_t, 8> size;
  } value;
};

/// CUlaunchConfig.
struct LaunchConfig {
  uint32_t gridX, gridY, gridZ;
  uint32_t blockX, blockY, blockZ;
  uint32_t sharedBytes;
  Stream stream;
  LaunchAttribute *attributes;
  uint32_t attributeCount;
};

/// CUuuid.
struct Uuid {
  std::array<unsigned char, 16> bytes;
};

} // namespace tilewright::cu

namespace tilewright {

/// The table. Names are the driver's without "cu"; Driver.cpp says which version of each is meant.
struct DriverFunctions {
  cu::Result (*init)(unsigned flags) = nullptr;
  cu::Result (*driverGetVersion)(int *version) = nullptr;
  cu::Result (*getErrorName)(cu::Result, const char **) = nullptr;
  cu::Result (*getErrorString)(cu::Result, const char **) = nullptr;

  cu::Result (*deviceGetCount)(int *) = nullptr;
  cu::Result (*deviceGet)(cu::Device *, int ordinal) = nullptr;
  cu::Result (*deviceGetName)(char *, int size, cu::Device) = nullptr;
  cu::Result (*deviceGetUuid)(cu::Uuid *, cu::Device) = nullptr;
  cu::Result (*deviceGetPciBusId)(char *, int size, cu::Device) = nullptr;
  cu::Result (*deviceTotalMem)(size_t *, cu::Device) = nullptr;
  cu::Result (*deviceGetAttribute)(int *, cu::DeviceAttribute, cu::Device) = nullptr;

  cu::Result (*primaryCtxRetain)(cu::Context *, cu::Device) = nullptr;
  cu::Result (*primaryCtxRelease)(cu::Device) = nullptr;
  cu::Result (*primaryCtxGetState)(cu::Device, unsigned *flags, int *isActive) = nullptr;
  cu::Result (*ctxGetId)(cu::Context, unsigned long long *) = nullptr;
  cu::Result (*ctxGetCurrent)(cu::Context *) = nullptr;
  cu::Result (*ctxPushCurrent)(cu::Context) = nullptr;
  cu::Result (*ctxPopCurrent)(cu::Context *) = nullptr;
  cu::Result (*ctxSynchronize)() = nullptr;

  cu::Result (*moduleLoadData)(cu::Module *, const void *image) = nullptr;
  cu::Result (*moduleUnload)(cu::Module) = nullptr;
  cu::Result (*moduleGetFunction)(cu::Function *, cu::Module, const char *name) = nullptr;
  cu::Result (*funcLoad)(cu::Function) = nullptr;
  cu::Result (*funcGetAttribute)(int *, cu::FunctionAttribute, cu::Function) = nullptr;
  cu::Result (*funcSetAttribute)(cu::Function, cu::FunctionAttribute, int) = nullptr;
  cu::Result (*launchKernelEx)(const cu::LaunchConfig *, cu::Function, void **parameters,
                               void **extra) = nullptr;
  cu::Result (*tensorMapEncodeTiled)(cu::TensorMap *, cu::TensorMapType, uint32_t rank,
                                     void *address, const uint64_t *dims, const uint64_t *strides,
                                     const uint32_t *box, const uint32_t *elementStrides,
                                     int interleave, int swizzle, int l2Promotion,
                                     int fill) = nullptr;

  cu::Result (*pointerGetAttribute)(void *, cu::PointerAttribute, cu::DevicePointer) = nullptr;
  cu::Result (*memGetInfo)(size_t *free, size_t *total) = nullptr;
  cu::Result (*memAlloc)(cu::DevicePointer *, size_t) = nullptr;
  cu::Result (*memFree)(cu::DevicePointer) = nullptr;
  cu::Result (*memcpyHtoDAsync)(cu::DevicePointer, const void *, size_t, cu::Stream) = nullptr;
  cu::Result (*memcpyDtoHAsync)(void *, cu::DevicePointer, size_t, cu::Stream) = nullptr;
  cu::Result (*memcpyDtoDAsync)(cu::DevicePointer, cu::DevicePointer, size_t, cu::Stream) = nullptr;
  cu::Result (*memsetD8Async)(cu::DevicePointer, unsigned char, size_t, cu::Stream) = nullptr;
  cu::Result (*memsetD32Async)(cu::DevicePointer, unsigned, size_t count, cu::Stream) = nullptr;

  cu::Result (*streamCreate)(cu::Stream *, unsigned flags) = nullptr;
  cu::Result (*streamDestroy)(cu::Stream) = nullptr;
  cu::Result (*streamSynchronize)(cu::Stream) = nullptr;
  cu::Result (*streamWaitEvent)(cu::Stream, cu::Event, unsigned flags) = nullptr;
  cu::Result (*streamBeginCapture)(cu::Stream, cu::CaptureMode) = nullptr;
  cu::Result (*streamEndCapture)(cu::Stream, cu::Graph *) = nullptr;
  cu::Result (*threadExchangeStreamCaptureMode)(cu::CaptureMode *) = nullptr;
  cu::Result (*streamIsCapturing)(cu::Stream, cu::CaptureStatus *) = nullptr;
  cu::Result (*eventCreate)(cu::Event *, unsigned flags) = nullptr;
  cu::Result (*eventDestroy)(cu::Event) = nullptr;
  cu::Result (*eventRecord)(cu::Event, cu::Stream) = nullptr;
  cu::Result (*eventSynchronize)(cu::Event) = nullptr;
  cu::Result (*eventElapsedTime)(float *milliseconds, cu::Event, cu::Event) = nullptr;
  cu::Result (*graphInstantiate)(cu::GraphExec *, cu::Graph, unsigned long long flags) = nullptr;
  cu::Result (*graphLaunch)(cu::GraphExec, cu::Stream) = nullptr;
  cu::Result (*graphExecDestroy)(cu::GraphExec) = nullptr;
  cu::Result (*graphDestroy)(cu::Graph) = nullptr;
};

} // namespace tilewright
