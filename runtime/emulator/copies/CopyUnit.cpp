// SPDX-License-Identifier: Apache-2.0
//
// What all copies share: boxes, groups, and what must be over when a thread ends.
#include "runtime/emulator/copies/CopyUnit.h"

#include "runtime/emulator/core/Words.h"

#include <algorithm>
#include <utility>

namespace tilewright::emulator {

// NOTE: functions of the table have no parameter through which they could be told; see Machine.
static thread_local CopyUnit *currentUnit = nullptr;

CopyUnit::CopyUnit(GlobalMemory &global)
    : global_(global), outer_(std::exchange(currentUnit, this)) {}
CopyUnit::~CopyUnit() { currentUnit = outer_; }
CopyUnit &CopyUnit::current() { return *currentUnit; }

CopyUnit::Transfer &CopyUnit::take() {
  if (free_.empty()) {
    transfers_.push_back(std::make_unique<Transfer>());
    return *transfers_.back();
  }
  Transfer &transfer = *free_.back();
  free_.pop_back();
  return transfer;
}

// --- boxes
// ----------------------------------------------------------------------------------------

std::optional<CopyBox> CopyUnit::box(const tw::tensor_map *map, int32_t rank,
                                     const int32_t *coordinates, int32_t shared, CallSite site) {
  Machine &machine = Machine::current();
  const std::optional<TensorMapFacts> facts = decodeTensorMap(map);
  if (!facts) {
    machine.report(FindingKind::tensorMap, machine.running(), site.line, "tensor map",
                   std::string(site.what) +
                       " through 128 bytes that are no tensor map; pass the map by its reference");
    return std::nullopt;
  }
  if (facts->rank != rank) {
    machine.report(FindingKind::coordinates, machine.running(), site.line, "tensor map",
                   std::string(site.what) + " gives " + countOf(rank, "coordinate") +
                       " to a tensor map of " + countOf(facts->rank, "dimension"));
    return std::nullopt;
  }
  CopyBox box;
  box.map = *facts;
  std::copy(coordinates, coordinates + rank, box.coordinates.begin());
  box.shared = shared;
  return box;
}

std::optional<CopyBox> CopyUnit::flatBox(const void *pointer, int32_t bytes, ElementType type,
                                         int32_t shared, CallSite site) {
  const auto address = reinterpret_cast<uint64_t>(pointer);
  Machine &machine = Machine::current();
  if (bytes <= 0 || bytes % 16 != 0 || address % 16 != 0) {
    machine.report(FindingKind::misaligned, machine.running(), site.line,
                   "global memory " + hex(address),
                   std::string(site.what) + " of " + std::to_string(bytes) +
                       " bytes; it moves a positive multiple of 16 bytes between addresses that "
                       "are multiples of 16");
    return std::nullopt;
  }
  CopyBox box;
  box.map.address = address;
  box.map.type = type;
  box.map.rank = 1;
  box.map.box[0] = static_cast<uint32_t>(bytes / elementBytes(type));
  box.map.dims[0] = box.map.box[0];
  box.shared = shared;
  box.alignment = 16;
  return box;
}

/// Checks and notes the part of the box that is inside the tensor; false after a finding about its
/// address.
bool CopyUnit::reachGlobal(const CopyBox &box, GlobalUse use, AccessId id, CallSite site) {
  const BoxWalk walk = box.walk();
  const Thread &thread = Machine::current().self();
  for (uint32_t i = 0; i < walk.rowCount(); ++i) {
    const BoxRow row = walk.row(i);
    if (!row.isInside())
      continue;
    const GlobalRange range = {row.address, row.last - row.first, &thread, site.what, site.line};
    GlobalRegion *region = global_.find(range, isWrite(use));
    if (!region)
      return false;
    global_.note(*region, range, id, use);
  }
  return true;
}

// --- groups
// ---------------------------------------------------------------------------------------

CopyUnit::ThreadCopies &CopyUnit::stores(Thread &thread) {
  std::unique_ptr<ThreadCopies> &copies = threads_[&thread];
  if (!copies)
    copies = std::make_unique<ThreadCopies>();
  if (!copies->reads) {
    Machine &machine = *thread.machine;
    copies->reads =
        std::make_unique<GroupStream>(thread, machine.newActor(*thread.cta), "bulk store");
    copies->writes =
        std::make_unique<GroupStream>(thread, machine.newActor(*thread.cta), "bulk store");
  }
  return *copies;
}

CopyUnit::ThreadCopies &CopyUnit::asyncs(Thread &thread) {
  std::unique_ptr<ThreadCopies> &copies = threads_[&thread];
  if (!copies)
    copies = std::make_unique<ThreadCopies>();
  if (!copies->asyncs)
    copies->asyncs =
        std::make_unique<GroupStream>(thread, thread.machine->newActor(*thread.cta), "cp_async");
  return *copies;
}

/// Sleeps until all steps up to `step` have ended, which the thread then knows.
void CopyUnit::wait(Thread &thread, GroupStream &stream, int32_t step, CallSite site) {
  while (!stream.isDone(step))
    thread.machine->block(stream, site.what, site.line);
  stream.noteWaited(step);
}

void CopyUnit::commitStores() {
  ThreadCopies &copies = stores(Machine::current().self());
  copies.reads->commit();
  copies.writes->commit();
}

void CopyUnit::waitForStores(int32_t outstanding, bool read, CallSite site) {
  Machine &machine = Machine::current();
  Thread &thread = machine.self();
  const auto found = threads_.find(&thread);
  if (found == threads_.end() || !found->second->reads)
    return;
  GroupStream &reads = *found->second->reads;
  GroupStream &writes = *found->second->writes;
  const int32_t step = reads.coveredBy(outstanding);
  if (step == 0)
    return;
  wait(thread, reads, step, site);
  machine.acquire(thread, reads.epochOf(step));
  if (read)
    return;
  wait(thread, writes, step, site);
  machine.acquire(thread, writes.epochOf(step));
}

// --- life
// -----------------------------------------------------------------------------------------

void CopyUnit::onCtaStart(Machine &, Cta &cta) {
  // Of an earlier launch, whose threads lived at the same addresses.
  for (const auto &thread : cta.threads)
    threads_.erase(thread.get());
}

void CopyUnit::onThreadExit(Machine &machine, Thread &thread) {
  const auto found = threads_.find(&thread);
  if (found == threads_.end())
    return;
  for (const GroupStream *stream : {found->second->reads.get(), found->second->asyncs.get()}) {
    if (!stream)
      continue;
    const char *wait = stream->what()[0] == 'b' ? "bulk_wait_read<0>" : "cp_async_wait<0>";
    if (stream->isUncommitted())
      machine.report(FindingKind::pendingAtExit, &thread, stream->lastLine(), stream->describe(),
                     std::string("the thread ends with a ") + stream->what() +
                         " that no commit covers, so that no wait does; commit it and end with " +
                         wait);
    else if (stream->isUnwaited())
      machine.report(FindingKind::pendingAtExit, &thread, stream->lastLine(), stream->describe(),
                     std::string("the thread ends with a ") + stream->what() +
                         " that it has not waited for, while shared memory may be gone; end with " +
                         wait);
  }
}

} // namespace tilewright::emulator
