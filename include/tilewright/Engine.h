// SPDX-License-Identifier: Apache-2.0
//
// Engine and Kernel: the C++ interface, header-only over tilewright.h. A program needs this folder
// and libtilewright.so, no more.
//
//   auto engine = tilewright::Engine::create({.device = 0});
//   tilewright::GemmProblem problem{.m = 4096, .n = 6144, .k = 4096};
//   problem.epilogue.bias().gelu();
//   auto kernel = engine->request(problem);
//   if (!kernel)
//     return kernel.status();
//   Status status = kernel->launch({.a = a, .b = b, .d = d, .bias = bias}, stream);
//
// Failures are Status values with the kinds that tilewright.h lists for each call; nothing throws
// but std::bad_alloc. Thread-safety: const and static functions may be called from several threads
// at once, on one object too; moving or destroying an object excludes all other use of it.
#pragma once

#include "tilewright/DType.h"
#include "tilewright/DeviceInfo.h"
#include "tilewright/Epilogue.h"
#include "tilewright/Problem.h"
#include "tilewright/Status.h"
#include "tilewright/tilewright.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilewright {

/// What an engine is made with.
struct EngineOptions {
  /// Receives log messages, from any thread that calls into the engine, one at a time. It must not
  /// call into the engine.
  using LogCallback = std::function<void(twLogLevel level, std::string_view message)>;

  /// Ordinal of the device, as the driver counts.
  int32_t device = 0;
  /// Not empty: no device is opened, and kernels are compiled for this target ("h200"). They cannot
  /// be prepared or launched.
  std::string target = {};
  /// Folder of the stores, absolute. Empty: TILEWRIGHT_CACHE_DIR, else the user's cache folder.
  std::string cacheFolder = {};
  /// Whether compiled plans are kept on disk and looked for there.
  bool diskCache = true;
  /// Whether environment variables stand in for options that are left open.
  bool readEnvironment = true;
  /// Library files. Empty: from the environment, else the usual places.
  std::string nvrtcLibrary = {};
  std::string driverLibrary = {};
  /// Empty: no log.
  LogCallback log = {};
  twLogLevel logLevel = TW_LOG_WARNING;
  /// How many kernels the engine remembers. 0: 4096.
  int32_t kernelCapacity = 0;
};

/// How far a request may go.
enum class Policy : int32_t {
  /// What is stored; else compile the config that the model ranks first.
  heuristic = TW_POLICY_HEURISTIC,
  /// Never compile: notFound if neither memory nor disk has it.
  cachedOnly = TW_POLICY_CACHED_ONLY,
};

/// What is wanted of a kernel beside its problem.
struct RequestOptions {
  /// Equal inputs give equal bits, each time.
  bool deterministic = false;
  /// A row of D has the same bits whatever the other rows are, and however many.
  bool batchInvariant = false;
  /// Whether a kernel may start before the one before it on the stream is done, and wait for its
  /// results by itself (programmatic dependent launch).
  bool pdl = true;
  /// The most SMs that the kernel may occupy, where it can be told so. 0: all.
  int32_t smCap = 0;
  /// Bytes that the address of every operand is a multiple of; checked by each launch. 0: 16.
  int32_t pointerAlignment = 0;
  /// "bm=128,bn=256,…": this schedule. Empty: the library chooses.
  std::string config = {};
  /// Whether request() also loads the kernel on the device, if the engine has one.
  bool prepare = true;
};

/// Device addresses by role; leave null what the problem does not have. Fields correspond to the
/// roles of tilewright.h ("a", "bias_row", …).
struct Operands {
  const void *a = nullptr;
  const void *b = nullptr;
  const void *c = nullptr;
  void *d = nullptr;
  const void *bias = nullptr;
  const void *biasRow = nullptr;
  const void *residual = nullptr;
  const void *gate = nullptr;
  const void *scaleRow = nullptr;
  const void *scaleCol = nullptr;
};

/// Device memory of the caller's that a launch may use. Launches at the same time need their own.
struct Workspace {
  void *address = nullptr;
  size_t bytes = 0;
};

/// What a launch needs of workspace.
struct WorkspaceNeeds {
  size_t bytes = 0;
  size_t alignment = 1;
};

/// An operand that launches take.
struct OperandInfo {
  std::string role;
  DType dtype = DType::bf16;
  twAccess access = TW_ACCESS_READ;
  /// Bytes that its address must be a multiple of.
  int32_t alignment = 1;
  /// Bytes from its address to the end of the last element that is touched.
  int64_t bytes = 0;
};

/// How a request was answered, and what the kernel is; see twKernelInfo.
struct KernelInfo {
  /// "memory", "disk", "heuristic", "config", or "none" where nothing is launched.
  std::string source;
  std::string config;
  std::string key;
  int32_t nvrtcCalls = 0;
  bool mlir = false;
  double requestSeconds = 0;
  double compileSeconds = 0;
  /// 1000 * major + 10 * minor.
  int32_t nvrtcVersion = 0;
  int32_t launchCount = 0;
  int32_t registers = 0;
  int32_t spillBytes = 0;
  int32_t sharedBytes = 0;
  int64_t ctas = 0;
};

namespace detail {

// NOTE: the two lists are one: a status code is its number.
static_assert(static_cast<int>(StatusCode::internal) == TW_INTERNAL &&
              static_cast<int>(StatusCode::outOfMemory) == TW_OUT_OF_MEMORY &&
              static_cast<int>(StatusCode::ok) == TW_OK);
// DTypes are one apart: 0 is the default of the field.
static_assert(static_cast<int>(DType::bf16) + 1 == TW_BF16 &&
              static_cast<int>(DType::int32) + 1 == TW_INT32);

/// The failure that `status` stands for, with this thread's message.
inline Status lastFailure(twStatus status) {
  std::string message = twLastError();
  if (message.empty())
    message = "no message";
  switch (status) {
  case TW_OK:
    return Status::ok();
  case TW_INVALID_ARGUMENT:
    return Status::invalidArgument(std::move(message));
  case TW_UNSUPPORTED:
    return Status::unsupported(std::move(message));
  case TW_UNAVAILABLE:
    return Status::unavailable(std::move(message));
  case TW_NOT_FOUND:
    return Status::notFound(std::move(message));
  case TW_COMPILE_FAILED:
    return Status::compileFailed(std::move(message));
  case TW_CHECK_FAILED:
    return Status::checkFailed(std::move(message));
  case TW_IO_ERROR:
    return Status::ioError(std::move(message));
  case TW_CANCELLED:
    return Status::cancelled(std::move(message));
  case TW_OUT_OF_MEMORY:
    return Status::outOfMemory(std::move(message));
  case TW_DEVICE_FAULT:
    return Status::deviceFault(std::move(message));
  default:
    return Status::internal(std::move(message));
  }
}

inline Status toStatus(twStatus status) {
  return status == TW_OK ? Status::ok() : lastFailure(status);
}

inline twDType toC(DType type) { return static_cast<twDType>(type) + 1; }

/// Null for an empty text, which stands for "not given".
inline const char *textOrNull(const std::string &text) {
  return text.empty() ? nullptr : text.c_str();
}

inline void forwardLog(void *context, twLogLevel level, const char *message) {
  const auto &callback = *static_cast<EngineOptions::LogCallback *>(context);
#if defined(__cpp_exceptions)
  // An exception must not reach the library.
  try {
    callback(level, message);
  } catch (...) {
  }
#else
  callback(level, message);
#endif
}

} // namespace detail

/// A kernel for one problem. Keep it until the work of its launches is done, and as long as a graph
/// that captured one is launched. It may outlive its engine.
class Kernel {
public:
  /// Loads the kernel on the engine's device; does nothing the second time. request() does it
  /// unless told not to. Not while a stream of the device is being captured.
  [[nodiscard]] Status prepare() const { return detail::toStatus(twKernelPrepare(kernel_.get())); }

  /// Puts the kernel on `stream`, a CUstream or cudaStream_t of the device's primary context
  /// (nullptr: the legacy default stream). Compiles, allocates and waits for nothing; legal under
  /// stream capture. Needs workspace() bytes of workspace.
  [[nodiscard]] Status launch(const Operands &operands, void *stream,
                              Workspace workspace = {}) const {
    const std::array<twOperand, 10> all = {{{"a", operands.a},
                                            {"b", operands.b},
                                            {"c", operands.c},
                                            {"d", operands.d},
                                            {"bias", operands.bias},
                                            {"bias_row", operands.biasRow},
                                            {"residual", operands.residual},
                                            {"gate", operands.gate},
                                            {"scale_row", operands.scaleRow},
                                            {"scale_col", operands.scaleCol}}};
    std::array<twOperand, 10> bound;
    size_t count = 0;
    for (const twOperand &operand : all)
      if (operand.address)
        bound[count++] = operand;
    return launch(std::span<const twOperand>(bound.data(), count), stream, workspace);
  }

  /// The same with roles by name.
  [[nodiscard]] Status launch(std::span<const twOperand> operands, void *stream,
                              Workspace workspace = {}) const {
    return detail::toStatus(twKernelRun(kernel_.get(), operands.data(), operands.size(),
                                        workspace.address, workspace.bytes, stream));
  }

  /// What launches need of workspace.
  [[nodiscard]] WorkspaceNeeds workspace() const {
    WorkspaceNeeds needs;
    // Cannot fail: the handle is valid.
    (void)twKernelWorkspace(kernel_.get(), &needs.bytes, &needs.alignment);
    return needs;
  }

  /// The operands that launches take, in the order of the kernel's signature.
  [[nodiscard]] std::vector<OperandInfo> operands() const {
    std::vector<OperandInfo> list;
    const size_t count = twKernelOperandCount(kernel_.get());
    for (size_t i = 0; i < count; ++i) {
      twOperandInfo info = {};
      info.structSize = sizeof(info);
      if (twKernelOperand(kernel_.get(), i, &info) == TW_OK)
        list.push_back({.role = info.role,
                        .dtype = static_cast<DType>(info.dtype - 1),
                        .access = info.access,
                        .alignment = info.alignment,
                        .bytes = info.bytes});
    }
    return list;
  }

  /// How the request was answered, and what the kernel is.
  [[nodiscard]] KernelInfo info() const {
    twKernelInfo info = {};
    info.structSize = sizeof(info);
    if (twKernelGetInfo(kernel_.get(), &info) != TW_OK)
      return {};
    return {.source = info.source,
            .config = info.config,
            .key = info.key,
            .nvrtcCalls = info.nvrtcCalls,
            .mlir = info.mlir != 0,
            .requestSeconds = info.requestSeconds,
            .compileSeconds = info.compileSeconds,
            .nvrtcVersion = info.nvrtcVersion,
            .launchCount = info.launchCount,
            .registers = info.registers,
            .spillBytes = info.spillBytes,
            .sharedBytes = info.sharedBytes,
            .ctas = info.ctas};
  }

  /// The handle that the functions of tilewright.h take; valid as long as this.
  [[nodiscard]] twKernel *handle() const { return kernel_.get(); }

private:
  friend class Engine;
  struct Release {
    void operator()(twKernel *kernel) const { twKernelRelease(kernel); }
  };

  explicit Kernel(twKernel *kernel) : kernel_(kernel) {}

  std::unique_ptr<twKernel, Release> kernel_;
};

/// Where kernels come from, for one device.
class Engine {
public:
  /// Opens the driver and the device, or takes the named target. Fails as twEngineCreate does.
  static Expected<Engine> create(const EngineOptions &options = {}) {
    Engine engine;
    twEngineOptions plain = TW_ENGINE_OPTIONS_INIT;
    plain.device = options.device;
    plain.flags = (options.diskCache ? 0U : uint32_t{TW_ENGINE_NO_DISK_CACHE}) |
                  (options.readEnvironment ? 0U : uint32_t{TW_ENGINE_NO_ENVIRONMENT});
    plain.target = detail::textOrNull(options.target);
    plain.cacheFolder = detail::textOrNull(options.cacheFolder);
    plain.nvrtcLibrary = detail::textOrNull(options.nvrtcLibrary);
    plain.driverLibrary = detail::textOrNull(options.driverLibrary);
    plain.kernelCapacity = options.kernelCapacity;
    if (options.log) {
      engine.log_ = std::make_unique<EngineOptions::LogCallback>(options.log);
      plain.log = detail::forwardLog;
      plain.logContext = engine.log_.get();
      plain.logLevel = options.logLevel;
    }
    twEngine *handle = nullptr;
    if (twStatus status = twEngineCreate(&plain, &handle); status != TW_OK)
      return detail::lastFailure(status);
    engine.engine_.reset(handle);
    return engine;
  }

  /// The kernel of a problem, loaded on the device unless told not to. Requests for the same kernel
  /// at the same time compile it once; a repeated request finds it in memory. Fails as
  /// twEngineRequestGemm and twKernelPrepare do.
  [[nodiscard]] Expected<Kernel> request(const GemmProblem &problem,
                                         Policy policy = Policy::heuristic,
                                         const RequestOptions &options = {}) const {
    // NOTE: no memory is allocated for the lists that occur: repeated requests are to be cheap.
    std::array<twEpilogueOp, 8> few;
    std::vector<twEpilogueOp> many;
    const std::vector<EpilogueOp> &ops = problem.epilogue.ops();
    if (ops.size() > few.size())
      many.resize(ops.size());
    twEpilogueOp *list = many.empty() ? few.data() : many.data();
    for (size_t i = 0; i < ops.size(); ++i)
      // Names of the table end with a zero byte.
      list[i] = {sizeof(twEpilogueOp), ops[i].name().data(),
                 ops[i].dtype ? detail::toC(*ops[i].dtype) : twDType{TW_DTYPE_DEFAULT}, ops[i].ld};

    twGemmProblem plain = TW_GEMM_PROBLEM_INIT;
    plain.m = problem.m;
    plain.n = problem.n;
    plain.k = problem.k;
    plain.a = detail::toC(problem.a);
    plain.b = detail::toC(problem.b);
    plain.c = problem.c ? detail::toC(*problem.c) : twDType{TW_DTYPE_DEFAULT};
    plain.d = detail::toC(problem.d);
    plain.layout = static_cast<twLayout>(problem.layout);
    plain.alpha = problem.alpha;
    plain.beta = problem.beta;
    // NOTE: 0 would stand for 1 in C; here it is a mistake that the library reports.
    plain.batch = problem.batch != 0 ? problem.batch : -1;
    plain.lda = problem.lda;
    plain.ldb = problem.ldb;
    plain.ldc = problem.ldc;
    plain.ldd = problem.ldd;
    plain.epilogue = list;
    plain.epilogueCount = ops.size();

    twRequestOptions wishes = TW_REQUEST_OPTIONS_INIT;
    wishes.policy = static_cast<twPolicy>(policy);
    wishes.flags = (options.deterministic ? uint32_t{TW_REQUEST_DETERMINISTIC} : 0U) |
                   (options.batchInvariant ? uint32_t{TW_REQUEST_BATCH_INVARIANT} : 0U) |
                   (options.pdl ? 0U : uint32_t{TW_REQUEST_NO_PDL});
    wishes.smCap = options.smCap;
    wishes.pointerAlignment = options.pointerAlignment;
    wishes.config = detail::textOrNull(options.config);

    twKernel *handle = nullptr;
    if (twStatus status = twEngineRequestGemm(engine_.get(), &plain, &wishes, &handle);
        status != TW_OK)
      return detail::lastFailure(status);
    Kernel kernel(handle);
    if (options.prepare && hasDevice())
      if (Status status = kernel.prepare(); !status.isOk())
        return status;
    return kernel;
  }

  /// What kernels are compiled for.
  [[nodiscard]] DeviceInfo device() const {
    twDeviceInfo info = deviceInfo();
    DeviceInfo device;
    device.name = info.name ? info.name : "";
    device.arch = info.arch ? info.arch : "";
    device.smCount = info.smCount;
    device.l2Bytes = info.l2Bytes;
    device.memoryBytes = info.memoryBytes;
    device.memoryBandwidth = info.memoryBandwidth;
    return device;
  }

  /// Whether kernels can be prepared and launched: false for a named target.
  [[nodiscard]] bool hasDevice() const { return deviceInfo().ordinal >= 0; }

  /// What the engine has done so far.
  [[nodiscard]] twEngineCounters counters() const {
    twEngineCounters counters = {};
    counters.structSize = sizeof(counters);
    (void)twEngineGetCounters(engine_.get(), &counters);
    return counters;
  }

  /// The handle that the functions of tilewright.h take; valid as long as this.
  [[nodiscard]] twEngine *handle() const { return engine_.get(); }

private:
  struct Destroy {
    void operator()(twEngine *engine) const { twEngineDestroy(engine); }
  };

  Engine() = default;

  [[nodiscard]] twDeviceInfo deviceInfo() const {
    twDeviceInfo info = {};
    info.structSize = sizeof(info);
    info.ordinal = -1;
    (void)twEngineDevice(engine_.get(), &info);
    return info;
  }

  /// Must outlive the engine, and stay where it is when this value moves.
  std::unique_ptr<EngineOptions::LogCallback> log_;
  std::unique_ptr<twEngine, Destroy> engine_;
};

} // namespace tilewright
