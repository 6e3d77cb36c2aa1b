// SPDX-License-Identifier: Apache-2.0
//
// OnEngine: a test of engines with a real compiler, the fake driver in place of a device, and a
// cache folder of its own. At the end nothing may be left on the device, and the driver must not
// have been misused.
#pragma once

#include "runtime/engine/EngineCore.h"
#include "tests/runtime/driver/fake/FakeDriver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

inline void expectFailure(const Status &status, StatusCode code, std::string_view part) {
  EXPECT_EQ(status.code(), code) << status.toString();
  EXPECT_NE(status.message().find(part), std::string::npos) << status.toString();
}

class OnEngine : public testing::Test {
protected:
  void SetUp() override {
    fake::reset();
    std::string pattern = (std::filesystem::temp_directory_path() / "tw-engine-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override {
    std::filesystem::remove_all(folder_);
    EXPECT_EQ(fake::violations(), std::vector<std::string>());
    EXPECT_EQ(fake::leaks(), "");
  }

  EngineSettings settings() {
    EngineSettings settings;
    settings.cacheFolder = folder_;
    settings.driverLibrary = fake::libraryPath();
    settings.env = Env::fromProcess();
    settings.log = Log(LogLevel::warning, [this](LogLevel, std::string_view message) {
      messages_.emplace_back(message);
    });
    return settings;
  }
  static std::unique_ptr<EngineCore> make(const EngineSettings &settings) {
    Expected<std::unique_ptr<EngineCore>> engine = EngineCore::create(settings);
    EXPECT_TRUE(engine) << engine.status().toString();
    return engine ? *std::move(engine) : nullptr;
  }
  static KernelAnswer ask(EngineCore &engine, const GemmRequest &request) {
    Expected<KernelAnswer> answer = engine.request(request);
    EXPECT_TRUE(answer) << answer.status().toString();
    return answer ? *std::move(answer) : KernelAnswer();
  }
  /// Device memory for each operand; freed by the driver's next reset.
  std::vector<twOperand> operandsOf(const GemmKernel &kernel) {
    std::vector<twOperand> operands;
    for (const KernelOperand &operand : kernel.operands())
      operands.push_back({operand.role.c_str(),
                          reinterpret_cast<const void *>(fake::allocateOn(
                              0, static_cast<size_t>(std::max<int64_t>(operand.bytes, 256))))});
    return operands;
  }
  /// The only file in the cache.
  [[nodiscard]] std::filesystem::path onlyFile() const {
    for (const auto &entry : std::filesystem::recursive_directory_iterator(folder_))
      if (entry.is_regular_file())
        return entry.path();
    return {};
  }

  static GemmRequest sampleRequest(int64_t m = 256) {
    GemmRequest request{.problem = {.m = m, .n = 512, .k = 256}};
    request.problem.epilogue.bias();
    // One code for all sizes, whatever the model prefers.
    request.config = "bm=128,bn=128,consumers=2,stages=3,cluster=1x1,store=direct";
    return request;
  }

  std::filesystem::path folder_;
  std::vector<std::string> messages_;
};

} // namespace tilewright
