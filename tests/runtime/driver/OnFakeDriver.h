// SPDX-License-Identifier: Apache-2.0
//
// OnFakeDriver: a test with a fresh fake driver, opened, and the context of its first device. At
// the end nothing may be left on the device, and the driver must not have been misused.
#pragma once

#include "runtime/driver/Context.h"
#include "runtime/driver/PreparedPlan.h"
#include "tests/runtime/driver/fake/FakeDriver.h"
#include "tests/support/SamplePlans.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace tilewright {

/// What a plan gives, or a test failure and a null pointer.
template <typename T>
T valueOf(Expected<T> result) {
  EXPECT_TRUE(result) << result.status().toString();
  return result ? *std::move(result) : T{};
}

inline void expectFailure(const Status &status, StatusCode code, std::string_view part) {
  EXPECT_EQ(status.code(), code) << status.toString();
  EXPECT_NE(status.message().find(part), std::string::npos) << status.toString();
}

class OnFakeDriver : public testing::Test {
protected:
  void SetUp() override {
    fake::reset();
    open();
  }

  void TearDown() override {
    context.reset();
    driver.reset();
    EXPECT_EQ(fake::leaks(), "");
    EXPECT_EQ(fake::violations(), std::vector<std::string>());
    EXPECT_EQ(fake::contextStack().size(), 0U);
  }

  void open() {
    driver = valueOf(Driver::open({.library = fake::libraryPath()}));
    ASSERT_TRUE(driver);
    context = valueOf(PrimaryContext::retain(driver, 0));
    ASSERT_TRUE(context);
  }

  /// sampleGemmPlan's kernel, and scalars for it: m, n, k, lda, alpha.
  static std::vector<std::string> gemmCubins() {
    return {fake::makeCubin({{.entry = "gemm", .parameters = {128, 128, 8, 4, 8, 4}}})};
  }
  static std::vector<ArgumentValue> gemmScalars(int64_t m = 1000, int64_t n = 512,
                                                int64_t k = 256) {
    return {m, n, k, k, 0.5F};
  }
  /// sampleSplitPlan's kernels, and scalars for it: m, n, k, splits.
  static std::vector<std::string> splitCubins() {
    return {fake::makeCubin({{.entry = "partial", .parameters = {128, 128, 128, 8, 4}}}),
            fake::makeCubin({{.entry = "reduce", .parameters = {8, 8, 4}}})};
  }
  static std::vector<ArgumentValue> splitScalars() {
    return {int64_t{256}, int64_t{128}, int64_t{512}, int64_t{2}};
  }

  std::shared_ptr<const PreparedPlan> prepareGemm(const PrepareOptions &options = {}) const {
    return valueOf(
        PreparedPlan::prepare(context, sampleGemmPlan(), gemmCubins(), gemmScalars(), options));
  }

  std::shared_ptr<const Driver> driver;
  std::shared_ptr<const PrimaryContext> context;
};

} // namespace tilewright
