// SPDX-License-Identifier: Apache-2.0
#include "tests/emulator/matrix/Lab.h"

#include "runtime/emulator/core/Fiber.h"
#include "runtime/emulator/core/Table.h"
#include "runtime/emulator/matrix/MatrixUnit.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

namespace tilewright::emulator {

namespace {

const Api &table() {
  static const Api api = [] {
    Api filled = {};
    fillCoreTable(filled);
    fillMatrixTable(filled);
    return filled;
  }();
  return api;
}

constexpr Policy kPolicies[] = {Policy::earliest, Policy::latest, Policy::random, Policy::priority};
constexpr uint64_t kSeeds = 4;

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
                                const LabKernel &kernel) {
  // Kept between runs, which else take longer to set up than to run.
  static StackPool stacks;
  MatrixUnit unit;
  Machine machine(options, stacks, &unit);
  MachineLaunch launch;
  launch.kernel = "kernel";
  launch.threads = shape.threads;
  launch.sharedBytes = shape.shared;
  launch.body = kernel;
  tw::emulator::api = &table();
  const Status status = machine.run(launch);
  EXPECT_TRUE(status.isOk()) << status.toString();
  return machine.findings();
}

std::string kindsOf(const LabShape &shape, const LabKernel &kernel,
                    const std::function<void()> &check) {
  std::set<std::string> kinds;
  const bool hadFailure = testing::Test::HasFailure();
  forEachSchedule([&](const MachineOptions &options) {
    SCOPED_TRACE(std::string(policyName(options.policy)) + ", seed " +
                 std::to_string(options.seed));
    for (const Finding &finding : findingsOf(shape, options, kernel))
      kinds.insert(std::string(findingKindName(finding.kind)) +
                   (finding.severity == Severity::warning ? "?" : ""));
    if (check)
      check();
    return !hadFailure && testing::Test::HasFailure();
  });
  std::string text;
  for (const std::string &kind : kinds)
    text += (text.empty() ? "" : " ") + kind;
  return text;
}

bool isFoundInEverySchedule(const LabShape &shape, const LabKernel &kernel) {
  bool isFound = true;
  forEachSchedule([&](const MachineOptions &options) {
    isFound = !findingsOf(shape, options, kernel).empty();
    return !isFound;
  });
  return isFound;
}

Finding findingOf(FindingKind kind, const LabKernel &kernel) {
  Finding found;
  bool isFound = false;
  forEachSchedule([&](const MachineOptions &options) {
    for (Finding &finding : findingsOf({}, options, kernel))
      if (finding.kind == kind && !isFound) {
        found = std::move(finding);
        isFound = true;
      }
    return isFound;
  });
  EXPECT_TRUE(isFound) << "no " << findingKindName(kind);
  return found;
}

float elementA(int32_t tile, uint32_t row, uint32_t k) {
  return static_cast<float>((row * 3 + k * 5 + static_cast<uint32_t>(tile)) % 17) - 8;
}
float elementB(int32_t tile, uint32_t column, uint32_t k) {
  return static_cast<float>((column * 7 + k + static_cast<uint32_t>(tile)) % 13) - 6;
}
float productOf(int32_t tile, int32_t row, int32_t column, uint32_t depth, uint32_t first) {
  float sum = 0;
  for (uint32_t k = first; k < first + depth; ++k)
    sum += elementA(tile, static_cast<uint32_t>(row), k) *
           elementB(tile, static_cast<uint32_t>(column), k);
  return sum;
}

void storeImage(const std::vector<uint8_t> &image, int32_t offset, int32_t first, int32_t count) {
  const int32_t base = tw::smem_base() + offset;
  for (int32_t at = 16 * (tw::thread_id() - first); at < static_cast<int32_t>(image.size());
       at += 16 * count)
    table().st_shared(base + at, 16, image.data() + at, __LINE__);
}

Operands128::Operands128(int32_t tile)
    : a(imageOf<tw::bf16>({.extent = 64}, true, tile)),
      b(imageOf<tw::bf16>({.extent = kColumns}, false, tile)) {}

void Operands128::put() const {
  storeImage(a, kOperandA);
  storeImage(b, kOperandB);
  tw::fence_proxy_async_shared();
  tw::cta_sync();
}

uint64_t descriptorA(int32_t k) {
  return tw::descriptor_advance(tw::smem_descriptor<128>(tw::smem_base() + kOperandA), 32 * k);
}
uint64_t descriptorB(int32_t k) {
  return tw::descriptor_advance(tw::smem_descriptor<128>(tw::smem_base() + kOperandB), 32 * k);
}

void Results::take(const float *registers) {
  const int32_t thread = tw::thread_id() % kWarpgroup;
  for (int32_t reg = 0; reg < n / 2; ++reg)
    std::memcpy(&values[static_cast<size_t>(rowOf(thread, reg) * n + columnOf(thread, reg))],
                registers + reg, sizeof(float));
}

void Results::expectProducts(int32_t tile, uint32_t depth, float factor, uint32_t first) const {
  for (int32_t row = 0; row < 64; ++row)
    for (int32_t column = 0; column < n; ++column)
      ASSERT_EQ(values[static_cast<size_t>(row * n + column)],
                factor * productOf(tile, row, column, depth, first))
          << "row " << row << ", column " << column;
}

} // namespace tilewright::emulator
