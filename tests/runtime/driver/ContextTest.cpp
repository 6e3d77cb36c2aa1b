// SPDX-License-Identifier: Apache-2.0
#include "runtime/driver/Context.h"

#include "runtime/driver/DeviceMemory.h"
#include "tests/runtime/driver/OnFakeDriver.h"

using namespace tilewright;

namespace {

struct Context : OnFakeDriver {};

TEST_F(Context, IsThePrimaryOneAndReleased) {
  const auto again = valueOf(PrimaryContext::retain(driver, 0));
  EXPECT_EQ(again->handle(), context->handle());
  EXPECT_EQ(again->device().smCount, 132);
  EXPECT_EQ(fake::leaks(), "2 retained contexts; ");
}

TEST_F(Context, ReportsWhyItCannotBeRetained) {
  fake::failNext("cuDevicePrimaryCtxRetain", cu::kOutOfMemory);
  expectFailure(PrimaryContext::retain(driver, 0).status(), StatusCode::outOfMemory,
                "use the context of device 0");
  fake::failNext("cuCtxGetId", 999, /*skip=*/0);
  expectFailure(PrimaryContext::retain(driver, 0).status(), StatusCode::deviceFault, "");
  EXPECT_EQ(fake::leaks(), "1 retained contexts; ");
}

TEST_F(Context, ScopeLeavesNoneCurrent) {
  {
    ContextScope scope(*context);
    EXPECT_TRUE(scope.isEntered());
    EXPECT_TRUE(scope.status().isOk());
    EXPECT_EQ(fake::contextStack(), std::vector{context->handle()});
  }
  EXPECT_TRUE(fake::contextStack().empty());
}

TEST_F(Context, ScopeLeavesTheCallersCurrent) {
  const cu::Context theirs = fake::makeContext();
  fake::pushContext(theirs);
  {
    ContextScope scope(*context);
    EXPECT_EQ(fake::contextStack(), (std::vector{theirs, context->handle()}));
  }
  EXPECT_EQ(fake::contextStack(), std::vector{theirs});
  fake::popContext();
}

TEST_F(Context, ScopePushesNothingWhereItIsCurrent) {
  fake::pushContext(context->handle());
  const int before = fake::calls("cuCtxPushCurrent_v2");
  {
    ContextScope outer(*context);
    ContextScope inner(*context);
    EXPECT_TRUE(inner.isEntered());
  }
  EXPECT_EQ(fake::calls("cuCtxPushCurrent_v2"), before);
  EXPECT_EQ(fake::contextStack(), std::vector{context->handle()});
  fake::popContext();
}

TEST_F(Context, ScopeReportsAContextThatIsGone) {
  fake::resetDevice(0);
  ContextScope scope(*context);
  EXPECT_FALSE(scope.isEntered());
  expectFailure(scope.status(), StatusCode::unavailable, "CUDA_ERROR_CONTEXT_IS_DESTROYED");
  expectFailure(scope.status(), StatusCode::unavailable, "make a new engine");
}

TEST_F(Context, IsToldFromOneMadeAfterAReset) {
  EXPECT_TRUE(context->isAlive());
  fake::resetDevice(0);
  EXPECT_FALSE(context->isAlive());
  // Someone else's use makes it anew, at the same handle.
  const auto fresh = valueOf(PrimaryContext::retain(driver, 0));
  EXPECT_EQ(fresh->handle(), context->handle());
  EXPECT_TRUE(fresh->isAlive());
  EXPECT_FALSE(context->isAlive());
}

/// Everything that holds something on a device, when the device is reset under it.
TEST_F(Context, WhatLivedOnItMayDieAfterIt) {
  {
    const auto plan = prepareGemm();
    const auto buffer = valueOf(DeviceBuffer::allocate(context, 100));
    auto stream = Stream::create(context);
    auto event = Event::create(context);
    ASSERT_TRUE(stream && event);
    fake::resetDevice(0);
    const std::vector<uint64_t> pointers = {256, 256, 256};
    expectFailure(plan->run(pointers, 0, 0, nullptr), StatusCode::unavailable,
                  "make the context of device 0 current");
  }
  EXPECT_EQ(fake::calls("cuModuleUnload"), 0);
  EXPECT_EQ(fake::calls("cuMemFree_v2"), 0);
}

TEST_F(Context, WhatLivedOnItMayDieAfterTheDriver) {
  {
    const auto plan = prepareGemm();
    const auto buffer = valueOf(DeviceBuffer::allocate(context, 100));
    fake::shutDown();
    expectFailure(context->synchronize(), StatusCode::unavailable, "CUDA_ERROR_DEINITIALIZED");
  }
  context.reset();
  EXPECT_EQ(fake::calls("cuModuleUnload"), 0);
  EXPECT_EQ(fake::calls("cuDevicePrimaryCtxRelease_v2"), 0);
  fake::reset();
}

TEST_F(Context, SynchronizeReportsAFault) {
  EXPECT_TRUE(context->synchronize().isOk());
  fake::setFault(700);
  expectFailure(context->synchronize(), StatusCode::deviceFault, "CUDA_ERROR_ILLEGAL_ADDRESS");
  fake::setFault(cu::kSuccess);
}

} // namespace
