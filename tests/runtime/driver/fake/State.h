// SPDX-License-Identifier: Apache-2.0
//
// State: what the fake driver remembers. One value for the process, guarded by one mutex.
#pragma once

#include "tests/runtime/driver/fake/FakeDriver.h"

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

// The driver's opaque types, completed.
struct CUctx_st {
  int ordinal = 0;
  int references = 0;
  unsigned long long id = 0;
  [[nodiscard]] bool isActive() const { return references > 0; }
};

struct CUmod_st {
  CUctx_st *context = nullptr;
  unsigned long long contextId = 0;
  std::map<std::string, CUfunc_st *> functions;
};

struct CUfunc_st {
  std::string entry;
  CUmod_st *module = nullptr;
  std::vector<uint32_t> parameters;
  bool isLoaded = false;
  int dynamicShared = 48 << 10;
  int staticShared = 0;
  bool mayBeNonPortable = false;
};

struct CUgraph_st {
  std::vector<std::function<void()>> nodes;
};

struct CUgraphExec_st {
  CUctx_st *context = nullptr;
  std::vector<std::function<void()>> nodes;
};

struct CUstream_st {
  CUctx_st *context = nullptr;
  /// Null if the stream is not being captured.
  CUgraph_st *capture = nullptr;
  bool isInvalidated = false;
  tilewright::cu::CaptureMode mode = tilewright::cu::kCaptureGlobal;
  std::thread::id thread;
};

struct CUevent_st {
  CUctx_st *context = nullptr;
  bool isRecorded = false;
  std::chrono::steady_clock::time_point when;
};

namespace tilewright::fake {

// CUresult, those that only the fake must produce.
inline constexpr cu::Result kNotInitialized = 3;
inline constexpr cu::Result kInvalidDevice = 101;
inline constexpr cu::Result kInvalidContext = 201;
inline constexpr cu::Result kInvalidHandle = 400;
inline constexpr cu::Result kNotFound = 500;
inline constexpr cu::Result kNotReady = 600;
inline constexpr cu::Result kInvalidCluster = 912;
inline constexpr cu::Result kCaptureUnsupported = 900;
inline constexpr cu::Result kCaptureInvalidatedError = 901;
inline constexpr cu::Result kCaptureUnmatched = 903;

constexpr int kSharedPerBlock = 232448;

/// A range of memory that the driver knows.
struct Range {
  size_t bytes = 0;
  int ordinal = 0;
  cu::MemoryType type = cu::kMemoryDevice;
  bool isManaged = false;
  /// Null for memory that is not the fake's to free.
  void *owned = nullptr;
  CUctx_st *context = nullptr;
};

struct Settings {
  int version = 13000;
  int deviceCount = 1;
  int computeMajor = 9;
  int computeMinor = 0;
  size_t memory = size_t{1} << 30;
  int newestCubin = 1 << 30;
  std::string log;
  static Settings fromEnvironment();
};

struct PlannedFailure {
  cu::Result result = cu::kSuccess;
  int skip = 0;
};

struct State {
  std::recursive_mutex mutex;
  Settings settings;
  bool isInitialized = false;
  bool isDown = false;
  cu::Result fault = cu::kSuccess;
  unsigned long long lastContextId = 0;
  /// By device.
  std::vector<CUctx_st *> primary;
  std::set<CUmod_st *> modules;
  std::set<CUfunc_st *> functions;
  std::set<CUstream_st *> streams;
  std::set<CUevent_st *> events;
  std::set<CUgraph_st *> graphs;
  std::set<CUgraphExec_st *> graphExecs;
  std::map<uint64_t, Range> memory;
  size_t memoryUsed = 0;
  std::map<std::string, PlannedFailure> failures;
  std::map<std::string, int> calls;
  std::vector<Launch> launches;
  std::vector<std::string> violations;
  std::function<void(const Launch &)> kernel;
  /// Every object ever made: handles may dangle, addresses are never used twice.
  std::vector<std::shared_ptr<void>> made;

  static State &get();

  template <typename T>
  T *make() {
    auto object = std::make_shared<T>();
    made.push_back(object);
    return object.get();
  }
  cu::Result violate(const char *function, const std::string &what, cu::Result result);
};

/// Off for measurements: calls on the path of a launch then do the least.
extern std::atomic<bool> isRecording;

/// This thread's contexts.
std::vector<CUctx_st *> &stack();
/// How this thread's unsafe calls and the captures of streams concern each other.
cu::CaptureMode &captureMode();
/// The current context if it is usable, else null.
CUctx_st *current();

/// What every function begins with: counts the call, and says whether it fails at once.
enum class Needs { nothing, init, context };
cu::Result enter(const char *function, Needs needs);

/// Refuses what is unsafe while a stream is captured (by this thread, in thread-local mode; by any,
/// in global mode; not where this thread's mode is relaxed), and breaks the capture.
cu::Result refuseInCapture(const char *function);

/// Does `work` now, or adds it to the capture of `stream`.
cu::Result perform(const char *function, CUstream_st *stream, std::function<void()> work);

/// Ends what lives on a context.
void destroyContents(CUctx_st *context);

} // namespace tilewright::fake

// Begins a function of the driver that is not on the path of a launch.
#define TW_FAKE_ENTER(needs)                                                                       \
  State &state = State::get();                                                                     \
  std::lock_guard lock(state.mutex);                                                               \
  if (cu::Result entered = enter(__func__, Needs::needs); entered != cu::kSuccess)                 \
  return entered
