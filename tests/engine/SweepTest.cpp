// SPDX-License-Identifier: Apache-2.0
//
// Kernels from all over the space, by the newest NVRTC that is installed.

#include "tests/engine/CompileCases.h"

#include <cstdio>
#include <set>

using namespace tilewright;

namespace {

constexpr size_t kCount = 320;
constexpr uint64_t kSeed = 2;

TEST(Sample, HasEveryValueOfEveryKnob) {
  std::set<std::string> seen;
  auto see = [&](const std::string &name, int64_t value) {
    seen.insert(name + "=" + std::to_string(value));
  };
  for (const auto &[problem, config] : sampledCases(kCount, kSeed)) {
    see("bm", config.bm);
    see("bn", config.bn);
    see("bk", config.bk);
    see("consumers", config.consumers);
    see("stages", config.stages);
    see("cluster", static_cast<int64_t>(config.cluster));
    see(config.along == RasterAxis::m ? "along m" : "along n", config.group);
    see("store", static_cast<int64_t>(config.store));
    see("split", config.split > 1 ? 2 : 1);
    see("schedule", static_cast<int64_t>(config.schedule));
    see("a", static_cast<int64_t>(problem.a));
    see("d", static_cast<int64_t>(problem.d));
    see("alpha", problem.usesAlpha() ? 1 : 0);
    see("beta", problem.usesC() ? 1 : 0);
    see("d is aligned", problem.pitchD() % 8 == 0 ? 1 : 0);
    for (const EpilogueOp &op : problem.epilogue.ops())
      see("op", static_cast<int64_t>(op.kind));
  }
  size_t ops = 0;
  for (const EpilogueInfo &info : kEpilogueOps)
    ops += info.supported ? 1 : 0;
  // bm, bn, bk, consumers, stages, cluster, raster, store, split, schedule, types, factors,
  // alignment.
  EXPECT_EQ(seen.size(), 4 + 13 + 2 + 3 + 6 + 3 + 2 * 5 + 2 + 2 + 2 + 2 + 3 + 2 * 2 + 2 + ops);
}

TEST(Sample, IsTheSameEachTime) {
  std::vector<KernelCase> once = sampledCases(40, kSeed), again = sampledCases(40, kSeed);
  for (size_t i = 0; i < once.size(); ++i)
    EXPECT_EQ(once[i].toString(), again[i].toString());
  EXPECT_NE(once[0].toString(), sampledCases(1, kSeed + 1)[0].toString());
}

TEST(Sweep, EveryKernelCompilesCleanly) {
  Expected<Nvrtc> nvrtc = Nvrtc::find({.env = Env::fromProcess()});
  ASSERT_TRUE(nvrtc) << nvrtc.status().message();
  const std::vector<CompiledCase> compiled = compileCases(sampledCases(kCount, kSeed), *nvrtc);
  size_t kernels = 0;
  for (const CompiledCase &one : compiled)
    kernels += one.result ? one.result->kernels.size() : 0;
  std::printf("%zu configs, %zu kernels by NVRTC %s; spills: %s\n", compiled.size(), kernels,
              nvrtc->version().toString().c_str(), spillDistribution(compiled).c_str());
  EXPECT_GE(compiled.size(), 300U);
  expectCompiled(compiled);
  expectPlainText(compiled);
}

} // namespace
