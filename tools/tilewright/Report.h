// SPDX-License-Identifier: Apache-2.0
//
// What a command hands back to main, which alone prints, writes files and decides the exit code.

#pragma once

#include "support/Env.h"
#include "support/Log.h"
#include "tilewright/Status.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::cli {

using Json = nlohmann::ordered_json;

/// A file that a command makes.
struct OutputFile {
  std::string path;
  std::string bytes;
};

/// The result of a command.
struct Report {
  /// What people get on stdout. With --json, `json` takes its place.
  std::string text = {};
  Json json = Json::object();
  /// Written before anything is printed.
  std::vector<OutputFile> files = {};
  /// A failure that comes with a report, such as a check that found a difference. It decides the
  /// exit code and is printed as an error.
  Status outcome = {};
};

/// What every command sees of the command line and the process.
struct Session {
  bool json = false;
  /// The NVRTC to use; empty: search.
  std::string nvrtc = {};
  Env env = {};
  Log log = {};
  /// Set by the parser: the command that was named.
  std::function<Expected<Report>()> command = {};
};

/// The exit code for a failure of this kind. docs/decisions/exit-codes.md has the table.
int exitCode(StatusCode code);

/// A failure as --json shows it.
Json errorJson(const Status &status);

/// Writes the files of a report, prints it, and says what the program exits with.
int deliver(const Session &session, const Expected<Report> &result);

/// The bytes of a file; notFound or ioError says why there are none.
Expected<std::string> readFile(const std::string &path);

} // namespace tilewright::cli
