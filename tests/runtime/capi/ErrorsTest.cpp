// SPDX-License-Identifier: Apache-2.0
#include "runtime/capi/Errors.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

using namespace tilewright;

namespace {

TEST(Errors, EachThreadHasItsOwnMessage) {
  EXPECT_EQ(capi::report(Status::unavailable("here")), TW_UNAVAILABLE);
  std::thread([] {
    EXPECT_STREQ(twLastError(), "");
    EXPECT_EQ(capi::report(Status::ioError("there")), TW_IO_ERROR);
    EXPECT_STREQ(twLastError(), "there");
  }).join();
  EXPECT_STREQ(twLastError(), "here");
  EXPECT_EQ(capi::report(Status::ok()), TW_OK);
  EXPECT_STREQ(twLastError(), "here") << "calls that succeed leave it alone";
}

TEST(Errors, StatusesHaveNames) {
  EXPECT_STREQ(twStatusName(TW_OK), "ok");
  EXPECT_STREQ(twStatusName(TW_OUT_OF_MEMORY), "out_of_memory");
  EXPECT_STREQ(twStatusName(TW_INTERNAL), "internal");
  EXPECT_STREQ(twStatusName(-1), "unknown");
  EXPECT_STREQ(twStatusName(TW_INTERNAL + 1), "unknown");
}

TEST(Errors, ExceptionsEndAtTheBoundary) {
  EXPECT_EQ(capi::guarded([]() -> Status { throw std::bad_alloc(); }), TW_INTERNAL);
  EXPECT_STREQ(twLastError(), "the process has no memory left");
  EXPECT_EQ(capi::guarded([]() -> Status { throw std::runtime_error("text"); }), TW_INTERNAL);
  EXPECT_STREQ(twLastError(), "an exception: text");
  EXPECT_EQ(capi::guarded([]() -> Status { throw 5; }), TW_INTERNAL);
  EXPECT_EQ(capi::guarded([] { return Status::ok(); }), TW_OK);
}

} // namespace
