// SPDX-License-Identifier: Apache-2.0
//
// EngineCore: the request path, in order: kernels in memory, the config, the code, the kernel. It
// is what a twEngine holds. Thread-safety: any thread may call any function at any time.
#pragma once

#include "runtime/driver/Context.h"
#include "runtime/engine/CodeSource.h"
#include "runtime/engine/FlightMap.h"
#include "runtime/engine/GemmKernel.h"
#include "runtime/engine/Request.h"
#include "support/Env.h"
#include "support/Log.h"
#include "tilewright/DeviceInfo.h"
#include "tilewright/Status.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace tilewright {

/// What an engine is made with.
struct EngineSettings {
  int32_t device = 0;
  /// Not empty: compile for this target, and open no device.
  std::string target = {};
  /// Empty: where `env` says.
  std::string cacheFolder = {};
  bool diskCache = true;
  /// Library files; empty: where `env` says, else the usual places.
  std::string nvrtcLibrary = {};
  std::string driverLibrary = {};
  Env env = {};
  Log log = {};
  int32_t kernelCapacity = 4096;
};

/// Where the answer to a request came from.
enum class AnswerSource : uint8_t {
  none,      ///< nothing is launched
  memory,    ///< this engine had it
  disk,      ///< the code cache had it
  heuristic, ///< compiled now, with the config that the model ranks first
  config,    ///< compiled now, with the caller's config
};

/// A kernel, and what it took to answer.
struct KernelAnswer {
  std::shared_ptr<GemmKernel> kernel;
  AnswerSource source = AnswerSource::memory;
  int32_t nvrtcCalls = 0;
  bool mlir = false;
  double seconds = 0;
};

/// What an engine has done so far.
struct EngineTally {
  uint64_t fromMemory = 0;
  uint64_t fromDisk = 0;
  uint64_t compiled = 0;
  /// Problems without work.
  uint64_t empty = 0;
  uint64_t nvrtcCalls = 0;
  uint64_t mlirContexts = 0;
};

class EngineCore {
public:
  /// See twEngineCreate.
  static Expected<std::unique_ptr<EngineCore>> create(const EngineSettings &settings);

  /// See twEngineRequestGemm; without `mayCompile` it is TW_POLICY_CACHED_ONLY.
  Expected<KernelAnswer> request(const GemmRequest &request, bool mayCompile = true);

  [[nodiscard]] const DeviceInfo &device() const { return device_; }
  /// Null for a named target.
  [[nodiscard]] const PrimaryContext *context() const { return context_.get(); }
  [[nodiscard]] EngineTally tally() const;

private:
  using Kernels = FlightMap<GemmRequest, GemmKernel, GemmRequestHash>;

  EngineCore(DeviceInfo device, std::shared_ptr<const PrimaryContext> context,
             CodeSourceSettings code, size_t capacity)
      : device_(std::move(device)), context_(std::move(context)), code_(std::move(code)),
        kernels_(capacity) {}

  Kernels::Result make(const GemmRequest &request, bool mayCompile, KernelAnswer &answer);
  void count(const KernelAnswer &answer);

  const DeviceInfo device_;
  const std::shared_ptr<const PrimaryContext> context_;
  CodeSource code_;
  Kernels kernels_;
  struct {
    std::atomic<uint64_t> fromMemory = 0;
    std::atomic<uint64_t> fromDisk = 0;
    std::atomic<uint64_t> compiled = 0;
    std::atomic<uint64_t> empty = 0;
    std::atomic<uint64_t> nvrtcCalls = 0;
    std::atomic<uint64_t> mlirContexts = 0;
  } tally_;
};

/// The config for a request on a device: the model's first, with the knobs that the request names.
/// invalidArgument if that breaks a rule of the space or a flag of the request.
Expected<GemmConfig> chooseConfig(const GemmRequest &request, const DeviceInfo &device);

} // namespace tilewright
