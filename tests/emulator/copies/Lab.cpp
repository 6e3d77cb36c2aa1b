// SPDX-License-Identifier: Apache-2.0
#include "tests/emulator/copies/Lab.h"

#include "runtime/emulator/core/Fiber.h"
#include "runtime/emulator/core/Table.h"

#include <gtest/gtest.h>

#include <set>

namespace tilewright::emulator {

namespace {

const Api &table() {
  static const Api api = [] {
    Api filled = {};
    fillCoreTable(filled);
    fillGlobalTable(filled);
    fillCopyTable(filled);
    return filled;
  }();
  return api;
}

class Units : public Extension {
public:
  GlobalMemory global;
  CopyUnit copies{global};

  void onCtaStart(Machine &machine, Cta &cta) override { copies.onCtaStart(machine, cta); }
  void onThreadExit(Machine &machine, Thread &thread) override {
    copies.onThreadExit(machine, thread);
  }
  void onGridExit(Machine &machine) override { global.onGridExit(machine); }
};

constexpr Policy kPolicies[] = {Policy::earliest, Policy::latest, Policy::random, Policy::priority};
constexpr uint64_t kSeeds = 6;

/// `use(policy and seed)` until it says that it has seen enough.
template <typename Use>
void forEachSchedule(Use use) {
  for (const Policy policy : kPolicies)
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
      MachineOptions options;
      options.seed = seed;
      options.policy = policy;
      if (use(options))
        return;
    }
}

} // namespace

std::vector<Finding> findingsOf(const LabShape &shape, const MachineOptions &options,
                                const Prepare &prepare, const LabKernel &kernel, int32_t launches) {
  StackPool stacks;
  Units units;
  prepare(units.global);
  Machine machine(options, stacks, &units);
  MachineLaunch launch;
  launch.kernel = "kernel";
  launch.threads = shape.threads;
  launch.sharedBytes = shape.shared;
  launch.grid = shape.grid;
  launch.cluster = shape.cluster;
  launch.body = [&] { kernel(table()); };
  for (int32_t i = 0; i < launches && !machine.stopped(); ++i) {
    const Status status = machine.run(launch);
    EXPECT_TRUE(status.isOk()) << status.toString();
  }
  return machine.findings();
}

std::string kindsOf(const LabShape &shape, const Prepare &prepare, const LabKernel &kernel,
                    const std::function<void()> &check) {
  std::set<std::string> kinds;
  forEachSchedule([&](const MachineOptions &options) {
    for (const Finding &finding : findingsOf(shape, options, prepare, kernel))
      kinds.insert(std::string(findingKindName(finding.kind)) +
                   (finding.severity == Severity::warning ? "?" : ""));
    if (check)
      check();
    return testing::Test::HasFailure();
  });
  std::string text;
  for (const std::string &kind : kinds)
    text += (text.empty() ? "" : " ") + kind;
  return text;
}

Finding findingOf(FindingKind kind, const LabShape &shape, const Prepare &prepare,
                  const LabKernel &kernel) {
  Finding found;
  bool isFound = false;
  forEachSchedule([&](const MachineOptions &options) {
    for (Finding &finding : findingsOf(shape, options, prepare, kernel))
      if (finding.kind == kind && !isFound) {
        found = std::move(finding);
        isFound = true;
      }
    return isFound;
  });
  EXPECT_TRUE(isFound) << "no " << findingKindName(kind);
  return found;
}

LabMap::LabMap(const TensorMapFacts &facts) {
  const Status status = encodeTensorMap(facts, bytes);
  EXPECT_TRUE(status.isOk()) << status.toString();
}

TensorMapFacts planeOf(const void *address, ElementType type, uint64_t width, uint64_t height,
                       uint32_t boxWidth, uint32_t boxHeight, int32_t swizzle) {
  TensorMapFacts facts;
  facts.address = reinterpret_cast<uint64_t>(address);
  facts.type = type;
  facts.rank = 2;
  facts.dims = {width, height};
  facts.strides = {width * static_cast<uint64_t>(elementBytes(type))};
  facts.box = {boxWidth, boxHeight};
  facts.swizzle = swizzle;
  return facts;
}

int32_t makeBarrier(const Api &t, int32_t offset, int32_t count) {
  const int32_t bar = t.smem_base() + offset;
  if (t.thread_id() == 0) {
    t.mbarrier_init(bar, count, __LINE__);
    t.fence_mbarrier_init(__LINE__);
  }
  t.cluster_arrive(__LINE__);
  t.cluster_wait(__LINE__);
  return bar;
}

} // namespace tilewright::emulator
