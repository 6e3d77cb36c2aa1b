// SPDX-License-Identifier: Apache-2.0
// What a launch through the C interface costs on the host, beyond the driver's part: the fake
// driver's launch returns at once when it records nothing.
//
//   build/release/tests/bin/bench_launch
#include "tests/runtime/driver/fake/FakeDriver.h"
#include "tilewright/Engine.h"

#include <benchmark/benchmark.h>

#include <array>
#include <vector>

using namespace tilewright;

namespace {

constexpr const char *kConfig = "bm=128,bn=128,consumers=2,stages=3,cluster=1x1,store=direct";

/// A kernel with five operands, prepared, and memory for them.
struct Fixture {
  Expected<Engine> engine;
  Expected<Kernel> kernel;
  void *memory;

  static GemmProblem problem() {
    GemmProblem problem{.m = 256, .n = 512, .k = 256};
    problem.epilogue.bias().residual();
    return problem;
  }

  Fixture()
      : engine(Engine::create({.diskCache = false, .driverLibrary = fake::libraryPath()})),
        kernel(engine ? engine->request(problem(), Policy::heuristic, {.config = kConfig})
                      : engine.status()),
        memory(reinterpret_cast<void *>(fake::allocateOn(0, 1 << 20))) {}

  /// Made once: a compile takes longer than the measurement.
  static const Fixture &get() {
    static const Fixture fixture;
    return fixture;
  }

  template <typename Launch>
  static void measure(benchmark::State &state, Launch launch) {
    const Fixture &fixture = get();
    if (!fixture.kernel) {
      state.SkipWithError(fixture.kernel.status().message().c_str());
      return;
    }
    if (!launch(fixture))
      state.SkipWithError(twLastError());
    fake::setRecording(false);
    for (auto _ : state)
      benchmark::DoNotOptimize(launch(fixture));
    fake::setRecording(true);
  }
};

void throughCpp(benchmark::State &state) {
  Fixture::measure(state, [](const Fixture &fixture) {
    void *memory = fixture.memory;
    return fixture.kernel
        ->launch({.a = memory, .b = memory, .d = memory, .bias = memory, .residual = memory},
                 nullptr)
        .isOk();
  });
}

void throughC(benchmark::State &state) {
  void *memory = Fixture::get().memory;
  const std::array<twOperand, 5> operands = {
      {{"a", memory}, {"b", memory}, {"d", memory}, {"bias", memory}, {"residual", memory}}};
  Fixture::measure(state, [&](const Fixture &fixture) {
    return twKernelRun(fixture.kernel->handle(), operands.data(), operands.size(), nullptr, 0,
                       nullptr) == TW_OK;
  });
}

BENCHMARK(throughCpp);
BENCHMARK(throughC);

} // namespace

BENCHMARK_MAIN();
