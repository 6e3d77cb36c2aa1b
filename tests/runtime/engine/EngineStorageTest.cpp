// SPDX-License-Identifier: Apache-2.0
// What engines keep on disk, and what they do with what they find there.
#include "tests/runtime/engine/OnEngine.h"

using namespace tilewright;

namespace fs = std::filesystem;

namespace {

struct EngineStorageTest : OnEngine {};

TEST_F(EngineStorageTest, AnotherEngineFindsItOnDiskWithoutACompiler) {
  ask(*make(settings()), sampleRequest());
  EngineSettings without = settings();
  without.nvrtcLibrary = "/nowhere/libnvrtc.so";
  const auto engine = make(without);
  const KernelAnswer answer = ask(*engine, sampleRequest(333));
  EXPECT_EQ(answer.source, AnswerSource::disk);
  EXPECT_EQ(answer.nvrtcCalls, 0);
  EXPECT_FALSE(answer.mlir);
  ASSERT_TRUE(answer.kernel->prepare().isOk());
  EXPECT_TRUE(answer.kernel->run(operandsOf(*answer.kernel), nullptr, 0, nullptr).isOk());
  ASSERT_EQ(fake::launches().size(), 1U);
  EXPECT_EQ(fake::launches()[0].entry, "gemm_kernel");
}

TEST_F(EngineStorageTest, WithoutACompilerAMissIsUnavailable) {
  EngineSettings without = settings();
  without.nvrtcLibrary = "/nowhere/libnvrtc.so";
  const auto engine = make(without);
  expectFailure(engine->request(sampleRequest()).status(), StatusCode::unavailable, "nvrtc");
  EXPECT_EQ(engine->tally().mlirContexts, 0U);
}

TEST_F(EngineStorageTest, CachedOnlyNeverCompiles) {
  const auto engine = make(settings());
  expectFailure(engine->request(sampleRequest(), /*mayCompile=*/false).status(),
                StatusCode::notFound, "no compiled plan is stored for gemm/1 m=256");
  ask(*engine, sampleRequest());
  const Expected<KernelAnswer> other = engine->request(sampleRequest(512), /*mayCompile=*/false);
  ASSERT_TRUE(other) << other.status().toString();
  EXPECT_EQ(other->source, AnswerSource::memory);
  const Expected<KernelAnswer> stored = make(settings())->request(sampleRequest(), false);
  ASSERT_TRUE(stored) << stored.status().toString();
  EXPECT_EQ(stored->source, AnswerSource::disk);
}

TEST_F(EngineStorageTest, ADamagedFileIsCompiledAnewAndReplaced) {
  ask(*make(settings()), sampleRequest());
  ASSERT_FALSE(onlyFile().empty());
  fs::resize_file(onlyFile(), fs::file_size(onlyFile()) - 1);
  EXPECT_EQ(ask(*make(settings()), sampleRequest()).source, AnswerSource::config);
  ASSERT_EQ(messages_.size(), 1U);
  EXPECT_NE(messages_[0].find("truncated or damaged"), std::string::npos) << messages_[0];
  EXPECT_EQ(ask(*make(settings()), sampleRequest()).source, AnswerSource::disk);
}

TEST_F(EngineStorageTest, WithoutADiskCacheNothingIsKept) {
  EngineSettings off = settings();
  off.diskCache = false;
  ask(*make(off), sampleRequest());
  EXPECT_TRUE(onlyFile().empty());
}

TEST_F(EngineStorageTest, ARelativeCacheFolderIsNone) {
  EngineSettings relative = settings();
  relative.cacheFolder = "somewhere/here";
  make(relative);
  ASSERT_EQ(messages_.size(), 1U);
  EXPECT_NE(messages_[0].find("is relative"), std::string::npos) << messages_[0];
  EXPECT_FALSE(fs::exists("somewhere"));
}

// A driver of CUDA 12 cannot load cubins of CUDA 13: those that another machine stored are left
// alone, and not found.
TEST_F(EngineStorageTest, CubinsThatTheDriverCannotLoadAreNotFound) {
  const KernelAnswer made = ask(*make(settings()), sampleRequest());
  const CudaVersion version = made.kernel->code()->cubinVersion();
  fake::setVersion(1000 * (version.major - 1) + 80);
  if (version.major - 1 < kOldestDriver.major)
    GTEST_SKIP() << "the compiler is of the oldest CUDA that we know";
  expectFailure(make(settings())->request(sampleRequest(), false).status(), StatusCode::notFound,
                "no compiled plan");
}

TEST_F(EngineStorageTest, ADriverThatIsTooOldForTheCubinIsNamedWithIt) {
  fake::setVersion(12080);
  fake::setNewestCubin(0);
  const auto engine = make(settings());
  const KernelAnswer answer = ask(*engine, sampleRequest());
  const CudaVersion made = answer.kernel->code()->cubinVersion();
  if (made <= CudaVersion{12, 8})
    GTEST_SKIP() << "the compiler is as old as the driver";
  expectFailure(answer.kernel->prepare(), StatusCode::unavailable, made.toString());
  expectFailure(answer.kernel->prepare(), StatusCode::unavailable, "12.8");
  // A failure is not remembered.
  fake::setNewestCubin(1 << 30);
  EXPECT_TRUE(answer.kernel->prepare().isOk());
}

TEST_F(EngineStorageTest, ANamedTargetCompilesAndDoesNotRun) {
  EngineSettings target = settings();
  target.target = "h100";
  target.driverLibrary = "/nowhere/libcuda.so.1";
  const auto engine = make(target);
  EXPECT_EQ(engine->context(), nullptr);
  const KernelAnswer answer = ask(*engine, sampleRequest());
  EXPECT_EQ(answer.source, AnswerSource::config);
  EXPECT_GT(answer.kernel->figures().ctas, 0);
  expectFailure(answer.kernel->prepare(), StatusCode::unavailable, "has no device");
  // What it stored serves a device.
  EXPECT_EQ(ask(*make(settings()), sampleRequest()).source, AnswerSource::disk);
}

} // namespace
