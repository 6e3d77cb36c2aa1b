// SPDX-License-Identifier: Apache-2.0
//
// Waitable: something that threads wait for; a deadlock report asks it what it lacks.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::emulator {

struct Thread;

class Waitable {
public:
  Waitable() = default;
  Waitable(const Waitable &) = delete;
  Waitable &operator=(const Waitable &) = delete;
  virtual ~Waitable() = default;

  /// In words: "mbarrier 0x38400 of CTA 0: phase 3 lacks 1 of 2 arrivals and 32768 bytes".
  [[nodiscard]] virtual std::string describe() const = 0;

  /// Threads that sleep until Machine::wake.
  std::vector<Thread *> waiters;
};

} // namespace tilewright::emulator
