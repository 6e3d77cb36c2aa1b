// SPDX-License-Identifier: Apache-2.0
//
// The little of CUDA that the examples need, from the driver's library itself, so that they build
// on a machine without a CUDA toolkit. A program of yours has device memory and streams already,
// from the CUDA runtime, from PyTorch, …: pass those to Tilewright as they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <dlfcn.h>

/// Device memory and copies on the primary context of device 0. Every function returns whether it
/// worked.
class Cuda {
public:
  bool open() {
    const char *named = std::getenv("TILEWRIGHT_DRIVER");
    library_ = dlopen(named ? named : "libcuda.so.1", RTLD_NOW);
    if (!library_ || !load(initialize_, "cuInit") || !load(retain_, "cuDevicePrimaryCtxRetain") ||
        !load(push_, "cuCtxPushCurrent_v2") || !load(allocate_, "cuMemAlloc_v2") ||
        !load(toDevice_, "cuMemcpyHtoDAsync_v2") || !load(toHost_, "cuMemcpyDtoHAsync_v2") ||
        !load(synchronize_, "cuStreamSynchronize"))
      return false;
    void *context = nullptr;
    return initialize_(0) == 0 && retain_(&context, 0) == 0 && push_(context) == 0;
  }

  /// Device memory; null if there is none left. It is freed with the process.
  [[nodiscard]] void *allocate(size_t bytes) const {
    uint64_t address = 0;
    return bytes != 0 && allocate_(&address, bytes) == 0 ? reinterpret_cast<void *>(address)
                                                         : nullptr;
  }
  [[nodiscard]] bool toDevice(void *device, const void *host, size_t bytes) const {
    return toDevice_(reinterpret_cast<uint64_t>(device), host, bytes, nullptr) == 0;
  }
  /// Waits for what was put on the default stream before.
  [[nodiscard]] bool toHost(void *host, const void *device, size_t bytes) const {
    return toHost_(host, reinterpret_cast<uint64_t>(device), bytes, nullptr) == 0 &&
           synchronize_(nullptr) == 0;
  }

private:
  template <typename Function>
  bool load(Function *&function, const char *name) {
    function = reinterpret_cast<Function *>(dlsym(library_, name));
    return function != nullptr;
  }

  void *library_ = nullptr;
  int (*initialize_)(unsigned) = nullptr;
  int (*retain_)(void **, int) = nullptr;
  int (*push_)(void *) = nullptr;
  int (*allocate_)(uint64_t *, size_t) = nullptr;
  int (*toDevice_)(uint64_t, const void *, size_t, void *) = nullptr;
  int (*toHost_)(void *, uint64_t, size_t, void *) = nullptr;
  int (*synchronize_)(void *) = nullptr;
};
