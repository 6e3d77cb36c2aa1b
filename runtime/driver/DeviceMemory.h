// SPDX-License-Identifier: Apache-2.0
//
// DeviceMemory: memory, streams, events and graphs, for tools and tests. A plan's run uses none of
// this: its memory and its stream are the caller's.
// Thread-safety: one thread at a time for each value. All are move-only, free what they hold, and
// leave it to the driver where the context is gone. A stream of nullptr is the legacy default one.
#pragma once

#include "runtime/driver/Context.h"
#include "tilewright/Status.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

namespace tilewright {

/// An allocation of device memory.
class DeviceBuffer {
public:
  /// Nothing: address 0, size 0.
  DeviceBuffer() = default;
  /// Contents are undefined. 0 bytes give an empty buffer. outOfMemory, with the sizes, if the
  /// device has not that much.
  static Expected<DeviceBuffer> allocate(std::shared_ptr<const PrimaryContext> context,
                                         size_t bytes);
  ~DeviceBuffer() { reset(); }
  DeviceBuffer(DeviceBuffer &&other) noexcept { *this = std::move(other); }
  DeviceBuffer &operator=(DeviceBuffer &&other) noexcept;

  [[nodiscard]] uint64_t address() const { return address_; }
  [[nodiscard]] size_t size() const { return size_; }

  /// Copy `bytes` in order with the stream; invalidArgument if `offset + bytes` is beyond the end.
  /// With pageable host memory the driver may wait for the stream.
  [[nodiscard]] Status copyFrom(const void *host, size_t bytes, size_t offset = 0,
                                cu::Stream stream = nullptr);
  /// Waits until the copy is done.
  [[nodiscard]] Status copyTo(void *host, size_t bytes, size_t offset = 0,
                              cu::Stream stream = nullptr) const;
  /// Sets every byte.
  [[nodiscard]] Status fill(uint8_t byte, cu::Stream stream = nullptr);
  /// Frees the memory.
  void reset();

private:
  [[nodiscard]] Status checkRange(size_t bytes, size_t offset) const;

  std::shared_ptr<const PrimaryContext> context_;
  uint64_t address_ = 0;
  size_t size_ = 0;
};

/// A stream that does not wait for the legacy default stream.
class Stream {
public:
  static Expected<Stream> create(std::shared_ptr<const PrimaryContext> context);
  ~Stream() { reset(); }
  Stream(Stream &&other) noexcept { *this = std::move(other); }
  Stream &operator=(Stream &&other) noexcept;

  [[nodiscard]] cu::Stream handle() const { return handle_; }
  /// deviceFault for what failed on the device.
  [[nodiscard]] Status synchronize() const;

private:
  Stream() = default;
  void reset();

  std::shared_ptr<const PrimaryContext> context_;
  cu::Stream handle_ = nullptr;
};

/// A point in a stream, with the time when the device reached it.
class Event {
public:
  static Expected<Event> create(std::shared_ptr<const PrimaryContext> context);
  ~Event() { reset(); }
  Event(Event &&other) noexcept { *this = std::move(other); }
  Event &operator=(Event &&other) noexcept;

  [[nodiscard]] cu::Event handle() const { return handle_; }
  [[nodiscard]] Status record(cu::Stream stream) const;
  [[nodiscard]] Status synchronize() const;
  /// Seconds from `start` to this; both must have been recorded and reached.
  [[nodiscard]] Expected<double> secondsSince(const Event &start) const;

private:
  Event() = default;
  void reset();

  std::shared_ptr<const PrimaryContext> context_;
  cu::Event handle_ = nullptr;
};

/// A captured sequence of work that can be launched again and again.
class Graph {
public:
  /// Captures what `work` puts on `stream` (not the default stream), in thread-local mode. The
  /// failure of `work` comes first; the capture is ended whatever happens.
  static Expected<Graph> capture(std::shared_ptr<const PrimaryContext> context, cu::Stream stream,
                                 const std::function<Status()> &work);
  ~Graph() { reset(); }
  Graph(Graph &&other) noexcept { *this = std::move(other); }
  Graph &operator=(Graph &&other) noexcept;

  [[nodiscard]] Status launch(cu::Stream stream) const;

private:
  Graph() = default;
  void reset();

  std::shared_ptr<const PrimaryContext> context_;
  cu::GraphExec handle_ = nullptr;
};

} // namespace tilewright
