// SPDX-License-Identifier: Apache-2.0
#include "support/Hash.h"

#include <gtest/gtest.h>

using namespace tilewright;

namespace {

// Hashes name files and rows: a change of these values makes every stored entry unreachable.
TEST(Hash, ValuesArePinned) {
  EXPECT_EQ(hashBytes("").toHex(), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(hashBytes("tilewright").toHex(), "f36fc683e25cd4b5f5e0a0c63469c4df");
  EXPECT_EQ(Hasher().add("gemm").add(int64_t{-3}).finish().toHex(),
            "96716d36ac74ab4798a71af202c80950");
}

TEST(Hash, HexReadsBack) {
  for (std::string_view text : {"", "a", "some content"}) {
    Hash128 hash = hashBytes(text);
    EXPECT_EQ(hash.toHex().size(), 32U);
    Expected<Hash128> read = Hash128::fromHex(hash.toHex());
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, hash);
  }
  EXPECT_EQ((Hash128{.high = 0, .low = 10}.toHex()), "0000000000000000000000000000000a");
}

TEST(Hash, MalformedHexIsRefused) {
  for (const char *text : {"", "12", "0000000000000000000000000000000g",
                           "0000000000000000000000000000000A", "000000000000000000000000000000000"})
    EXPECT_EQ(Hash128::fromHex(text).status().code(), StatusCode::invalidArgument) << text;
}

TEST(Hasher, PartsAreDelimited) {
  EXPECT_NE(Hasher().add("ab").add("c").finish(), Hasher().add("a").add("bc").finish());
  EXPECT_NE(Hasher().add("").add("a").finish(), Hasher().add("a").add("").finish());
  EXPECT_NE(Hasher().add(int64_t{1}).add(int64_t{2}).finish(),
            Hasher().add(int64_t{2}).add(int64_t{1}).finish());
}

TEST(Hasher, FinishDoesNotDisturb) {
  Hasher hasher;
  hasher.add("a");
  Hash128 first = hasher.finish();
  EXPECT_EQ(hasher.finish(), first);
  EXPECT_NE(hasher.add(first).finish(), first);
}

} // namespace
