// SPDX-License-Identifier: Apache-2.0
// Logs recorded from NVRTC 12.4 and 13.0.
#include "runtime/nvrtc/CompileLog.h"

#include <gtest/gtest.h>

using namespace tilewright;

namespace {

TEST(CompileLog, TwoKernelsOfThirteen) {
  const CompileLog log = parseCompileLog(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'second' for 'sm_90a'\n"
      "ptxas info    : Function properties for second\n"
      "ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 10 registers, used 1 barriers, 400 bytes smem\n"
      "ptxas info    : Compile time = 2.547 ms\n"
      "ptxas info    : Compiling entry function 'spill' for 'sm_90a'\n"
      "ptxas info    : Function properties for spill\n"
      "ptxas         .     304 bytes stack frame, 304 bytes spill stores, 312 bytes spill loads\n"
      "ptxas info    : Used 32 registers, used 2 barriers, 304 bytes cumulative stack size\n"
      "ptxas info    : Compile time = 18.856 ms\n");
  ASSERT_EQ(log.kernels.size(), 2u);
  EXPECT_EQ(log.kernels[0],
            (KernelResources{
                .kernel = "second", .registers = 10, .staticSharedBytes = 400, .barriers = 1}));
  EXPECT_EQ(log.kernels[1], (KernelResources{.kernel = "spill",
                                             .registers = 32,
                                             .stackBytes = 304,
                                             .spillStoreBytes = 304,
                                             .spillLoadBytes = 312,
                                             .barriers = 2}));
  EXPECT_EQ(log.kernels[1].spillBytes(), 312);
  EXPECT_NEAR(log.ptxasSeconds, 0.021403, 1e-9);
  EXPECT_TRUE(log.advisories.empty());
}

TEST(CompileLog, TwelveTellsLess) {
  const CompileLog log = parseCompileLog(
      "ptxas info    : Compiling entry function 'gemm' for 'sm_90a'\n"
      "ptxas info    : Function properties for gemm\n"
      "ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 168 registers\n");
  ASSERT_EQ(log.kernels.size(), 1u);
  EXPECT_EQ(log.kernels[0], (KernelResources{.kernel = "gemm", .registers = 168}));
  EXPECT_EQ(log.ptxasSeconds, 0);
}

TEST(CompileLog, SerializedWgmma) {
  const CompileLog log = parseCompileLog(
      "ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are "
      "serialized due to insufficient register resources for the wgmma pipeline in the function "
      "'attention'\n");
  ASSERT_EQ(log.advisories.size(), 1u);
  EXPECT_EQ(log.advisories[0],
            (Advisory{"C7510",
                      "wgmma.mma_async instructions are serialized due to insufficient register "
                      "resources for the wgmma pipeline",
                      "attention"}));
  EXPECT_TRUE(log.kernels.empty());
}

TEST(CompileLog, RepairedWgmma) {
  const CompileLog log = parseCompileLog(
      "ptxas info    : (C7519) warpgroup.arrive is injected in around line 511 by compiler to "
      "allow "
      "use of registers in GMMA in function 'gemm'\n"
      "ptxas info    : (C7517) warpgroup.wait is injected in around line 509 by compiler to allow "
      "use of registers defined by GMMA in function 'gemm'");
  ASSERT_EQ(log.advisories.size(), 2u);
  EXPECT_EQ(log.advisories[0].code, "C7519");
  EXPECT_EQ(log.advisories[0].kernel, "gemm");
  EXPECT_EQ(log.advisories[0].text,
            "warpgroup.arrive is injected in around line 511 by compiler to "
            "allow use of registers in GMMA");
  EXPECT_EQ(log.advisories[1].code, "C7517");
}

TEST(CompileLog, AnAdvisoryWithoutAFunction) {
  const CompileLog log = parseCompileLog("ptxas info : (C7508) 'setmaxnreg' ignored\r\n");
  ASSERT_EQ(log.advisories.size(), 1u);
  EXPECT_EQ(log.advisories[0], (Advisory{"C7508", "'setmaxnreg' ignored", ""}));
}

TEST(CompileLog, MissingBuiltins) {
  EXPECT_EQ(parseCompileLog("nvrtc: error: failed to open libnvrtc-builtins.so.12.4.\n"
                            "  Make sure that libnvrtc-builtins.so.12.4 is installed correctly.")
                .missingBuiltins,
            "libnvrtc-builtins.so.12.4");
  EXPECT_EQ(parseCompileLog("kernel.cu(3): error: identifier \"x\" is undefined").missingBuiltins,
            "");
}

TEST(CompileLog, SkipsWhatItDoesNotKnow) {
  for (const char *text : {"", "\n\n", "(C75", "(C7x10) odd", "bytes spill stores", "'",
                           "registers", "Compile time = ", "Compiling entry function 'half"}) {
    const CompileLog log = parseCompileLog(text);
    EXPECT_TRUE(log.advisories.empty()) << text;
    EXPECT_EQ(log.ptxasSeconds, 0) << text;
  }
}

} // namespace
