// SPDX-License-Identifier: Apache-2.0
#include "runtime/capi/Structs.h"

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::capi;

namespace {

struct Sample {
  size_t structSize = sizeof(Sample);
  int64_t first = 1;
  int64_t second = 2;
};

struct Newer {
  Sample known;
  int64_t third = 0;
};

TEST(Structs, NullStandsForTheDefaults) {
  const Expected<Sample> read = readStruct<Sample>(nullptr, {.first = 7}, "Sample");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->first, 7);
}

TEST(Structs, MissingFieldsHaveTheirDefaults) {
  const Sample given{.structSize = offsetof(Sample, second), .first = 10, .second = 20};
  const Expected<Sample> read = readStruct<Sample>(&given, {}, "Sample");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->first, 10);
  EXPECT_EQ(read->second, 2);
  EXPECT_EQ(read->structSize, sizeof(Sample));
}

TEST(Structs, UnknownFieldsMustBeZero) {
  Newer given;
  given.known.structSize = sizeof(Newer);
  EXPECT_TRUE(readStruct<Sample>(&given.known, {}, "Sample"));
  given.third = 1;
  const Status status = readStruct<Sample>(&given.known, {}, "Sample").status();
  EXPECT_EQ(status.code(), StatusCode::unsupported);
  EXPECT_EQ(status.message(), "Sample has fields that this version does not know, and they are "
                              "set; use a newer library, or leave them zero");
}

TEST(Structs, SizesThatCannotBeAreRefused) {
  for (size_t size : {size_t{0}, size_t{7}, kMaxStructSize + 1, ~size_t{0}}) {
    Sample given{.structSize = size};
    EXPECT_EQ(readStruct<Sample>(&given, {}, "Sample").status().message(),
              "Sample: structSize is " + std::to_string(size) + "; set it to sizeof(Sample)");
    EXPECT_EQ(fillStruct(&given, Sample(), "Sample").code(), StatusCode::invalidArgument);
    EXPECT_EQ(given.structSize, size);
  }
}

TEST(Structs, FillsWhatTheCallerHas) {
  Newer newer;
  newer.known.structSize = sizeof(Newer);
  newer.third = 5;
  EXPECT_TRUE(fillStruct(&newer.known, {.first = 3, .second = 4}, "Sample").isOk());
  EXPECT_EQ(newer.known.structSize, sizeof(Newer));
  EXPECT_EQ(newer.known.second, 4);
  EXPECT_EQ(newer.third, 0);
  Sample older{.structSize = offsetof(Sample, second)};
  EXPECT_TRUE(fillStruct(&older, {.first = 3, .second = 4}, "Sample").isOk());
  EXPECT_EQ(older.first, 3);
  EXPECT_EQ(older.second, 2);
  EXPECT_EQ(fillStruct<Sample>(nullptr, {}, "Sample").message(), "Sample is NULL");
}

} // namespace
