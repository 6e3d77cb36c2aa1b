// SPDX-License-Identifier: Apache-2.0
#include "support/Hash.h"

#include <charconv>

// NOTE: inlined, so that no shared library of the build machine is needed where we run.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tilewright {
namespace {

constexpr size_t kHexDigits = 16;

std::string hexOf(uint64_t value) {
  char digits[kHexDigits];
  for (size_t i = 0; i < kHexDigits; ++i)
    digits[kHexDigits - 1 - i] = "0123456789abcdef"[(value >> (4 * i)) & 0xF];
  return {digits, kHexDigits};
}

// Little-endian whatever the host is: the hash names files that move between machines.
void append(std::string &bytes, uint64_t value) {
  for (int i = 0; i < 8; ++i)
    bytes.push_back(static_cast<char>((value >> (8 * i)) & 0xFF));
}

} // namespace

std::string Hash128::toHex() const { return hexOf(high) + hexOf(low); }

Expected<Hash128> Hash128::fromHex(std::string_view text) {
  if (text.size() != 2 * kHexDigits ||
      text.find_first_not_of("0123456789abcdef") != std::string_view::npos)
    return Status::invalidArgument("'" + std::string(text) +
                                   "' is no hash; expected 32 digits of 0-9 and a-f");
  Hash128 hash;
  const char *middle = text.data() + kHexDigits;
  std::from_chars(text.data(), middle, hash.high, 16);
  std::from_chars(middle, middle + kHexDigits, hash.low, 16);
  return hash;
}

Hash128 hashBytes(std::string_view bytes) {
  XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

Hasher &Hasher::add(std::string_view text) {
  append(bytes_, text.size());
  bytes_.append(text);
  return *this;
}

Hasher &Hasher::add(int64_t value) {
  append(bytes_, static_cast<uint64_t>(value));
  return *this;
}

Hasher &Hasher::add(const Hash128 &hash) {
  append(bytes_, hash.high);
  append(bytes_, hash.low);
  return *this;
}

} // namespace tilewright
