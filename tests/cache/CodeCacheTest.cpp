// SPDX-License-Identifier: Apache-2.0
// The code cache on disk: what was stored is found, and every fault is a miss.
#include "cache/CodeCache.h"

#include "support/Hash.h"
#include "tests/cache/SampleCode.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
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

  [[nodiscard]] std::string stores() const { return (folder_ / "stores").string(); }
  Log log() {
    return {LogLevel::warning,
            [this](LogLevel, std::string_view message) { messages_.emplace_back(message); }};
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
  const CodeCache cache(stores(), log());
  EXPECT_FALSE(cache.find("one"));
  EXPECT_TRUE(cache.store("one", sampleCode()));
  EXPECT_EQ(cache.find("one"), sampleCode());
  EXPECT_FALSE(cache.find("two"));
  EXPECT_EQ(messages_, std::vector<std::string>());
}

TEST_F(CodeCacheTest, FindsWhatAnotherCacheOfTheFolderStored) {
  EXPECT_TRUE(CodeCache(stores(), log()).store("one", sampleSplitCode()));
  EXPECT_EQ(CodeCache(stores(), log()).find("one"), sampleSplitCode());
}

TEST_F(CodeCacheTest, ReplacesAnEntry) {
  const CodeCache cache(stores(), log());
  EXPECT_TRUE(cache.store("one", sampleCode(1)));
  EXPECT_TRUE(cache.store("one", sampleCode(2)));
  EXPECT_EQ(cache.find("one"), sampleCode(2));
  EXPECT_EQ(filesIn(folder_), 1U);
}

TEST_F(CodeCacheTest, NamesFilesByTheHashOfTheKey) {
  const CodeCache cache(stores(), log());
  const std::string digits = hashBytes("one").toHex();
  EXPECT_EQ(cache.path("one"), stores() + "/code/" + digits.substr(0, 2) + "/" + digits + ".twk");
}

TEST_F(CodeCacheTest, KeepsFilesForTheUserAlone) {
  const CodeCache cache(stores(), log());
  EXPECT_TRUE(cache.store("one", sampleCode()));
  struct stat facts = {};
  ASSERT_EQ(stat(cache.path("one").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0600U);
  ASSERT_EQ(stat(stores().c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0700U);
}

TEST_F(CodeCacheTest, MissesDamagedFilesSaysSoOnceAndMendsThem) {
  const CodeCache cache(stores(), log());
  for (const char *key : {"one", "two"}) {
    EXPECT_TRUE(cache.store(key, sampleCode()));
    fs::resize_file(cache.path(key), 60);
    EXPECT_FALSE(cache.find(key));
  }
  ASSERT_EQ(messages_.size(), 1U);
  EXPECT_NE(messages_[0].find("is ignored: it is truncated or damaged"), std::string::npos)
      << messages_[0];
  EXPECT_TRUE(cache.store("one", sampleCode()));
  EXPECT_EQ(cache.find("one"), sampleCode());
}

TEST_F(CodeCacheTest, MissesAFileThatWasMoved) {
  const CodeCache cache(stores(), log());
  EXPECT_TRUE(cache.store("one", sampleCode()));
  fs::create_directories(fs::path(cache.path("two")).parent_path());
  fs::copy_file(cache.path("one"), cache.path("two"));
  EXPECT_FALSE(cache.find("two"));
  ASSERT_EQ(messages_.size(), 1U);
  EXPECT_NE(messages_[0].find("written for another key: one"), std::string::npos) << messages_[0];
}

TEST_F(CodeCacheTest, MissesWhatIsNoRegularFile) {
  const CodeCache cache(stores(), log());
  EXPECT_TRUE(cache.store("link", sampleCode()));
  fs::rename(cache.path("link"), folder_ / "elsewhere");
  fs::create_symlink(folder_ / "elsewhere", cache.path("link"));
  EXPECT_FALSE(cache.find("link"));

  fs::create_directories(cache.path("folder"));
  EXPECT_FALSE(cache.find("folder"));
  EXPECT_FALSE(cache.store("folder", sampleCode()));

  // A pipe without a writer would be waited for.
  fs::create_directories(fs::path(cache.path("pipe")).parent_path());
  ASSERT_EQ(mkfifo(cache.path("pipe").c_str(), 0600), 0);
  EXPECT_FALSE(cache.find("pipe"));
  EXPECT_TRUE(cache.store("pipe", sampleCode()));
  EXPECT_EQ(cache.find("pipe"), sampleCode());
}

TEST_F(CodeCacheTest, KeepsNothingWhereAFileStandsInTheWay) {
  std::ofstream(folder_ / "stores") << "a file";
  const CodeCache cache(stores(), log());
  EXPECT_FALSE(cache.find("one"));
  EXPECT_FALSE(cache.store("one", sampleCode()));
  EXPECT_FALSE(cache.store("two", sampleCode()));
  ASSERT_EQ(messages_.size(), 1U);
  EXPECT_NE(messages_[0].find("is not kept: cannot make the folder"), std::string::npos)
      << messages_[0];
}

TEST_F(CodeCacheTest, KeepsNothingInAFolderThatMayNotBeWritten) {
  if (geteuid() == 0)
    GTEST_SKIP() << "root may write anywhere";
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_FALSE(CodeCache(stores(), log()).store("one", sampleCode()));
}

TEST_F(CodeCacheTest, ComesBackWhenItsFolderIsDeleted) {
  const CodeCache cache(stores(), log());
  EXPECT_TRUE(cache.store("one", sampleCode()));
  fs::remove_all(stores());
  EXPECT_FALSE(cache.find("one"));
  EXPECT_TRUE(cache.store("one", sampleCode()));
  EXPECT_EQ(cache.find("one"), sampleCode());
}

TEST_F(CodeCacheTest, RemovesWhatKilledWritersLeftBehind) {
  const CodeCache cache(stores(), log());
  EXPECT_TRUE(cache.store("one", sampleCode()));
  const fs::path beside = fs::path(cache.path("one")).parent_path();
  for (const char *name : {".old.twk.1.1.tmp", ".new.twk.1.1.tmp"})
    std::ofstream(beside / name) << "half";
  fs::last_write_time(beside / ".old.twk.1.1.tmp",
                      fs::file_time_type::clock::now() - std::chrono::hours(2));
  EXPECT_TRUE(cache.store("one", sampleCode()));
  EXPECT_FALSE(fs::exists(beside / ".old.twk.1.1.tmp"));
  EXPECT_TRUE(fs::exists(beside / ".new.twk.1.1.tmp")) << "it may be in use";
}

TEST_F(CodeCacheTest, ThreadsStoreAndFindTheSameEntries) {
  const CodeCache cache(stores(), log());
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread)
    threads.emplace_back([&, thread] {
      for (int round = 0; round < 20; ++round) {
        const int number = (round + thread) % 10;
        const std::string key = "key " + std::to_string(number);
        if (std::optional<StoredPlan> found = cache.find(key);
            found && *found != sampleCode(number))
          ++wrong;
        if (!cache.store(key, sampleCode(number)))
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
  const CodeCache cache(stores(), log());
  EXPECT_TRUE(cache.store("one", sampleCode(1)));
  for (int round = 0; round < 20; ++round) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      for (int number = 0;; ++number)
        cache.store("one", sampleCode(1 + number % 2));
    }
    usleep(static_cast<useconds_t>(300 * round));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    const std::optional<StoredPlan> found = cache.find("one");
    ASSERT_TRUE(found);
    EXPECT_TRUE(*found == sampleCode(1) || *found == sampleCode(2));
  }
}

} // namespace
