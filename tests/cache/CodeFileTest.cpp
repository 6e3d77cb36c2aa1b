// SPDX-License-Identifier: Apache-2.0
// The bytes of a file of the code cache: read back, and refused where they are not what was
// written.
#include "cache/CodeFile.h"

#include <gtest/gtest.h>

using namespace tilewright;

namespace {

constexpr Hash128 kAddress = {0x0123456789abcdef, 0xfedcba9876543210};

CodeEntry sampleEntry() {
  return {.planText = "{\"plan\": 1}",
          .info = "{}",
          .cubins = {std::string("\x7f"
                                 "ELF\0\0binary",
                                 12),
                     std::string(3000, 'k'), ""}};
}

TEST(CodeFile, ReadsBackWhatWasWritten) {
  const CodeEntry entry = sampleEntry();
  const DecodedCodeFile decoded = decodeCodeFile(kAddress, encodeCodeFile(kAddress, entry));
  ASSERT_TRUE(decoded.entry) << decoded.fault;
  EXPECT_EQ(*decoded.entry, entry);
  EXPECT_EQ(decoded.fault, "");
}

TEST(CodeFile, ReadsBackAnEmptyEntry) {
  const DecodedCodeFile decoded = decodeCodeFile(kAddress, encodeCodeFile(kAddress, {}));
  ASSERT_TRUE(decoded.entry) << decoded.fault;
  EXPECT_EQ(*decoded.entry, CodeEntry());
}

TEST(CodeFile, IsTheSameForTheSameEntry) {
  EXPECT_EQ(encodeCodeFile(kAddress, sampleEntry()), encodeCodeFile(kAddress, sampleEntry()));
}

TEST(CodeFile, IsRefusedWhereverItIsCutOff) {
  const std::string bytes = encodeCodeFile(kAddress, sampleEntry());
  for (size_t length = 0; length < bytes.size(); ++length)
    ASSERT_FALSE(decodeCodeFile(kAddress, bytes.substr(0, length)).entry) << "at " << length;
}

TEST(CodeFile, IsRefusedWhicheverBitIsFlipped) {
  const std::string bytes = encodeCodeFile(kAddress, sampleEntry());
  for (size_t bit = 0; bit < 8 * bytes.size(); bit += 3) {
    std::string changed = bytes;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    ASSERT_FALSE(decodeCodeFile(kAddress, changed).entry) << "bit " << bit;
  }
}

TEST(CodeFile, IsRefusedWithMoreBehindIt) {
  EXPECT_FALSE(decodeCodeFile(kAddress, encodeCodeFile(kAddress, sampleEntry()) + "x").entry);
}

TEST(CodeFile, IsRefusedUnderAnotherAddress) {
  const DecodedCodeFile decoded =
      decodeCodeFile({kAddress.high, kAddress.low + 1}, encodeCodeFile(kAddress, sampleEntry()));
  EXPECT_FALSE(decoded.entry);
  EXPECT_EQ(decoded.fault, "it was stored under another address");
}

TEST(CodeFile, OfAnotherVersionSaysSo) {
  std::string bytes = encodeCodeFile(kAddress, sampleEntry());
  bytes[8] = 2;
  EXPECT_EQ(decodeCodeFile(kAddress, bytes).fault, "its format is version 2; this library reads 1");
}

// Lengths that only a faulty writer can have made: their checksum is right.
TEST(CodeFile, DoesNotBelieveLengths) {
  std::string bytes = encodeCodeFile(kAddress, sampleEntry());
  bytes.resize(bytes.size() - 16);
  bytes[32] = '\xff';
  bytes[39] = '\x7f';
  const Hash128 hash = hashBytes(bytes);
  for (uint64_t half : {hash.high, hash.low})
    for (int i = 0; i < 8; ++i)
      bytes.push_back(static_cast<char>((half >> (8 * i)) & 0xff));
  EXPECT_EQ(decodeCodeFile(kAddress, bytes).fault, "its texts are longer than the file");
}

} // namespace
