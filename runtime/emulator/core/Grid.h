// SPDX-License-Identifier: Apache-2.0
//
// The parts of a grid: clusters of CTAs of warps of threads, with the state of each. Plain structs;
// Machine's functions keep them consistent.

#pragma once

#include "runtime/emulator/core/Clock.h"
#include "runtime/emulator/core/Fiber.h"
#include "runtime/emulator/core/Mbarrier.h"
#include "runtime/emulator/core/Shadow.h"
#include "runtime/emulator/core/Waitable.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace tilewright::emulator {

struct Cluster;
struct Cta;
struct Warp;
class Machine;

constexpr int32_t kLanes = 32;
constexpr int32_t kNamedBarriers = 16;

/// What passes from releasing to acquiring threads at some location of memory.
struct SyncPoint {
  /// What the threads of one CTA released at one scope: whom it reaches depends on who asks.
  struct Source {
    int32_t cta;
    int32_t cluster;
    Scope scope;
    Past past;
  };
  std::vector<Source> sources;
};

/// One thread.
struct Thread {
  Fiber fiber;
  Machine *machine = nullptr;
  Cta *cta = nullptr;
  Warp *warp = nullptr;
  /// In its CTA, in its warp.
  int32_t index = 0;
  int32_t lane = 0;
  Actor actor = 0;
  /// Its present epoch is {actor, now}.
  int32_t now = 1;
  Past past;
  /// What it would know if edges of too narrow a scope counted; empty until it meets one.
  Clock weak;
  /// The mbarrier initialisations of its epochs up to this one are fenced.
  int32_t initFenced = 0;
  /// What its last fence.acq_rel covered, and what relaxed loads saw and a fence has yet to take.
  std::unique_ptr<Past> fenced;
  Scope fencedScope = Scope::cta;
  std::unique_ptr<SyncPoint> unacquired;
  /// It waited for a phase of an mbarrier, and the next one was complete before it looked again.
  bool overtaken = false;

  bool ended = false;
  bool clusterArrived = false;
  int32_t clusterPhase = 0;
  int32_t clusterArriveLine = 0;
  /// Why it sleeps.
  Waitable *blockedOn = nullptr;
  const char *blockedIn = "";
  int32_t blockedLine = 0;

  /// The last records it made, so that a loop over registers makes one and not many.
  struct Recent {
    int32_t line = 0;
    int32_t epoch = 0;
    const char *what = nullptr;
    AccessId id = 0;
  };
  std::array<Recent, 4> recent = {};
  uint32_t recentAt = 0;

  /// Number of the thread in its cluster, from 0: for side tables.
  [[nodiscard]] uint32_t slot() const { return indexOf(actor); }
  [[nodiscard]] Epoch epoch() const { return {actor, now}; }
};

/// What all lanes must agree about at a collective.
struct GatherKey {
  /// The device function. A literal.
  const char *what = "";
  int32_t line = 0;
  /// Arguments that must be uniform.
  int32_t a = 0;
  int32_t b = 0;
  /// `.aligned` in PTX: all lanes at the same instruction, so at the same line.
  bool aligned = true;
};

struct LaneValue {
  uint64_t value = 0;
  int32_t operand = 0;
};
using WarpValues = std::array<LaneValue, kLanes>;

/// Lanes of a warp that have come to a collective.
class Gathering : public Waitable {
public:
  [[nodiscard]] std::string describe() const override;

  const Warp *warp = nullptr;
  GatherKey key;
  uint32_t here = 0;
  /// Collectives that have completed.
  int32_t generation = 0;
  /// Two, because slow lanes still read the last one's while quick ones fill the next.
  std::array<WarpValues, 2> values = {};
};

/// One warp.
struct Warp {
  Cta *cta = nullptr;
  int32_t index = 0;
  std::array<Thread *, kLanes> lanes = {};
  /// Lanes that exist: fewer than 32 in a last warp.
  uint32_t all = 0;
  uint32_t exited = 0;
  int32_t electedLane = 0;
  Gathering gathering;
  int32_t barrierGeneration = 0;
  int32_t registers = 0;

  // The scheduler's.
  uint32_t ready = 0;
  uint32_t priority = 0;
  bool queued = false;
};

/// A named barrier of a CTA (barrier 0 is cta_sync's).
class NamedBarrier : public Waitable {
public:
  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] std::string name() const;

  const Cta *cta = nullptr;
  int32_t id = 0;
  int32_t generation = 0;
  /// Threads of the open phase: expected (0 before the first comes) and here.
  int32_t expected = 0;
  int32_t arrived = 0;
  /// Warps that have arrived in the open phase, a bit each; those of them that wait; the first's
  /// line.
  uint32_t warps = 0;
  uint32_t waiting = 0;
  int32_t firstLine = 0;
  Past joined;
};

/// The registers of a CTA that no warp holds.
class RegisterPool : public Waitable {
public:
  [[nodiscard]] std::string describe() const override;
  const Cta *cta = nullptr;
  int32_t free = 0;
};

/// The barrier of a cluster.
class ClusterBarrier : public Waitable {
public:
  [[nodiscard]] std::string describe() const override;
  const Cluster *cluster = nullptr;
  /// Completed phases.
  int32_t phase = 0;
  int32_t arrived = 0;
  int32_t exited = 0;
  int32_t threads = 0;
  Past joined;
  Past completed;
};

/// The newest access of a CTA's shared memory by somebody outside.
struct RemoteAccess {
  const Thread *thread;
  Epoch epoch;
  Epoch alternative;
  const char *what;
  int32_t line;
};

/// One CTA.
struct Cta {
  explicit Cta(const AccessLog &log) : shadow(log) {}

  Machine *machine = nullptr;
  Cluster *cluster = nullptr;
  /// In the grid, in its cluster.
  int32_t index = 0;
  int32_t rank = 0;
  /// Shared address of the first byte of dynamic shared memory.
  uint32_t base = 0;
  std::vector<uint8_t> shared;
  Shadow shadow;
  std::vector<std::unique_ptr<Thread>> threads;
  std::vector<std::unique_ptr<Warp>> warps;
  /// By shared address.
  std::unordered_map<uint32_t, std::unique_ptr<Mbarrier>> mbarriers;
  std::array<NamedBarrier, kNamedBarriers> namedBarriers;
  RegisterPool registers;
  std::vector<RemoteAccess> remoteAccesses;
  int32_t running = 0;
  bool ended = false;

  /// The byte at a shared address, which is in bounds.
  [[nodiscard]] uint8_t *at(uint32_t address) { return shared.data() + (address - base); }
  /// Frees what is large; findings may still name the threads.
  void dropMemory() {
    shared = {};
    shadow.reset(0);
    for (const auto &thread : threads)
      thread->past = {};
  }
};

/// One cluster.
struct Cluster {
  int32_t index = 0;
  std::vector<std::unique_ptr<Cta>> ctas;
  ClusterBarrier barrier;
  uint32_t actors = 0;
  int32_t running = 0;
};

} // namespace tilewright::emulator
