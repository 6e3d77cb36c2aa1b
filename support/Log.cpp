// SPDX-License-Identifier: Apache-2.0
#include "support/Log.h"

#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>

#include <array>
#include <mutex>

namespace tilewright {
namespace {

struct Level {
  LogLevel level;
  std::string_view name;
  spdlog::level::level_enum spdlog;
};
constexpr std::array<Level, 6> kLevels = {{
    {LogLevel::trace, "trace", spdlog::level::trace},
    {LogLevel::debug, "debug", spdlog::level::debug},
    {LogLevel::info, "info", spdlog::level::info},
    {LogLevel::warning, "warning", spdlog::level::warn},
    {LogLevel::error, "error", spdlog::level::err},
    {LogLevel::off, "off", spdlog::level::off},
}};

const Level &levelOf(LogLevel level) { return kLevels[static_cast<size_t>(level)]; }

/// Hands each message to a callback; spdlog's mutex makes the calls take turns.
class CallbackSink final : public spdlog::sinks::base_sink<std::mutex> {
public:
  explicit CallbackSink(Log::Callback callback) : callback_(std::move(callback)) {}

private:
  void sink_it_(const spdlog::details::log_msg &message) override {
    for (const Level &level : kLevels)
      if (level.spdlog == message.level)
        callback_(level.level, {message.payload.data(), message.payload.size()});
  }
  void flush_() override {}

  Log::Callback callback_;
};

} // namespace

std::string_view logLevelName(LogLevel level) { return levelOf(level).name; }

Expected<LogLevel> parseLogLevel(std::string_view name) {
  for (const Level &level : kLevels)
    if (level.name == name)
      return level.level;
  return Status::invalidArgument("'" + std::string(name) +
                                 "' is no log level; use trace, debug, info, warning, error, off");
}

Log::Log(LogLevel threshold, Callback callback)
    : logger_(std::make_shared<spdlog::logger>(
          "tilewright", std::make_shared<CallbackSink>(std::move(callback)))) {
  logger_->set_level(levelOf(threshold).spdlog);
}

bool Log::shows(LogLevel level) const {
  return logger_ && level != LogLevel::off && logger_->should_log(levelOf(level).spdlog);
}

void Log::write(LogLevel level, std::string_view message) const {
  logger_->log(levelOf(level).spdlog, spdlog::string_view_t(message.data(), message.size()));
}

} // namespace tilewright
