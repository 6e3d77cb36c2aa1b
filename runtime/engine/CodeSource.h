// SPDX-License-Identifier: Apache-2.0
//
// CodeSource: where the compiled code of a kernel comes from: memory, else the code cache, else a
// compile, whose result is stored. MLIR and NVRTC are touched by a compile only.
// Thread-safety: any thread may call any function at any time.
#pragma once

#include "cache/CodeCache.h"
#include "runtime/engine/FlightMap.h"
#include "runtime/engine/KernelCode.h"
#include "runtime/engine/Key.h"
#include "runtime/nvrtc/Nvrtc.h"
#include "support/Log.h"
#include "templates/gemm/Config.h"
#include "tilewright/DeviceInfo.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace tilewright {

/// What a source is made with.
struct CodeSourceSettings {
  DeviceInfo device = {};
  /// The newest CUDA whose cubins are of use: that of the driver, where there is one.
  std::optional<int32_t> newestCuda = std::nullopt;
  /// Null: nothing is kept on disk.
  std::unique_ptr<CodeCache> cache = nullptr;
  NvrtcSearch nvrtc = {};
  Log log = {};
};

class CodeSource {
public:
  explicit CodeSource(CodeSourceSettings settings) : settings_(std::move(settings)) {}

  enum class Origin : uint8_t { memory, disk, compiled };

  /// The code and what it took to get it.
  struct Answer {
    std::shared_ptr<KernelCode> code;
    Origin origin = Origin::memory;
    /// Kernels handed to NVRTC by this call, and whether it made an MLIR context.
    int32_t nvrtcCalls = 0;
    bool mlir = false;
  };

  /// The code of a GEMM under a config that checkConfig accepts. Calls for one code at the same
  /// time compile it once; the others find it in memory. notFound if it would have to be compiled
  /// and `mayCompile` is false; unavailable if there is no NVRTC for it; compileFailed with the
  /// log.
  ///
  /// Kernels that spill or that ptxas serialised are slow, not wrong: they are served, with a
  /// warning in the log.
  Expected<Answer> get(const GemmProblem &problem, const RequestKey &key, const GemmConfig &config,
                       bool mayCompile);

private:
  using Codes = FlightMap<std::string, KernelCode>;

  [[nodiscard]] std::shared_ptr<KernelCode> findStored(const std::string &name) const;
  Codes::Result compile(const GemmProblem &problem, const std::string &name,
                        const GemmConfig &config, Answer &answer);
  Expected<std::shared_ptr<const Nvrtc>> nvrtc();

  const CodeSourceSettings settings_;
  // NOTE: not bounded in practice: there are few configs and epilogues, and forgetting code would
  // unload kernels that a graph may still launch.
  Codes codes_{size_t{1} << 20};
  std::mutex mutex_;
  std::shared_ptr<const Nvrtc> nvrtc_;
};

} // namespace tilewright
