// SPDX-License-Identifier: Apache-2.0
// Launches from graphs, streams and threads.
#include "tests/gpu/EngineRun.h"

#include <array>
#include <atomic>
#include <mutex>
#include <thread>

using namespace tilewright;

namespace {

class Streams : public GpuTest {};

GemmProblem problemOf(int64_t m, int64_t n, int64_t k, std::string_view ops) {
  GemmProblem problem{.m = m, .n = n, .k = k};
  problem.epilogue = *Epilogue::parse(ops);
  return problem;
}

/// Twenty different problems, of several rounds and of less than one.
std::vector<GemmProblem> twentyProblems() {
  constexpr std::array kOps = {"", "bias", "bias,gelu", "bias,residual",
                               "scale_row,scale_col,silu"};
  std::vector<GemmProblem> problems;
  for (int64_t i = 0; i < 20; ++i)
    problems.push_back(problemOf(64 + 113 * i, 72 + 104 * (i * 7 % 20), 64 + 40 * (i * 3 % 20),
                                 kOps[static_cast<size_t>(i) % kOps.size()]));
  return problems;
}

/// What every run of a list launches.
Status launchAll(const std::vector<EngineRun> &runs, cu::Stream stream) {
  for (const EngineRun &run : runs)
    if (Status status = run.launch(stream); !status.isOk())
      return status;
  return Status::ok();
}

TEST_F(Streams, AGraphOfTwentyReplaysWithChangedData) {
  const Expected<Engine> engine = makeEngine();
  ASSERT_TRUE(engine) << engine.status().toString();
  std::vector<EngineRun> runs;
  for (const GemmProblem &problem : twentyProblems()) {
    Expected<EngineRun> run = EngineRun::create(*engine, problem);
    ASSERT_TRUE(run) << run.status().toString();
    runs.push_back(*std::move(run));
  }
  const Expected<Stream> stream = Stream::create(gpu()->context);
  ASSERT_TRUE(stream) << stream.status().toString();
  // NOTE: nothing ran before the capture: the first launch of a kernel must be legal in one.
  const Expected<Graph> graph = Graph::capture(gpu()->context, stream->handle(),
                                               [&] { return launchAll(runs, stream->handle()); });
  ASSERT_TRUE(graph) << graph.status().toString();

  for (uint64_t replay = 0; replay < 4; ++replay) {
    for (EngineRun &run : runs) {
      ASSERT_TRUE(run.trial().refill(*gpu()->reference, 50 + replay).isOk());
      ASSERT_TRUE(run.trial().poison().isOk());
    }
    ASSERT_TRUE(graph->launch(stream->handle()).isOk());
    const Status done = stream->synchronize();
    ASSERT_TRUE(done.isOk()) << done.toString();
    for (const EngineRun &run : runs) {
      const Status judged = run.judge(stream->handle());
      EXPECT_TRUE(judged.isOk()) << "replay " << replay << ": " << judged.toString();
    }
  }
}

// The output of one is the input of the next: with programmatic launches too, order is kept.
TEST_F(Streams, AGemmReadsWhatTheOneBeforeItWrote) {
  const Expected<Engine> engine = makeEngine();
  ASSERT_TRUE(engine) << engine.status().toString();
  const GemmProblem problem{.m = 1024, .n = 1024, .k = 1024};
  const Expected<Stream> stream = Stream::create(gpu()->context);
  ASSERT_TRUE(stream) << stream.status().toString();
  for (bool pdl : {true, false})
    for (const char *config : {"", "bm=64,bn=64,consumers=1,cluster=1x1,stages=4,split=2"}) {
      // D2 = (A B1) B2, twice: with a pause in between, and without.
      Expected<Kernel> kernel =
          engine->request(problem, Policy::heuristic, {.pdl = pdl, .config = config});
      ASSERT_TRUE(kernel) << kernel.status().toString();
      Expected<GemmTrial> first = GemmTrial::create(problem, *gpu()->reference, {.seed = 1});
      Expected<GemmTrial> second = GemmTrial::create(problem, *gpu()->reference, {.seed = 2});
      Expected<DeviceBuffer> workspace =
          DeviceBuffer::allocate(gpu()->context, kernel->workspace().bytes);
      ASSERT_TRUE(first && second && workspace);
      const Workspace space = {reinterpret_cast<void *>(workspace->address()), workspace->size()};
      Operands chained = operandsOf(*second);
      chained.a = operandsOf(*first).d;
      const auto chain = [&](bool pause) {
        EXPECT_TRUE(first->poison().isOk());
        EXPECT_TRUE(second->poison().isOk());
        for (int i = 0; i < 8; ++i) {
          EXPECT_TRUE(kernel->launch(operandsOf(*first), stream->handle(), space).isOk());
          EXPECT_TRUE(!pause || stream->synchronize().isOk());
          EXPECT_TRUE(kernel->launch(chained, stream->handle(), space).isOk());
          EXPECT_TRUE(!pause || stream->synchronize().isOk());
        }
        Expected<std::vector<uint8_t>> bytes = second->result(stream->handle());
        EXPECT_TRUE(bytes) << bytes.status().toString();
        return bytes ? *bytes : std::vector<uint8_t>();
      };
      const std::vector<uint8_t> expected = chain(true);
      for (int i = 0; i < 5; ++i)
        EXPECT_EQ(chain(false), expected) << "pdl " << pdl << ", " << config;
    }
}

TEST_F(Streams, EightThreadsRunDifferentProblemsOnTwoStreams) {
  const Expected<Engine> engine = makeEngine();
  ASSERT_TRUE(engine) << engine.status().toString();
  std::vector<Stream> streams;
  for (int i = 0; i < 2; ++i) {
    Expected<Stream> stream = Stream::create(gpu()->context);
    ASSERT_TRUE(stream) << stream.status().toString();
    streams.push_back(*std::move(stream));
  }
  constexpr const char *kOps[] = {"", "bias", "bias,gelu", "residual"};
  std::atomic<bool> failed = false;
  std::mutex mutex;
  std::vector<std::thread> threads;
  for (int number = 0; number < 8; ++number)
    threads.emplace_back([&, number] {
      const auto report = [&](const Status &status) {
        if (status.isOk())
          return;
        failed = true;
        const std::lock_guard lock(mutex);
        ADD_FAILURE() << "thread " << number << ": " << status.toString();
      };
      const cu::Stream stream = streams[static_cast<size_t>(number) % 2].handle();
      for (int i = 0; i < 6 && !failed; ++i) {
        const GemmProblem problem =
            problemOf(100 + 211 * number + i, 128 + 8 * (number * 5 + i * 17), 72 + 64 * i,
                      kOps[(number + i) % 4]);
        const Expected<EngineRun> run =
            EngineRun::create(*engine, problem, static_cast<uint64_t>(number * 10 + i));
        report(run.status());
        for (int j = 0; run && j < 5 && !failed; ++j)
          report(run->launch(stream));
        if (run && !failed)
          report(run->judge(stream));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(Streams, ManyThreadsAskForTheSameKernel) {
  const Expected<Engine> engine = makeEngine();
  ASSERT_TRUE(engine) << engine.status().toString();
  const GemmProblem problem = problemOf(640, 648, 328, "bias,silu");
  std::vector<std::thread> threads;
  std::atomic<int> succeeded = 0;
  for (int number = 0; number < 32; ++number)
    threads.emplace_back([&] { succeeded += engine->request(problem) ? 1 : 0; });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(succeeded, 32);
  EXPECT_EQ(engine->counters().compiled, 1U);
}

} // namespace
