// SPDX-License-Identifier: Apache-2.0
// The bytes of a file of the code cache: read back, and refused where they are not what was
// written.
#include "cache/CodeFile.h"

#include "support/Hash.h"
#include "tests/cache/SampleCode.h"

#include <gtest/gtest.h>

using namespace tilewright;

namespace {

constexpr std::string_view kKey = "gemm/1 a=fp16 config=bm=128";

std::string sampleFile() {
  Expected<std::string> bytes = writeCodeFile(kKey, sampleSplitCode());
  EXPECT_TRUE(bytes) << bytes.status().toString();
  return bytes ? *bytes : "";
}

void expectRefused(std::string_view bytes, std::string_view reason) {
  const Expected<StoredPlan> read = readCodeFile(bytes, kKey);
  ASSERT_FALSE(read);
  EXPECT_NE(read.status().message().find(reason), std::string::npos) << read.status().toString();
}

/// A file with this header in place of its own, and a right hash.
std::string withHeader(std::string_view header, std::string_view rest) {
  const std::string content = std::string(header) + std::string(rest);
  return "twk 1 " + std::to_string(header.size()) + " " + hashBytes(content).toHex() + "\n" +
         content;
}

TEST(CodeFile, ReadsBackWhatWasWritten) {
  const Expected<StoredPlan> read = readCodeFile(sampleFile(), kKey);
  ASSERT_TRUE(read) << read.status().toString();
  EXPECT_EQ(*read, sampleSplitCode());
}

TEST(CodeFile, IsTheSameForTheSamePlan) { EXPECT_EQ(sampleFile(), sampleFile()); }

TEST(CodeFile, NeedsACubinForEachKernel) {
  StoredPlan stored = sampleSplitCode();
  stored.kernels.pop_back();
  EXPECT_EQ(writeCodeFile(kKey, stored).status().code(), StatusCode::internal);
}

TEST(CodeFile, IsRefusedWhereverItIsCutOff) {
  const std::string bytes = sampleFile();
  for (size_t length = 0; length < bytes.size(); ++length)
    ASSERT_FALSE(readCodeFile(std::string_view(bytes).substr(0, length), kKey)) << "at " << length;
}

TEST(CodeFile, IsRefusedWhicheverBitIsFlipped) {
  const std::string bytes = sampleFile();
  for (size_t bit = 0; bit < 8 * bytes.size(); bit += 3) {
    std::string changed = bytes;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    ASSERT_FALSE(readCodeFile(changed, kKey)) << "bit " << bit;
  }
}

TEST(CodeFile, IsRefusedWithMoreBehindIt) {
  expectRefused(sampleFile() + "x", "its hash is not that of its content");
}

TEST(CodeFile, IsRefusedForAnotherKey) {
  const Expected<StoredPlan> read = readCodeFile(sampleFile(), "gemm/1");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.status().message(), "it was written for another key: " + std::string(kKey));
}

TEST(CodeFile, OfAnotherVersionSaysSo) {
  std::string bytes = sampleFile();
  bytes[4] = '2';
  expectRefused(bytes, "its form has version 2, this is 1");
}

TEST(CodeFile, ForeignFilesAreNamedSo) {
  for (std::string_view bytes : {"", "\n", "hello\n", "twk", "SQLite format 3\n"})
    expectRefused(bytes, "it is no file of the code cache");
  expectRefused("twk 1 x 0\n", "its first line is damaged");
}

// What only a faulty writer can have made: its hash is right.
TEST(CodeFile, DoesNotBelieveTheHeader) {
  expectRefused(withHeader("{", ""), "malformed JSON");
  expectRefused(withHeader("[]", ""), "header: expected an object");
  const std::string start = R"({"key": ")" + std::string(kKey) +
                            R"(", "nvrtc_major": 13, "nvrtc_minor": 0, "compile_us": 0, )";
  expectRefused(withHeader(start + R"("plan_bytes": -1, "kernels": []})", ""),
                "a size is 0 or more");
  expectRefused(withHeader(start + R"("plan_bytes": 1000000, "kernels": []})", "x"), "plan");
  expectRefused(withHeader(start + R"("plan_bytes": 0, "kernels": 5})", ""), "kernels");
}

} // namespace
