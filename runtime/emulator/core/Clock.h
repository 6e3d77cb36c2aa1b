// SPDX-License-Identifier: Apache-2.0
//
// Vector clocks. Every thread, mbarrier, wgmma stream, bulk stream and cp.async stream is an actor
// that owns one component; an access is an epoch (actor, value); "is it ordered before me?" is one
// comparison. Actors are numbered per cluster, and a clock holds one dense part per cluster that
// it knows of, for CTAs of different clusters meet in global memory only, and rarely.

#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tilewright::emulator {

/// The cluster in the upper half, the number within the cluster in the lower.
using Actor = uint32_t;

constexpr Actor makeActor(uint32_t cluster, uint32_t index) { return cluster << 16 | index; }
constexpr uint32_t clusterOf(Actor actor) { return actor >> 16; }
constexpr uint32_t indexOf(Actor actor) { return actor & 0xffff; }

/// A moment of an actor: its value-th step. Value 0 is before everything.
struct Epoch {
  Actor actor = 0;
  int32_t value = 0;
  friend bool operator==(const Epoch &, const Epoch &) = default;
};

/// Who can be sure of an edge: threads of the CTA, of the cluster, of the device.
enum class Scope : uint8_t { cta, cluster, gpu };

std::string_view scopeName(Scope scope);

/// For each actor, the newest of its epochs that lies in the past.
class Clock {
public:
  [[nodiscard]] int32_t operator[](Actor actor) const {
    for (const Part &part : parts_)
      if (part.cluster == clusterOf(actor))
        return indexOf(actor) < part.values.size() ? part.values[indexOf(actor)] : 0;
    return 0;
  }
  [[nodiscard]] bool covers(Epoch epoch) const { return (*this)[epoch.actor] >= epoch.value; }

  /// Puts an epoch and what came before it of that actor into the past.
  void raise(Epoch epoch);
  /// Puts the other clock's past into this one's.
  void join(const Clock &other);
  /// Keeps of each component what both clocks have.
  void meet(const Clock &other);
  /// The same as join without the components of threads, which are the first `threads` of each
  /// cluster.
  void joinAsynchronous(const Clock &other, uint32_t threads);
  /// Forgets all and keeps the memory.
  void clear() {
    for (Part &part : parts_)
      std::fill(part.values.begin(), part.values.end(), 0);
  }

private:
  struct Part {
    uint32_t cluster;
    std::vector<int32_t> values;
  };
  Part &part(uint32_t cluster);
  void join(const Part &other, uint32_t first);

  std::vector<Part> parts_;
};

/// What an actor knows to be in its past.
struct Past {
  /// Ordered before it.
  Clock seen;
  /// Of that, writes of threads that an async access may rely on: a proxy fence lies between.
  Clock proxied;

  void join(const Past &other) {
    seen.join(other.seen);
    proxied.join(other.proxied);
  }
  void raise(Epoch epoch) {
    seen.raise(epoch);
    proxied.raise(epoch);
  }
  void clear() {
    seen.clear();
    proxied.clear();
  }
  /// What passes over an edge of CTA scope between two CTAs: the order of asynchronous operations,
  /// whose completion needs no release of the thread, and nothing that threads did themselves.
  void joinAsynchronous(const Past &other, uint32_t threads) {
    seen.joinAsynchronous(other.seen, threads);
    proxied.joinAsynchronous(other.proxied, threads);
  }
};

} // namespace tilewright::emulator
