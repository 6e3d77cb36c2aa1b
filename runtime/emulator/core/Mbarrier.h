// SPDX-License-Identifier: Apache-2.0
//
// mbarrier objects: phases, arrivals, transaction counts, and the order that they carry.

#pragma once

#include "runtime/emulator/core/Clock.h"
#include "runtime/emulator/core/Waitable.h"

#include <cstdint>
#include <string>

namespace tilewright::emulator {

struct Cta;
class Machine;

/// The state of one mbarrier. Machine's functions change it; others read it.
class Mbarrier : public Waitable {
public:
  /// Transaction counts lie within ± this.
  static constexpr int32_t kMaxTx = (1 << 20) - 1;

  Mbarrier(Cta &home, uint32_t address, Actor self) : cta(&home), address(address), actor(self) {}

  [[nodiscard]] std::string describe() const override;
  /// "mbarrier 0x38400 of CTA 0".
  [[nodiscard]] std::string name() const;
  /// The epoch of what the phase that is open now releases.
  [[nodiscard]] Epoch openPhase() const { return {actor, phase + 1}; }
  /// Whether a wait for the phase of this parity passes.
  [[nodiscard]] bool passes(int32_t parity) const { return (phase & 1) != parity; }

  Cta *cta;
  uint32_t address;
  Actor actor;
  /// Completed phases, which is the number of the open one.
  int32_t phase = 0;
  int32_t expected = 0;
  /// Arrivals that the open phase still lacks.
  int32_t pending = 0;
  /// Bytes that the open phase still expects; negative while they come before their expect.
  int32_t tx = 0;

  /// Operations issued against it that have not landed.
  int32_t inFlight = 0;

  /// The initialisation, and the epoch of its thread in which it was fenced (0: not yet).
  Epoch initialised = {};
  int32_t fencedAt = 0;
  int32_t initLine = 0;
  const Thread *initialiser = nullptr;

  /// What all arrivals so far released (arrivals are read-modify-writes: it is never cleared).
  Past joined;
  /// The same as of the last completion: what a wait acquires.
  Past completed;
  /// What arrivals of threads of other CTAs released at CTA scope: it names the finding `scope`.
  Clock weak;
  Clock weakCompleted;
  /// Line and thread of the last arrival.
  int32_t lastLine = 0;
  const Thread *lastArriver = nullptr;
};

} // namespace tilewright::emulator
