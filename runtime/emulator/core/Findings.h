// SPDX-License-Identifier: Apache-2.0
//
// What the emulator finds wrong with a kernel: values, with a text and a JSON form. Plain values;
// safe to share between threads once built.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::emulator {

/// What rule of the machine a kernel broke. The names (findingKindName) are stable.
enum class FindingKind : uint8_t {
  /// A read that is not ordered after the write whose bytes it reads.
  raceRaw,
  /// A write that is not ordered after the write whose bytes it replaces.
  raceWaw,
  /// A write that is not ordered after a read of the bytes it replaces.
  raceWar,
  /// A read of bytes that a copy in flight is about to write.
  readInFlight,
  /// A write to bytes that a copy in flight is about to write or still reads.
  writeInFlight,
  /// An ordinary write, then an access of the async proxy, without fence.proxy.async between.
  proxyFence,
  /// An ordinary read, then a write of the async proxy, without a fence. A warning.
  proxyFenceRelease,
  /// A read of shared memory that nothing has written.
  uninitialisedRead,
  /// A wgmma whose registers were touched since the last wgmma_fence that names them.
  wgmmaFence,
  /// An accumulator read or written between a wgmma and the wait that covers it.
  accumulatorInFlight,
  /// Threads of a warpgroup that issue different wgmmas.
  accumulatorDivergent,
  /// Nothing can run, and nothing is in flight.
  deadlock,
  /// An arrival at an mbarrier that expects none in this phase.
  overArrival,
  /// An mbarrier or a barrier that is left with some arrivals of a phase, but not all.
  countMismatch,
  /// An mbarrier whose transaction count leaves its range, or is negative for good.
  txUnderflow,
  /// Bytes that land in another phase of an mbarrier than the one they were issued in.
  txWrongPhase,
  /// A wait that a barrier has overtaken by a whole turn, or with a parity that is neither 0 nor 1.
  wrongPhaseWait,
  /// An access to bytes in which an mbarrier lives.
  barrierOverwritten,
  /// An mbarrier used without being initialised, or without its initialisation ordered or fenced.
  mbarrierInit,
  /// A named barrier with a bad id or count, or whose warps disagree about it.
  barrierCount,
  /// Lanes of one warp at different collective functions.
  divergentWarp,
  /// A shared-memory address outside of the CTA's dynamic shared memory.
  sharedOutOfBounds,
  /// An address that its instruction does not accept, or a swizzled tile off its pattern.
  misaligned,
  /// A global-memory address outside of every buffer.
  globalOutOfBounds,
  /// Two accesses of global memory that conflict and are not ordered.
  globalRace,
  /// A register count that setmaxnreg refuses, or that the CTA's pool cannot give.
  registerBudget,
  /// An access to a CTA of the cluster that may have ended.
  clusterExit,
  /// A kernel that ends with operations in flight or uncommitted.
  pendingAtExit,
  /// Order between CTAs that rests on an edge of CTA scope.
  scope,
  /// Coordinates, a rank or a box that the tensor map does not allow.
  coordinates,
  /// A tensor map that the driver would refuse.
  tensorMap,
  /// A wgmma descriptor that does not decode to operand tiles.
  descriptor,
  /// A launch that the device would refuse.
  launch,
  /// A value that still holds the pattern of bytes never delivered.
  poison,
};

enum class Severity : uint8_t { error, warning };

/// The stable spelling: "race-raw".
std::string_view findingKindName(FindingKind kind);

/// Where in a grid: numbers are -1 where they do not apply.
struct Place {
  int32_t cta = -1;
  int32_t warp = -1;
  int32_t lane = -1;
  friend bool operator==(const Place &, const Place &) = default;
};

/// The earlier access of a pair.
struct OtherAccess {
  /// In words: "tma_load of CTA 0, warp 0, lane 5"; empty where a finding is about one access.
  std::string what = {};
  /// Line of the kernel's text; 0 where unknown.
  int32_t line = 0;
  friend bool operator==(const OtherAccess &, const OtherAccess &) = default;
};

/// One fault. Machine::report fills in what it knows: kernel, place, text of the line.
struct Finding {
  FindingKind kind = FindingKind::deadlock;
  Severity severity = Severity::error;
  /// Entry of the kernel.
  std::string kernel = {};
  /// Line of the kernel's text, from 1; 0 where unknown.
  int32_t line = 0;
  /// That line, trimmed.
  std::string lineText = {};
  Place place = {};
  /// What it is about: "shared memory 0x2400 to 0x2410", "mbarrier 0x38400".
  std::string object = {};
  OtherAccess other = {};
  /// A sentence that says what is wrong, and one that says what would mend it.
  std::string message = {};
  friend bool operator==(const Finding &, const Finding &) = default;
};

/// Several lines for people; ends with a newline.
std::string toText(const Finding &finding);

/// One JSON object on one line, without a newline. Absent values are left out.
std::string toJson(const Finding &finding);

} // namespace tilewright::emulator
