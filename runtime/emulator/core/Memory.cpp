// SPDX-License-Identifier: Apache-2.0
//
// Shared memory: bounds, order, and what a conflict is called.
#include "runtime/emulator/core/Machine.h"
#include "runtime/emulator/core/Words.h"

#include <algorithm>
#include <cstring>

namespace tilewright::emulator {

AccessId Machine::genericAccess(Thread &thread, bool write, const char *what, int32_t line) {
  for (const Thread::Recent &recent : thread.recent)
    if (recent.line == line && recent.epoch == thread.now && recent.what == what)
      return recent.id;
  const AccessId id = log_.add({thread.epoch(), Proxy::generic, write, false, line, what, &thread});
  thread.recent[thread.recentAt++ % thread.recent.size()] = {line, thread.now, what, id};
  return id;
}

AccessId Machine::asyncAccess(const Thread &thread, bool write, Epoch epoch, const char *what,
                              int32_t line) {
  return log_.add({epoch, Proxy::async, write, true, line, what, &thread});
}

static std::string rangeName(const Cta &cta, int64_t address, int64_t bytes) {
  return "shared memory " + hex(static_cast<uint32_t>(address)) + " to " +
         hex(static_cast<uint64_t>(static_cast<uint32_t>(address)) + static_cast<uint64_t>(bytes)) +
         " of CTA " + std::to_string(cta.index);
}

bool Machine::inShared(const Cta &cta, int64_t address, int64_t bytes, const char *what,
                       int32_t line) {
  const int64_t end = static_cast<int64_t>(cta.base) + launch_.sharedBytes;
  if (address >= static_cast<int64_t>(cta.base) && bytes >= 0 && address + bytes <= end)
    return true;
  report(FindingKind::sharedOutOfBounds, running_, line, rangeName(cta, address, bytes),
         std::string(what) + " leaves the CTA's dynamic shared memory, which is " + hex(cta.base) +
             " to " + hex(static_cast<uint64_t>(end)) +
             "; launch with more bytes or correct the address");
  return false;
}

bool Machine::checkAddress(const Cta &cta, int64_t address, int64_t bytes, int64_t alignment,
                           const char *what, int32_t line) {
  if (!inShared(cta, address, bytes, what, line))
    return false;
  if (address % alignment == 0)
    return true;
  report(FindingKind::misaligned, running_, line, rangeName(cta, address, bytes),
         std::string(what) + " needs an address that is a multiple of " +
             std::to_string(alignment));
  return false;
}

void Machine::noteRead(Cta &cta, uint32_t address, uint32_t bytes, AccessId id,
                       Observers observers) {
  const Past *own = &log_[id].thread->past;
  if (observers.count == 0)
    observers = {&own, 1};
  if (const auto conflict = cta.shadow.read(address - cta.base, bytes, id, observers))
    reportConflict(cta, *conflict, id, address, bytes);
}

void Machine::noteWrite(Cta &cta, uint32_t address, uint32_t bytes, AccessId id,
                        Observers observers) {
  const Past *own = &log_[id].thread->past;
  if (observers.count == 0)
    observers = {&own, 1};
  if (const auto conflict = cta.shadow.write(address - cta.base, bytes, id, observers))
    reportConflict(cta, *conflict, id, address, bytes);
}

void Machine::poison(Cta &cta, uint32_t address, uint32_t bytes) {
  uint8_t *at = cta.at(address);
  for (uint32_t i = 0; i < bytes; i += 4)
    std::memcpy(at + i, &kPoison, std::min<uint32_t>(4, bytes - i));
}

namespace {

/// Kind, severity and words of a conflict.
struct Verdict {
  FindingKind kind;
  Severity severity = Severity::error;
  const char *wrong;
  const char *mend;
};

Verdict judge(Conflict::Rule rule, const Access &before, const Access &now) {
  switch (rule) {
  case Conflict::Rule::barrier:
    return {FindingKind::barrierOverwritten, Severity::error, " touches bytes of an mbarrier",
            "only the mbarrier functions may access them: keep data and barriers apart"};
  case Conflict::Rule::uninitialised:
    return {FindingKind::uninitialisedRead, Severity::error,
            " reads bytes that nothing has written", "write or load them first"};
  case Conflict::Rule::unfenced:
    if (before.write)
      return {FindingKind::proxyFence, Severity::error,
              " uses bytes that an ordinary store wrote, with no proxy fence between",
              "each writer calls fence_proxy_async_shared after its last store and before the "
              "barrier"};
    return {FindingKind::proxyFenceRelease, Severity::warning,
            " overwrites bytes that an ordinary load read, with no proxy fence between",
            "each reader calls fence_proxy_async_shared before it releases them"};
  case Conflict::Rule::unordered:
    break;
  }
  if (before.pending && before.write && !now.write)
    return {FindingKind::readInFlight, Severity::error, " reads bytes that have yet to land",
            "wait for the mbarrier phase or the group that covers the copy"};
  if (before.pending)
    return {FindingKind::writeInFlight, Severity::error,
            before.write ? " writes bytes that a copy in flight will overwrite"
                         : " writes bytes that an operation in flight still reads",
            "wait for the operation, in the threads that release the bytes, before they do"};
  if (now.write && before.write)
    return {FindingKind::raceWaw, Severity::error,
            " writes bytes whose earlier write is not ordered before it",
            "put a barrier between the two"};
  if (now.write)
    return {FindingKind::raceWar, Severity::error,
            " writes bytes whose earlier read is not ordered before it",
            "the readers have to arrive at a barrier that the writer waits for"};
  return {FindingKind::raceRaw, Severity::error,
          " reads bytes whose write is not ordered before it",
          "wait, in each reading thread, for the barrier that covers the write"};
}

} // namespace

void Machine::reportConflict(const Cta &cta, const Conflict &conflict, AccessId later,
                             uint32_t address, uint32_t bytes) {
  const Access &now = log_[later];
  const Access &before = log_[conflict.earlier];
  Verdict verdict = judge(conflict.rule, before, now);
  if (conflict.rule == Conflict::Rule::unordered && !before.pending &&
      now.thread->weak.covers(before.epoch)) {
    // NOTE: known kernels release stages that they read by ordinary loads to other CTAs with an
    // arrive of CTA scope; that has not been seen to fail, so it is a warning.
    verdict = {FindingKind::scope, before.write ? Severity::error : Severity::warning,
               " is ordered after an access of another CTA by an edge of CTA scope only",
               "release and acquire at cluster scope (or device scope between clusters)"};
  }
  Finding finding;
  finding.kind = verdict.kind;
  finding.severity = verdict.severity;
  finding.line = now.line;
  const uint32_t first = std::max(address, cta.base + conflict.offset);
  finding.object = rangeName(cta, first, std::min<int64_t>(4, address + bytes - first));
  if (conflict.earlier != 0) {
    finding.other.what = std::string(before.what) + " by " + placeName(*before.thread);
    finding.other.line = before.line;
  }
  finding.message = std::string(now.what) + verdict.wrong + "; " + verdict.mend;
  report(std::move(finding), now.thread);
}

void Machine::noteRemote(Cta &target, const Thread &thread, Epoch epoch, Epoch alternative,
                         const char *what, int32_t line) {
  for (RemoteAccess &access : target.remoteAccesses)
    if (access.thread == &thread && access.what == what &&
        access.alternative.actor == alternative.actor && access.epoch.actor == epoch.actor) {
      access.epoch = epoch;
      access.alternative = alternative;
      access.line = line;
      return;
    }
  target.remoteAccesses.push_back({&thread, epoch, alternative, what, line});
}

} // namespace tilewright::emulator
