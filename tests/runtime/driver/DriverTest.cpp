// SPDX-License-Identifier: Apache-2.0
#include "runtime/driver/Driver.h"

#include "tests/runtime/driver/OnFakeDriver.h"

#include <sys/wait.h>
#include <unistd.h>

using namespace tilewright;

namespace {

struct DriverOpen : testing::Test {
  void SetUp() override { fake::reset(); }
  static Expected<std::shared_ptr<const Driver>> open() {
    return Driver::open({.library = fake::libraryPath()});
  }
};

TEST_F(DriverOpen, FindsTheNamedLibrary) {
  const auto driver = valueOf(open());
  EXPECT_EQ(driver->version(), (CudaVersion{13, 0}));
  EXPECT_EQ(driver->version().toString(), "13.0");
  EXPECT_EQ(driver->deviceCount(), 1);
  EXPECT_EQ(driver->library(), fake::libraryPath());
  EXPECT_TRUE(driver->checkProcess().isOk());
}

TEST_F(DriverOpen, FindsTheLibraryThatTheEnvironmentNames) {
  const Env env = Env().with(EnvKey::driver, fake::libraryPath());
  EXPECT_EQ(valueOf(Driver::open({.env = env}))->library(), fake::libraryPath());
  // The option comes first.
  expectFailure(Driver::open({.library = "/nowhere/libcuda.so", .env = env}).status(),
                StatusCode::unavailable, "/nowhere/libcuda.so");
}

TEST_F(DriverOpen, SaysThatThereIsNoLibrary) {
  const Status status =
      Driver::open({.env = Env().with(EnvKey::driver, "/nowhere/libcuda.so")}).status();
  expectFailure(status, StatusCode::unavailable, "no CUDA driver: ");
  expectFailure(status, StatusCode::unavailable, "leave TILEWRIGHT_DRIVER unset");
}

TEST_F(DriverOpen, RefusesALibraryThatIsNoDriver) {
  expectFailure(Driver::open({.library = "libdl.so.2"}).status(), StatusCode::unavailable,
                "libdl.so.2 is no CUDA driver");
}

TEST_F(DriverOpen, RefusesAnOldDriverWithBothVersions) {
  fake::setVersion(12020);
  const Status status = open().status();
  expectFailure(status, StatusCode::unavailable, "supports CUDA 12.2");
  expectFailure(status, StatusCode::unavailable, "needs CUDA 12.4 or newer");
  fake::setVersion(12040);
  EXPECT_TRUE(open());
}

TEST_F(DriverOpen, OpensWithoutADevice) {
  fake::setDevices(0, 9, 0);
  EXPECT_EQ(valueOf(open())->deviceCount(), 0);
}

TEST_F(DriverOpen, SaysThatTheStubIsNoDriver) {
  fake::failNext("cuInit", cu::kStubLibrary);
  const Status status = open().status();
  expectFailure(status, StatusCode::unavailable, "CUDA_ERROR_STUB_LIBRARY");
  expectFailure(status, StatusCode::unavailable, "stub library, for linking only");
}

TEST_F(DriverOpen, SaysThatADriverDoesNotStart) {
  fake::failNext("cuInit", 999);
  expectFailure(open().status(), StatusCode::unavailable, "cannot start the CUDA driver");
}

struct DriverCheck : OnFakeDriver {};

TEST_F(DriverCheck, SortsErrors) {
  const std::pair<cu::Result, StatusCode> kinds[] = {
      {0, StatusCode::ok},
      {1, StatusCode::invalidArgument},   // INVALID_VALUE
      {2, StatusCode::outOfMemory},       // OUT_OF_MEMORY
      {4, StatusCode::unavailable},       // DEINITIALIZED
      {46, StatusCode::unavailable},      // DEVICE_UNAVAILABLE
      {100, StatusCode::unavailable},     // NO_DEVICE
      {201, StatusCode::unavailable},     // INVALID_CONTEXT
      {214, StatusCode::deviceFault},     // ECC_UNCORRECTABLE
      {222, StatusCode::unavailable},     // UNSUPPORTED_PTX_VERSION
      {400, StatusCode::invalidArgument}, // INVALID_HANDLE
      {500, StatusCode::notFound},        // NOT_FOUND
      {600, StatusCode::internal},        // NOT_READY
      {700, StatusCode::deviceFault},     // ILLEGAL_ADDRESS
      {701, StatusCode::unsupported},     // LAUNCH_OUT_OF_RESOURCES
      {709, StatusCode::unavailable},     // CONTEXT_IS_DESTROYED
      {715, StatusCode::deviceFault},     // ILLEGAL_INSTRUCTION
      {719, StatusCode::deviceFault},     // LAUNCH_FAILED
      {801, StatusCode::unsupported},     // NOT_SUPPORTED
      {805, StatusCode::unavailable},     // MPS_CONNECTION_FAILED
      {900, StatusCode::invalidArgument}, // STREAM_CAPTURE_UNSUPPORTED
      {912, StatusCode::unsupported},     // INVALID_CLUSTER_SIZE
      {999, StatusCode::deviceFault},     // UNKNOWN
      {12345, StatusCode::internal},
  };
  for (const auto &[result, kind] : kinds)
    EXPECT_EQ(driver->check(result, "test").code(), kind) << result;
}

TEST_F(DriverCheck, HasTheDriversWords) {
  EXPECT_EQ(driver->check(cu::kOutOfMemory, "allocate 5 bytes").message(),
            "cannot allocate 5 bytes: CUDA_ERROR_OUT_OF_MEMORY (out of memory); free device "
            "memory, or use a smaller problem");
  EXPECT_EQ(driver->check(12345, "think").message(), "cannot think: CUresult 12345");
}

TEST_F(DriverCheck, TellsAForkedChild) {
  const std::shared_ptr<const PreparedPlan> plan = prepareGemm();
  const int callsBefore = fake::calls("cuModuleUnload");
  const pid_t child = fork();
  if (child == 0) {
    // NOTE: a child of a test must end without its parent's destructors and reports.
    const std::vector<uint64_t> pointers = {256, 256, 256};
    bool isTold = driver->isForked() && driver->checkProcess().code() == StatusCode::unavailable &&
                  plan->run(pointers, 0, 0, nullptr).code() == StatusCode::unavailable &&
                  PrimaryContext::retain(driver, 0).status().code() == StatusCode::unavailable &&
                  !context->isAlive() &&
                  context->synchronize().message().find("forked") != std::string::npos;
    const_cast<std::shared_ptr<const PreparedPlan> &>(plan).reset();
    isTold = isTold && fake::calls("cuModuleUnload") == callsBefore;
    _exit(isTold ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_FALSE(driver->isForked());
}

} // namespace
