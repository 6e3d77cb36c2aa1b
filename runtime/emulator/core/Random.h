// SPDX-License-Identifier: Apache-2.0
//
// Random: the same numbers for the same seed on every machine (xorshift64*), unlike <random>'s
// distributions.

#pragma once

#include <cstdint>

namespace tilewright::emulator {

class Random {
public:
  explicit Random(uint64_t seed) : state_((seed + 1) * 0x9e3779b97f4a7c15ULL | 1) {
    for (int i = 0; i < 4; ++i)
      next();
  }
  uint64_t next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545f4914f6cdd1dULL >> 16;
  }
  /// From 0 to bound - 1.
  uint32_t below(uint32_t bound) { return static_cast<uint32_t>(next() % bound); }
  /// True once in `n` times.
  bool oneIn(uint32_t n) { return below(n) == 0; }

private:
  uint64_t state_;
};

} // namespace tilewright::emulator
