// SPDX-License-Identifier: Apache-2.0
//
// Running prepared plans: what reaches the driver, and what is refused before it does.
#include "runtime/driver/DeviceMemory.h"
#include "tests/runtime/driver/OnFakeDriver.h"

#include <thread>

using namespace tilewright;

namespace {

struct Run : OnFakeDriver {
  DeviceBuffer allocate(size_t bytes) const {
    return valueOf(DeviceBuffer::allocate(context, bytes));
  }
};

TEST_F(Run, LaunchesWithTheParametersOfThePlan) {
  const DeviceBuffer memory = allocate(3 << 20);
  const std::vector<uint64_t> pointers = {memory.address(), memory.address() + (1 << 20),
                                          memory.address() + (2 << 20)};
  const auto plan = prepareGemm();
  ASSERT_TRUE(plan->run(pointers, 0, 0, nullptr).isOk());

  ASSERT_EQ(fake::launches().size(), 1U);
  const fake::Launch launch = fake::launches().front();
  EXPECT_EQ(launch.entry, "gemm");
  EXPECT_EQ(launch.grid, (std::array<uint32_t, 3>{16, 1, 1}));
  EXPECT_EQ(launch.threads, 384U);
  EXPECT_EQ(launch.sharedBytes, 230464U);
  EXPECT_EQ(launch.cluster, (std::array<uint32_t, 3>{2, 1, 1}));
  EXPECT_TRUE(launch.pdl);
  const fake::DecodedMap a = fake::decode(launch.parameter<cu::TensorMap>(0));
  EXPECT_EQ(a.address, pointers[0]);
  EXPECT_EQ(a.dims, (std::array<uint64_t, 5>{256, 1000}));
  EXPECT_EQ(a.strides, (std::array<uint64_t, 4>{512}));
  EXPECT_EQ(fake::decode(launch.parameter<cu::TensorMap>(1)).address, pointers[1]);
  EXPECT_EQ(launch.parameter<uint64_t>(2), pointers[2]);
  EXPECT_EQ(launch.parameter<int32_t>(3), 1000);
  EXPECT_EQ(launch.parameter<int64_t>(4), 512 * 256 - 1);
  EXPECT_EQ(launch.parameter<float>(5), 0.5F);
}

TEST_F(Run, RunsLaunchesInOrderOnTheCallersStream) {
  const auto plan =
      valueOf(PreparedPlan::prepare(context, sampleSplitPlan(), splitCubins(), splitScalars(), {}));
  const DeviceBuffer memory = allocate(1 << 20);
  DeviceBuffer workspace = allocate(plan->workspaceBytes() + 256);
  ASSERT_TRUE(workspace.fill(0xff).isOk());
  // At the first launch the counters are clear, and nothing else is.
  fake::setKernel([&](const fake::Launch &launch) {
    if (launch.entry != "partial")
      return;
    const auto *bytes = reinterpret_cast<const unsigned char *>(workspace.address());
    EXPECT_EQ(bytes[256 + 262143], 0xff);
    for (size_t i = 0; i < 8; ++i)
      EXPECT_EQ(bytes[256 + 262144 + i], 0);
  });
  const Stream stream = *Stream::create(context);
  const std::vector<uint64_t> pointers = {memory.address(), memory.address(), memory.address()};
  const uint64_t base = workspace.address() + 256;
  ASSERT_TRUE(plan->run(pointers, base, plan->workspaceBytes(), stream.handle()).isOk());

  const std::vector<fake::Launch> launches = fake::launches();
  ASSERT_EQ(launches.size(), 2U);
  EXPECT_EQ(launches[0].entry, "partial");
  EXPECT_EQ(launches[0].stream, stream.handle());
  EXPECT_EQ(launches[0].grid, (std::array<uint32_t, 3>{2, 1, 2}));
  EXPECT_FALSE(launches[0].pdl);
  const fake::DecodedMap partials = fake::decode(launches[0].parameter<cu::TensorMap>(2));
  EXPECT_EQ(partials.address, base);
  EXPECT_EQ(partials.dims, (std::array<uint64_t, 5>{128, 256, 2}));
  EXPECT_EQ(launches[0].parameter<uint64_t>(3), base + 262144);
  EXPECT_EQ(launches[1].entry, "reduce");
  EXPECT_EQ(launches[1].parameter<uint64_t>(0), base + 131072);
  EXPECT_EQ(launches[1].cluster, (std::array<uint32_t, 3>{1, 1, 1}));
}

TEST_F(Run, StartsEarlyOnlyIfAllowed) {
  const DeviceBuffer memory = allocate(1024);
  const std::vector<uint64_t> pointers(3, memory.address());
  ASSERT_TRUE(prepareGemm({.pdl = false})->run(pointers, 0, 0, nullptr).isOk());
  EXPECT_FALSE(fake::launches().front().pdl);
  EXPECT_EQ(fake::launches().front().cluster, (std::array<uint32_t, 3>{2, 1, 1}));
}

TEST_F(Run, EncodesMapsOnce) {
  const DeviceBuffer memory = allocate(4096);
  const std::vector<uint64_t> pointers(3, memory.address());
  std::vector<uint64_t> others = pointers;
  others[1] += 1024;
  const auto plan = prepareGemm();
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(plan->run(pointers, 0, 0, nullptr).isOk());
    ASSERT_TRUE(plan->run(others, 0, 0, nullptr).isOk());
  }
  EXPECT_EQ(fake::calls("cuTensorMapEncodeTiled"), 4);
  EXPECT_EQ(fake::launches().size(), 20U);
  EXPECT_EQ(fake::decode(fake::launches()[19].parameter<cu::TensorMap>(1)).address, others[1]);
  EXPECT_EQ(fake::decode(fake::launches()[18].parameter<cu::TensorMap>(1)).address, pointers[1]);
}

TEST_F(Run, RefusesPointersByTheirRole) {
  const DeviceBuffer memory = allocate(4096);
  const uint64_t good = memory.address();
  const auto plan = prepareGemm();
  const auto run = [&](std::vector<uint64_t> pointers) {
    return plan->run(pointers, 0, 0, nullptr);
  };
  expectFailure(run({good, good}), StatusCode::invalidArgument, "takes 3 pointers, found 2");
  expectFailure(run({good, 0, good}), StatusCode::invalidArgument, "b is null");
  expectFailure(run({good, good, good + 8}), StatusCode::invalidArgument, "d is not aligned");
  expectFailure(run({good, good, good + 8}), StatusCode::invalidArgument,
                "must be a multiple of 16 bytes");
  EXPECT_TRUE(fake::launches().empty());
  EXPECT_TRUE(run({good, good, good}).isOk());
}

TEST_F(Run, RefusesHostMemory) {
  const DeviceBuffer memory = allocate(4096);
  alignas(16) char host[64] = {};
  const auto address = reinterpret_cast<uint64_t>(host);
  const auto plan = prepareGemm();
  const std::vector<uint64_t> pointers = {memory.address(), address, memory.address()};
  for (int i = 0; i < 2; ++i)
    expectFailure(plan->run(pointers, 0, 0, nullptr), StatusCode::invalidArgument, "b (0x");
  expectFailure(plan->run(pointers, 0, 0, nullptr), StatusCode::invalidArgument,
                "is no device memory");
  EXPECT_TRUE(fake::launches().empty());
  // Registered, kernels may reach it.
  fake::registerHost(host, sizeof(host));
  EXPECT_TRUE(plan->run(pointers, 0, 0, nullptr).isOk());
}

TEST_F(Run, RefusesMemoryOfAnotherDevice) {
  fake::setDevices(2, 9, 0);
  context.reset();
  open();
  const DeviceBuffer memory = allocate(4096);
  std::vector<uint64_t> pointers = {memory.address(), memory.address(), fake::allocateOn(1, 4096)};
  expectFailure(prepareGemm()->run(pointers, 0, 0, nullptr), StatusCode::invalidArgument,
                "is memory of device 1; this plan runs on device 0");
  EXPECT_TRUE(prepareGemm({.allowPeerMemory = true})->run(pointers, 0, 0, nullptr).isOk());
  pointers[2] = fake::allocateOn(1, 4096, /*isManaged=*/true);
  EXPECT_TRUE(prepareGemm()->run(pointers, 0, 0, nullptr).isOk());
}

TEST_F(Run, ReportsWhatTheDriverSaysOfMemory) {
  const DeviceBuffer memory = allocate(4096);
  const std::vector<uint64_t> pointers(3, memory.address());
  fake::failNext("cuPointerGetAttribute", 201);
  expectFailure(prepareGemm()->run(pointers, 0, 0, nullptr), StatusCode::unavailable,
                "look at the memory of a");
  fake::failNext("cuTensorMapEncodeTiled", cu::kInvalidValue, /*skip=*/1);
  expectFailure(prepareGemm()->run(pointers, 0, 0, nullptr), StatusCode::invalidArgument,
                "encode the tensor map of b");
}

TEST_F(Run, RefusesABadWorkspace) {
  const auto plan =
      valueOf(PreparedPlan::prepare(context, sampleSplitPlan(), splitCubins(), splitScalars(), {}));
  const DeviceBuffer memory = allocate(1 << 20);
  const std::vector<uint64_t> pointers(3, memory.address());
  const size_t bytes = plan->workspaceBytes();
  const auto run = [&](uint64_t workspace, size_t size) {
    return plan->run(pointers, workspace, size, nullptr);
  };
  expectFailure(run(0, bytes), StatusCode::invalidArgument,
                "the workspace has 0 bytes; this plan needs 262152");
  expectFailure(run(memory.address(), bytes - 1), StatusCode::invalidArgument,
                "the workspace has 262151 bytes");
  expectFailure(run(memory.address() + 128, bytes), StatusCode::invalidArgument,
                "must be a multiple of 256 bytes");
  alignas(256) char host[256] = {};
  expectFailure(run(reinterpret_cast<uint64_t>(host), bytes), StatusCode::invalidArgument,
                "the workspace (0x");
  fake::failNext("cuMemsetD8Async", 700);
  expectFailure(run(memory.address(), bytes), StatusCode::deviceFault, "clear the workspace");
  EXPECT_TRUE(run(memory.address(), bytes).isOk());
}

TEST_F(Run, NeedsNoPointerForAnEmptyOperand) {
  // K = 0: A and B have no element; the epilogue runs all the same.
  Plan plan = sampleGemmPlan();
  for (size_t map : {0, 1})
    std::get<TensorMapRecipe>(plan.launches[0].parameters[map]).dims[0] = Expr::argument(5);
  const DeviceBuffer memory = allocate(1 << 16);
  const std::vector<uint64_t> pointers = {0, 0, memory.address()};
  for (int64_t k : {0, 8}) {
    const std::vector<ArgumentValue> scalars = {int64_t{64}, int64_t{64}, k, k, 1.0F};
    const auto prepared = valueOf(PreparedPlan::prepare(context, plan, gemmCubins(), scalars, {}));
    const Status status = prepared->run(pointers, 0, 0, nullptr);
    if (k == 0)
      EXPECT_TRUE(status.isOk()) << status.toString();
    else
      expectFailure(status, StatusCode::invalidArgument, "a is null");
  }
}

TEST_F(Run, LeavesTheCallersContextCurrent) {
  const DeviceBuffer memory = allocate(4096);
  const std::vector<uint64_t> good(3, memory.address());
  const std::vector<uint64_t> bad = {memory.address(), 0, 0};
  const auto plan = prepareGemm();
  const auto runBoth = [&] {
    EXPECT_TRUE(plan->run(good, 0, 0, nullptr).isOk());
    EXPECT_FALSE(plan->run(bad, 0, 0, nullptr).isOk());
    fake::failNext("cuLaunchKernelEx", cu::kInvalidValue);
    EXPECT_FALSE(plan->run(good, 0, 0, nullptr).isOk());
  };
  runBoth();
  EXPECT_TRUE(fake::contextStack().empty());

  const cu::Context theirs = fake::makeContext();
  fake::pushContext(theirs);
  runBoth();
  EXPECT_EQ(fake::contextStack(), std::vector{theirs});
  fake::popContext();

  fake::pushContext(context->handle());
  const int pushes = fake::calls("cuCtxPushCurrent_v2");
  runBoth();
  EXPECT_EQ(fake::contextStack(), std::vector{context->handle()});
  EXPECT_EQ(fake::calls("cuCtxPushCurrent_v2"), pushes);
  fake::popContext();
}

TEST_F(Run, IsLegalUnderCapture) {
  const auto gemm = prepareGemm();
  const auto split =
      valueOf(PreparedPlan::prepare(context, sampleSplitPlan(), splitCubins(), splitScalars(), {}));
  const DeviceBuffer memory = allocate(1 << 20);
  DeviceBuffer workspace = allocate(split->workspaceBytes());
  const std::vector<uint64_t> pointers(3, memory.address());
  const Stream stream = *Stream::create(context);
  // NOTE: the first run of both plans: nothing may be left to be loaded or allocated.
  auto graph = Graph::capture(context, stream.handle(), [&] {
    Status status = gemm->run(pointers, 0, 0, stream.handle());
    return status.isOk()
               ? split->run(pointers, workspace.address(), split->workspaceBytes(), stream.handle())
               : status;
  });
  ASSERT_TRUE(graph) << graph.status().toString();
  EXPECT_TRUE(fake::launches().empty());
  for (int replay = 1; replay <= 3; ++replay) {
    ASSERT_TRUE(workspace.fill(0xff).isOk());
    ASSERT_TRUE(graph->launch(stream.handle()).isOk());
    EXPECT_EQ(fake::launches().size(), 3U * static_cast<size_t>(replay));
    // The counters are cleared each time.
    uint64_t counters = 1;
    ASSERT_TRUE(workspace.copyTo(&counters, 8, 262144).isOk());
    EXPECT_EQ(counters, 0U);
  }
}

/// A plan may be prepared, and dropped, while this or another thread captures in the strictest
/// mode.
TEST_F(Run, PreparingDoesNotDisturbACapture) {
  const Stream stream = *Stream::create(context);
  const DriverFunctions &functions = context->functions();
  ContextScope scope(*context);
  ASSERT_EQ(functions.streamBeginCapture(stream.handle(), cu::kCaptureGlobal), cu::kSuccess);
  EXPECT_TRUE(prepareGemm());
  std::thread([&] { EXPECT_TRUE(prepareGemm()); }).join();
  cu::Graph graph = nullptr;
  EXPECT_EQ(functions.streamEndCapture(stream.handle(), &graph), cu::kSuccess);
  EXPECT_EQ(functions.graphDestroy(graph), cu::kSuccess);
}

TEST_F(Run, ReportsFaults) {
  const DeviceBuffer memory = allocate(4096);
  const std::vector<uint64_t> pointers(3, memory.address());
  const auto plan = prepareGemm();
  ASSERT_TRUE(plan->run(pointers, 0, 0, nullptr).isOk());
  fake::setFault(700);
  const Status status = plan->run(pointers, 0, 0, nullptr);
  expectFailure(status, StatusCode::deviceFault,
                "cannot launch 'gemm' (grid 16 x 1 x 1, 384 threads, 230464 bytes");
  expectFailure(status, StatusCode::deviceFault, "CUDA_ERROR_ILLEGAL_ADDRESS");
  fake::setFault(cu::kSuccess);
}

} // namespace

namespace {

TEST(RunOnStreams, RefusesAStreamOfAnotherDevice) {
  fake::reset();
  fake::setDevices(2, 9, 0);
  const auto driver = valueOf(Driver::open({.library = fake::libraryPath()}));
  const auto first = valueOf(PrimaryContext::retain(driver, 0));
  const auto second = valueOf(PrimaryContext::retain(driver, 1));
  const std::vector<std::string> cubins = {
      fake::makeCubin({{.entry = "gemm", .parameters = {128, 128, 8, 4, 8, 4}}})};
  const std::vector<ArgumentValue> scalars = {int64_t{64}, int64_t{64}, int64_t{64}, int64_t{64},
                                              1.0F};
  for (const auto &context : {first, second}) {
    const auto plan =
        valueOf(PreparedPlan::prepare(context, sampleGemmPlan(), cubins, scalars, {}));
    const DeviceBuffer memory = valueOf(DeviceBuffer::allocate(context, 4096));
    const std::vector<uint64_t> pointers(3, memory.address());
    const Stream own = *Stream::create(context);
    const Stream foreign = *Stream::create(context == first ? second : first);
    EXPECT_TRUE(plan->run(pointers, 0, 0, own.handle()).isOk());
    expectFailure(plan->run(pointers, 0, 0, foreign.handle()), StatusCode::invalidArgument,
                  "pass a live handle of this device");
  }
}

} // namespace
