// SPDX-License-Identifier: Apache-2.0
//
// Plans that are run by several threads at once.
#include "runtime/driver/DeviceMemory.h"
#include "tests/runtime/driver/OnFakeDriver.h"

#include <thread>

using namespace tilewright;

namespace {

struct Threads : OnFakeDriver {};

TEST_F(Threads, RunOnePlanOnTwoStreamsWithTheirOwnPointers) {
  constexpr size_t kThreads = 8;
  constexpr size_t kRuns = 200;
  const auto plan = prepareGemm();
  const DeviceBuffer memory = valueOf(DeviceBuffer::allocate(context, 1 << 20));
  const Stream streams[] = {*Stream::create(context), *Stream::create(context)};
  std::vector<std::thread> threads;
  std::atomic<int> failures = 0;
  for (size_t thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([&, thread] {
      for (size_t i = 0; i < kRuns; ++i) {
        // a, b and d lie 16 bytes apart, so that a mixture of two runs shows.
        const uint64_t base = memory.address() + (thread * 64 + i % 50 * 16) * 256;
        const std::vector<uint64_t> pointers = {base, base + 16, base + 32};
        if (!plan->run(pointers, 0, 0, streams[thread % 2].handle()).isOk())
          ++failures;
      }
      if (!fake::contextStack().empty())
        ++failures;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);

  const std::vector<fake::Launch> launches = fake::launches();
  ASSERT_EQ(launches.size(), kThreads * kRuns);
  for (const fake::Launch &launch : launches) {
    const uint64_t base = launch.parameter<uint64_t>(2) - 32;
    ASSERT_EQ(fake::decode(launch.parameter<cu::TensorMap>(0)).address, base);
    ASSERT_EQ(fake::decode(launch.parameter<cu::TensorMap>(1)).address, base + 16);
  }
}

TEST_F(Threads, PrepareAndDropPlansOfTheirOwn) {
  std::vector<std::thread> threads;
  std::atomic<int> failures = 0;
  for (int64_t thread = 0; thread < 8; ++thread)
    threads.emplace_back([&, thread] {
      const auto own = PrimaryContext::retain(driver, 0);
      const auto memory = DeviceBuffer::allocate(*own, 4096);
      for (int64_t i = 1; i < 20; ++i) {
        const auto plan = PreparedPlan::prepare(*own, sampleGemmPlan(), gemmCubins(),
                                                gemmScalars(i, 8 * thread), {});
        const std::vector<uint64_t> pointers(3, memory->address());
        if (!plan || !(*plan)->run(pointers, 0, 0, nullptr).isOk())
          ++failures;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
}

} // namespace
