// SPDX-License-Identifier: Apache-2.0
// What a request costs that the engine has answered before, by problem and by thread, through the
// shared library. The driver is the tests' stand-in, so no GPU is needed.
//
//   build/release/tests/bin/bench_request
#include "tilewright/Engine.h"

#include <benchmark/benchmark.h>

using namespace tilewright;

namespace {

/// Made by the first that asks; compiles two kernels, once.
const Expected<Engine> &engine() {
  static const Expected<Engine> made =
      Engine::create({.diskCache = false, .driverLibrary = TW_FAKE_DRIVER});
  return made;
}

GemmProblem plainProblem() { return {.m = 4096, .n = 4096, .k = 4096}; }

GemmProblem longProblem() {
  GemmProblem problem = plainProblem();
  problem.epilogue.scaleRow().scaleCol().bias().gelu().residual();
  return problem;
}

void repeatRequest(benchmark::State &state, const GemmProblem &problem) {
  if (!engine() || !engine()->request(problem)) {
    state.SkipWithError(engine() ? "no kernel" : engine().status().message().c_str());
    return;
  }
  for (auto _ : state) {
    Expected<Kernel> kernel = engine()->request(problem);
    benchmark::DoNotOptimize(kernel);
  }
}

void prepared(benchmark::State &state) { repeatRequest(state, plainProblem()); }
void longEpilogue(benchmark::State &state) { repeatRequest(state, longProblem()); }

/// The request itself, without what the C++ interface does around it.
void throughC(benchmark::State &state) {
  if (!engine() || !engine()->request(plainProblem())) {
    state.SkipWithError("no kernel");
    return;
  }
  twGemmProblem problem = TW_GEMM_PROBLEM_INIT;
  problem.m = problem.n = problem.k = 4096;
  for (auto _ : state) {
    twKernel *kernel = nullptr;
    benchmark::DoNotOptimize(twEngineRequestGemm(engine()->handle(), &problem, nullptr, &kernel));
    twKernelRelease(kernel);
  }
}

BENCHMARK(prepared);
BENCHMARK(longEpilogue);
BENCHMARK(throughC);
BENCHMARK(prepared)->Threads(4)->UseRealTime();

} // namespace

BENCHMARK_MAIN();
