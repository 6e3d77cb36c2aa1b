// SPDX-License-Identifier: Apache-2.0
// Asks for one kernel, launches it, and prints how the request was answered. It knows nothing but
// the public headers; the environment says which driver and which cache.
#include "tilewright/Engine.h"

#include <cstdio>
#include <cstdlib>

#include <dlfcn.h>

using namespace tilewright;

namespace {

/// Device memory from the driver that the engine has opened.
void *allocate(const std::string &driver, size_t bytes) {
  void *library = dlopen(driver.c_str(), RTLD_NOW);
  using Allocate = int (*)(uint64_t *, size_t);
  using Retain = int (*)(void **, int);
  using Push = int (*)(void *);
  auto *retain = reinterpret_cast<Retain>(dlsym(library, "cuDevicePrimaryCtxRetain"));
  auto *push = reinterpret_cast<Push>(dlsym(library, "cuCtxPushCurrent_v2"));
  auto *allocate = reinterpret_cast<Allocate>(dlsym(library, "cuMemAlloc_v2"));
  void *context = nullptr;
  uint64_t address = 0;
  if (!retain || !push || !allocate || retain(&context, 0) != 0 || push(context) != 0 ||
      allocate(&address, bytes) != 0)
    return nullptr;
  return reinterpret_cast<void *>(address);
}

} // namespace

int main() {
  Expected<Engine> engine = Engine::create();
  if (!engine) {
    std::puts(engine.status().toString().c_str());
    return 1;
  }
  GemmProblem problem{.m = 300, .n = 512, .k = 128};
  problem.epilogue.bias();
  Expected<Kernel> kernel = engine->request(problem);
  if (!kernel) {
    std::puts(kernel.status().toString().c_str());
    return 1;
  }
  void *memory = allocate(std::getenv("TILEWRIGHT_DRIVER"), 1 << 20);
  const Status status =
      kernel->launch({.a = memory, .b = memory, .d = memory, .bias = memory}, nullptr);
  const KernelInfo info = kernel->info();
  std::printf("{\"source\": \"%s\", \"mlir\": %s, \"nvrtc_calls\": %d, \"launch\": \"%s\"}\n",
              info.source.c_str(), info.mlir ? "true" : "false", info.nvrtcCalls,
              status.toString().c_str());
  return 0;
}
