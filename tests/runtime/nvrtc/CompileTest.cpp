// SPDX-License-Identifier: Apache-2.0
// The NVRTC of this machine.
#include "runtime/nvrtc/Nvrtc.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

using namespace tilewright;
using testing::AllOf;
using testing::HasSubstr;

namespace {

class Compile : public testing::Test {
protected:
  Compile() : nvrtc(Nvrtc::find({.env = Env::fromProcess()})) {}
  void SetUp() override { ASSERT_TRUE(nvrtc) << nvrtc.status().toString(); }

  Expected<Nvrtc> nvrtc;
};

const char *const kStore = "extern \"C\" __global__ void store(int *p) { *p = 42; }\n";

TEST_F(Compile, FindsASupportedVersion) {
  EXPECT_GE(nvrtc->version(), kOldestNvrtc);
  EXPECT_LT(nvrtc->version(), kFirstUnknownNvrtc);
  EXPECT_EQ(nvrtc->library().path().front(), '/');
  EXPECT_EQ(nvrtc->library().builtinsName(), "libnvrtc-builtins.so." + nvrtc->version().toString());
}

TEST_F(Compile, YieldsACubinAndNoPtxUnlessAsked) {
  const Expected<NvrtcOutput> output = nvrtc->compile({.text = kStore});
  ASSERT_TRUE(output) << output.status().toString();
  EXPECT_EQ(output->cubin.substr(0, 4), "\177ELF");
  EXPECT_EQ(output->ptx, "");
  EXPECT_GT(output->seconds, 0);
  ASSERT_EQ(output->kernels.size(), 1u);
  EXPECT_EQ(output->kernels[0].kernel, "store");
  EXPECT_GT(output->kernels[0].registers, 0);
  EXPECT_GT(output->kernels[0].codeBytes, 0);
  EXPECT_NE(output->log.back(), '\0');
}

TEST_F(Compile, YieldsPtxOnRequest) {
  const Expected<NvrtcOutput> output = nvrtc->compile({.text = kStore, .wantPtx = true});
  ASSERT_TRUE(output) << output.status().toString();
  EXPECT_THAT(output->ptx, AllOf(HasSubstr(".visible .entry store"), HasSubstr(".target sm_90a")));
  EXPECT_NE(output->ptx.back(), '\0');
}

TEST_F(Compile, ReportsResourcesPerKernel) {
  const char *text =
      "extern \"C\" __global__ void __launch_bounds__(1024, 2) spill(float *p) {\n"
      "  float x[64];\n"
      "  for (int i = 0; i < 64; ++i) x[i] = p[i * 1024 + threadIdx.x];\n"
      "  __syncthreads();\n"
      "  for (int i = 0; i < 64; ++i) x[i] = x[i] * x[i * 7 % 64] + p[i];\n"
      "  __syncthreads();\n"
      "  for (int i = 0; i < 64; ++i) p[i * 1024 + threadIdx.x] = x[i] * x[63 - i];\n"
      "}\n"
      "extern \"C\" __global__ void shared(float *p) {\n"
      "  __shared__ float s[100];\n"
      "  s[threadIdx.x] = p[threadIdx.x];\n"
      "  __syncthreads();\n"
      "  p[threadIdx.x] = s[99 - threadIdx.x];\n"
      "}\n";
  const Expected<NvrtcOutput> output = nvrtc->compile({.text = text});
  ASSERT_TRUE(output) << output.status().toString();
  ASSERT_EQ(output->kernels.size(), 2u);
  const bool spillFirst = output->kernels[0].kernel == "spill";
  const KernelResources &spill = output->kernels[spillFirst ? 0 : 1];
  const KernelResources &shared = output->kernels[spillFirst ? 1 : 0];
  EXPECT_EQ(spill.registers, 32);
  EXPECT_GT(spill.spillStoreBytes, 100);
  EXPECT_GT(spill.stackBytes, 100);
  EXPECT_EQ(spill.staticSharedBytes, 0);
  EXPECT_EQ(shared.kernel, "shared");
  EXPECT_EQ(shared.staticSharedBytes, 400);
  EXPECT_EQ(shared.spillBytes(), 0);
  const std::vector<Rejection> rejected = rejections(output->kernels, output->advisories);
  ASSERT_EQ(rejected.size(), 1u);
  EXPECT_EQ(rejected[0].kernel, "spill");
  EXPECT_EQ(rejected[0].reason, "spills " + std::to_string(spill.spillBytes()) + " B");
}

TEST_F(Compile, FindsHeadersByName) {
  const NvrtcHeader header = {"made/up.cuh", "constexpr int kAnswer = 42;\n"};
  const std::string text = "#include \"made/up.cuh\"\n"
                           "extern \"C\" __global__ void k(int *p) { *p = kAnswer; }\n";
  EXPECT_TRUE(nvrtc->compile({.text = text, .headers = {&header, 1}}));
  const Expected<NvrtcOutput> without = nvrtc->compile({.text = text});
  ASSERT_FALSE(without);
  EXPECT_THAT(without.status().message(), HasSubstr("made/up.cuh"));
}

TEST_F(Compile, AnErrorCarriesNameLineAndLog) {
  const Expected<NvrtcOutput> output =
      nvrtc->compile({.text = "\nint f() { return nothing; }\n", .name = "bad.cu"});
  ASSERT_FALSE(output);
  EXPECT_EQ(output.status().code(), StatusCode::compileFailed);
  EXPECT_THAT(output.status().message(), AllOf(HasSubstr("refuses bad.cu"), HasSubstr("bad.cu(2)"),
                                               HasSubstr("\"nothing\" is undefined")));
}

TEST_F(Compile, AnUnknownOptionIsAnError) {
  const Expected<NvrtcOutput> output =
      nvrtc->compile({.text = kStore, .extraOptions = {"--no-such-option"}});
  ASSERT_FALSE(output);
  EXPECT_EQ(output.status().code(), StatusCode::compileFailed);
  EXPECT_THAT(output.status().message(), HasSubstr("--no-such-option"));
}

TEST_F(Compile, AVirtualArchitectureIsRefused) {
  const Expected<NvrtcOutput> output =
      nvrtc->compile({.text = kStore, .architecture = "compute_90a"});
  ASSERT_FALSE(output);
  EXPECT_EQ(output.status().code(), StatusCode::invalidArgument);
  EXPECT_THAT(output.status().message(), HasSubstr("compute_90a"));
}

TEST_F(Compile, RunsInParallel) {
  constexpr int kThreads = 4;
  constexpr int kTexts = 3;
  const auto text = [](int i) {
    const std::string number = std::to_string(i);
    return "extern \"C\" __global__ void k" + number + "(float *p) { p[threadIdx.x] *= " + number +
           ".5f; }\n";
  };
  std::vector<std::string> expected;
  for (int i = 0; i < kThreads * kTexts; ++i) {
    const Expected<NvrtcOutput> output = nvrtc->compile({.text = text(i)});
    ASSERT_TRUE(output) << output.status().toString();
    expected.push_back(output->cubin);
  }
  std::vector<std::string> found(expected.size());
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = t * kTexts; i < (t + 1) * kTexts; ++i)
        if (const Expected<NvrtcOutput> output = nvrtc->compile({.text = text(i)}))
          found[static_cast<size_t>(i)] = output->cubin;
    });
  }
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(found, expected);
}

} // namespace
