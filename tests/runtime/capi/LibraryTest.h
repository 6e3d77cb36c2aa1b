// SPDX-License-Identifier: Apache-2.0
//
// A test of libtilewright.so over the fake driver, with a cache folder of its own.
#pragma once

#include "tests/runtime/driver/fake/FakeDriver.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace tilewright {

class LibraryTest : public testing::Test {
protected:
  void SetUp() override {
    fake::reset();
    driver_ = fake::libraryPath();
    std::string pattern = (std::filesystem::temp_directory_path() / "tw-library-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override {
    std::filesystem::remove_all(folder_);
    EXPECT_EQ(fake::violations(), std::vector<std::string>());
  }

  /// Device memory; freed by the next reset.
  static void *allocate(size_t bytes) {
    return reinterpret_cast<void *>(fake::allocateOn(0, bytes));
  }

  std::string driver_;
  std::string folder_;
};

} // namespace tilewright
