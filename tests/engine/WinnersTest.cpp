// SPDX-License-Identifier: Apache-2.0
//
// The configs that are tried first: seeds, and winners of the measurements.

#include "tests/engine/CompileCases.h"

#include <cstdio>

using namespace tilewright;

namespace {

/// A line for each kernel, so that a change of the compiler shows.
void printTable(const std::vector<CompiledCase> &compiled) {
  std::printf("%9s %8s %6s %10s  config\n", "registers", "spill, B", "code", "advisories");
  for (const CompiledCase &one : compiled) {
    if (!one.result)
      continue;
    for (const NvrtcOutput &output : one.result->kernels)
      for (const KernelResources &kernel : output.kernels)
        std::printf("%9d %8d %6d %10zu  %s %s\n", kernel.registers, kernel.spillBytes(),
                    kernel.codeBytes, output.advisories.size(), kernel.kernel.c_str(),
                    one.kernelCase.config.toString().c_str());
  }
}

class Winners : public testing::Test {
protected:
  static std::vector<CompiledCase> compile(std::string_view epilogue) {
    Expected<Nvrtc> nvrtc = Nvrtc::find({.env = Env::fromProcess()});
    EXPECT_TRUE(nvrtc) << nvrtc.status().message();
    std::vector<KernelCase> cases = knownWinners();
    for (KernelCase &one : cases)
      one.problem.epilogue = *Epilogue::parse(epilogue);
    return nvrtc ? compileCases(cases, *nvrtc) : std::vector<CompiledCase>();
  }
};

TEST_F(Winners, HaveNoSpillsAndNoAdvisories) {
  const std::vector<CompiledCase> compiled = compile("");
  printTable(compiled);
  EXPECT_GE(compiled.size(), seedConfigs().size());
  expectAccepted(compiled);
}

TEST_F(Winners, HaveNoneWithAnEpilogueEither) {
  std::vector<CompiledCase> compiled = compile("bias,gelu,residual");
  printTable(compiled);
  // Beside 192 accumulators no room is left for such an epilogue: those configs are refused by name
  // when they are built, and the table shows what they spill.
  std::erase_if(compiled, [](const CompiledCase &one) { return one.accumulators >= 192; });
  EXPECT_GE(compiled.size(), 30U);
  expectAccepted(compiled);
}

// Sanity of what ptxas and the cubin say, which the tables and the policy go by.
TEST_F(Winners, UseWhatTheirPlansSay) {
  const std::vector<CompiledCase> compiled = compile("");
  for (const CompiledCase &one : compiled) {
    ASSERT_TRUE(one.result) << one.kernelCase.toString();
    ASSERT_EQ(one.result->kernels.size(), one.result->plan.kernels.size());
    for (size_t i = 0; i < one.result->kernels.size(); ++i) {
      const PlanKernel &plan = one.result->plan.kernels[i];
      ASSERT_EQ(one.result->kernels[i].kernels.size(), 1U);
      const KernelResources &used = one.result->kernels[i].kernels[0];
      SCOPED_TRACE(one.kernelCase.config.toString() + " " + plan.entry);
      EXPECT_EQ(used.kernel, plan.entry);
      EXPECT_LE(used.registers * plan.threads, 65536);
      EXPECT_EQ(used.stackBytes, 0);
      EXPECT_EQ(used.staticSharedBytes, 0);
      EXPECT_LE(plan.sharedBytes, testDevice().sharedBytesPerBlock);
      EXPECT_GT(used.codeBytes, 1000);
      EXPECT_LT(used.codeBytes, 64 * 1024);
      // setmaxnreg redistributes what the launch gave.
      if (!plan.registerHints.empty()) {
        EXPECT_EQ(used.registers, 65536 / plan.threads / 8 * 8);
      }
    }
  }
}

} // namespace
