// SPDX-License-Identifier: Apache-2.0
// The code cache on disk: what was stored is found, and every fault is a miss.
#include "cache/CodeCache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace tilewright;

namespace fs = std::filesystem;

namespace {

Hash128 addressOf(int64_t number) { return Hasher().add(number).finish(); }

CodeEntry entryOf(int64_t number) {
  return {.planText = "plan " + std::to_string(number),
          .info = "{}",
          .cubins = {std::string(static_cast<size_t>(100 + 5000 * (number % 7)), 'c')}};
}

class CodeCacheTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "tw-code-cache-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override {
    std::error_code ignored;
    fs::permissions(folder_, fs::perms::owner_all, ignored);
    fs::remove_all(folder_, ignored);
  }

  CodeCache open() {
    return {folder_ / "cache", Log(LogLevel::warning, [this](LogLevel, std::string_view message) {
              messages_.emplace_back(message);
            })};
  }
  [[nodiscard]] size_t filesIn(const fs::path &folder) const {
    size_t count = 0;
    for (const auto &entry : fs::recursive_directory_iterator(folder))
      count += entry.is_regular_file() ? 1 : 0;
    return count;
  }

  fs::path folder_;
  std::vector<std::string> messages_;
};

TEST_F(CodeCacheTest, FindsWhatWasStored) {
  const CodeCache cache = open();
  EXPECT_FALSE(cache.find(addressOf(1)));
  EXPECT_TRUE(cache.insert(addressOf(1), entryOf(1)));
  EXPECT_EQ(cache.find(addressOf(1)), entryOf(1));
  EXPECT_FALSE(cache.find(addressOf(2)));
  EXPECT_TRUE(messages_.empty());
}

TEST_F(CodeCacheTest, FindsWhatAnotherCacheOfTheFolderStored) {
  EXPECT_TRUE(open().insert(addressOf(1), entryOf(1)));
  EXPECT_EQ(open().find(addressOf(1)), entryOf(1));
}

TEST_F(CodeCacheTest, ReplacesAnEntry) {
  const CodeCache cache = open();
  EXPECT_TRUE(cache.insert(addressOf(1), entryOf(1)));
  EXPECT_TRUE(cache.insert(addressOf(1), entryOf(2)));
  EXPECT_EQ(cache.find(addressOf(1)), entryOf(2));
  EXPECT_EQ(filesIn(folder_), 1U);
}

TEST_F(CodeCacheTest, KeepsFilesForTheUserAlone) {
  const CodeCache cache = open();
  EXPECT_TRUE(cache.insert(addressOf(1), entryOf(1)));
  struct stat facts = {};
  ASSERT_EQ(stat(cache.fileOf(addressOf(1)).c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0600U);
  ASSERT_EQ(stat((folder_ / "cache").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0700U);
}

TEST_F(CodeCacheTest, IsOffWithoutAFolder) {
  EXPECT_FALSE(CodeCache().isOn());
  EXPECT_FALSE(CodeCache("", Log()).isOn());
  EXPECT_FALSE(CodeCache().insert(addressOf(1), entryOf(1)));
  EXPECT_FALSE(CodeCache().find(addressOf(1)));
  EXPECT_TRUE(CodeCache().fileOf(addressOf(1)).empty());
}

TEST_F(CodeCacheTest, IsOffInARelativeFolder) {
  std::string told;
  const CodeCache cache(
      "some/folder", Log(LogLevel::warning, [&](LogLevel, std::string_view text) { told = text; }));
  EXPECT_FALSE(cache.isOn());
  EXPECT_NE(told.find("not an absolute path"), std::string::npos) << told;
}

TEST_F(CodeCacheTest, MissesADamagedFileAndSaysSoOnce) {
  const CodeCache cache = open();
  for (int64_t number : {1, 2}) {
    EXPECT_TRUE(cache.insert(addressOf(number), entryOf(number)));
    fs::resize_file(cache.fileOf(addressOf(number)), 40);
    EXPECT_FALSE(cache.find(addressOf(number)));
  }
  ASSERT_EQ(messages_.size(), 1U);
  EXPECT_NE(messages_[0].find("is ignored"), std::string::npos) << messages_[0];
  // And mends it with the next store.
  EXPECT_TRUE(cache.insert(addressOf(1), entryOf(1)));
  EXPECT_EQ(cache.find(addressOf(1)), entryOf(1));
}

TEST_F(CodeCacheTest, MissesAFileThatWasMoved) {
  const CodeCache cache = open();
  EXPECT_TRUE(cache.insert(addressOf(1), entryOf(1)));
  fs::create_directories(cache.fileOf(addressOf(2)).parent_path());
  fs::copy_file(cache.fileOf(addressOf(1)), cache.fileOf(addressOf(2)));
  EXPECT_FALSE(cache.find(addressOf(2)));
}

TEST_F(CodeCacheTest, MissesLinksAndFoldersInPlaceOfAFile) {
  const CodeCache cache = open();
  EXPECT_TRUE(cache.insert(addressOf(1), entryOf(1)));
  fs::rename(cache.fileOf(addressOf(1)), folder_ / "elsewhere");
  fs::create_symlink(folder_ / "elsewhere", cache.fileOf(addressOf(1)));
  EXPECT_FALSE(cache.find(addressOf(1)));
  fs::create_directories(cache.fileOf(addressOf(2)));
  EXPECT_FALSE(cache.find(addressOf(2)));
  EXPECT_FALSE(cache.insert(addressOf(2), entryOf(2)));
}

TEST_F(CodeCacheTest, KeepsNothingWhereAFileStandsInTheWay) {
  std::ofstream(folder_ / "cache") << "a file";
  const CodeCache cache = open();
  EXPECT_FALSE(cache.find(addressOf(1)));
  EXPECT_FALSE(cache.insert(addressOf(1), entryOf(1)));
  EXPECT_FALSE(cache.insert(addressOf(2), entryOf(2)));
  ASSERT_EQ(messages_.size(), 1U);
  EXPECT_NE(messages_[0].find("is not kept"), std::string::npos) << messages_[0];
}

TEST_F(CodeCacheTest, KeepsNothingInAFolderThatMayNotBeWritten) {
  if (geteuid() == 0)
    GTEST_SKIP() << "root may write anywhere";
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_FALSE(open().insert(addressOf(1), entryOf(1)));
}

TEST_F(CodeCacheTest, KeepsNothingWhenItsFolderIsDeletedAndComesBack) {
  const CodeCache cache = open();
  EXPECT_TRUE(cache.insert(addressOf(1), entryOf(1)));
  fs::remove_all(folder_ / "cache");
  EXPECT_FALSE(cache.find(addressOf(1)));
  EXPECT_TRUE(cache.insert(addressOf(1), entryOf(1)));
  EXPECT_EQ(cache.find(addressOf(1)), entryOf(1));
}

TEST_F(CodeCacheTest, ThreadsStoreAndFindTheSameEntries) {
  const CodeCache cache = open();
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread)
    threads.emplace_back([&, thread] {
      for (int64_t round = 0; round < 40; ++round) {
        const int64_t number = (round + thread) % 10;
        if (std::optional<CodeEntry> found = cache.find(addressOf(number));
            found && *found != entryOf(number))
          ++wrong;
        if (!cache.insert(addressOf(number), entryOf(number)))
          ++wrong;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(filesIn(folder_), 10U) << "entries, and nothing that was written aside";
}

// A store that is killed at any moment leaves the old entry or the new one.
TEST_F(CodeCacheTest, AKilledWriterLeavesAWholeEntry) {
  const CodeCache cache = open();
  EXPECT_TRUE(cache.insert(addressOf(1), entryOf(1)));
  for (int round = 0; round < 20; ++round) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      for (int64_t number = 0;; ++number)
        cache.insert(addressOf(1), entryOf(1 + number % 2));
    }
    usleep(static_cast<useconds_t>(300 * round));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    const std::optional<CodeEntry> found = cache.find(addressOf(1));
    ASSERT_TRUE(found);
    EXPECT_TRUE(*found == entryOf(1) || *found == entryOf(2));
  }
}

} // namespace
