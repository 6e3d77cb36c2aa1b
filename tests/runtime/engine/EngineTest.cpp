// SPDX-License-Identifier: Apache-2.0
// Requests from end to end: what is compiled, shared, prepared and run.
#include "tests/runtime/engine/OnEngine.h"

#include <atomic>
#include <barrier>
#include <thread>

using namespace tilewright;

namespace {

struct EngineTest : OnEngine {};

TEST_F(EngineTest, CompilesOnceAndRemembers) {
  const auto engine = make(settings());
  const KernelAnswer first = ask(*engine, sampleRequest());
  EXPECT_EQ(first.source, AnswerSource::config);
  EXPECT_EQ(first.nvrtcCalls, 1);
  EXPECT_TRUE(first.mlir);
  EXPECT_GT(first.seconds, 0);
  const KernelAnswer second = ask(*engine, sampleRequest());
  EXPECT_EQ(second.kernel, first.kernel);
  EXPECT_EQ(second.source, AnswerSource::memory);
  EXPECT_EQ(second.nvrtcCalls, 0);
  EXPECT_FALSE(second.mlir);
}

TEST_F(EngineTest, TheModelsChoiceSaysSo) {
  const auto engine = make(settings());
  GemmRequest request = sampleRequest();
  request.config = "";
  const KernelAnswer answer = ask(*engine, request);
  EXPECT_EQ(answer.source, AnswerSource::heuristic);
  EXPECT_EQ(answer.kernel->figures().config, chooseConfig(request, engine->device())->toString());
  EXPECT_GT(answer.kernel->code()->stored().kernels[0].registers, 0);
}

TEST_F(EngineTest, OtherSizesShareTheCode) {
  const auto engine = make(settings());
  const KernelAnswer first = ask(*engine, sampleRequest(256));
  const KernelAnswer second = ask(*engine, sampleRequest(1000));
  EXPECT_NE(second.kernel, first.kernel);
  EXPECT_EQ(second.source, AnswerSource::memory);
  EXPECT_EQ(second.kernel->code(), first.kernel->code());
  EXPECT_TRUE(first.kernel->prepare().isOk());
  EXPECT_TRUE(second.kernel->prepare().isOk());
  EXPECT_EQ(fake::calls("cuModuleLoadData"), 1);
}

TEST_F(EngineTest, SixtyFourThreadsCompileOnce) {
  const auto engine = make(settings());
  std::barrier start(64);
  std::atomic<int> failed = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 64; ++i)
    threads.emplace_back([&, i] {
      start.arrive_and_wait();
      // Two problems, one code.
      Expected<KernelAnswer> answer = engine->request(sampleRequest(i % 2 == 0 ? 256 : 512));
      failed += answer && answer->kernel->prepare().isOk() ? 0 : 1;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failed, 0);
  const EngineTally tally = engine->tally();
  EXPECT_EQ(tally.compiled, 1U);
  EXPECT_EQ(tally.nvrtcCalls, 1U);
  EXPECT_EQ(tally.mlirContexts, 1U);
  EXPECT_EQ(tally.fromMemory, 63U);
  EXPECT_EQ(fake::calls("cuModuleLoadData"), 1);
}

TEST_F(EngineTest, NothingToComputeNeedsNothing) {
  EngineSettings without = settings();
  without.nvrtcLibrary = "/nowhere/libnvrtc.so";
  const auto engine = make(without);
  for (auto [m, n] : {std::pair<int64_t, int64_t>{0, 512}, {256, 0}, {0, 0}}) {
    GemmRequest request{.problem = {.m = m, .n = n, .k = 256}};
    const KernelAnswer answer = ask(*engine, request);
    EXPECT_EQ(answer.source, AnswerSource::none);
    EXPECT_TRUE(answer.kernel->prepare().isOk());
    EXPECT_TRUE(answer.kernel->run({}, nullptr, 0, nullptr).isOk());
    EXPECT_EQ(answer.kernel->figures().launchCount, 0);
    EXPECT_EQ(answer.kernel->figures().workspaceBytes, 0U);
    EXPECT_EQ(answer.kernel->operands().size(), 3U);
  }
  EXPECT_EQ(fake::launches().size(), 0U);
  EXPECT_EQ(engine->tally().empty, 3U);
}

// The kernel runs, and gives the epilogue of zero; A and B may be null.
TEST_F(EngineTest, NothingToSumLaunchesTheEpilogue) {
  const auto engine = make(settings());
  GemmRequest request = sampleRequest();
  request.problem.k = 0;
  const KernelAnswer answer = ask(*engine, request);
  ASSERT_TRUE(answer.kernel->prepare().isOk());
  std::vector<twOperand> operands = operandsOf(*answer.kernel);
  std::erase_if(operands, [](const twOperand &operand) {
    return std::string_view(operand.role) == "a" || std::string_view(operand.role) == "b";
  });
  const Status status = answer.kernel->run(operands, nullptr, 0, nullptr);
  EXPECT_TRUE(status.isOk()) << status.toString();
  EXPECT_EQ(fake::launches().size(), 1U);
}

TEST_F(EngineTest, RunChecksItsOperands) {
  const auto engine = make(settings());
  const KernelAnswer answer = ask(*engine, sampleRequest());
  GemmKernel &kernel = *answer.kernel;
  std::vector<twOperand> operands = operandsOf(kernel);
  const auto run = [&] { return kernel.run(operands, nullptr, 0, nullptr); };
  expectFailure(run(), StatusCode::invalidArgument, "not prepared");
  ASSERT_TRUE(kernel.prepare().isOk());
  EXPECT_TRUE(run().isOk());

  const std::vector<twOperand> good = operands;
  const auto refused = [&](auto change, std::string_view part) {
    operands = good;
    change();
    expectFailure(run(), StatusCode::invalidArgument, part);
  };
  refused([&] { operands.pop_back(); }, "bias is null");
  refused([&] { operands[0].address = nullptr; }, "a is null");
  refused([&] { operands[0].role = "A"; }, "no operand 'A'; it takes a, b, d, bias");
  refused([&] { operands[0].role = nullptr; }, "an operand has no role");
  refused([&] { operands.push_back(operands[0]); }, "'a' is bound twice");
  refused([&] { operands[1].address = static_cast<const char *>(operands[1].address) + 2; },
          "b is not aligned");
  refused([&] { operands[2].address = &folder_; }, "d (0x");
  EXPECT_EQ(fake::launches().size(), 1U) << "what is refused does not reach the device";
}

TEST_F(EngineTest, RunsOnlyLaunch) {
  const auto engine = make(settings());
  const KernelAnswer answer = ask(*engine, sampleRequest());
  ASSERT_TRUE(answer.kernel->prepare().isOk());
  const std::vector<twOperand> operands = operandsOf(*answer.kernel);
  ASSERT_TRUE(answer.kernel->run(operands, nullptr, 0, nullptr).isOk());
  const std::vector<const char *> watched = {
      "cuModuleLoadData", "cuModuleGetFunction",   "cuFuncLoad",       "cuMemAlloc_v2",
      "cuMemFree_v2",     "cuStreamSynchronize",   "cuCtxSynchronize", "cuEventSynchronize",
      "cuMemAllocAsync",  "cuTensorMapEncodeTiled"};
  std::vector<int> before;
  for (const char *function : watched)
    before.push_back(fake::calls(function));
  for (int i = 0; i < 10; ++i)
    EXPECT_TRUE(answer.kernel->run(operands, nullptr, 0, nullptr).isOk());
  for (size_t i = 0; i < watched.size(); ++i)
    EXPECT_EQ(fake::calls(watched[i]), before[i]) << watched[i];
  EXPECT_EQ(fake::launches().size(), 11U);
  EXPECT_EQ(engine->tally().nvrtcCalls, 1U);
}

TEST_F(EngineTest, ASplitKernelNeedsItsWorkspace) {
  const auto engine = make(settings());
  GemmRequest request = sampleRequest();
  request.problem.k = 1024;
  request.config = "bm=128,bn=128,consumers=2,stages=3,cluster=1x1,store=direct,split=2";
  const KernelAnswer answer = ask(*engine, request);
  EXPECT_EQ(answer.nvrtcCalls, 2);
  const KernelFigures &figures = answer.kernel->figures();
  EXPECT_EQ(figures.launchCount, 2);
  EXPECT_EQ(figures.workspaceBytes, size_t{2} * 256 * 512 * 4);
  ASSERT_TRUE(answer.kernel->prepare().isOk());
  const std::vector<twOperand> operands = operandsOf(*answer.kernel);
  expectFailure(answer.kernel->run(operands, nullptr, 0, nullptr), StatusCode::invalidArgument,
                "workspace");
  auto *workspace = reinterpret_cast<void *>(fake::allocateOn(0, figures.workspaceBytes));
  EXPECT_TRUE(answer.kernel->run(operands, workspace, figures.workspaceBytes, nullptr).isOk());
  EXPECT_EQ(fake::launches().size(), 2U);
}

TEST_F(EngineTest, TheCapLimitsTheGrid) {
  const auto engine = make(settings());
  GemmRequest request = sampleRequest(4096);
  request.flags.smCap = 20;
  request.flags.pdl = false;
  const KernelAnswer answer = ask(*engine, request);
  EXPECT_EQ(answer.kernel->figures().ctas, 20);
  ASSERT_TRUE(answer.kernel->prepare().isOk());
  ASSERT_TRUE(answer.kernel->run(operandsOf(*answer.kernel), nullptr, 0, nullptr).isOk());
  EXPECT_EQ(fake::launches()[0].grid[0], 20U);
  EXPECT_FALSE(fake::launches()[0].pdl);
}

TEST_F(EngineTest, AFullDeviceIsOutOfMemory) {
  const auto engine = make(settings());
  const KernelAnswer answer = ask(*engine, sampleRequest());
  fake::failNext("cuModuleLoadData", cu::kOutOfMemory);
  expectFailure(answer.kernel->prepare(), StatusCode::outOfMemory, "gemm_kernel");
  EXPECT_TRUE(answer.kernel->prepare().isOk());
}

TEST_F(EngineTest, AFaultOnTheDeviceComesBackFromRuns) {
  const auto engine = make(settings());
  const KernelAnswer answer = ask(*engine, sampleRequest());
  ASSERT_TRUE(answer.kernel->prepare().isOk());
  const std::vector<twOperand> operands = operandsOf(*answer.kernel);
  ASSERT_TRUE(answer.kernel->run(operands, nullptr, 0, nullptr).isOk());
  constexpr cu::Result kIllegalAddress = 700;
  fake::setFault(kIllegalAddress);
  EXPECT_EQ(answer.kernel->run(operands, nullptr, 0, nullptr).code(), StatusCode::deviceFault);
  fake::setFault(cu::kSuccess);
}

TEST_F(EngineTest, EachDeviceHasItsEngine) {
  fake::setDevices(2, 9, 0);
  EngineSettings second = settings();
  second.device = 1;
  const auto engine = make(second);
  ASSERT_NE(engine->context(), nullptr);
  EXPECT_EQ(engine->context()->ordinal(), 1);
  const KernelAnswer answer = ask(*engine, sampleRequest());
  ASSERT_TRUE(answer.kernel->prepare().isOk());
  expectFailure(answer.kernel->run(operandsOf(*answer.kernel), nullptr, 0, nullptr),
                StatusCode::invalidArgument, "is memory of device 0");
  // One folder serves both.
  EXPECT_EQ(ask(*make(settings()), sampleRequest()).source, AnswerSource::disk);
}

TEST_F(EngineTest, KernelsOutliveTheirEngine) {
  KernelAnswer answer;
  {
    const auto engine = make(settings());
    answer = ask(*engine, sampleRequest());
  }
  ASSERT_TRUE(answer.kernel->prepare().isOk());
  EXPECT_TRUE(answer.kernel->run(operandsOf(*answer.kernel), nullptr, 0, nullptr).isOk());
}

TEST_F(EngineTest, WhatIsMissingOnTheMachineIsNamed) {
  const auto failure = [](const EngineSettings &settings) {
    return EngineCore::create(settings).status();
  };
  EngineSettings none = settings();
  none.driverLibrary = "/nowhere/libcuda.so.1";
  expectFailure(failure(none), StatusCode::unavailable, "name a target");
  fake::setDevices(0, 9, 0);
  expectFailure(failure(settings()), StatusCode::unavailable, "name a target");
  fake::setDevices(1, 8, 0);
  expectFailure(failure(settings()), StatusCode::unsupported, "8.0");
  fake::setDevices(1, 9, 0);
  EngineSettings beyond = settings();
  beyond.device = 3;
  expectFailure(failure(beyond), StatusCode::invalidArgument, "3");
  fake::setVersion(12030);
  expectFailure(failure(settings()), StatusCode::unavailable, "12.4");
  EngineSettings unknown = settings();
  unknown.target = "b200";
  expectFailure(failure(unknown), StatusCode::invalidArgument, "b200");
}

} // namespace
