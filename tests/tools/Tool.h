// SPDX-License-Identifier: Apache-2.0
//
// Runs the program tilewright as a user does: a command line in, exit code and both streams out.
#pragma once

#include "tests/runtime/nvrtc/ScratchFolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace tilewright {

class ToolTest : public testing::Test {
protected:
  struct Result {
    int exitCode = -1;
    std::string out;
    std::string err;
  };

  /// Runs `tilewright <arguments>` from the top of the source tree. `environment` is what env(1)
  /// takes: "A=b -u C".
  [[nodiscard]] Result run(const std::string &arguments,
                           const std::string &environment = "") const {
    const std::string command = "cd '" TW_SOURCE_DIR "' && env -u TILEWRIGHT_LOG " + environment +
                                " '" TW_BINARY_DIR "/bin/tilewright' " + arguments + " >'" +
                                scratch.path("out") + "' 2>'" + scratch.path("err") +
                                "' </dev/null";
    const int state = std::system(command.c_str());
    return {WIFEXITED(state) ? WEXITSTATUS(state) : -1, read(scratch.path("out")),
            read(scratch.path("err"))};
  }

  /// Runs a command that must fail in a stated way: the exit code, a clear message on stderr, and
  /// nothing on stdout; and with --json the same in an object.
  void expectFailure(const std::string &arguments, int exitCode, const std::string &message,
                     const std::string &environment = "") const {
    const Result plain = run(arguments, environment);
    EXPECT_EQ(plain.exitCode, exitCode) << arguments << "\n" << plain.err;
    EXPECT_EQ(plain.out, "") << arguments;
    EXPECT_THAT(plain.err, testing::StartsWith("tilewright: error: ")) << arguments;
    EXPECT_THAT(plain.err, testing::HasSubstr(message)) << arguments;

    const nlohmann::json json = parse(run(arguments + " --json", environment), exitCode);
    ASSERT_TRUE(json.contains("error")) << arguments;
    EXPECT_EQ(json["error"]["exit_code"], exitCode) << arguments;
    EXPECT_THAT(json["error"]["message"].get<std::string>(), testing::HasSubstr(message));
  }

  /// The object on stdout of a command that ended with `exitCode`.
  [[nodiscard]] static nlohmann::json parse(const Result &result, int exitCode = 0) {
    EXPECT_EQ(result.exitCode, exitCode) << result.err;
    nlohmann::json json = nlohmann::json::parse(result.out, nullptr, false);
    EXPECT_TRUE(json.is_object()) << "no JSON object: " << result.out;
    return json.is_object() ? json : nlohmann::json::object();
  }

  [[nodiscard]] static std::string read(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }

  ScratchFolder scratch;
};

} // namespace tilewright
