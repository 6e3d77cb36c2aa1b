// SPDX-License-Identifier: Apache-2.0
#include "tests/emulator/core/Harness.h"

#include "runtime/emulator/core/Fiber.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

namespace tilewright::emulator {

const Api &table() {
  static const Api api = [] {
    Api filled = {};
    fillCoreTable(filled);
    return filled;
  }();
  return api;
}

std::vector<Finding> findingsOf(const Shape &shape, const MachineOptions &options,
                                const Kernel &kernel) {
  // Kept between runs, which else take longer to set up than to run.
  static StackPool stacks;
  Machine machine(options, stacks);
  MachineLaunch launch;
  launch.kernel = "kernel";
  launch.threads = shape.threads;
  launch.sharedBytes = shape.shared;
  launch.grid = shape.grid;
  launch.cluster = shape.cluster;
  launch.registers = shape.registers;
  launch.body = [&] { kernel(table()); };
  const Status status = machine.run(launch);
  EXPECT_TRUE(status.isOk()) << status.toString();
  return machine.findings();
}

static std::string join(const std::set<std::string> &kinds) {
  std::string text;
  for (const std::string &kind : kinds)
    text += (text.empty() ? "" : " ") + kind;
  return text;
}

static void addKinds(std::set<std::string> &kinds, const std::vector<Finding> &findings) {
  for (const Finding &finding : findings)
    kinds.insert(std::string(findingKindName(finding.kind)) +
                 (finding.severity == Severity::warning ? "?" : ""));
}

constexpr Policy kPolicies[] = {Policy::earliest, Policy::latest, Policy::random, Policy::priority};
constexpr uint64_t kSeeds = 6;

std::string kindsOf(const Shape &shape, const MachineOptions &options, const Kernel &kernel) {
  std::set<std::string> kinds;
  addKinds(kinds, findingsOf(shape, options, kernel));
  return join(kinds);
}

std::string kindsOf(const Shape &shape, const Kernel &kernel, FenceMode fences) {
  std::set<std::string> kinds;
  for (const Policy policy : kPolicies)
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
      MachineOptions options;
      options.seed = seed;
      options.policy = policy;
      options.fences = fences;
      addKinds(kinds, findingsOf(shape, options, kernel));
    }
  return join(kinds);
}

Finding findingOf(FindingKind kind, const Shape &shape, const Kernel &kernel) {
  for (const Policy policy : kPolicies)
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
      MachineOptions options;
      options.seed = seed;
      options.policy = policy;
      for (Finding &finding : findingsOf(shape, options, kernel))
        if (finding.kind == kind)
          return finding;
    }
  ADD_FAILURE() << "no " << findingKindName(kind);
  return {};
}

int32_t makeBarrier(const Api &t, int32_t offset, int32_t count) {
  const int32_t bar = t.smem_base() + offset;
  if (t.thread_id() == 0) {
    t.mbarrier_init(bar, count, __LINE__);
    t.fence_mbarrier_init(__LINE__);
  }
  if (t.cluster_count() < t.grid_size()) {
    t.cluster_arrive(__LINE__);
    t.cluster_wait(__LINE__);
  } else {
    t.cta_sync(__LINE__);
  }
  return bar;
}

void load(int32_t address, int32_t bytes, uint32_t value, int32_t bar, int32_t line, int32_t rank) {
  Machine &machine = Machine::current();
  Thread &self = machine.self();
  Cta *cta = rank < 0 ? self.cta : machine.peer(*self.cta, rank, "load", line);
  Mbarrier *found = cta ? machine.mbarrier(self, *cta, bar, Proxy::async, "load", line) : nullptr;
  if (!found || !machine.checkAddress(*cta, address, bytes, 16, "load", line))
    return machine.leave();
  const auto at = static_cast<uint32_t>(address);
  const auto count = static_cast<uint32_t>(bytes);
  const AccessId id = machine.asyncAccess(self, true, found->openPhase(), "load", line);
  machine.noteWrite(*cta, at, count, id);
  Machine::poison(*cta, at, count);
  if (cta != self.cta)
    machine.noteRemote(*cta, self, found->openPhase(), {}, "load", line);
  const int32_t issued = Machine::issueTx(*found);
  Thread *issuer = &self;
  machine.schedule({"load", line, issuer, {[=, &machine] {
                      for (uint32_t i = 0; i < count; i += 4)
                        std::memcpy(cta->at(at + i), &value, 4);
                      machine.completeAccess(id);
                      machine.completeTx(*found, bytes, issued, *issuer, "load", line);
                    }}});
  machine.leave();
}

void store(int32_t address, int32_t bytes, StoreState &state, int32_t line) {
  Machine &machine = Machine::current();
  Thread &self = machine.self();
  state.read = false;
  state.epoch = {machine.newActor(*self.cta), 1};
  const AccessId id = machine.asyncAccess(self, false, state.epoch, "store", line);
  machine.noteRead(*self.cta, static_cast<uint32_t>(address), static_cast<uint32_t>(bytes), id);
  machine.schedule({"store", line, &self, {[=, &machine, &state] {
                      machine.completeAccess(id);
                      state.read = true;
                      machine.wake(state);
                    }}});
  machine.leave();
}

void waitRead(StoreState &state, int32_t line) {
  Machine &machine = Machine::current();
  while (!state.read)
    machine.block(state, "bulk_wait_read", line);
  machine.acquire(machine.self(), state.epoch);
  machine.leave();
}

void put(int32_t address, uint32_t value, int32_t line) {
  table().st_shared(address, 4, &value, line);
}

uint32_t get(int32_t address, int32_t line) {
  uint32_t value = 0;
  table().ld_shared(address, 4, &value, line);
  return value;
}

} // namespace tilewright::emulator
