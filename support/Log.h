// SPDX-License-Identifier: Apache-2.0
//
// Log: messages for the people who run a program. The library never prints by itself: a message
// goes to the callback that the program gave, or nowhere. A Log is passed down like any other
// value; copies share one callback.
// Thread-safety: messages may come from several threads; the callback is called by one at a time.

#pragma once

#include "tilewright/Status.h"

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

namespace spdlog {
class logger;
}

namespace tilewright {

/// How severe a message is, and as a threshold: the least severe that is let through.
enum class LogLevel : uint8_t { trace, debug, info, warning, error, off };

/// "warning".
std::string_view logLevelName(LogLevel level);

/// The level of the given name; invalidArgument lists the names.
Expected<LogLevel> parseLogLevel(std::string_view name);

/// Where messages go.
class Log {
public:
  using Callback = std::function<void(LogLevel, std::string_view message)>;

  /// Drops every message.
  Log() = default;

  /// Sends messages of `threshold` and above to `callback`, which must not throw and must not
  /// log to the same Log.
  Log(LogLevel threshold, Callback callback);

  /// Whether a message of this level goes anywhere.
  [[nodiscard]] bool shows(LogLevel level) const;

  /// Sends one message in fmt's format. Arguments are formatted only if the level is shown:
  ///
  ///   log.info("compiled {} in {:.1f} ms", name, ms);
  template <typename... Args>
  void message(LogLevel level, fmt::format_string<Args...> format, Args &&...args) const {
    if (shows(level))
      write(level, fmt::format(format, std::forward<Args>(args)...));
  }
  template <typename... Args>
  void debug(fmt::format_string<Args...> format, Args &&...args) const {
    message(LogLevel::debug, format, std::forward<Args>(args)...);
  }
  template <typename... Args>
  void info(fmt::format_string<Args...> format, Args &&...args) const {
    message(LogLevel::info, format, std::forward<Args>(args)...);
  }
  template <typename... Args>
  void warning(fmt::format_string<Args...> format, Args &&...args) const {
    message(LogLevel::warning, format, std::forward<Args>(args)...);
  }
  template <typename... Args>
  void error(fmt::format_string<Args...> format, Args &&...args) const {
    message(LogLevel::error, format, std::forward<Args>(args)...);
  }

private:
  void write(LogLevel level, std::string_view message) const;

  std::shared_ptr<spdlog::logger> logger_;
};

} // namespace tilewright
