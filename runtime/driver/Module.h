// SPDX-License-Identifier: Apache-2.0
//
// Module: a cubin loaded on a context, and Kernel, a function of it.
// Thread-safety: immutable after load; share it by shared_ptr.
#pragma once

#include "runtime/driver/Context.h"
#include "tilewright/Status.h"

#include <memory>
#include <string>
#include <string_view>

namespace tilewright {

/// What the driver says of a loaded kernel.
struct KernelFacts {
  /// Registers per thread at launch.
  int32_t registers = 0;
  /// Local memory per thread: the stack, spilled registers included.
  int32_t localBytes = 0;
  int32_t staticSharedBytes = 0;
  int32_t maxThreads = 0;
  friend bool operator==(const KernelFacts &, const KernelFacts &) = default;
};

/// What a kernel must be allowed to have before it is launched.
struct KernelLimits {
  int32_t dynamicSharedBytes = 0;
  /// CTAs of one cluster; more than 8 must be allowed too.
  int32_t clusterSize = 1;
};

/// A loaded kernel. Valid as long as its module.
struct LoadedKernel {
  cu::Function handle = nullptr;
  KernelFacts facts;
};

/// A loaded cubin.
class Module {
public:
  /// Loads `cubin`, which was made by a compiler of CUDA `madeBy` ({}: not known). internal if it
  /// is no whole cubin; unavailable, with both versions, if the driver is too old for it; otherwise
  /// what Driver::check says (outOfMemory).
  static Expected<std::shared_ptr<const Module>> load(std::shared_ptr<const PrimaryContext> context,
                                                      std::string_view cubin, CudaVersion madeBy);

  /// Unloads it, unless its context is gone.
  ~Module();
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;

  /// The kernel of that name, put on the device now (so that its first launch loads nothing, as
  /// stream capture demands) with `limits` allowed. notFound if there is none; unsupported if the
  /// device has not that much.
  [[nodiscard]] Expected<LoadedKernel> kernel(const std::string &entry, KernelLimits limits) const;

  [[nodiscard]] const PrimaryContext &context() const { return *context_; }

private:
  Module(std::shared_ptr<const PrimaryContext> context, cu::Module handle)
      : context_(std::move(context)), handle_(handle) {}

  std::shared_ptr<const PrimaryContext> context_;
  cu::Module handle_ = nullptr;
};

} // namespace tilewright
