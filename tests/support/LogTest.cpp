// SPDX-License-Identifier: Apache-2.0
#include "support/Log.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

using namespace tilewright;

namespace {

struct Message {
  LogLevel level;
  std::string text;
  bool operator==(const Message &) const = default;
};

TEST(Log, DefaultIsSilent) {
  Log log;
  EXPECT_FALSE(log.shows(LogLevel::error));
  log.error("nobody hears {}", 1);
}

TEST(Log, PassesTheThresholdAndAbove) {
  std::vector<Message> heard;
  Log log(LogLevel::info, [&](LogLevel level, std::string_view text) {
    heard.push_back({level, std::string(text)});
  });
  log.debug("too quiet");
  log.info("{} of {}", 1, 2);
  log.warning("100 %");
  log.error("braces {{}}");
  std::vector<Message> expected = {
      {LogLevel::info, "1 of 2"}, {LogLevel::warning, "100 %"}, {LogLevel::error, "braces {}"}};
  EXPECT_EQ(heard, expected);
}

TEST(Log, OffShowsNothing) {
  Log log(LogLevel::off, [](LogLevel, std::string_view) { FAIL(); });
  log.error("x");
  EXPECT_FALSE(log.shows(LogLevel::error));
  EXPECT_FALSE(Log(LogLevel::trace, {}).shows(LogLevel::off));
}

TEST(Log, CopiesShareTheCallbackAndThreadsTakeTurns) {
  int count = 0; // unguarded on purpose: the Log must serialise the calls
  Log log(LogLevel::info, [&](LogLevel, std::string_view) { ++count; });
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([copy = log] {
      for (int i = 0; i < 500; ++i)
        copy.info("{}", i);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(count, 2000);
}

TEST(Log, LevelsParseBack) {
  for (LogLevel level : {LogLevel::trace, LogLevel::debug, LogLevel::info, LogLevel::warning,
                         LogLevel::error, LogLevel::off}) {
    Expected<LogLevel> parsed = parseLogLevel(logLevelName(level));
    ASSERT_TRUE(parsed);
    EXPECT_EQ(*parsed, level);
  }
  EXPECT_EQ(parseLogLevel("loud").status().code(), StatusCode::invalidArgument);
}

} // namespace
