// SPDX-License-Identifier: Apache-2.0
#include "runtime/emulator/global/GlobalMemory.h"

#include "runtime/emulator/core/Words.h"

#include <algorithm>
#include <utility>

namespace tilewright::emulator {

// NOTE: functions of the table have no parameter through which they could be told; see Machine.
static thread_local GlobalMemory *currentMemory = nullptr;

std::string Semaphore::describe() const {
  return "the word at " + hex(address) + " in global memory, which nobody changes any more";
}

GlobalMemory::GlobalMemory() : outer_(std::exchange(currentMemory, this)) {}
GlobalMemory::~GlobalMemory() { currentMemory = outer_; }
GlobalMemory &GlobalMemory::current() { return *currentMemory; }

// --- buffers
// --------------------------------------------------------------------------------------

void GlobalMemory::add(const void *address, size_t bytes, std::string name, bool readable,
                       bool writable, bool holdsData) {
  auto added = std::make_unique<GlobalRegion>();
  added->address = reinterpret_cast<uint64_t>(address);
  added->bytes = bytes;
  added->name = std::move(name);
  added->readable = readable;
  added->writable = writable;
  added->holdsData = holdsData;
  uint64_t end = added->address + added->bytes;
  std::erase_if(regions_, [&](const std::unique_ptr<GlobalRegion> &old) {
    const uint64_t oldEnd = old->address + old->bytes;
    if (oldEnd <= added->address || end <= old->address)
      return false;
    added->address = std::min(added->address, old->address);
    end = std::max(end, oldEnd);
    added->bytes = end - added->address;
    added->name = old->name + " and " + added->name;
    added->readable |= old->readable;
    added->writable |= old->writable;
    added->holdsData |= old->holdsData;
    return true;
  });
  regions_.push_back(std::move(added));
  last_ = regions_.front().get();
}

void GlobalMemory::newLaunch() {
  for (const auto &region : regions_)
    if (region->shadow)
      region->shadow->forgetAccesses();
  fences_.clear();
  semaphores_.clear();
  polls_.clear();
}

void GlobalMemory::onGridExit(Machine &) { newLaunch(); }

/// Where a range lies that no buffer covers: "12 bytes behind the end of 'd' (8192 bytes)".
std::string GlobalMemory::describeMiss(const GlobalRange &range) const {
  /// So near to a buffer an address counts as a slip of that buffer.
  constexpr uint64_t kGuard = 1 << 20;
  const uint64_t end = range.address + range.bytes;
  const GlobalRegion *nearest = nullptr;
  uint64_t least = kGuard;
  std::string where;
  for (const auto &region : regions_) {
    const uint64_t regionEnd = region->address + region->bytes;
    const bool behind = end > regionEnd;
    const uint64_t distance = range.address < regionEnd && end > region->address ? 0
                              : behind ? range.address - regionEnd
                                       : region->address - end;
    if (nearest ? distance >= least : distance > least)
      continue;
    nearest = region.get();
    least = distance;
    const uint64_t by = behind ? end - regionEnd : region->address - range.address;
    where = std::to_string(by) + " bytes " + (behind ? "behind the end" : "ahead of the start") +
            " of '" + region->name + "' (" + std::to_string(region->bytes) + " bytes)";
  }
  return nearest ? where : "near no buffer";
}

static std::string rangeName(const GlobalRange &range) {
  return "global memory " + hex(range.address) + " to " + hex(range.address + range.bytes);
}

GlobalRegion *GlobalMemory::find(const GlobalRange &range, bool write) {
  GlobalRegion *found = last_ && last_->covers(range.address, range.bytes) ? last_ : nullptr;
  for (size_t i = 0; !found && i < regions_.size(); ++i)
    if (regions_[i]->covers(range.address, range.bytes))
      found = regions_[i].get();
  Machine &machine = Machine::current();
  if (!found) {
    machine.report(FindingKind::globalOutOfBounds, range.thread, range.line, rangeName(range),
                   std::string(range.what) + (write ? " writes " : " reads ") +
                       std::to_string(range.bytes) + " bytes that reach " + describeMiss(range) +
                       "; guard the access or correct the index");
    return nullptr;
  }
  last_ = found;
  if (write ? found->writable : found->readable)
    return found;
  machine.report(FindingKind::globalOutOfBounds, range.thread, range.line, rangeName(range),
                 std::string(range.what) + (write ? " writes to '" : " reads '") + found->name +
                     "', which the kernel may only " + (write ? "read" : "write"));
  return nullptr;
}

// --- order
// ----------------------------------------------------------------------------------------

namespace {

/// Kind and words of a conflict.
struct Verdict {
  FindingKind kind;
  std::string message;
};

Verdict judge(const Conflict &conflict, const Access &before, const Access &now) {
  const std::string what = now.what;
  if (conflict.rule == Conflict::Rule::uninitialised)
    return {FindingKind::uninitialisedRead,
            what + " reads bytes that no launch has written; write them first"};
  if (conflict.rule == Conflict::Rule::unfenced)
    return {FindingKind::proxyFence,
            what + " uses bytes that an ordinary store wrote, with no proxy fence between; the "
                   "writer calls fence_proxy_async_global after its last store"};
  if (now.thread->weak.covers(before.epoch))
    return {FindingKind::scope, what + " is ordered after the other access by an edge of CTA or "
                                       "cluster scope only; release and acquire at device scope"};
  const std::string own = now.write ? " writes" : " reads";
  const std::string other = before.write ? "write" : "read";
  return {FindingKind::globalRace,
          what + own + " bytes whose other " + other + " is not ordered before it; release the " +
              other + " and acquire it, or wait for the bulk group and then release"};
}

} // namespace

void GlobalMemory::note(GlobalRegion &region, const GlobalRange &range, AccessId id,
                        GlobalUse use) {
  if (!region.writable)
    return;
  if (!region.shadow)
    region.shadow = std::make_unique<GlobalShadow>(region.bytes, region.holdsData);
  Machine &machine = Machine::current();
  const std::optional<Conflict> conflict =
      region.shadow->note(machine.log(), range.address - region.address, range.bytes, id, use,
                          range.thread->past, fences_);
  if (!conflict)
    return;
  const Access &now = machine.log()[id];
  const Access &before = machine.log()[conflict->earlier];
  Verdict verdict = judge(*conflict, before, now);
  Finding finding;
  finding.kind = verdict.kind;
  finding.line = now.line;
  finding.object = "buffer '" + region.name + "', byte " + std::to_string(conflict->offset);
  if (conflict->earlier != 0) {
    finding.other.what = std::string(before.what) + " by " + Machine::placeName(*before.thread);
    finding.other.line = before.line;
  }
  finding.message = std::move(verdict.message);
  machine.report(std::move(finding), now.thread);
}

void GlobalMemory::fence(Thread &thread) {
  fences_.add(thread.epoch(), thread.past,
              thread.machine->options().fences == FenceMode::permissive);
  thread.machine->advance(thread);
}

// --- semaphores ----------------------------------------------------------------------------------

Semaphore &GlobalMemory::semaphore(uint64_t address) {
  std::unique_ptr<Semaphore> &place = semaphores_[address];
  if (!place) {
    place = std::make_unique<Semaphore>();
    place->address = address;
  }
  return *place;
}

static bool overlaps(const Semaphore &semaphore, uint64_t address, uint64_t bytes) {
  return semaphore.address < address + bytes && address < semaphore.address + 4;
}

void GlobalMemory::touch(uint64_t address, uint64_t bytes) {
  for (const auto &[at, semaphore] : semaphores_)
    if (overlaps(*semaphore, address, bytes)) {
      ++semaphore->version;
      Machine::current().wake(*semaphore);
    }
}

void GlobalMemory::dropSemaphores(uint64_t address, uint64_t bytes) {
  for (const auto &[at, semaphore] : semaphores_)
    if (overlaps(*semaphore, address, bytes))
      semaphore->sync.sources.clear();
}

bool GlobalMemory::spins(const Thread &thread, const Semaphore &semaphore) {
  /// A thread may look again at a word for other reasons, but not so often.
  constexpr int32_t kPatience = 3;
  Poll &poll = polls_[&thread];
  if (poll.semaphore != &semaphore || poll.version != semaphore.version)
    poll = {&semaphore, semaphore.version, 0};
  return ++poll.times > kPatience;
}

} // namespace tilewright::emulator
