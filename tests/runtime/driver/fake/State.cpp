// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/driver/fake/State.h"

#include <cstdlib>

namespace tilewright::fake {

std::atomic<bool> isRecording{true};

Settings Settings::fromEnvironment() {
  Settings settings;
  const auto number = [](const char *name, auto &value) {
    if (const char *text = std::getenv(name))
      value = static_cast<std::remove_reference_t<decltype(value)>>(std::atoll(text));
  };
  number("TW_FAKE_VERSION", settings.version);
  number("TW_FAKE_DEVICES", settings.deviceCount);
  number("TW_FAKE_MEMORY", settings.memory);
  number("TW_FAKE_NEWEST_CUBIN", settings.newestCubin);
  int capability = 90;
  number("TW_FAKE_CAPABILITY", capability);
  settings.computeMajor = capability / 10;
  settings.computeMinor = capability % 10;
  if (const char *log = std::getenv("TW_FAKE_LOG"))
    settings.log = log;
  return settings;
}

State &State::get() {
  // NOTE: never destroyed, as the real driver outlives static objects.
  static State *state = [] {
    auto *fresh = new State;
    fresh->settings = Settings::fromEnvironment();
    return fresh;
  }();
  return *state;
}

cu::Result State::violate(const char *function, const std::string &what, cu::Result result) {
  violations.push_back(std::string(function) + ": " + what);
  return result;
}

std::vector<CUctx_st *> &stack() {
  thread_local std::vector<CUctx_st *> contexts;
  return contexts;
}

cu::CaptureMode &captureMode() {
  thread_local cu::CaptureMode mode = cu::kCaptureGlobal;
  return mode;
}

CUctx_st *current() {
  return !stack().empty() && stack().back() && stack().back()->isActive() ? stack().back()
                                                                          : nullptr;
}

cu::Result enter(const char *function, Needs needs) {
  State &state = State::get();
  ++state.calls[function];
  if (auto planned = state.failures.find(function); planned != state.failures.end()) {
    if (planned->second.skip-- == 0) {
      const cu::Result result = planned->second.result;
      state.failures.erase(planned);
      return result;
    }
  }
  if (state.isDown)
    return cu::kDeinitialized;
  if (needs == Needs::nothing)
    return cu::kSuccess;
  if (!state.isInitialized)
    return kNotInitialized;
  if (needs == Needs::init)
    return cu::kSuccess;
  if (!current())
    return stack().empty() || !stack().back() ? kInvalidContext : cu::kContextIsDestroyed;
  return state.fault;
}

cu::Result refuseInCapture(const char *function) {
  State &state = State::get();
  if (captureMode() == cu::kCaptureRelaxed)
    return cu::kSuccess;
  bool isRefused = false;
  for (CUstream_st *stream : state.streams) {
    const bool concerns =
        stream->mode == cu::kCaptureGlobal ||
        (stream->mode == cu::kCaptureThreadLocal && stream->thread == std::this_thread::get_id());
    if (!stream->capture || !concerns)
      continue;
    stream->isInvalidated = true;
    isRefused = true;
  }
  return isRefused
             ? state.violate(function, "not legal while a stream is captured", kCaptureUnsupported)
             : cu::kSuccess;
}

cu::Result perform(const char *function, CUstream_st *stream, std::function<void()> work) {
  State &state = State::get();
  if (stream && !state.streams.contains(stream))
    return state.violate(function, "no such stream", kInvalidHandle);
  if (stream && stream->context != current())
    return state.violate(function, "the stream is of another context", kInvalidHandle);
  if (!stream || !stream->capture) {
    work();
    return cu::kSuccess;
  }
  if (stream->isInvalidated)
    return kCaptureInvalidatedError;
  stream->capture->nodes.push_back(std::move(work));
  return cu::kSuccess;
}

void destroyContents(CUctx_st *context) {
  State &state = State::get();
  std::erase_if(state.modules, [&](CUmod_st *module) { return module->context == context; });
  std::erase_if(state.functions,
                [&](CUfunc_st *function) { return function->module->context == context; });
  std::erase_if(state.streams, [&](CUstream_st *stream) { return stream->context == context; });
  std::erase_if(state.events, [&](CUevent_st *event) { return event->context == context; });
  std::erase_if(state.graphExecs, [&](CUgraphExec_st *graph) { return graph->context == context; });
  std::erase_if(state.memory, [&](const auto &entry) {
    const Range &range = entry.second;
    if (range.context != context || !range.owned)
      return false;
    state.memoryUsed -= range.bytes;
    std::free(range.owned);
    return true;
  });
}

} // namespace tilewright::fake
