// SPDX-License-Identifier: Apache-2.0
//
// Streams, events and graphs of DeviceMemory.h.
#include "runtime/driver/DeviceMemory.h"

namespace tilewright {

namespace {

/// Gives `handle` back to the driver by `destroy`, if there is one and its context still exists.
template <typename Handle>
void release(std::shared_ptr<const PrimaryContext> &context, Handle &handle,
             cu::Result (*DriverFunctions::*destroy)(Handle)) {
  if (handle && context->isAlive()) {
    ContextScope scope(*context);
    if (scope.isEntered())
      (context->functions().*destroy)(handle);
  }
  handle = nullptr;
  context.reset();
}

} // namespace

Expected<Stream> Stream::create(std::shared_ptr<const PrimaryContext> context) {
  ContextScope scope(*context);
  if (!scope.isEntered())
    return scope.status();
  Stream stream;
  if (Status made = context->driver().check(
          context->functions().streamCreate(&stream.handle_, cu::kStreamNonBlocking),
          "make a stream");
      !made.isOk())
    return made;
  stream.context_ = std::move(context);
  return stream;
}

Stream &Stream::operator=(Stream &&other) noexcept {
  if (this == &other)
    return *this;
  reset();
  context_ = std::move(other.context_);
  handle_ = std::exchange(other.handle_, nullptr);
  return *this;
}

void Stream::reset() { release(context_, handle_, &DriverFunctions::streamDestroy); }

Status Stream::synchronize() const {
  ContextScope scope(*context_);
  if (!scope.isEntered())
    return scope.status();
  return context_->driver().check(context_->functions().streamSynchronize(handle_),
                                  "wait for a stream");
}

Expected<Event> Event::create(std::shared_ptr<const PrimaryContext> context) {
  ContextScope scope(*context);
  if (!scope.isEntered())
    return scope.status();
  Event event;
  if (Status made = context->driver().check(
          context->functions().eventCreate(&event.handle_, cu::kEventDefault), "make an event");
      !made.isOk())
    return made;
  event.context_ = std::move(context);
  return event;
}

Event &Event::operator=(Event &&other) noexcept {
  if (this == &other)
    return *this;
  reset();
  context_ = std::move(other.context_);
  handle_ = std::exchange(other.handle_, nullptr);
  return *this;
}

void Event::reset() { release(context_, handle_, &DriverFunctions::eventDestroy); }

Status Event::record(cu::Stream stream) const {
  ContextScope scope(*context_);
  if (!scope.isEntered())
    return scope.status();
  return context_->driver().check(context_->functions().eventRecord(handle_, stream),
                                  "record an event");
}

Status Event::synchronize() const {
  ContextScope scope(*context_);
  if (!scope.isEntered())
    return scope.status();
  return context_->driver().check(context_->functions().eventSynchronize(handle_),
                                  "wait for an event");
}

Expected<double> Event::secondsSince(const Event &start) const {
  ContextScope scope(*context_);
  if (!scope.isEntered())
    return scope.status();
  float milliseconds = 0;
  if (Status read = context_->driver().check(
          context_->functions().eventElapsedTime(&milliseconds, start.handle_, handle_),
          "read the time between two events");
      !read.isOk())
    return read;
  return milliseconds * 1e-3;
}

Expected<Graph> Graph::capture(std::shared_ptr<const PrimaryContext> context, cu::Stream stream,
                               const std::function<Status()> &work) {
  ContextScope scope(*context);
  if (!scope.isEntered())
    return scope.status();
  const Driver &driver = context->driver();
  const DriverFunctions &functions = context->functions();
  if (Status begun = driver.check(functions.streamBeginCapture(stream, cu::kCaptureThreadLocal),
                                  "begin to capture a graph");
      !begun.isOk())
    return begun;
  Status worked = work();
  cu::Graph graph = nullptr;
  Status ended =
      driver.check(functions.streamEndCapture(stream, &graph), "end the capture of a graph");
  Graph captured;
  if (worked.isOk() && ended.isOk())
    ended = driver.check(functions.graphInstantiate(&captured.handle_, graph, 0),
                         "make a captured graph executable");
  if (graph)
    functions.graphDestroy(graph);
  if (!worked.isOk())
    return worked;
  if (!ended.isOk())
    return ended;
  captured.context_ = std::move(context);
  return captured;
}

Graph &Graph::operator=(Graph &&other) noexcept {
  if (this == &other)
    return *this;
  reset();
  context_ = std::move(other.context_);
  handle_ = std::exchange(other.handle_, nullptr);
  return *this;
}

void Graph::reset() { release(context_, handle_, &DriverFunctions::graphExecDestroy); }

Status Graph::launch(cu::Stream stream) const {
  ContextScope scope(*context_);
  if (!scope.isEntered())
    return scope.status();
  return context_->driver().check(context_->functions().graphLaunch(handle_, stream),
                                  "launch a graph");
}

} // namespace tilewright
