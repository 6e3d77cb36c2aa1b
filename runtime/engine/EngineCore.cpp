// SPDX-License-Identifier: Apache-2.0
#include "runtime/engine/EngineCore.h"

#include "runtime/engine/Key.h"
#include "templates/gemm/Space.h"

#include <algorithm>
#include <chrono>
#include <optional>

namespace tilewright {

namespace {

double secondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::unique_ptr<CodeCache> openCache(const EngineSettings &settings) {
  if (!settings.diskCache)
    return nullptr;
  std::string folder = settings.cacheFolder;
  if (folder.empty()) {
    Expected<std::string> found = settings.env.cacheFolder();
    if (!found) {
      settings.log.info("no disk cache: {}", found.status().message());
      return nullptr;
    }
    folder = *std::move(found);
  }
  // A relative folder would be another one for each place that a process starts in.
  if (folder.front() != '/') {
    settings.log.warning("no disk cache: the folder '{}' is relative; give an absolute one",
                         folder);
    return nullptr;
  }
  return std::make_unique<CodeCache>(std::move(folder), settings.log);
}

/// Ending a failure to get a device: what works without one.
Status withoutDevice(Status status) {
  return status.code() == StatusCode::unavailable
             ? Status::unavailable(status.message() +
                                   "; to compile without a device, name a target (h100, h200)")
             : status;
}

} // namespace

Expected<GemmConfig> chooseConfig(const GemmRequest &request, const DeviceInfo &device) {
  DeviceInfo visible = device;
  if (request.flags.smCap > 0)
    visible.smCount = std::min(visible.smCount, request.flags.smCap);
  Expected<GemmConfig> config = heuristicConfig(request.problem, visible);
  if (!config)
    return config;
  // One order of summation for all sizes: the steps of K one after the other. Which tile an element
  // falls into does not matter to it.
  if (request.flags.batchInvariant)
    config->split = 1;
  if (!request.config.empty()) {
    config = GemmConfig::parse(request.config, *config);
    if (!config)
      return config;
  }
  if (request.flags.batchInvariant && config->split != 1)
    return Status::invalidArgument("config: split is " + std::to_string(config->split) +
                                   "; a batch-invariant kernel sums K in one piece, use split=1");
  if (std::optional<GemmRejection> rejection = checkConfig(request.problem, visible, *config))
    return Status::invalidArgument("config: " + config->toString() + " breaks the rule " +
                                   std::string(rejection->rule) + ": " + rejection->text);
  return config;
}

Expected<std::unique_ptr<EngineCore>> EngineCore::create(const EngineSettings &settings) {
  CodeSourceSettings code{.cache = openCache(settings),
                          .nvrtc = {.library = settings.nvrtcLibrary, .env = settings.env},
                          .log = settings.log};
  std::shared_ptr<const PrimaryContext> context;
  if (!settings.target.empty()) {
    Expected<DeviceInfo> device = DeviceInfo::forTarget(settings.target);
    if (!device)
      return device.status();
    code.device = *std::move(device);
  } else {
    Expected<std::shared_ptr<const Driver>> driver =
        Driver::open({.library = settings.driverLibrary, .env = settings.env});
    if (!driver)
      return withoutDevice(driver.status());
    code.newestCuda = (*driver)->version().major;
    Expected<std::shared_ptr<const PrimaryContext>> retained =
        PrimaryContext::retain(*driver, settings.device);
    if (!retained)
      return withoutDevice(retained.status());
    context = *std::move(retained);
    code.device = context->device();
  }
  DeviceInfo device = code.device;
  return std::unique_ptr<EngineCore>(new EngineCore(std::move(device), std::move(context),
                                                    std::move(code),
                                                    static_cast<size_t>(settings.kernelCapacity)));
}

EngineCore::Kernels::Result EngineCore::make(const GemmRequest &request, bool mayCompile,
                                             KernelAnswer &answer) {
  const RequestKey key = RequestKey::of(request);
  if (request.problem.m == 0 || request.problem.n == 0) {
    answer.source = AnswerSource::none;
    return GemmKernel::create(request, key, "", nullptr, device_, context_);
  }
  Expected<GemmConfig> config = chooseConfig(request, device_);
  if (!config)
    return config.status();
  Expected<CodeSource::Answer> code = code_.get(request.problem, key, *config, mayCompile);
  if (!code)
    return code.status();
  switch (code->origin) {
  case CodeSource::Origin::memory:
    answer.source = AnswerSource::memory;
    break;
  case CodeSource::Origin::disk:
    answer.source = AnswerSource::disk;
    break;
  case CodeSource::Origin::compiled:
    answer.source = request.config.empty() ? AnswerSource::heuristic : AnswerSource::config;
    break;
  }
  answer.nvrtcCalls = code->nvrtcCalls;
  answer.mlir = code->mlir;
  return GemmKernel::create(request, key, config->toString(), std::move(code->code), device_,
                            context_);
}

Expected<KernelAnswer> EngineCore::request(const GemmRequest &request, bool mayCompile) {
  const auto begin = std::chrono::steady_clock::now();
  KernelAnswer answer;
  answer.kernel = kernels_.find(request);
  if (!answer.kernel) {
    if (Status status = request.validate(); !status.isOk())
      return status;
    const auto makeIt = [&] { return make(request, mayCompile, answer); };
    // NOTE: who must not compile must not wait for a compile, nor pass its refusal on to others.
    Kernels::Result made = mayCompile ? kernels_.findOrMake(request, makeIt).result : makeIt();
    if (!made)
      return made.status();
    answer.kernel = mayCompile ? *std::move(made) : kernels_.insert(request, *std::move(made));
  }
  answer.seconds = secondsSince(begin);
  count(answer);
  return answer;
}

void EngineCore::count(const KernelAnswer &answer) {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  switch (answer.source) {
  case AnswerSource::none:
    tally_.empty.fetch_add(1, kRelaxed);
    break;
  case AnswerSource::memory:
    tally_.fromMemory.fetch_add(1, kRelaxed);
    break;
  case AnswerSource::disk:
    tally_.fromDisk.fetch_add(1, kRelaxed);
    break;
  case AnswerSource::heuristic:
  case AnswerSource::config:
    tally_.compiled.fetch_add(1, kRelaxed);
    break;
  }
  if (answer.nvrtcCalls != 0)
    tally_.nvrtcCalls.fetch_add(static_cast<uint64_t>(answer.nvrtcCalls), kRelaxed);
  if (answer.mlir)
    tally_.mlirContexts.fetch_add(1, kRelaxed);
}

EngineTally EngineCore::tally() const {
  return {.fromMemory = tally_.fromMemory,
          .fromDisk = tally_.fromDisk,
          .compiled = tally_.compiled,
          .empty = tally_.empty,
          .nvrtcCalls = tally_.nvrtcCalls,
          .mlirContexts = tally_.mlirContexts};
}

} // namespace tilewright
