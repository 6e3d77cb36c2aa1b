// SPDX-License-Identifier: Apache-2.0
#include "runtime/capi/Errors.h"
#include "runtime/capi/Handles.h"
#include "runtime/capi/Problem.h"
#include "runtime/capi/Structs.h"

#include <string>
#include <string_view>

using namespace tilewright;
using namespace tilewright::capi;

namespace {

static_assert(sizeof(twEngineOptions) == offsetof(twEngineOptions, kernelCapacity) +
                                             sizeof(twEngineOptions::kernelCapacity),
              "no padding at the end of what callers pass in");

std::string textOf(const char *text) { return text ? text : ""; }

/// The levels of tilewright.h fall with severity, those of the Log rise; both are six.
constexpr LogLevel levelOf(twLogLevel level) { return static_cast<LogLevel>(TW_LOG_TRACE - level); }
constexpr twLogLevel toC(LogLevel level) { return TW_LOG_TRACE - static_cast<twLogLevel>(level); }
static_assert(levelOf(TW_LOG_TRACE) == LogLevel::trace && levelOf(TW_LOG_OFF) == LogLevel::off &&
              levelOf(TW_LOG_WARNING) == LogLevel::warning && toC(LogLevel::error) == TW_LOG_ERROR);

Log logOf(const twEngineOptions &options) {
  if (!options.log)
    return {};
  const twLogLevel level = options.logLevel == TW_LOG_OFF ? TW_LOG_WARNING : options.logLevel;
  return {levelOf(level), [callback = options.log, context = options.logContext](
                              LogLevel severity, std::string_view message) {
            callback(context, toC(severity), std::string(message).c_str());
          }};
}

Expected<EngineSettings> readOptions(const twEngineOptions *given) {
  Expected<twEngineOptions> options =
      readStruct(given, twEngineOptions TW_ENGINE_OPTIONS_INIT, "twEngineOptions");
  if (!options)
    return options.status();
  constexpr uint32_t kFlags = TW_ENGINE_NO_DISK_CACHE | TW_ENGINE_NO_ENVIRONMENT;
  if ((options->flags & ~kFlags) != 0)
    return Status::invalidArgument("flags is " + std::to_string(options->flags) +
                                   "; this version knows " + std::to_string(kFlags));
  if (options->logLevel < TW_LOG_OFF || options->logLevel > TW_LOG_TRACE)
    return Status::invalidArgument("logLevel is " + std::to_string(options->logLevel) +
                                   "; it is TW_LOG_OFF (0) to TW_LOG_TRACE (5)");
  if (options->kernelCapacity < 0)
    return Status::invalidArgument("kernelCapacity is " + std::to_string(options->kernelCapacity) +
                                   "; it is a number of kernels, or 0 for 4096");
  EngineSettings settings;
  settings.device = options->device;
  settings.target = textOf(options->target);
  settings.cacheFolder = textOf(options->cacheFolder);
  settings.diskCache = (options->flags & TW_ENGINE_NO_DISK_CACHE) == 0;
  settings.nvrtcLibrary = textOf(options->nvrtcLibrary);
  settings.driverLibrary = textOf(options->driverLibrary);
  if ((options->flags & TW_ENGINE_NO_ENVIRONMENT) == 0)
    settings.env = Env::fromProcess();
  settings.log = logOf(*options);
  if (options->kernelCapacity != 0)
    settings.kernelCapacity = options->kernelCapacity;
  return settings;
}

} // namespace

twStatus twEngineCreate(const twEngineOptions *options, twEngine **engine) {
  return guarded([&]() -> Status {
    if (Status status = requirePointer(engine, "engine"); !status.isOk())
      return status;
    *engine = nullptr;
    Expected<EngineSettings> settings = readOptions(options);
    if (!settings)
      return settings.status();
    Expected<std::unique_ptr<EngineCore>> core = EngineCore::create(*settings);
    if (!core)
      return core.status();
    *engine = new twEngine{*std::move(core)};
    return Status::ok();
  });
}

void twEngineDestroy(twEngine *engine) { delete engine; }

twStatus twEngineDevice(const twEngine *engine, twDeviceInfo *info) {
  return guarded([&]() -> Status {
    if (Status status = requirePointer(engine, "engine"); !status.isOk())
      return status;
    const DeviceInfo &device = engine->core->device();
    const PrimaryContext *context = engine->core->context();
    twDeviceInfo filled = {};
    filled.ordinal = context ? context->ordinal() : -1;
    filled.smCount = device.smCount;
    filled.name = device.name.c_str();
    filled.arch = device.arch.c_str();
    filled.l2Bytes = device.l2Bytes;
    filled.memoryBytes = device.memoryBytes;
    filled.memoryBandwidth = device.memoryBandwidth;
    if (context) {
      const CudaVersion version = context->driver().version();
      filled.driverVersion = 1000 * version.major + 10 * version.minor;
    }
    return fillStruct(info, filled, "twDeviceInfo");
  });
}

twStatus twEngineGetCounters(const twEngine *engine, twEngineCounters *counters) {
  return guarded([&]() -> Status {
    if (Status status = requirePointer(engine, "engine"); !status.isOk())
      return status;
    const EngineTally tally = engine->core->tally();
    twEngineCounters filled = {};
    filled.requests = tally.fromMemory + tally.fromDisk + tally.compiled + tally.empty;
    filled.fromMemory = tally.fromMemory;
    filled.fromDisk = tally.fromDisk;
    filled.compiled = tally.compiled;
    filled.nvrtcCalls = tally.nvrtcCalls;
    filled.mlirContexts = tally.mlirContexts;
    return fillStruct(counters, filled, "twEngineCounters");
  });
}

twStatus twEngineRequestGemm(twEngine *engine, const twGemmProblem *problem,
                             const twRequestOptions *options, twKernel **kernel) {
  return guarded([&]() -> Status {
    if (Status status = requirePointer(kernel, "kernel"); !status.isOk())
      return status;
    *kernel = nullptr;
    if (Status status = requirePointer(engine, "engine"); !status.isOk())
      return status;
    Expected<ReadRequest> read = readRequest(problem, options);
    if (!read)
      return read.status();
    Expected<KernelAnswer> answer = engine->core->request(read->request, read->mayCompile);
    if (!answer)
      return answer.status();
    *kernel = new twKernel{*std::move(answer)};
    return Status::ok();
  });
}
