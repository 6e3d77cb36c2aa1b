// SPDX-License-Identifier: Apache-2.0
// The judge itself: the reference on the device is that of the host, and a trial that nothing ran
// on, or something wrong ran on, fails.
#include "tests/gpu/GemmCase.h"

#include <numeric>

using namespace tilewright;

namespace {

class Reference : public GpuTest {};

TEST_F(Reference, SumsAreThoseOfTheHost) {
  for (DType type : {DType::bf16, DType::fp16})
    for (auto [m, n, k, rows] : {std::array<int64_t, 4>{130, 70, 100, 130},
                                 {1, 1, 1, 1},
                                 {64, 64, 16, 64},
                                 {65, 200, 33, 65},
                                 {300, 129, 50, 7}}) {
      GemmProblem problem{.m = m, .n = n, .k = k, .a = type, .b = type};
      problem.lda = k + 3; // any pitch will do here
      problem.ldb = k + 5;
      const std::vector<GemmOperand> operands = gemmOperands(problem);
      const OperandImage a = makeImage(operands[0], 256, 3), b = makeImage(operands[1], 256, 3);
      std::vector<DeviceBuffer> memory;
      for (const OperandImage *image : {&a, &b}) {
        Expected<DeviceBuffer> buffer = DeviceBuffer::allocate(gpu()->context, image->bytes.size());
        ASSERT_TRUE(buffer) << buffer.status().toString();
        ASSERT_TRUE(buffer->copyFrom(image->bytes.data(), image->bytes.size()).isOk());
        memory.push_back(*std::move(buffer));
      }
      ASSERT_TRUE(gpu()->context->synchronize().isOk());
      // Some rows, from the last backwards in steps, so that the list matters.
      std::vector<int64_t> list;
      for (int64_t i = 0; i < rows; ++i)
        list.push_back(i * m / rows);
      const Expected<ReferenceSums> device = gpu()->reference->sum(
          problem, memory[0].address() + 256, memory[1].address() + 256, list);
      ASSERT_TRUE(device) << device.status().toString();
      const ReferenceSums host = sumOnHost(problem, a, b, list);
      ASSERT_EQ(device->sums.size(), host.sums.size());
      for (size_t i = 0; i < host.sums.size(); ++i) {
        ASSERT_NEAR(device->sums[i], host.sums[i], 1e-12 * (1 + host.absolutes[i])) << i;
        ASSERT_NEAR(device->absolutes[i], host.absolutes[i], 1e-12 * (1 + host.absolutes[i])) << i;
      }
    }
}

TEST_F(Reference, WhatNobodyWroteFails) {
  GemmProblem problem{.m = 100, .n = 96, .k = 64};
  Expected<GemmTrial> trial = GemmTrial::create(problem, *gpu()->reference, {});
  ASSERT_TRUE(trial) << trial.status().toString();
  const Expected<Verdict> verdict = trial->judge();
  ASSERT_TRUE(verdict) << verdict.status().toString();
  EXPECT_EQ(verdict->unwritten, 9600);
  EXPECT_EQ(verdict->damage, Damage());
  EXPECT_TRUE(verdict->changedInputs.empty());
}

TEST_F(Reference, AnotherProblemsResultFails) {
  const GemmCase gemm = heuristicCase({.m = 100, .n = 96, .k = 64});
  const auto compiled = compileCase(gemm);
  ASSERT_TRUE(compiled) << compiled.status().toString();
  Expected<GemmTrial> trial = GemmTrial::create(gemm.problem, *gpu()->reference, {});
  ASSERT_TRUE(trial) << trial.status().toString();
  GemmProblem shorter = gemm.problem;
  shorter.k = 56;
  shorter.lda = shorter.ldb = 64;
  const Expected<RunnableGemm> runnable = RunnableGemm::prepare(**compiled, shorter);
  ASSERT_TRUE(runnable) << runnable.status().toString();
  ASSERT_TRUE(runnable->run(*trial).isOk());
  const Expected<Verdict> verdict = trial->judge();
  ASSERT_TRUE(verdict) << verdict.status().toString();
  EXPECT_GT(verdict->wrong, 9000);
  EXPECT_EQ(verdict->unwritten, 0);
}

} // namespace
