// SPDX-License-Identifier: Apache-2.0
#include "runtime/driver/DeviceMemory.h"

#include "tests/runtime/driver/OnFakeDriver.h"

#include <thread>

using namespace tilewright;

namespace {

struct Memory : OnFakeDriver {};

TEST_F(Memory, IsCopiedAndFilled) {
  DeviceBuffer buffer = valueOf(DeviceBuffer::allocate(context, 8));
  EXPECT_EQ(buffer.size(), 8U);
  EXPECT_TRUE(buffer.fill(1).isOk());
  const char in[] = {7, 8};
  EXPECT_TRUE(buffer.copyFrom(in, 2, 3).isOk());
  std::string out(8, '\0');
  EXPECT_TRUE(buffer.copyTo(out.data(), 8).isOk());
  EXPECT_EQ(out, std::string("\1\1\1\7\10\1\1\1"));
  EXPECT_TRUE(fake::contextStack().empty());
}

TEST_F(Memory, KeepsToItsEnd) {
  DeviceBuffer buffer = valueOf(DeviceBuffer::allocate(context, 8));
  char bytes[16] = {};
  for (const Status &status : {buffer.copyFrom(bytes, 9), buffer.copyFrom(bytes, 1, 8),
                               buffer.copyTo(bytes, 2, ~size_t{0})})
    expectFailure(status, StatusCode::invalidArgument, "beyond the end of a device buffer of 8");
  EXPECT_TRUE(buffer.copyFrom(bytes, 0, 8).isOk());
}

TEST_F(Memory, MayBeEmpty) {
  DeviceBuffer buffer = valueOf(DeviceBuffer::allocate(context, 0));
  EXPECT_EQ(buffer.address(), 0U);
  EXPECT_TRUE(buffer.fill(1).isOk());
  EXPECT_TRUE(buffer.copyTo(nullptr, 0).isOk());
}

TEST_F(Memory, IsMovedAndFreedOnce) {
  DeviceBuffer first = valueOf(DeviceBuffer::allocate(context, 8));
  const uint64_t address = first.address();
  DeviceBuffer second = std::move(first);
  EXPECT_EQ(second.address(), address);
  EXPECT_EQ(first.address(), 0U); // NOLINT(bugprone-use-after-move): it is what is tested
  second = valueOf(DeviceBuffer::allocate(context, 16));
  EXPECT_EQ(fake::leaks(), "1 retained contexts; 16 bytes; ");
  second.reset();
  EXPECT_EQ(fake::calls("cuMemFree_v2"), 2);
}

TEST_F(Memory, SaysWhatIsFree) {
  fake::setMemory(1000);
  const DeviceBuffer some = valueOf(DeviceBuffer::allocate(context, 400));
  const Status status = DeviceBuffer::allocate(context, 601).status();
  expectFailure(status, StatusCode::outOfMemory, "allocate 601 bytes on device 0");
  expectFailure(status, StatusCode::outOfMemory, "600 of 1000 are free");
}

TEST_F(Memory, ReportsAFault) {
  DeviceBuffer buffer = valueOf(DeviceBuffer::allocate(context, 8));
  const Stream stream = *Stream::create(context);
  fake::setFault(700);
  char byte = 0;
  for (const Status &status : {buffer.fill(0), buffer.copyTo(&byte, 1), stream.synchronize()})
    expectFailure(status, StatusCode::deviceFault, "the device's context is lost");
  fake::setFault(cu::kSuccess);
}

TEST_F(Memory, ReportsWhatCannotBeMade) {
  fake::failNext("cuStreamCreate", cu::kOutOfMemory);
  expectFailure(Stream::create(context).status(), StatusCode::outOfMemory, "make a stream");
  fake::failNext("cuEventCreate", cu::kOutOfMemory);
  expectFailure(Event::create(context).status(), StatusCode::outOfMemory, "make an event");
}

TEST_F(Memory, EventsMeasureTime) {
  const Stream stream = *Stream::create(context);
  const Event first = *Event::create(context);
  const Event second = *Event::create(context);
  expectFailure(second.secondsSince(first).status(), StatusCode::invalidArgument,
                "read the time between two events");
  EXPECT_TRUE(first.record(stream.handle()).isOk());
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_TRUE(second.record(stream.handle()).isOk());
  EXPECT_TRUE(second.synchronize().isOk());
  EXPECT_GE(valueOf(second.secondsSince(first)), 0.0015);
}

TEST_F(Memory, GraphsAreReplayed) {
  DeviceBuffer buffer = valueOf(DeviceBuffer::allocate(context, 1));
  const Stream stream = *Stream::create(context);
  char in = 5;
  char out = 0;
  EXPECT_TRUE(buffer.fill(1).isOk());
  auto graph = Graph::capture(context, stream.handle(),
                              [&] { return buffer.copyFrom(&in, 1, 0, stream.handle()); });
  ASSERT_TRUE(graph) << graph.status().toString();
  EXPECT_TRUE(buffer.copyTo(&out, 1).isOk());
  EXPECT_EQ(out, 1);
  in = 6;
  EXPECT_TRUE(graph->launch(stream.handle()).isOk());
  EXPECT_TRUE(buffer.copyTo(&out, 1).isOk());
  EXPECT_EQ(out, 6);
}

TEST_F(Memory, CaptureEndsWhereWorkFails) {
  const Stream stream = *Stream::create(context);
  expectFailure(
      Graph::capture(context, stream.handle(), [] { return Status::cancelled("enough"); }).status(),
      StatusCode::cancelled, "enough");
  EXPECT_TRUE(Graph::capture(context, stream.handle(), [] { return Status::ok(); }));
  expectFailure(Graph::capture(context, nullptr, [] { return Status::ok(); }).status(),
                StatusCode::invalidArgument, "begin to capture a graph");
}

TEST_F(Memory, IsAllocatedAndFreedBesideACapture) {
  const Stream stream = *Stream::create(context);
  EXPECT_TRUE(Graph::capture(context, stream.handle(),
                             [&] { return DeviceBuffer::allocate(context, 8).status(); }));
}

TEST(Capture, IsBrokenByWhatItForbids) {
  fake::reset();
  const auto driver = valueOf(Driver::open({.library = fake::libraryPath()}));
  const auto context = valueOf(PrimaryContext::retain(driver, 0));
  const Stream stream = *Stream::create(context);
  expectFailure(
      Graph::capture(context, stream.handle(), [&] { return context->synchronize(); }).status(),
      StatusCode::invalidArgument, "not legal under its capture");
  EXPECT_EQ(fake::violations().size(), 1U);
}

} // namespace
