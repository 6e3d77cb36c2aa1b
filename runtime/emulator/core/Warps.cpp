// SPDX-License-Identifier: Apache-2.0
//
// What the lanes of a warp do together, and the registers that warps trade.
#include "runtime/emulator/core/Machine.h"
#include "runtime/emulator/core/Words.h"

#include <bit>
#include <cstring>

namespace tilewright::emulator {

static std::string laneList(uint32_t lanes) {
  std::string text;
  for (int32_t lane = 0; lane < kLanes; ++lane) {
    if (!(lanes >> lane & 1))
      continue;
    const int32_t run = std::countr_one(lanes >> lane);
    text += (text.empty() ? "" : ", ") + std::to_string(lane);
    if (run > 1)
      text += "-" + std::to_string(lane + run - 1);
    lane += run;
  }
  return text;
}

std::string Gathering::describe() const {
  std::string text = "warp " + std::to_string(warp->index) + " of CTA " +
                     std::to_string(warp->cta->index) + ": lanes " + laneList(here) + " are at " +
                     key.what + ", lanes " + laneList(warp->all & ~here) + " are not";
  if (const uint32_t gone = warp->exited & ~here)
    text += " (of them have ended: " + laneList(gone) + ")";
  return text;
}

bool Machine::enter(Thread &thread, const GatherKey &key, const LaneValue &mine) {
  Warp &warp = *thread.warp;
  Gathering &gathering = warp.gathering;
  const GatherKey &first = gathering.key;
  if (gathering.here == 0)
    gathering.key = key;
  else if (std::strcmp(first.what, key.what) != 0 || first.a != key.a || first.b != key.b ||
           (key.aligned && first.line != key.line))
    report(FindingKind::divergentWarp, &thread, key.line,
           "warp " + std::to_string(warp.index) + " of CTA " + std::to_string(warp.cta->index),
           std::string(key.what) + " in one lane while lanes " + laneList(gathering.here) +
               " are at " + first.what + " of line " + std::to_string(first.line) +
               " or have other arguments; all lanes of a warp have to meet at it");
  gathering
      .values[static_cast<size_t>(gathering.generation & 1)][static_cast<size_t>(thread.lane)] =
      mine;
  gathering.here |= 1u << thread.lane;
  if (gathering.here != warp.all)
    return false;
  gathering.here = 0;
  ++gathering.generation;
  ++counters_.collectives;
  return true;
}

const WarpValues &Machine::gather(Thread &thread, const GatherKey &key, const LaneValue &mine) {
  Gathering &gathering = thread.warp->gathering;
  const int32_t generation = gathering.generation;
  if (enter(thread, key, mine))
    wake(gathering);
  while (gathering.generation == generation)
    block(gathering, key.what, key.line);
  return gathering.values[static_cast<size_t>(generation & 1)];
}

uint32_t Machine::shuffle(Thread &thread, uint32_t value, int32_t source, int32_t line) {
  const WarpValues &values = gather(thread, {"shuffle", line, 0, 0, false}, {value, source});
  const auto from = static_cast<size_t>(source & (kLanes - 1));
  const bool exists = thread.warp->all >> from & 1;
  return exists ? static_cast<uint32_t>(values[from].value) : value;
}

bool Machine::voteAny(Thread &thread, bool value, int32_t line) {
  const WarpValues &values = gather(thread, {"vote_any", line, 0, 0, false}, {value, 0});
  for (uint32_t left = thread.warp->all; left != 0; left &= left - 1)
    if (values[static_cast<size_t>(std::countr_zero(left))].value != 0)
      return true;
  return false;
}

bool Machine::electOne(Thread &thread, int32_t line) {
  gather(thread, {"elect_one", line, 0, 0, false}, {});
  return thread.lane == thread.warp->electedLane;
}

void Machine::warpSync(Thread &thread, int32_t line) {
  Warp &warp = *thread.warp;
  const int32_t generation = warp.gathering.generation;
  if (enter(thread, {"warp_sync", line, 0, 0, false}, {})) {
    joining_.clear();
    for (Thread *lane : warp.lanes)
      if (lane) {
        joining_.join(lane->past);
        advance(*lane);
      }
    for (Thread *lane : warp.lanes)
      if (lane) {
        lane->past = joining_;
        lane->past.seen.raise(lane->epoch());
      }
    wake(warp.gathering);
  }
  while (warp.gathering.generation == generation)
    block(warp.gathering, "warp_sync", line);
}

// --- registers
// ------------------------------------------------------------------------------------

std::string RegisterPool::describe() const {
  return "the register pool of CTA " + std::to_string(cta->index) + ", which has " +
         std::to_string(free) + " free";
}

void Machine::changeRegisters(Thread &thread, int32_t registers, bool increase, int32_t line) {
  Warp &warp = *thread.warp;
  RegisterPool &pool = thread.cta->registers;
  const char *what = increase ? "setmaxnreg_inc" : "setmaxnreg_dec";
  const int32_t more = registers - warp.registers;
  if (registers < 24 || registers > 256 || registers % 8 != 0 || (increase ? more < 0 : more > 0))
    return report(FindingKind::registerBudget, &thread, line, "warp " + std::to_string(warp.index),
                  std::string(what) + " to " + std::to_string(registers) + " registers, from " +
                      std::to_string(warp.registers) + "; a multiple of 8 from 24 to 256 that is " +
                      (increase ? "not less" : "not more") + " is possible");
  while (pool.free < more * kLanes)
    block(pool, what, line);
  pool.free -= more * kLanes;
  warp.registers = registers;
  if (more < 0)
    wake(pool);
}

void Machine::setmaxnreg(Thread &thread, int32_t registers, bool increase, int32_t line) {
  const char *what = increase ? "setmaxnreg_inc" : "setmaxnreg_dec";
  gather(thread, {what, line, registers, increase, true}, {});
  if (thread.lane == 0)
    changeRegisters(thread, registers, increase, line);
  gather(thread, {what, line, registers, increase, true}, {});
}

} // namespace tilewright::emulator
