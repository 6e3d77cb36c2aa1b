// SPDX-License-Identifier: Apache-2.0
// What the library becomes in whole kernels: resources, advisories, the order of instructions.
#include "tests/compiler/device/DeviceCompile.h"

#include "runtime/nvrtc/Cubin.h"

#include <cstring>

using namespace tilewright;

namespace {

/// How many exponentials stand after the last wait for a wgmma in the machine code of the only
/// kernel. Instructions are 16 bytes with the opcode in the low 12 bits, as nvdisasm shows them.
int exponentialsAfterWait(const std::string &cubin) {
  constexpr uint64_t kExponential = 0x308;
  constexpr uint64_t kWarpgroup = 0x9c5; // arrive, or wait with bit 47
  const Expected<std::vector<CubinKernel>> kernels = readCubin(cubin);
  if (!kernels || kernels->size() != 1) {
    ADD_FAILURE() << "not one kernel";
    return -1;
  }
  int exponentials = 0;
  int waits = 0;
  const std::string_view code = (*kernels)[0].code;
  for (size_t at = 0; at + 16 <= code.size(); at += 16) {
    uint64_t word = 0;
    std::memcpy(&word, code.data() + at, sizeof word);
    if ((word & 0xfff) == kExponential)
      ++exponentials;
    if ((word & 0xfff) != kWarpgroup || (word >> 47 & 1) == 0)
      continue;
    ++waits;
    exponentials = 0;
  }
  EXPECT_EQ(waits, 1);
  return exponentials;
}

TEST(Gemm, CompilesCleanly) {
  const NvrtcOutput output = compileDevice(readInput("gemm_128x256x64.cu"));
  ASSERT_EQ(output.kernels.size(), 1u) << output.log;
  const KernelResources &kernel = output.kernels[0];
  EXPECT_EQ(kernel.kernel, "gemm");
  EXPECT_EQ(kernel.registers, 168) << "the pool of 384 threads; setmaxnreg moves it from there";
  EXPECT_EQ(kernel.stackBytes, 0);
  EXPECT_GT(kernel.codeBytes, 4096);
  EXPECT_TRUE(rejections(output.kernels, output.advisories).empty()) << output.log;
  RecordProperty("seconds", std::to_string(output.seconds));
}

TEST(Gemm, PassesTheHostCompiler) { EXPECT_TRUE(compilesOnHost(readInput("gemm_128x256x64.cu"))); }

TEST(Gemm, NamesAMissingFence) {
  if (deviceCompilerVersion() < NvrtcVersion{12, 9})
    GTEST_SKIP() << "NVRTC 12.4 repairs it without a word";
  std::string text = readInput("gemm_128x256x64.cu");
  const std::string fence = "tw::wgmma_fence(acc);";
  text.erase(text.find(fence), fence.size());
  const NvrtcOutput output = compileDevice(text);
  ASSERT_FALSE(output.advisories.empty()) << output.log;
  EXPECT_EQ(output.advisories[0].code, "C7519");
  EXPECT_EQ(output.advisories[0].kernel, "gemm");
  EXPECT_EQ(rejections(output.kernels, output.advisories)[0].kernel, "gemm");
}

TEST(SchedBoundary, KeepsAWaitAfterWhatIsWrittenBefore) {
  const std::string text = readInput("wait_order.cu");
  const int without = exponentialsAfterWait(compileDevice(text, {"-DBOUNDARY="}).cubin);
  const int with =
      exponentialsAfterWait(compileDevice(text, {"-DBOUNDARY=tw::sched_boundary()"}).cubin);
  EXPECT_GT(without, 16) << "ptxas no longer moves the wait up: sched_boundary may go";
  EXPECT_LE(with, 2);
}

} // namespace
