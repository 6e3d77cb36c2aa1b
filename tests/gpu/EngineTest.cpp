// SPDX-License-Identifier: Apache-2.0
// Requests and launches through the public interface.
#include "tests/gpu/EngineRun.h"

#include <gmock/gmock.h>

using namespace tilewright;
using testing::HasSubstr;

namespace {

class EngineOnGpu : public GpuTest {
protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (IsSkipped() || HasFatalFailure())
      return;
    Expected<Engine> made = makeEngine();
    ASSERT_TRUE(made) << made.status().toString();
    engine = *std::move(made);
  }

  /// Creates a run, launches it and judges it.
  void expectRight(const GemmProblem &problem, const RequestOptions &options = {}) const {
    const Expected<EngineRun> run = EngineRun::create(*engine, problem, 3, options);
    ASSERT_TRUE(run) << run.status().toString();
    const Status launched = run->launch();
    ASSERT_TRUE(launched.isOk()) << launched.toString();
    const Status judged = run->judge();
    EXPECT_TRUE(judged.isOk()) << judged.toString();
  }

  std::optional<Engine> engine;
};

GemmProblem withEpilogue(GemmProblem problem, std::string_view ops) {
  problem.epilogue = *Epilogue::parse(ops);
  return problem;
}

TEST_F(EngineOnGpu, KnowsItsDevice) {
  EXPECT_TRUE(engine->hasDevice());
  EXPECT_EQ(engine->device().name, gpu()->facts.info.name);
  EXPECT_EQ(engine->device().smCount, gpu()->facts.info.smCount);
}

TEST_F(EngineOnGpu, ComputesWhatIsAsked) {
  for (const char *ops : {"", "bias,gelu", "scale_row,scale_col,bias,silu,residual"})
    for (DType type : {DType::bf16, DType::fp16})
      expectRight(
          withEpilogue({.m = 777, .n = 1544, .k = 520, .a = type, .b = type, .d = type}, ops));
}

TEST_F(EngineOnGpu, TakesAConfig) {
  expectRight({.m = 300, .n = 264, .k = 2048},
              {.config = "bm=64,bn=64,consumers=1,cluster=1x1,stages=4,split=4"});
  const Expected<Kernel> kernel =
      engine->request({.m = 300, .n = 264, .k = 2048}, Policy::heuristic,
                      {.config = "bm=64,bn=64,consumers=1,cluster=1x1,stages=4,split=4"});
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->info().launchCount, 2);
  EXPECT_THAT(kernel->info().config, HasSubstr("split=4"));
}

TEST_F(EngineOnGpu, TakesFlags) {
  const GemmProblem problem = withEpilogue({.m = 500, .n = 504, .k = 256}, "bias");
  expectRight(problem, {.deterministic = true});
  expectRight(problem, {.batchInvariant = true});
  expectRight(problem, {.pdl = false});
  expectRight(problem, {.smCap = 7});
}

TEST_F(EngineOnGpu, KeepsToACapOfSms) {
  const Expected<Kernel> kernel =
      engine->request({.m = 4096, .n = 4096, .k = 64}, Policy::heuristic, {.smCap = 7});
  ASSERT_TRUE(kernel) << kernel.status().toString();
  EXPECT_GE(kernel->info().ctas, 6);
  EXPECT_LE(kernel->info().ctas, 7);
}

TEST_F(EngineOnGpu, DeterministicRunsGiveTheSameBits) {
  // A small result of a long sum: what splits K, if anything does.
  const Expected<EngineRun> run =
      EngineRun::create(*engine, {.m = 128, .n = 256, .k = 16384}, 1, {.deterministic = true});
  ASSERT_TRUE(run) << run.status().toString();
  std::vector<uint8_t> first;
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(run->launch().isOk());
    const Expected<std::vector<uint8_t>> bits = run->trial().result();
    ASSERT_TRUE(bits) << bits.status().toString();
    if (i == 0)
      first = *bits;
    EXPECT_EQ(*bits, first) << "run " << i;
  }
  const Status judged = run->judge();
  EXPECT_TRUE(judged.isOk()) << judged.toString();
}

TEST_F(EngineOnGpu, BatchInvariantRowsHaveTheSameBits) {
  // Contents do not depend on M, so a smaller problem has the first rows of a larger one.
  std::vector<uint8_t> largest;
  for (int64_t m : {3000, 700, 129, 64, 1}) {
    const Expected<EngineRun> run =
        EngineRun::create(*engine, withEpilogue({.m = m, .n = 264, .k = 4096}, "bias,gelu"), 1,
                          {.batchInvariant = true});
    ASSERT_TRUE(run) << run.status().toString();
    ASSERT_TRUE(run->launch().isOk());
    Expected<std::vector<uint8_t>> bits = run->trial().result();
    ASSERT_TRUE(bits) << bits.status().toString();
    if (largest.empty())
      largest = *bits;
    largest.resize(bits->size());
    EXPECT_EQ(*bits, largest) << "rows of the largest differ from those of M = " << m << ", "
                              << run->kernel().info().config;
    const Status judged = run->judge();
    EXPECT_TRUE(judged.isOk()) << judged.toString();
  }
}

TEST_F(EngineOnGpu, ASecondRequestIsAnsweredFromMemory) {
  const GemmProblem problem = withEpilogue({.m = 300, .n = 264, .k = 136}, "bias");
  const Expected<Kernel> first = engine->request(problem);
  ASSERT_TRUE(first) << first.status().toString();
  EXPECT_EQ(first->info().source, "heuristic");
  EXPECT_GE(first->info().nvrtcCalls, 1);
  const twEngineCounters before = engine->counters();
  const Expected<Kernel> second = engine->request(problem);
  ASSERT_TRUE(second) << second.status().toString();
  EXPECT_EQ(second->info().source, "memory");
  EXPECT_EQ(second->info().nvrtcCalls, 0);
  EXPECT_FALSE(second->info().mlir);
  EXPECT_EQ(engine->counters().nvrtcCalls, before.nvrtcCalls);
  EXPECT_EQ(engine->counters().mlirContexts, before.mlirContexts);
}

TEST_F(EngineOnGpu, AKernelOutlivesItsEngine) {
  const GemmProblem problem{.m = 300, .n = 264, .k = 136};
  Expected<EngineRun> run = EngineRun::create(*engine, problem);
  ASSERT_TRUE(run) << run.status().toString();
  engine.reset();
  EXPECT_TRUE(run->launch().isOk());
  EXPECT_TRUE(run->judge().isOk());
}

TEST_F(EngineOnGpu, NothingToComputeLaunchesNothing) {
  for (auto [m, n] : {std::pair{0, 264}, {300, 0}, {0, 0}}) {
    const GemmProblem problem = withEpilogue({.m = m, .n = n, .k = 136}, "bias");
    const Expected<Kernel> kernel = engine->request(problem);
    ASSERT_TRUE(kernel) << kernel.status().toString();
    EXPECT_EQ(kernel->info().launchCount, 0);
    EXPECT_EQ(kernel->info().nvrtcCalls, 0);
    expectRight(problem);
  }
}

TEST_F(EngineOnGpu, ADepthOfZeroGivesTheEpilogueOfZero) {
  expectRight({.m = 100, .n = 136, .k = 0});
  expectRight(withEpilogue({.m = 100, .n = 136, .k = 0}, "bias,gelu,residual"));
}

TEST_F(EngineOnGpu, WrongPointersHaveClearFailures) {
  Expected<EngineRun> run =
      EngineRun::create(*engine, withEpilogue({.m = 100, .n = 136, .k = 64}, "bias"));
  ASSERT_TRUE(run) << run.status().toString();
  const Operands right = operandsOf(run->trial());
  const auto expectFailure = [&](const Operands &operands, std::string_view role) {
    const Status status = run->kernel().launch(operands, nullptr);
    EXPECT_EQ(status.code(), StatusCode::invalidArgument) << status.toString();
    EXPECT_THAT(status.message(), HasSubstr(std::string(role)));
  };
  const auto shifted = [](const void *address, int64_t bytes) {
    return const_cast<char *>(static_cast<const char *>(address)) + bytes;
  };

  Operands operands = right;
  operands.a = shifted(right.a, 2);
  expectFailure(operands, "a is not aligned");
  operands = right;
  operands.d = shifted(right.d, 8);
  expectFailure(operands, "d is not aligned");
  operands = right;
  operands.bias = nullptr;
  expectFailure(operands, "bias");
  operands = right;
  operands.residual = right.a;
  expectFailure(operands, "residual");

  // Host memory that the driver does not know.
  alignas(256) static std::array<unsigned char, 1 << 16> host = {};
  operands = right;
  operands.b = host.data();
  expectFailure(operands, "b");
  operands = right;
  operands.d = host.data();
  expectFailure(operands, "d");

  // Nothing was launched, and the right operands work.
  EXPECT_TRUE(run->launch().isOk());
  const Status judged = run->judge();
  EXPECT_TRUE(judged.isOk()) << judged.toString();
}

TEST_F(EngineOnGpu, AMissingWorkspaceIsNamed) {
  const Expected<EngineRun> run =
      EngineRun::create(*engine, {.m = 300, .n = 264, .k = 2048}, 1,
                        {.config = "bm=64,bn=64,consumers=1,cluster=1x1,stages=4,split=4"});
  ASSERT_TRUE(run) << run.status().toString();
  EXPECT_GT(run->kernel().workspace().bytes, 0U);
  EXPECT_TRUE(run->launch().isOk());
  EXPECT_TRUE(run->judge().isOk());
  Expected<GemmTrial> trial =
      GemmTrial::create({.m = 300, .n = 264, .k = 2048}, *gpu()->reference, {});
  ASSERT_TRUE(trial);
  const Status status = run->kernel().launch(operandsOf(*trial), nullptr);
  EXPECT_EQ(status.code(), StatusCode::invalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("workspace"));
}

TEST_F(EngineOnGpu, ProblemsThatNobodyBuildsAreRefused) {
  EXPECT_EQ(engine->request({.m = -1, .n = 8, .k = 8}).status().code(),
            StatusCode::invalidArgument);
  EXPECT_EQ(engine->request({.m = 8, .n = 8, .k = 9}).status().code(), StatusCode::unsupported);
  EXPECT_EQ(engine->request({.m = 8, .n = 8, .k = 8}, Policy::heuristic, {.config = "bm=7"})
                .status()
                .code(),
            StatusCode::invalidArgument);
  EXPECT_EQ(engine->request({.m = 312, .n = 312, .k = 312}, Policy::cachedOnly).status().code(),
            StatusCode::notFound);
}

TEST_F(EngineOnGpu, AnOrdinalThatIsNotThereIsRefused) {
  const Expected<Engine> other = Engine::create({.device = 99});
  EXPECT_EQ(other.status().code(), StatusCode::invalidArgument) << other.status().toString();
}

TEST_F(EngineOnGpu, MoreMemoryThanThereIsFails) {
  const Expected<DeviceBuffer> buffer = DeviceBuffer::allocate(gpu()->context, size_t{1} << 50);
  EXPECT_EQ(buffer.status().code(), StatusCode::outOfMemory) << buffer.status().toString();
  expectRight({.m = 64, .n = 64, .k = 64});
}

} // namespace
