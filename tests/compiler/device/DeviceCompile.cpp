// SPDX-License-Identifier: Apache-2.0
#include "tests/compiler/device/DeviceCompile.h"

#include "compiler/device/DeviceHeaders.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace tilewright {

namespace fs = std::filesystem;

namespace {

const Expected<Nvrtc> &sharedNvrtc() {
  static const Expected<Nvrtc> kNvrtc = Nvrtc::find({.env = Env::fromProcess()});
  return kNvrtc;
}

/// A folder that is removed with this value.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "tilewright-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  ~TemporaryFolder() { fs::remove_all(path_); }
  [[nodiscard]] const fs::path &path() const { return path_; }

private:
  fs::path path_;
};

void write(const fs::path &path, std::string_view text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

} // namespace

NvrtcOutput compileDevice(const std::string &text, const std::vector<std::string> &options) {
  if (!sharedNvrtc()) {
    ADD_FAILURE() << sharedNvrtc().status().toString();
    return {};
  }
  std::vector<NvrtcHeader> headers;
  for (const DeviceHeader &header : deviceHeaders())
    headers.push_back({header.name.data(), header.text.data()});
  Expected<NvrtcOutput> output = sharedNvrtc()->compile(
      {.text = text, .headers = headers, .extraOptions = options, .wantPtx = true});
  if (!output) {
    ADD_FAILURE() << output.status().toString() << "\n" << text;
    return {};
  }
  return *std::move(output);
}

NvrtcVersion deviceCompilerVersion() {
  return sharedNvrtc() ? sharedNvrtc()->version() : NvrtcVersion();
}

testing::AssertionResult compilesOnHost(const std::string &text) {
  const TemporaryFolder folder;
  for (const DeviceHeader &header : hostHeaders())
    write(folder.path() / header.name, header.text);
  write(folder.path() / "kernel.cu", text);
  const std::string command =
      "c++ -std=c++20 -fsyntax-only -Wall -Wextra -Werror -Wno-unknown-pragmas -Wno-unused -I" +
      folder.path().string() + " -x c++ " + (folder.path() / "kernel.cu").string() + " 2>&1";
  FILE *pipe = popen(command.c_str(), "r");
  if (!pipe)
    return testing::AssertionFailure() << "can't start c++";
  std::string messages;
  std::array<char, 4096> buffer;
  for (size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    messages.append(buffer.data(), n);
  if (pclose(pipe) == 0)
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << messages << text;
}

std::string kernelText(const std::vector<std::string> &headers, const std::string &body) {
  std::string text = "#include \"tilewright/types.cuh\"\n";
  text += "#include \"tilewright/shared.cuh\"\n#include \"tilewright/warp.cuh\"\n";
  for (const std::string &header : headers)
    text += "#include \"tilewright/" + header + ".cuh\"\n";
  text += "extern \"C\" __global__ void __launch_bounds__(128, 1)\n"
          "k(const __grid_constant__ tw::tensor_map map, float *f, int32_t *u, tw::bf16 *b,\n"
          "  tw::half *h, int32_t n) {\n"
          "  const int32_t smem = tw::smem_base();\n"
          "  const int32_t i = tw::thread_id();\n";
  return text + body + "\n}\n";
}

std::string readInput(const std::string &name) {
  const std::string path = std::string(TW_SOURCE_DIR "/tests/compiler/device/Inputs/") + name;
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

} // namespace tilewright
