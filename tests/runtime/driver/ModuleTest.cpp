// SPDX-License-Identifier: Apache-2.0
#include "runtime/driver/Module.h"

#include "tests/runtime/driver/OnFakeDriver.h"

using namespace tilewright;

namespace {

struct ModuleOf : OnFakeDriver {
  const std::string cubin =
      fake::makeCubin({{.entry = "one", .parameters = {8}}, {.entry = "two"}});
};

TEST_F(ModuleOf, ACubinHasItsKernels) {
  const auto module = valueOf(Module::load(context, cubin, {13, 0}));
  const LoadedKernel kernel = valueOf(module->kernel("two", {.dynamicSharedBytes = 232448}));
  EXPECT_TRUE(kernel.handle);
  EXPECT_EQ(
      kernel.facts,
      (KernelFacts{.registers = 168, .localBytes = 0, .staticSharedBytes = 0, .maxThreads = 1024}));
  expectFailure(module->kernel("three", {}).status(), StatusCode::notFound,
                "find the kernel 'three' in its cubin");
  EXPECT_TRUE(fake::contextStack().empty());
}

TEST_F(ModuleOf, LoadsKernelsAheadOfTheirLaunch) {
  const auto module = valueOf(Module::load(context, cubin, {}));
  EXPECT_TRUE(module->kernel("one", {}));
  EXPECT_EQ(fake::calls("cuFuncLoad"), 1);
}

TEST_F(ModuleOf, RefusesWhatIsNoWholeCubin) {
  const int before = fake::calls("cuModuleLoadData");
  for (size_t size = 0; size < cubin.size(); size += 7)
    expectFailure(Module::load(context, cubin.substr(0, size), {}).status(), StatusCode::internal,
                  "no whole ELF file");
  expectFailure(
      Module::load(context, ".version 8.4\n.target sm_90a\n" + std::string(100, ' '), {}).status(),
      StatusCode::internal, "no whole ELF file");
  EXPECT_EQ(fake::calls("cuModuleLoadData"), before);
}

TEST_F(ModuleOf, ANewerCompilerNamesBothVersions) {
  fake::setVersion(12040);
  context.reset();
  driver.reset();
  open();
  fake::setNewestCubin(12040);
  const Status status = Module::load(context, cubin, {13, 0}).status();
  expectFailure(status, StatusCode::unavailable, "the driver supports CUDA 12.4");
  expectFailure(status, StatusCode::unavailable, "a cubin made by CUDA 13.0");
  expectFailure(status, StatusCode::unavailable, "update the driver");
}

TEST_F(ModuleOf, ARefusalThatIsNoMatterOfVersionsSaysSo) {
  fake::setNewestCubin(0);
  expectFailure(Module::load(context, cubin, {13, 0}).status(), StatusCode::internal,
                "CUDA_ERROR_INVALID_IMAGE");
  fake::setNewestCubin(13000);
  fake::failNext("cuModuleLoadData", cu::kNoBinaryForGpu);
  expectFailure(Module::load(context, cubin, {13, 0}).status(), StatusCode::unsupported,
                "CUDA_ERROR_NO_BINARY_FOR_GPU");
  fake::failNext("cuModuleLoadData", cu::kOutOfMemory);
  expectFailure(Module::load(context, cubin, {}).status(), StatusCode::outOfMemory,
                "load the cubin");
}

TEST_F(ModuleOf, RefusesMoreThanTheDeviceHas) {
  const auto module = valueOf(Module::load(context, cubin, {}));
  expectFailure(module->kernel("one", {.dynamicSharedBytes = 232449}).status(),
                StatusCode::unsupported, "a CTA of Fake GPU 0 may have 232448");
  EXPECT_TRUE(module->kernel("one", {.clusterSize = 16}));
  EXPECT_EQ(fake::calls("cuFuncSetAttribute"), 3);
  fake::failNext("cuFuncSetAttribute", 912, /*skip=*/1);
  expectFailure(module->kernel("one", {.clusterSize = 16}).status(), StatusCode::unsupported,
                "clusters of 16");
}

TEST_F(ModuleOf, ReportsWhatTheDriverRefuses) {
  const auto module = valueOf(Module::load(context, cubin, {}));
  for (const char *function : {"cuFuncLoad", "cuFuncGetAttribute", "cuFuncSetAttribute"}) {
    fake::failNext(function, cu::kOutOfMemory);
    expectFailure(module->kernel("one", {}).status(), StatusCode::outOfMemory, "the kernel 'one'");
  }
}

} // namespace
