// SPDX-License-Identifier: Apache-2.0
//
// test_gpu: all that is tested on a card. Options are GoogleTest's: --gtest_filter=Sweep*,
// --gtest_output=json:FILE, --gtest_list_tests.

#include "tests/gpu/Deadline.h"
#include "tests/gpu/Gpu.h"
#include "tests/gpu/Mutants.h"
#include "tests/gpu/StoredPlan.h"
#include "tests/gpu/Vectors.h"

#include <cstdio>
#include <memory>
#include <string_view>

using namespace tilewright;

namespace {

/// Says once, ahead of everything, what the tests run on.
class Announcement : public testing::Environment {
  void SetUp() override {
    if (!gpu()) {
      std::printf("no device to test on: %s\n", gpu().status().message().c_str());
      return;
    }
    const DeviceFacts &facts = gpu()->facts;
    std::printf("device %d: %s, %d SMs, %s; driver CUDA %s, NVRTC %s (%s)\n", facts.ordinal,
                facts.info.name.c_str(), facts.info.smCount, facts.uuid.c_str(),
                gpu()->driver->version().toString().c_str(),
                gpu()->nvrtc->version().toString().c_str(), gpu()->nvrtc->library().path().c_str());
    std::fflush(stdout);
  }
};

/// Gives each test a time to end in.
class TimeLimit : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo &test) override {
    deadline_ = std::make_unique<Deadline>(std::string("the test ") + test.test_suite_name() + "." +
                                               test.name(),
                                           std::chrono::seconds(600));
  }
  void OnTestEnd(const testing::TestInfo & /*test*/) override { deadline_.reset(); }

  std::unique_ptr<Deadline> deadline_;
};

} // namespace

int main(int argc, char **argv) {
  if (argc == 3 && std::string_view(argv[1]) == kStoredPlanFlag)
    return runStoredPlan(argv[2]);
  if (argc == 3 && std::string_view(argv[1]) == kMutantFlag)
    return runMutant(argv[2]);
  if (argc == 3 && std::string_view(argv[1]) == kRecordVectorsFlag)
    return recordVectors(argv[2]);
  testing::InitGoogleTest(&argc, argv);
  testing::AddGlobalTestEnvironment(new Announcement);
  testing::UnitTest::GetInstance()->listeners().Append(new TimeLimit);
  return RUN_ALL_TESTS();
}
