// SPDX-License-Identifier: Apache-2.0
// `tilewright --version`, `--help` and `doctor`.
#include "tests/tools/Tool.h"

using namespace tilewright;
using testing::ContainsRegex;
using testing::HasSubstr;

namespace {

class Doctor : public ToolTest {};

TEST_F(Doctor, VersionNamesTheBuildAndWhatItUses) {
  const Result result = run("--version");
  EXPECT_EQ(result.exitCode, 0);
  EXPECT_THAT(result.out,
              ContainsRegex("^tilewright [0-9]+\\.[0-9]+\\.[0-9]+ \\(build [0-9a-f]{12}, "
                            "MLIR 22\\.1\\.[0-9]+, NVRTC 1[23]\\.[0-9]+\\)\n$"));
  const nlohmann::json json = parse(run("--version --json"));
  EXPECT_EQ(json["build_id"].get<std::string>().size(), 12u);
}

TEST_F(Doctor, VersionNeedsNoNvrtc) {
  const Result result = run("--version", "TILEWRIGHT_NVRTC=/nowhere");
  EXPECT_EQ(result.exitCode, 0);
  EXPECT_THAT(result.out, HasSubstr("NVRTC none found"));
  EXPECT_TRUE(parse(run("--version --json", "TILEWRIGHT_NVRTC=/nowhere"))["nvrtc"].is_null());
}

TEST_F(Doctor, HelpHasExamples) {
  for (const char *command : {"", "doctor", "gemm", "emit", "emit gemm", "compile"}) {
    const Result result = run(std::string(command) + " --help");
    EXPECT_EQ(result.exitCode, 0) << command;
    EXPECT_THAT(result.out, HasSubstr("Example")) << command;
    EXPECT_THAT(result.out, HasSubstr(std::string("tilewright ") + command)) << command;
  }
}

TEST_F(Doctor, FindsWhatTheTestsNeed) {
  const Result result = run("doctor");
  EXPECT_EQ(result.exitCode, 0) << result.out << result.err;
  EXPECT_THAT(result.out, ContainsRegex("nvrtc +works"));
  EXPECT_THAT(result.out, ContainsRegex("compile +works +a kernel for sm_90a"));
  EXPECT_THAT(result.out, HasSubstr("Kernels can be compiled here"));
}

TEST_F(Doctor, SaysWhatEachPartIs) {
  const nlohmann::json json = parse(run("doctor --json", "TILEWRIGHT_CACHE_DIR=" + scratch.path()));
  EXPECT_TRUE(json["can_compile"]);
  for (const char *part :
       {"tilewright", "mlir", "nvrtc", "compile", "driver", "gpu", "cache", "nvdisasm"}) {
    EXPECT_TRUE(json["checks"][part]["works"].is_boolean()) << part;
    EXPECT_NE(json["checks"][part]["text"], "") << part;
  }
  EXPECT_EQ(json["checks"]["cache"]["folder"], scratch.path());
  EXPECT_TRUE(json["checks"]["cache"]["works"]);
  EXPECT_THAT(json["checks"]["nvrtc"]["builtins"].get<std::string>(),
              HasSubstr("libnvrtc-builtins.so."));
  EXPECT_EQ(json["environment"]["TILEWRIGHT_CACHE_DIR"], scratch.path());
}

TEST_F(Doctor, ACacheFolderThatCannotBeMadeIsMissing) {
  const std::string file = scratch.write("file", "");
  const nlohmann::json json =
      parse(run("doctor --json", "TILEWRIGHT_CACHE_DIR=" + file + "/cache"));
  EXPECT_FALSE(json["checks"]["cache"]["works"]);
}

TEST_F(Doctor, WithoutNvrtcItSaysHowToGetOneAndFails) {
  const Result result = run("doctor", "TILEWRIGHT_NVRTC=/nowhere");
  EXPECT_EQ(result.exitCode, 4);
  EXPECT_THAT(result.out, ContainsRegex("nvrtc +missing"));
  EXPECT_THAT(result.out, HasSubstr("pip install nvidia-cuda-nvrtc"));
  EXPECT_THAT(result.out, HasSubstr("Kernels cannot be compiled here"));
  const nlohmann::json json = parse(run("doctor --json", "TILEWRIGHT_NVRTC=/nowhere"), 4);
  EXPECT_FALSE(json["can_compile"]);
  EXPECT_EQ(json["error"]["exit_code"], 4);
}

TEST_F(Doctor, FindsAnNvrtcThatCannotCompile) {
  // It has a builtins library by name, but its compiles fail.
  const std::string library = scratch.place("fake_nvrtc_12.9", "libnvrtc.so");
  scratch.place("fake_empty", "libnvrtc-builtins.so.12.9");
  const Result result = run("doctor --nvrtc " + library);
  EXPECT_EQ(result.exitCode, 4);
  EXPECT_THAT(result.out, ContainsRegex("nvrtc +works"));
  EXPECT_THAT(result.out, ContainsRegex("compile +missing"));
}

} // namespace
