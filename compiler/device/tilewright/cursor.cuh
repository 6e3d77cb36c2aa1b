// SPDX-License-Identifier: Apache-2.0
//
// A cursor walks a ring of stages: the stage index and the parity of its current round. Cursors are
// values: `c = tw::advance<kStages>(c)`. Plain C++, shared by the device and the host.
#pragma once

#include "tilewright/types.cuh"

namespace tw {

struct cursor {
  int32_t stage;
  int32_t phase;
};

/// The producer's first wait (for "empty") passes at once: parity 1 on a fresh mbarrier.
__device__ __forceinline__ cursor producer_cursor() { return {0, 1}; }

/// The consumer's first wait (for "full") blocks until the first phase completes.
__device__ __forceinline__ cursor consumer_cursor() { return {0, 0}; }

/// The next stage; the phase flips at the end of the ring.
template <int Stages>
__device__ __forceinline__ cursor advance(cursor c) {
  const int32_t next = c.stage + 1;
  const bool wraps = next == Stages;
  return {wraps ? 0 : next, c.phase ^ static_cast<int32_t>(wraps)};
}

/// `n` >= 0 stages further.
template <int Stages>
__device__ __forceinline__ cursor advance(cursor c, int32_t n) {
  const uint32_t next = static_cast<uint32_t>(c.stage) + static_cast<uint32_t>(n);
  const uint32_t rounds = next / Stages;
  return {static_cast<int32_t>(next - rounds * Stages),
          static_cast<int32_t>(static_cast<uint32_t>(c.phase) ^ (rounds & 1))};
}

__device__ __forceinline__ int32_t stage(cursor c) { return c.stage; }

__device__ __forceinline__ int32_t phase(cursor c) { return c.phase; }

/// Address of the cursor's mbarrier in an array that begins at `first`, one of 8 bytes per stage.
__device__ __forceinline__ int32_t barrier_at(int32_t first, cursor c) {
  return first + c.stage * 8;
}

/// Address of the cursor's slot in an array that begins at `first`, one of Bytes per stage.
template <int Bytes>
__device__ __forceinline__ int32_t slot_at(int32_t first, cursor c) {
  return first + c.stage * Bytes;
}

} // namespace tw
