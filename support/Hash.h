// SPDX-License-Identifier: Apache-2.0
//
// Content hashes: stable across processes, machines and versions of this library, so that they
// may name files and rows. Not meant to withstand an adversary. Thread-safety: plain values.

#pragma once

#include "tilewright/Status.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace tilewright {

/// A 128-bit hash of some content.
struct Hash128 {
  uint64_t high = 0;
  uint64_t low = 0;

  /// 32 lower-case hex digits.
  [[nodiscard]] std::string toHex() const;
  /// Reads toHex() back; invalidArgument for anything but 32 lower-case hex digits.
  static Expected<Hash128> fromHex(std::string_view text);

  friend auto operator<=>(const Hash128 &, const Hash128 &) = default;
};

/// The XXH3 128-bit hash of `bytes`.
Hash128 hashBytes(std::string_view bytes);

/// Hashes a sequence of values. Each is delimited, so that ("ab", "c") and ("a", "bc") differ:
///
///   Hash128 key = Hasher().add("gemm").add(problem.m).finish();
class Hasher {
public:
  Hasher &add(std::string_view text);
  Hasher &add(int64_t value);
  Hasher &add(const Hash128 &hash);

  /// The hash of all that was added so far.
  [[nodiscard]] Hash128 finish() const { return hashBytes(bytes_); }

private:
  std::string bytes_;
};

} // namespace tilewright
