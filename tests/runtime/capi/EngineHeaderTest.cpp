// SPDX-License-Identifier: Apache-2.0
// The C++ interface, and what a second process does.
#include "tilewright/Engine.h"

#include "tests/runtime/capi/LibraryTest.h"

#include <array>
#include <cstdio>
#include <stdexcept>

using namespace tilewright;

namespace {

class EngineHeader : public LibraryTest {
protected:
  EngineOptions options() { return {.cacheFolder = folder_, .driverLibrary = driver_}; }
  static GemmProblem sampleProblem() {
    GemmProblem problem{.m = 256, .n = 512, .k = 256};
    problem.epilogue.bias(DType::fp32).gelu();
    return problem;
  }
  /// What `request_once` prints.
  [[nodiscard]] std::string process(const std::string &environment) const {
    const std::string command = "TILEWRIGHT_CACHE_DIR='" + folder_ + "' TILEWRIGHT_DRIVER='" +
                                driver_ + "' " + environment +
                                " " TW_BINARY_DIR "/tests/bin/request_once 2>&1";
    FILE *pipe = popen(command.c_str(), "r");
    std::string text;
    std::array<char, 256> buffer;
    while (pipe && std::fgets(buffer.data(), buffer.size(), pipe))
      text += buffer.data();
    if (pipe)
      text += "exit " + std::to_string(pclose(pipe) / 256);
    return text;
  }
};

TEST_F(EngineHeader, RequestsAndLaunches) {
  Expected<Engine> engine = Engine::create(options());
  ASSERT_TRUE(engine) << engine.status().toString();
  EXPECT_TRUE(engine->hasDevice());
  EXPECT_GT(engine->device().smCount, 0);
  Expected<Kernel> kernel = engine->request(sampleProblem());
  ASSERT_TRUE(kernel) << kernel.status().toString();
  const KernelInfo info = kernel->info();
  EXPECT_EQ(info.source, "heuristic");
  EXPECT_TRUE(info.mlir);
  EXPECT_EQ(info.nvrtcCalls, 1);
  EXPECT_EQ(info.key, "gemm/1 m=256,n=512,k=256,bucket_m=256,bucket_n=512,bucket_k=256,"
                      "epilogue=bias:fp32+gelu");

  const std::vector<OperandInfo> operands = kernel->operands();
  ASSERT_EQ(operands.size(), 4U);
  EXPECT_EQ(operands[2].role, "d");
  EXPECT_EQ(operands[2].access, TW_ACCESS_WRITE);
  EXPECT_EQ(operands[2].bytes, 256 * 512 * 2);
  EXPECT_EQ(operands[3].dtype, DType::fp32);

  void *memory = allocate(1 << 20);
  const WorkspaceNeeds needs = kernel->workspace();
  const Status status =
      kernel->launch({.a = memory, .b = memory, .d = memory, .bias = memory}, nullptr,
                     {.address = allocate(needs.bytes + 256), .bytes = needs.bytes});
  EXPECT_TRUE(status.isOk()) << status.toString();
  EXPECT_EQ(fake::launches().size(), static_cast<size_t>(info.launchCount));
  EXPECT_EQ(kernel->launch({.a = memory, .b = memory, .c = memory, .d = memory}, nullptr).code(),
            StatusCode::invalidArgument);

  Expected<Kernel> again = engine->request(sampleProblem());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->info().source, "memory");
  EXPECT_EQ(engine->counters().compiled, 1U);
}

TEST_F(EngineHeader, FailuresKeepTheirKind) {
  Expected<Engine> none = Engine::create({.driverLibrary = "/nowhere/libcuda.so.1"});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.status().code(), StatusCode::unavailable);

  Expected<Engine> engine = Engine::create({.target = "h200", .cacheFolder = folder_});
  ASSERT_TRUE(engine) << engine.status().toString();
  EXPECT_FALSE(engine->hasDevice());
  EXPECT_EQ(engine->request({.m = -1}).status().code(), StatusCode::invalidArgument);
  EXPECT_EQ(engine->request({.batch = 0}).status().code(), StatusCode::invalidArgument);
  EXPECT_EQ(engine->request({.layout = GemmLayout::nn}).status().code(), StatusCode::unsupported);
  EXPECT_EQ(engine->request(sampleProblem(), Policy::cachedOnly).status().code(),
            StatusCode::notFound);
}

TEST_F(EngineHeader, NothingToComputeLaunchesNothing) {
  Expected<Engine> engine = Engine::create(options());
  ASSERT_TRUE(engine);
  Expected<Kernel> kernel = engine->request({.m = 0, .n = 512, .k = 256});
  ASSERT_TRUE(kernel) << kernel.status().toString();
  EXPECT_TRUE(kernel->launch(Operands{}, nullptr).isOk());
  EXPECT_EQ(kernel->info().source, "none");
  EXPECT_EQ(fake::launches().size(), 0U);
}

TEST_F(EngineHeader, LogsToTheCallbackWhoseExceptionsStayOutside) {
  std::vector<std::string> messages;
  EngineOptions withLog = options();
  withLog.logLevel = TW_LOG_INFO;
  withLog.log = [&](twLogLevel level, std::string_view message) {
    messages.push_back(std::to_string(level) + " " + std::string(message));
    throw std::runtime_error("from the callback");
  };
  Expected<Engine> engine = Engine::create(withLog);
  ASSERT_TRUE(engine);
  // Moving an engine does not move where its log goes.
  const Engine moved = *std::move(engine);
  ASSERT_TRUE(moved.request(sampleProblem()));
  ASSERT_FALSE(messages.empty());
  EXPECT_EQ(messages[0].substr(0, 18), "3 compiled gemm/1 ") << messages[0];
}

TEST_F(EngineHeader, ASecondProcessNeedsNeitherMlirNorNvrtc) {
  EXPECT_EQ(process(""), "{\"source\": \"heuristic\", \"mlir\": true, \"nvrtc_calls\": 1, "
                         "\"launch\": \"ok\"}\nexit 0");
  const std::string found = "{\"source\": \"disk\", \"mlir\": false, \"nvrtc_calls\": 0, "
                            "\"launch\": \"ok\"}\nexit 0";
  EXPECT_EQ(process(""), found);
  EXPECT_EQ(process("TILEWRIGHT_NVRTC=/nowhere/libnvrtc.so"), found);
}

} // namespace
