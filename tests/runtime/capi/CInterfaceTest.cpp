// SPDX-License-Identifier: Apache-2.0
// The C interface through the shared library.
#include "tilewright/tilewright.h"

#include "tests/runtime/capi/LibraryTest.h"

#include <cstring>
#include <dlfcn.h>
#include <thread>

using namespace tilewright;

extern "C" int useFromC(const char *driver, const char *cacheFolder, const void *memory);

namespace {

class CInterface : public LibraryTest {
protected:
  twEngine *makeEngine(const char *target = nullptr) {
    twEngineOptions options = TW_ENGINE_OPTIONS_INIT;
    options.driverLibrary = driver_.c_str();
    options.cacheFolder = folder_.c_str();
    options.target = target;
    twEngine *engine = nullptr;
    EXPECT_EQ(twEngineCreate(&options, &engine), TW_OK) << twLastError();
    return engine;
  }
  static void expectError(twStatus status, twStatus expected, std::string_view part) {
    EXPECT_EQ(status, expected);
    EXPECT_NE(std::string_view(twLastError()).find(part), std::string_view::npos) << twLastError();
  }
};

TEST_F(CInterface, FromC99) {
  EXPECT_EQ(useFromC(driver_.c_str(), folder_.c_str(), allocate(1 << 20)), 0) << twLastError();
  EXPECT_EQ(fake::launches().size(), 1U);
}

TEST_F(CInterface, SaysItsVersion) {
  EXPECT_EQ(twVersion(), TW_VERSION);
  EXPECT_EQ(twVersionString(), std::to_string(TW_VERSION / 10000) + "." +
                                   std::to_string(TW_VERSION / 100 % 100) + "." +
                                   std::to_string(TW_VERSION % 100));
  EXPECT_EQ(std::strlen(twBuildId()), 12U);
}

TEST_F(CInterface, NullsAreRefused) {
  twEngine *engine = makeEngine();
  twGemmProblem problem = TW_GEMM_PROBLEM_INIT;
  twKernel *kernel = nullptr;
  expectError(twEngineCreate(nullptr, nullptr), TW_INVALID_ARGUMENT, "engine is NULL");
  expectError(twEngineRequestGemm(nullptr, &problem, nullptr, &kernel), TW_INVALID_ARGUMENT,
              "engine is NULL");
  expectError(twEngineRequestGemm(engine, nullptr, nullptr, &kernel), TW_INVALID_ARGUMENT,
              "problem is NULL");
  expectError(twEngineRequestGemm(engine, &problem, nullptr, nullptr), TW_INVALID_ARGUMENT,
              "kernel is NULL");
  expectError(twEngineDevice(engine, nullptr), TW_INVALID_ARGUMENT, "twDeviceInfo is NULL");
  expectError(twKernelPrepare(nullptr), TW_INVALID_ARGUMENT, "kernel is NULL");
  expectError(twKernelRun(nullptr, nullptr, 0, nullptr, 0, nullptr), TW_INVALID_ARGUMENT,
              "kernel is NULL");
  EXPECT_EQ(twKernelOperandCount(nullptr), 0U);
  twKernelRelease(nullptr);
  twEngineDestroy(nullptr);

  ASSERT_EQ(twEngineRequestGemm(engine, &problem, nullptr, &kernel), TW_OK) << twLastError();
  expectError(twKernelRun(kernel, nullptr, 2, nullptr, 0, nullptr), TW_INVALID_ARGUMENT,
              "operands is NULL");
  EXPECT_EQ(twKernelWorkspace(kernel, nullptr, nullptr), TW_OK);
  twKernelRelease(kernel);
  twEngineDestroy(engine);
}

TEST_F(CInterface, UnknownValuesAreRefusedByName) {
  twEngine *engine = makeEngine("h200");
  const auto request = [&](auto change) {
    twGemmProblem problem = TW_GEMM_PROBLEM_INIT;
    problem.m = problem.n = problem.k = 256;
    twRequestOptions options = TW_REQUEST_OPTIONS_INIT;
    change(problem, options);
    twKernel *kernel = reinterpret_cast<twKernel *>(1);
    const twStatus status = twEngineRequestGemm(engine, &problem, &options, &kernel);
    EXPECT_EQ(kernel, nullptr);
    return status;
  };
  using P = twGemmProblem;
  using O = twRequestOptions;
  expectError(request([](P &p, O &) { p.a = 99; }), TW_UNSUPPORTED, "a is 99");
  expectError(request([](P &p, O &) { p.layout = -1; }), TW_UNSUPPORTED, "layout is -1");
  expectError(request([](P &p, O &) { p.m = -5; }), TW_INVALID_ARGUMENT, "m is -5");
  expectError(request([](P &p, O &) { p.epilogueCount = 1; }), TW_INVALID_ARGUMENT,
              "epilogue is NULL");
  expectError(request([](P &, O &o) { o.policy = 7; }), TW_UNSUPPORTED, "policy is 7");
  expectError(request([](P &, O &o) { o.flags = 1U << 30; }), TW_UNSUPPORTED, "flags is");
  expectError(request([](P &, O &o) { o.accumulate = 3; }), TW_UNSUPPORTED, "accumulate is 3");
  expectError(request([](P &, O &o) { o.smCap = -3; }), TW_INVALID_ARGUMENT, "sm_cap is -3");
  expectError(request([](P &, O &o) { o.config = "bm=7"; }), TW_INVALID_ARGUMENT, "config");
  twEpilogueOp ops[] = {TW_EPILOGUE_OP("bias"), TW_EPILOGUE_OP("sparkle")};
  expectError(request([&](P &p, O &) {
                p.epilogue = ops;
                p.epilogueCount = 2;
              }),
              TW_INVALID_ARGUMENT, "'sparkle' is no op; use bias");
  ops[1].structSize = 8;
  expectError(request([&](P &p, O &) {
                p.epilogue = ops;
                p.epilogueCount = 2;
              }),
              TW_INVALID_ARGUMENT, "epilogue[1].structSize is 8");
  twEngineDestroy(engine);
}

TEST_F(CInterface, EngineOptionsAreChecked) {
  const auto create = [](auto change) {
    twEngineOptions options = TW_ENGINE_OPTIONS_INIT;
    change(options);
    twEngine *engine = reinterpret_cast<twEngine *>(1);
    const twStatus status = twEngineCreate(&options, &engine);
    EXPECT_EQ(engine, nullptr);
    return status;
  };
  using O = twEngineOptions;
  expectError(create([](O &o) { o.flags = 64; }), TW_INVALID_ARGUMENT, "flags is 64");
  expectError(create([](O &o) { o.logLevel = 9; }), TW_INVALID_ARGUMENT, "logLevel is 9");
  expectError(create([](O &o) { o.kernelCapacity = -1; }), TW_INVALID_ARGUMENT, "kernelCapacity");
  expectError(create([](O &o) { o.target = "b200"; }), TW_INVALID_ARGUMENT, "b200");
  expectError(create([](O &o) { o.structSize = 0; }), TW_INVALID_ARGUMENT,
              "set it to sizeof(twEngineOptions)");
}

// A caller that was built before the last fields existed, and one that was built after more came.
TEST_F(CInterface, OlderAndNewerCallersAreUnderstood) {
  twEngine *engine = makeEngine("h200");
  twGemmProblem problem = TW_GEMM_PROBLEM_INIT;
  problem.m = 0;
  problem.n = 8;
  problem.structSize = offsetof(twGemmProblem, a);
  problem.layout = 99; // beyond what the old caller has
  twKernel *kernel = nullptr;
  EXPECT_EQ(twEngineRequestGemm(engine, &problem, nullptr, &kernel), TW_OK) << twLastError();

  struct {
    twKernelInfo known;
    uint64_t unknown;
  } newer = {};
  newer.known.structSize = sizeof(newer);
  newer.unknown = 77;
  EXPECT_EQ(twKernelGetInfo(kernel, &newer.known), TW_OK);
  EXPECT_STREQ(newer.known.source, "none");
  EXPECT_EQ(newer.known.structSize, sizeof(newer));
  EXPECT_EQ(newer.unknown, 0U);
  twKernelInfo older = {};
  older.structSize = offsetof(twKernelInfo, key);
  older.key = "untouched";
  EXPECT_EQ(twKernelGetInfo(kernel, &older), TW_OK);
  EXPECT_STREQ(older.source, "none");
  EXPECT_STREQ(older.key, "untouched");
  twKernelRelease(kernel);

  struct {
    twGemmProblem known = TW_GEMM_PROBLEM_INIT;
    uint64_t unknown = 0;
  } wish;
  wish.known.structSize = sizeof(wish);
  EXPECT_EQ(twEngineRequestGemm(engine, &wish.known, nullptr, &kernel), TW_OK) << twLastError();
  twKernelRelease(kernel);
  wish.unknown = 1;
  expectError(twEngineRequestGemm(engine, &wish.known, nullptr, &kernel), TW_UNSUPPORTED,
              "twGemmProblem has fields that this version does not know");
  twEngineDestroy(engine);
}

TEST_F(CInterface, CountsWhatItDid) {
  twEngine *engine = makeEngine("h200");
  twGemmProblem problem = TW_GEMM_PROBLEM_INIT;
  for (int i = 0; i < 3; ++i) {
    twKernel *kernel = nullptr;
    ASSERT_EQ(twEngineRequestGemm(engine, &problem, nullptr, &kernel), TW_OK);
    twKernelRelease(kernel);
  }
  twEngineCounters counters = {};
  counters.structSize = sizeof(counters);
  EXPECT_EQ(twEngineGetCounters(engine, &counters), TW_OK);
  EXPECT_EQ(counters.requests, 3U);
  EXPECT_EQ(counters.fromMemory, 2U);
  EXPECT_EQ(counters.nvrtcCalls, 0U);
  twEngineDestroy(engine);
}

// A host that loads us as a plug-in.
TEST_F(CInterface, LoadsAndUnloads) {
  Dl_info info = {};
  ASSERT_NE(dladdr(reinterpret_cast<void *>(&twVersion), &info), 0);
  for (int i = 0; i < 2; ++i) {
    void *handle = dlopen(info.dli_fname, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(handle, nullptr) << dlerror();
    EXPECT_NE(dlsym(handle, "twEngineCreate"), nullptr);
    EXPECT_EQ(dlsym(handle, "_ZN10tilewright10EngineCore5tallyEv"), nullptr);
    EXPECT_EQ(dlclose(handle), 0);
  }
}

} // namespace
