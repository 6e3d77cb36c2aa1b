// SPDX-License-Identifier: Apache-2.0
//
// The scheduler, and how runs begin and end.
#include "tests/emulator/core/Harness.h"

#include "runtime/emulator/core/Fiber.h"

#include <gtest/gtest.h>

#include <set>

namespace tilewright::emulator {
namespace {

/// The order in which warps get past a barrier, then whether a load had landed before.
std::string traceOf(Policy policy, uint64_t seed) {
  std::string trace;
  findingsOf({.threads = 128}, {.seed = seed, .policy = policy}, [&](const Api &t) {
    const int32_t bar = makeBarrier(t, 512, 1);
    if (t.thread_id() == 0) {
      t.mbarrier_arrive_expect_tx(bar, 128, __LINE__);
      load(t.smem_base(), 64, 1, bar, __LINE__);
      load(t.smem_base() + 64, 64, 1, bar, __LINE__);
      trace += Machine::current().operationsInFlight() == 0 ? "landed " : "flying ";
    }
    t.cta_sync(__LINE__);
    for (int turn = 0; turn < 4; ++turn) {
      t.warp_sync(__LINE__);
      if (t.thread_id() % 32 == 0)
        trace += std::to_string(t.thread_id() / 32);
    }
    t.mbarrier_wait_parity(bar, 0, __LINE__);
  });
  return trace;
}

TEST(Schedule, ASeedSaysItAll) {
  for (const Policy policy : {Policy::earliest, Policy::latest, Policy::random, Policy::priority})
    for (uint64_t seed = 0; seed < 5; ++seed)
      EXPECT_EQ(traceOf(policy, seed), traceOf(policy, seed));
}

TEST(Schedule, SeedsDiffer) {
  for (const Policy policy : {Policy::random, Policy::priority}) {
    std::set<std::string> traces;
    for (uint64_t seed = 0; seed < 20; ++seed)
      traces.insert(traceOf(policy, seed));
    EXPECT_GT(traces.size(), 10u) << policyName(policy);
  }
}

TEST(Schedule, EarliestLandsAtOnceAndLatestDoesNot) {
  EXPECT_EQ(traceOf(Policy::earliest, 0).substr(0, 6), "landed");
  EXPECT_EQ(traceOf(Policy::latest, 0).substr(0, 6), "flying");
}

TEST(Schedule, PoliciesHaveNames) {
  for (const Policy policy : {Policy::earliest, Policy::latest, Policy::random, Policy::priority})
    EXPECT_EQ(parsePolicy(policyName(policy)), policy);
  EXPECT_EQ(parsePolicy("soon"), std::nullopt);
}

TEST(Schedule, TheSecondEventComesAfterTheFirst) {
  for (const Policy policy : {Policy::earliest, Policy::latest, Policy::random, Policy::priority}) {
    std::string order;
    findingsOf({.threads = 32}, {.policy = policy}, [&](const Api &t) {
      if (t.thread_id() == 0)
        Machine::current().schedule({"copy",
                                     1,
                                     &Machine::current().self(),
                                     {[&] { order += "read "; }, [&] { order += "written"; }}});
    });
    EXPECT_EQ(order, "read written") << policyName(policy);
  }
}

TEST(Run, CtasWaitForRoom) {
  int32_t most = 0, now = 0, total = 0;
  const Kernel kernel = [&](const Api &t) {
    if (t.thread_id() == 0) {
      most = std::max(most, ++now);
      ++total;
    }
    t.cta_sync(__LINE__);
    if (t.thread_id() == 0)
      --now;
  };
  EXPECT_EQ(kindsOf({.threads = 64, .grid = 12, .cluster = 2}, {.maxResidentCtas = 4}, kernel), "");
  EXPECT_EQ(total, 12);
  EXPECT_LE(most, 4);
}

TEST(Run, AnEmptyGridRunsNothing) {
  EXPECT_EQ(kindsOf({.grid = 0}, [](const Api &) { FAIL(); }), "");
}

TEST(Run, LaunchesThatNoDeviceAccepts) {
  StackPool stacks;
  Machine machine({}, stacks);
  auto refused = [&](const Shape &shape) {
    MachineLaunch launch;
    launch.threads = shape.threads;
    launch.grid = shape.grid;
    launch.cluster = shape.cluster;
    launch.sharedBytes = shape.shared;
    launch.registers = shape.registers;
    return machine.run(launch).code() == StatusCode::invalidArgument;
  };
  EXPECT_TRUE(refused({.threads = 1025}));
  EXPECT_TRUE(refused({.threads = 0}));
  EXPECT_TRUE(refused({.shared = 232449}));
  EXPECT_TRUE(refused({.grid = 3, .cluster = 2}));
  EXPECT_TRUE(refused({.grid = 17, .cluster = 17}));
  EXPECT_TRUE(refused({.threads = 384, .registers = 176}));
}

TEST(Run, StopsAtTheFirstErrorOrCollectsMore) {
  const Kernel kernel = [](const Api &t) {
    put(t.smem_base() + 1, 1, 10);
    put(t.smem_base() + 2, 1, 20);
    put(t.smem_base() + 3, 1, 30);
  };
  EXPECT_EQ(findingsOf({}, {}, kernel).size(), 1u);
  const std::vector<Finding> two = findingsOf({}, {.maxErrors = 2}, kernel);
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[0].line, 10);
  EXPECT_EQ(two[1].line, 20);
  // Each line once, not once per thread.
  EXPECT_EQ(findingsOf({}, {.maxErrors = 100}, kernel).size(), 3u);
}

TEST(Run, AKernelThatNeverEnds) {
  const Kernel kernel = [](const Api &t) {
    for (;;)
      t.warp_sync(__LINE__);
  };
  EXPECT_EQ(kindsOf({.threads = 32}, {.maxSwitches = 10000}, kernel), "deadlock");
}

TEST(Run, FindingsQuoteTheText) {
  StackPool stacks;
  Machine machine({}, stacks);
  MachineLaunch launch;
  launch.kernel = "k";
  launch.text = "first\n  second;\nthird";
  launch.threads = 1;
  launch.body = [] { put(0, 1, 2); };
  ASSERT_TRUE(machine.run(launch).isOk());
  ASSERT_EQ(machine.findings().size(), 1u);
  EXPECT_EQ(machine.findings()[0].lineText, "second;");
  EXPECT_EQ(machine.findings()[0].kernel, "k");
}

TEST(Run, StacksAreUsedAgain) {
  StackPool stacks;
  std::set<void *> tops;
  for (int run = 0; run < 3; ++run) {
    Machine machine({}, stacks);
    MachineLaunch launch;
    launch.threads = 32;
    launch.body = [] { put(0, 1, 2); };
    ASSERT_TRUE(machine.run(launch).isOk());
  }
  for (int i = 0; i < 64; ++i)
    tops.insert(stacks.take());
  EXPECT_EQ(tops.size(), 64u);
  for (void *top : tops)
    stacks.giveBack(top);
}

} // namespace
} // namespace tilewright::emulator
