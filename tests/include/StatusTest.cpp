// SPDX-License-Identifier: Apache-2.0
#include "tilewright/Status.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <vector>

using namespace tilewright;

namespace {

TEST(Status, SuccessHasNoMessage) {
  EXPECT_TRUE(Status().isOk());
  EXPECT_EQ(Status::ok().code(), StatusCode::ok);
  EXPECT_EQ(Status::ok().message(), "");
  EXPECT_EQ(Status::ok().toString(), "ok");
}

TEST(Status, EachFactoryHasItsCodeAndSpelling) {
  std::vector<std::pair<Status, StatusCode>> all = {
      {Status::invalidArgument("x"), StatusCode::invalidArgument},
      {Status::unsupported("x"), StatusCode::unsupported},
      {Status::unavailable("x"), StatusCode::unavailable},
      {Status::notFound("x"), StatusCode::notFound},
      {Status::compileFailed("x"), StatusCode::compileFailed},
      {Status::checkFailed("x"), StatusCode::checkFailed},
      {Status::ioError("x"), StatusCode::ioError},
      {Status::cancelled("x"), StatusCode::cancelled},
      {Status::outOfMemory("x"), StatusCode::outOfMemory},
      {Status::deviceFault("x"), StatusCode::deviceFault},
      {Status::internal("x"), StatusCode::internal},
  };
  std::set<std::string> texts;
  for (const auto &[status, code] : all) {
    EXPECT_FALSE(status.isOk());
    EXPECT_EQ(status.code(), code);
    EXPECT_EQ(status.message(), "x");
    texts.insert(status.toString());
  }
  EXPECT_EQ(texts.size(), all.size());
  EXPECT_TRUE(texts.contains("invalid_argument: x"));
}

TEST(Status, ContextIsPutBeforeFailuresOnly) {
  EXPECT_EQ(Status::notFound("no row").withContext("cache").message(), "cache: no row");
  EXPECT_EQ(Status::notFound("no row").withContext("cache").code(), StatusCode::notFound);
  EXPECT_EQ(Status::ok().withContext("cache"), Status::ok());
}

TEST(Expected, HoldsAValueOrAFailure) {
  Expected<int> value = 3;
  ASSERT_TRUE(value);
  EXPECT_EQ(*value, 3);
  EXPECT_TRUE(value.status().isOk());

  Expected<int> failure = Status::ioError("disk full");
  EXPECT_FALSE(failure);
  EXPECT_EQ(failure.status(), Status::ioError("disk full"));
}

TEST(Expected, MovesOutWhatCannotBeCopied) {
  Expected<std::unique_ptr<int>> value = std::make_unique<int>(7);
  ASSERT_TRUE(value);
  std::unique_ptr<int> taken = *std::move(value);
  EXPECT_EQ(*taken, 7);
}

TEST(Expected, ReachesMembersByArrow) {
  Expected<std::string> value = std::string("abc");
  EXPECT_EQ(value->size(), 3U);
  value->push_back('d');
  EXPECT_EQ(*value, "abcd");
}

} // namespace
