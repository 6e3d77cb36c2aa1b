// SPDX-License-Identifier: Apache-2.0
//
// FakeDriver: a stand-in for libcuda.so.1 with the functions that this library calls. Its "device
// memory" is host memory, its kernels do nothing; it is strict where the real driver may crash or
// go on silently: each misuse is written down as a violation. Captured graphs are replayed.
//
//   fake::reset();    // one sm_90 device, nothing recorded
//   auto driver = Driver::open({.library = fake::libraryPath()});
//   …
//   EXPECT_EQ(fake::launches().size(), 1U);
//
// A program that does not link it sets TILEWRIGHT_DRIVER to the file, and these variables, which
// are read when the library is loaded:
//   TW_FAKE_VERSION=12020       the CUDA version of the driver
//   TW_FAKE_DEVICES=0           how many devices there are
//   TW_FAKE_CAPABILITY=80       their compute capability
//   TW_FAKE_MEMORY=1000000      bytes of their memory
//   TW_FAKE_NEWEST_CUBIN=0      refuse every cubin, as a driver that is too old does
//   TW_FAKE_LOG=FILE            append a line for each launch
//
// Thread-safety: as the driver's. The functions below may be called from any thread.
#pragma once

#include "runtime/driver/DriverFunctions.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tilewright::fake {

/// One launch, or one replayed from a graph.
struct Launch {
  std::string entry;
  std::array<uint32_t, 3> grid;
  uint32_t threads;
  uint32_t sharedBytes;
  std::array<uint32_t, 3> cluster;
  bool pdl;
  cu::Stream stream;
  /// Each parameter's bytes, as the cubin says how many they are.
  std::vector<std::string> parameters;

  /// A parameter as a value of type T; it must have that size.
  template <typename T>
  [[nodiscard]] T parameter(size_t index) const {
    T value = {};
    if (index < parameters.size() && parameters[index].size() == sizeof(T))
      parameters[index].copy(reinterpret_cast<char *>(&value), sizeof(T));
    return value;
  }
};

/// What an encoded tensor map of the fake holds.
struct DecodedMap {
  uint64_t address;
  int type;
  uint32_t rank;
  std::array<uint64_t, 5> dims;
  std::array<uint64_t, 4> strides;
  std::array<uint32_t, 5> box;
  int swizzle;
  int l2Promotion;
};

/// The library's file.
std::string libraryPath();

/// Forgets everything and returns to the defaults (or those of the environment). Handles that are
/// still held dangle; contexts are new.
void reset();

void setVersion(int version);
void setDevices(int count, int computeMajor, int computeMinor);
void setMemory(size_t bytes);
/// Refuse cubins of makeCubin that were made by a newer CUDA; 0 refuses all cubins.
void setNewestCubin(int version);
/// Whether launches are recorded; off for measurements.
void setRecording(bool isOn);

/// The next call of `function` ("cuMemAlloc_v2") but for `skip` fails with `result`.
void failNext(const std::string &function, cu::Result result, int skip = 0);
/// From now on every call that reaches a device fails with `result`, as after a kernel's fault.
void setFault(cu::Result result);
/// From now on every call fails as after the driver's shutdown.
void shutDown();
/// cuDevicePrimaryCtxReset, or cudaDeviceReset: all that lived on the context is gone.
void resetDevice(int ordinal);

/// A context that is nobody's primary one, on device 0.
cu::Context makeContext();
/// Contexts on this thread's stack, the current one last.
std::vector<cu::Context> contextStack();
void pushContext(cu::Context context);
void popContext();

/// Tells the driver of host memory, as cuMemHostRegister does.
void registerHost(const void *memory, size_t bytes);
/// Memory of another device: an address that is on `ordinal`.
uint64_t allocateOn(int ordinal, size_t bytes, bool isManaged = false);

/// All launches that were recorded.
std::vector<Launch> launches();
/// How often a function was called since the reset.
int calls(const std::string &function);
/// Misuses found: "cuModuleUnload: the module is gone".
std::vector<std::string> violations();
/// What is live: contexts retained, modules, allocations, streams, events, graphs.
std::string leaks();

/// Called for each launch outside of a capture, and for each replayed one: a test's kernel.
void setKernel(std::function<void(const Launch &)> kernel);

/// Reads the map of an encoded one.
DecodedMap decode(const cu::TensorMap &map);

/// A kernel for makeCubin.
struct FakeKernel {
  std::string entry = {};
  /// Bytes of each parameter.
  std::vector<uint32_t> parameters = {};
};
/// A cubin that the fake loads, made by the given version of CUDA.
std::string makeCubin(const std::vector<FakeKernel> &kernels, int version = 13000);

} // namespace tilewright::fake
