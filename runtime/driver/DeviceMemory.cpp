// SPDX-License-Identifier: Apache-2.0
#include "runtime/driver/DeviceMemory.h"

#include <string>

namespace tilewright {

Expected<DeviceBuffer> DeviceBuffer::allocate(std::shared_ptr<const PrimaryContext> context,
                                              size_t bytes) {
  DeviceBuffer buffer;
  if (bytes == 0)
    return buffer;
  ContextScope scope(*context);
  if (!scope.isEntered())
    return scope.status();
  const DriverFunctions &functions = context->functions();
  RelaxedCapture relaxed(context->driver());
  cu::DevicePointer address = 0;
  if (cu::Result result = functions.memAlloc(&address, bytes); result != cu::kSuccess) {
    size_t free = 0;
    size_t total = 0;
    std::string what = "allocate " + std::to_string(bytes) + " bytes on device " +
                       std::to_string(context->ordinal());
    if (functions.memGetInfo(&free, &total) == cu::kSuccess)
      what += " (" + std::to_string(free) + " of " + std::to_string(total) + " are free)";
    return context->driver().check(result, what);
  }
  buffer.context_ = std::move(context);
  buffer.address_ = address;
  buffer.size_ = bytes;
  return buffer;
}

DeviceBuffer &DeviceBuffer::operator=(DeviceBuffer &&other) noexcept {
  if (this == &other)
    return *this;
  reset();
  context_ = std::move(other.context_);
  address_ = std::exchange(other.address_, 0);
  size_ = std::exchange(other.size_, 0);
  return *this;
}

void DeviceBuffer::reset() {
  if (context_ && context_->isAlive()) {
    ContextScope scope(*context_);
    RelaxedCapture relaxed(context_->driver());
    if (scope.isEntered())
      context_->functions().memFree(address_);
  }
  context_.reset();
  address_ = 0;
  size_ = 0;
}

Status DeviceBuffer::checkRange(size_t bytes, size_t offset) const {
  if (offset <= size_ && bytes <= size_ - offset)
    return Status::ok();
  return Status::invalidArgument(std::to_string(bytes) + " bytes at " + std::to_string(offset) +
                                 " are beyond the end of a device buffer of " +
                                 std::to_string(size_));
}

Status DeviceBuffer::copyFrom(const void *host, size_t bytes, size_t offset, cu::Stream stream) {
  if (Status inside = checkRange(bytes, offset); !inside.isOk() || bytes == 0)
    return inside;
  ContextScope scope(*context_);
  if (!scope.isEntered())
    return scope.status();
  return context_->driver().check(
      context_->functions().memcpyHtoDAsync(address_ + offset, host, bytes, stream),
      "copy " + std::to_string(bytes) + " bytes to the device");
}

Status DeviceBuffer::copyTo(void *host, size_t bytes, size_t offset, cu::Stream stream) const {
  if (Status inside = checkRange(bytes, offset); !inside.isOk() || bytes == 0)
    return inside;
  ContextScope scope(*context_);
  if (!scope.isEntered())
    return scope.status();
  const DriverFunctions &functions = context_->functions();
  cu::Result result = functions.memcpyDtoHAsync(host, address_ + offset, bytes, stream);
  if (result == cu::kSuccess)
    result = functions.streamSynchronize(stream);
  return context_->driver().check(result,
                                  "copy " + std::to_string(bytes) + " bytes from the device");
}

Status DeviceBuffer::fill(uint8_t byte, cu::Stream stream) {
  if (size_ == 0)
    return Status::ok();
  ContextScope scope(*context_);
  if (!scope.isEntered())
    return scope.status();
  return context_->driver().check(
      context_->functions().memsetD8Async(address_, byte, size_, stream),
      "set " + std::to_string(size_) + " bytes on the device");
}

} // namespace tilewright
