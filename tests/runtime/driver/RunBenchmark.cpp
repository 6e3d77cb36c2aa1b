// SPDX-License-Identifier: Apache-2.0
//
// What PreparedPlan::run costs beyond cuLaunchKernelEx: on the fake driver, whose launch returns at
// once, nearly all of the time is ours. OverheadTest.cpp holds it to its bound.
//
//   bin/bench_run --benchmark_repetitions=5
#include "runtime/driver/DeviceMemory.h"
#include "runtime/driver/PreparedPlan.h"
#include "tests/runtime/driver/fake/FakeDriver.h"
#include "tests/support/SamplePlans.h"

#include <benchmark/benchmark.h>

using namespace tilewright;

namespace {

/// A prepared GEMM on a quiet fake driver, with its context current or not.
struct Fixture {
  std::shared_ptr<const PrimaryContext> context;
  std::shared_ptr<const PreparedPlan> plan;
  DeviceBuffer memory;

  Fixture() {
    fake::reset();
    const auto driver = Driver::open({.library = fake::libraryPath()});
    context = *PrimaryContext::retain(*driver, 0);
    const std::vector<std::string> cubins = {
        fake::makeCubin({{.entry = "gemm", .parameters = {128, 128, 8, 4, 8, 4}}})};
    const std::vector<ArgumentValue> scalars = {int64_t{1000}, int64_t{512}, int64_t{256},
                                                int64_t{256}, 0.5F};
    plan = *PreparedPlan::prepare(context, sampleGemmPlan(), cubins, scalars, {});
    memory = *DeviceBuffer::allocate(context, 1 << 20);
  }
};

void run(benchmark::State &state) {
  Fixture fixture;
  const std::vector<uint64_t> pointers(3, fixture.memory.address());
  if (state.range(0))
    fake::pushContext(fixture.context->handle());
  if (!fixture.plan->run(pointers, 0, 0, nullptr).isOk())
    state.SkipWithError("the run fails");
  fake::setRecording(false);
  for (auto _ : state)
    benchmark::DoNotOptimize(fixture.plan->run(pointers, 0, 0, nullptr).isOk());
  fake::setRecording(true);
  if (state.range(0))
    fake::popContext();
}
BENCHMARK(run)->ArgName("current")->Arg(1)->Arg(0);

/// As many sets of pointers as are remembered, or more.
void runRotating(benchmark::State &state) {
  Fixture fixture;
  fake::pushContext(fixture.context->handle());
  std::vector<std::vector<uint64_t>> sets;
  for (int64_t i = 0; i < state.range(0); ++i)
    sets.emplace_back(3, fixture.memory.address() + static_cast<uint64_t>(i) * 4096);
  fake::setRecording(false);
  size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(fixture.plan->run(sets[next], 0, 0, nullptr).isOk());
    next = next + 1 == sets.size() ? 0 : next + 1;
  }
  fake::setRecording(true);
  fake::popContext();
}
BENCHMARK(runRotating)->ArgName("sets")->Arg(4)->Arg(32)->Arg(200);

} // namespace

BENCHMARK_MAIN();
