// SPDX-License-Identifier: Apache-2.0
#include "runtime/emulator/core/Mbarrier.h"

#include "runtime/emulator/core/Machine.h"
#include "runtime/emulator/core/Words.h"

namespace tilewright::emulator {

std::string Mbarrier::name() const {
  return "mbarrier " + hex(address) + " of CTA " + std::to_string(cta->index);
}

std::string Mbarrier::describe() const {
  std::string text = name() + " (initialised at line " + std::to_string(initLine) + "): phase " +
                     std::to_string(phase) + " lacks " + std::to_string(pending) + " of " +
                     countOf(expected, "arrival") + " and " + std::to_string(tx) + " bytes";
  if (lastArriver)
    text += "; last arrival at line " + std::to_string(lastLine) + " by " +
            Machine::placeName(*lastArriver);
  return text;
}

// --- initialisation
// -------------------------------------------------------------------------------

void Machine::mbarrierInit(Thread &thread, int32_t address, int32_t count, int32_t line) {
  Cta &cta = *thread.cta;
  if (!checkAddress(cta, address, 8, 8, "mbarrier_init", line))
    return;
  const auto at = static_cast<uint32_t>(address);
  if (count < 1 || count > Mbarrier::kMaxTx)
    return report(FindingKind::mbarrierInit, &thread, line, "mbarrier " + hex(at),
                  "mbarrier_init with a count of " + std::to_string(count) +
                      "; 1 to 1048575 arrivals are possible");
  if (cta.mbarriers.count(at) != 0)
    return report(FindingKind::mbarrierInit, &thread, line, cta.mbarriers[at]->name(),
                  "mbarrier_init of an object that is one already (line " +
                      std::to_string(cta.mbarriers[at]->initLine) + ")");
  noteWrite(cta, at, 8, genericAccess(thread, true, "mbarrier_init", line));
  cta.shadow.setBarrier(at - cta.base);
  Mbarrier &bar = *(cta.mbarriers[at] = std::make_unique<Mbarrier>(cta, at, newActor(cta)));
  bar.expected = bar.pending = count;
  bar.initialised = thread.epoch();
  bar.initialiser = &thread;
  bar.initLine = line;
}

void Machine::mbarrierInitFence(Thread &thread) {
  for (const auto &[address, bar] : thread.cta->mbarriers)
    if (bar->initialiser == &thread && bar->fencedAt == 0)
      bar->fencedAt = thread.now;
  advance(thread);
}

Mbarrier *Machine::mbarrier(Thread &thread, Cta &cta, int32_t address, Proxy proxy,
                            const char *what, int32_t line) {
  const auto found = cta.mbarriers.find(static_cast<uint32_t>(address));
  if (found == cta.mbarriers.end()) {
    report(FindingKind::mbarrierInit, &thread, line,
           "mbarrier " + hex(static_cast<uint32_t>(address)) + " of CTA " +
               std::to_string(cta.index),
           std::string(what) + " at an address where no mbarrier has been initialised");
    return nullptr;
  }
  Mbarrier &bar = *found->second;
  if (!thread.past.seen.covers(bar.initialised)) {
    report(FindingKind::mbarrierInit, &thread, line, bar.name(),
           std::string(what) + " is not ordered after mbarrier_init (line " +
               std::to_string(bar.initLine) + "); a " + (thread.cta == &cta ? "CTA" : "cluster") +
               " barrier has to lie between");
    return nullptr;
  }
  const bool fenced =
      bar.fencedAt != 0 && thread.past.seen.covers({bar.initialised.actor, bar.fencedAt + 1});
  if (proxy == Proxy::async && !fenced) {
    report(FindingKind::mbarrierInit, &thread, line, bar.name(),
           std::string(what) + " hands a barrier to the async proxy whose initialisation (line " +
               std::to_string(bar.initLine) +
               ") is not fenced; fence_mbarrier_init follows mbarrier_init in the same thread");
    return nullptr;
  }
  return &bar;
}

// --- arrivals and bytes
// ---------------------------------------------------------------------------

void Machine::completePhaseIfDone(Mbarrier &bar) {
  if (bar.pending != 0 || bar.tx != 0)
    return;
  ++bar.phase;
  ++counters_.mbarrierPhases;
  bar.pending = bar.expected;
  bar.joined.raise({bar.actor, bar.phase});
  bar.completed = bar.joined;
  bar.weakCompleted.join(bar.weak);
  wake(bar);
}

void Machine::countArrival(Mbarrier &bar, const Thread &thread, int32_t line) {
  if (bar.pending == 0)
    return report(FindingKind::overArrival, &thread, line, bar.name(),
                  "an arrival more than the " + std::to_string(bar.expected) + " that phase " +
                      std::to_string(bar.phase) +
                      " expects; the count of mbarrier_init and the number of arrivals differ");
  --bar.pending;
  bar.lastLine = line;
  bar.lastArriver = &thread;
  completePhaseIfDone(bar);
}

void Machine::arrive(Mbarrier &bar, Thread &thread, int32_t line) {
  if (thread.cta == bar.cta) {
    bar.joined.join(thread.past);
  } else {
    // The arrive has CTA scope: see mbarrier_arrive_remote in the device library.
    bar.joined.joinAsynchronous(thread.past, clusterThreads_);
    bar.weak.join(thread.past.seen);
    noteRemote(*bar.cta, thread, thread.epoch(), bar.openPhase(), "mbarrier_arrive_remote", line);
  }
  advance(thread);
  countArrival(bar, thread, line);
  yield();
}

void Machine::arriveFor(Mbarrier &bar, const Past &past, const Thread &thread, int32_t line) {
  bar.joined.join(past);
  countArrival(bar, thread, line);
}

void Machine::addTx(Mbarrier &bar, int64_t bytes, const Thread &thread, int32_t line) {
  const int64_t tx = bar.tx + bytes;
  if (tx > Mbarrier::kMaxTx || tx < -Mbarrier::kMaxTx)
    return report(FindingKind::txUnderflow, &thread, line, bar.name(),
                  "the transaction count of phase " + std::to_string(bar.phase) + " becomes " +
                      std::to_string(tx) + "; it lies within 1048575 bytes of zero");
  bar.tx = static_cast<int32_t>(tx);
}

void Machine::expectTx(Mbarrier &bar, int32_t bytes, const Thread &thread, int32_t line) {
  addTx(bar, bytes, thread, line);
}

void Machine::completeTx(Mbarrier &bar, int32_t bytes, int32_t issued, const Thread &issuer,
                         const char *what, int32_t line) {
  --bar.inFlight;
  if (bar.phase != issued)
    report(FindingKind::txWrongPhase, &issuer, line, bar.name(),
           std::string(what) + " was issued in phase " + std::to_string(issued) +
               " and lands in phase " + std::to_string(bar.phase) +
               ": the phase completed without its bytes. Expect as many bytes as the copies of a "
               "phase carry, before its last arrival");
  addTx(bar, -static_cast<int64_t>(bytes), issuer, line);
  completePhaseIfDone(bar);
}

void Machine::waitParity(Mbarrier &bar, Thread &thread, int32_t parity, int32_t line) {
  if (parity != 0 && parity != 1)
    return report(FindingKind::wrongPhaseWait, &thread, line, bar.name(),
                  "mbarrier_wait_parity with a parity of " + std::to_string(parity) +
                      "; it is 0 or 1");
  while (!bar.passes(parity)) {
    // A phase may complete, and the next one too, before this thread looks again: it then sleeps
    // on, as on the device.
    const int32_t phase = bar.phase;
    block(bar, "mbarrier_wait_parity", line);
    thread.overtaken = bar.phase > phase + 1;
  }
  thread.overtaken = false;
  if (bar.phase > 0 && !thread.past.seen.covers({bar.actor, bar.phase}))
    thread.past.join(bar.completed);
  thread.weak.join(bar.weakCompleted);
  yield();
}

} // namespace tilewright::emulator
