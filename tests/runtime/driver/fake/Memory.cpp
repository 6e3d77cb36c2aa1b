// SPDX-License-Identifier: Apache-2.0
//
// Memory, streams, events and graphs of the fake driver.
#include "tests/runtime/driver/fake/State.h"

#include <cstdlib>
#include <cstring>
#include <utility>

using namespace tilewright;
using namespace tilewright::fake;

namespace {

/// The range that holds `bytes` from `address`, or null.
const Range *findRange(uint64_t address, size_t bytes) {
  std::map<uint64_t, Range> &memory = State::get().memory;
  auto after = memory.upper_bound(address);
  if (after == memory.begin())
    return nullptr;
  const auto &[start, range] = *std::prev(after);
  return address - start < range.bytes && bytes <= range.bytes - (address - start) ? &range
                                                                                   : nullptr;
}

void *hostOf(uint64_t address) { return reinterpret_cast<void *>(address); }

} // namespace

// NOLINTBEGIN(readability-identifier-naming): the names are the driver's.
extern "C" {

cu::Result cuPointerGetAttribute(void *value, cu::PointerAttribute attribute,
                                 cu::DevicePointer address) {
  TW_FAKE_ENTER(context);
  const Range *range = findRange(address, 1);
  if (!range)
    return cu::kInvalidValue;
  switch (attribute) {
  case cu::kMemoryType:
    *static_cast<unsigned *>(value) = range->type;
    return cu::kSuccess;
  case cu::kDeviceOrdinal:
    *static_cast<int *>(value) = range->ordinal;
    return cu::kSuccess;
  case cu::kIsManaged:
    *static_cast<unsigned *>(value) = range->isManaged;
    return cu::kSuccess;
  }
  return state.violate(__func__, "an attribute that the fake does not know", cu::kInvalidValue);
}

cu::Result cuMemGetInfo_v2(size_t *free, size_t *total) {
  TW_FAKE_ENTER(context);
  *total = state.settings.memory;
  *free = state.settings.memory - state.memoryUsed;
  return cu::kSuccess;
}

cu::Result cuMemAlloc_v2(cu::DevicePointer *address, size_t bytes) {
  TW_FAKE_ENTER(context);
  if (cu::Result refused = refuseInCapture(__func__); refused != cu::kSuccess)
    return refused;
  if (bytes == 0)
    return state.violate(__func__, "0 bytes", cu::kInvalidValue);
  if (bytes > state.settings.memory - state.memoryUsed)
    return cu::kOutOfMemory;
  void *memory = std::aligned_alloc(512, (bytes + 511) / 512 * 512);
  if (!memory)
    return cu::kOutOfMemory;
  *address = reinterpret_cast<uint64_t>(memory);
  state.memory[*address] = {
      .bytes = bytes, .ordinal = current()->ordinal, .owned = memory, .context = current()};
  state.memoryUsed += bytes;
  return cu::kSuccess;
}

cu::Result cuMemFree_v2(cu::DevicePointer address) {
  TW_FAKE_ENTER(context);
  if (cu::Result refused = refuseInCapture(__func__); refused != cu::kSuccess)
    return refused;
  const auto found = state.memory.find(address);
  if (found == state.memory.end() || found->second.context != current())
    return state.violate(__func__, "no such allocation", cu::kInvalidValue);
  std::free(found->second.owned);
  state.memoryUsed -= found->second.bytes;
  state.memory.erase(found);
  return cu::kSuccess;
}

cu::Result cuMemcpyHtoDAsync_v2(cu::DevicePointer to, const void *from, size_t bytes,
                                cu::Stream stream) {
  TW_FAKE_ENTER(context);
  if (!findRange(to, bytes))
    return state.violate(__func__, "beyond an allocation", cu::kInvalidValue);
  return perform(__func__, stream, [=] { std::memcpy(hostOf(to), from, bytes); });
}

cu::Result cuMemcpyDtoHAsync_v2(void *to, cu::DevicePointer from, size_t bytes, cu::Stream stream) {
  TW_FAKE_ENTER(context);
  if (!findRange(from, bytes))
    return state.violate(__func__, "beyond an allocation", cu::kInvalidValue);
  return perform(__func__, stream, [=] { std::memcpy(to, hostOf(from), bytes); });
}

cu::Result cuMemcpyDtoDAsync_v2(cu::DevicePointer to, cu::DevicePointer from, size_t bytes,
                                cu::Stream stream) {
  TW_FAKE_ENTER(context);
  if (!findRange(from, bytes) || !findRange(to, bytes))
    return state.violate(__func__, "beyond an allocation", cu::kInvalidValue);
  return perform(__func__, stream, [=] { std::memmove(hostOf(to), hostOf(from), bytes); });
}

cu::Result cuMemsetD8Async(cu::DevicePointer to, unsigned char value, size_t bytes,
                           cu::Stream stream) {
  TW_FAKE_ENTER(context);
  if (!findRange(to, bytes))
    return state.violate(__func__, "beyond an allocation", cu::kInvalidValue);
  return perform(__func__, stream, [=] { std::memset(hostOf(to), value, bytes); });
}

cu::Result cuMemsetD32Async(cu::DevicePointer to, unsigned value, size_t count, cu::Stream stream) {
  TW_FAKE_ENTER(context);
  if (!findRange(to, count * sizeof(value)))
    return state.violate(__func__, "beyond an allocation", cu::kInvalidValue);
  return perform(__func__, stream,
                 [=] { std::fill_n(static_cast<unsigned *>(hostOf(to)), count, value); });
}

cu::Result cuStreamCreate(cu::Stream *stream, unsigned) {
  TW_FAKE_ENTER(context);
  *stream = state.make<CUstream_st>();
  (*stream)->context = current();
  state.streams.insert(*stream);
  return cu::kSuccess;
}

cu::Result cuStreamDestroy_v2(cu::Stream stream) {
  TW_FAKE_ENTER(context);
  if (state.streams.erase(stream) == 0)
    return state.violate(__func__, "no such stream", kInvalidHandle);
  return cu::kSuccess;
}

cu::Result cuStreamSynchronize(cu::Stream stream) {
  TW_FAKE_ENTER(context);
  if (stream && !state.streams.contains(stream))
    return state.violate(__func__, "no such stream", kInvalidHandle);
  return stream && stream->capture ? refuseInCapture(__func__) : cu::kSuccess;
}

cu::Result cuStreamWaitEvent(cu::Stream, cu::Event, unsigned) {
  TW_FAKE_ENTER(context);
  return cu::kSuccess;
}

cu::Result cuStreamBeginCapture_v2(cu::Stream stream, cu::CaptureMode mode) {
  TW_FAKE_ENTER(context);
  if (!stream || stream->capture)
    return kCaptureUnsupported;
  stream->capture = state.make<CUgraph_st>();
  stream->isInvalidated = false;
  stream->mode = mode;
  stream->thread = std::this_thread::get_id();
  return cu::kSuccess;
}

cu::Result cuStreamEndCapture(cu::Stream stream, cu::Graph *graph) {
  TW_FAKE_ENTER(context);
  if (!stream || !stream->capture)
    return kCaptureUnmatched;
  CUgraph_st *captured = std::exchange(stream->capture, nullptr);
  *graph = nullptr;
  if (stream->isInvalidated)
    return kCaptureInvalidatedError;
  *graph = captured;
  state.graphs.insert(captured);
  return cu::kSuccess;
}

cu::Result cuThreadExchangeStreamCaptureMode(cu::CaptureMode *mode) {
  TW_FAKE_ENTER(init);
  std::swap(*mode, captureMode());
  return cu::kSuccess;
}

cu::Result cuStreamIsCapturing(cu::Stream stream, cu::CaptureStatus *status) {
  TW_FAKE_ENTER(context);
  *status = !stream || !stream->capture ? cu::kCaptureNone
            : stream->isInvalidated     ? cu::kCaptureInvalidated
                                        : cu::kCaptureActive;
  return cu::kSuccess;
}

cu::Result cuEventCreate(cu::Event *event, unsigned) {
  TW_FAKE_ENTER(context);
  *event = state.make<CUevent_st>();
  (*event)->context = current();
  state.events.insert(*event);
  return cu::kSuccess;
}

cu::Result cuEventDestroy_v2(cu::Event event) {
  TW_FAKE_ENTER(context);
  if (state.events.erase(event) == 0)
    return state.violate(__func__, "no such event", kInvalidHandle);
  return cu::kSuccess;
}

cu::Result cuEventRecord(cu::Event event, cu::Stream stream) {
  TW_FAKE_ENTER(context);
  return perform(__func__, stream, [event] {
    event->isRecorded = true;
    event->when = std::chrono::steady_clock::now();
  });
}

cu::Result cuEventSynchronize(cu::Event) {
  TW_FAKE_ENTER(context);
  return refuseInCapture(__func__);
}

cu::Result cuEventElapsedTime(float *milliseconds, cu::Event from, cu::Event to) {
  TW_FAKE_ENTER(context);
  if (!from->isRecorded || !to->isRecorded)
    return kInvalidHandle;
  *milliseconds = std::chrono::duration<float, std::milli>(to->when - from->when).count();
  return cu::kSuccess;
}

cu::Result cuGraphInstantiateWithFlags(cu::GraphExec *exec, cu::Graph graph, unsigned long long) {
  TW_FAKE_ENTER(context);
  *exec = state.make<CUgraphExec_st>();
  (*exec)->context = current();
  (*exec)->nodes = graph->nodes;
  state.graphExecs.insert(*exec);
  return cu::kSuccess;
}

cu::Result cuGraphLaunch(cu::GraphExec exec, cu::Stream stream) {
  TW_FAKE_ENTER(context);
  if (!state.graphExecs.contains(exec))
    return state.violate(__func__, "no such graph", kInvalidHandle);
  return perform(__func__, stream, [exec] {
    for (const std::function<void()> &node : exec->nodes)
      node();
  });
}

cu::Result cuGraphExecDestroy(cu::GraphExec exec) {
  TW_FAKE_ENTER(context);
  if (state.graphExecs.erase(exec) == 0)
    return state.violate(__func__, "no such graph", kInvalidHandle);
  return cu::kSuccess;
}

cu::Result cuGraphDestroy(cu::Graph graph) {
  TW_FAKE_ENTER(nothing);
  if (state.graphs.erase(graph) == 0)
    return state.violate(__func__, "no such graph", kInvalidHandle);
  return cu::kSuccess;
}

} // extern "C"
// NOLINTEND(readability-identifier-naming)
