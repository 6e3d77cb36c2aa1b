// SPDX-License-Identifier: Apache-2.0
//
// cp.async and st.async: small copies of the generic proxy that land later.
#include "runtime/emulator/copies/CopyUnit.h"
#include "runtime/emulator/core/Words.h"

#include <algorithm>
#include <cstring>

namespace tilewright::emulator {

// --- cp.async
// -------------------------------------------------------------------------------------

void CopyUnit::copyAsync(int32_t bytes, int32_t shared, const void *pointer, int32_t sourceBytes,
                         CallSite site) {
  Machine &machine = Machine::current();
  Thread &self = machine.self();
  const auto source = reinterpret_cast<uint64_t>(pointer);
  if (sourceBytes < 0 || sourceBytes > bytes ||
      (sourceBytes > 0 && source % static_cast<uint64_t>(bytes) != 0))
    return machine.report(FindingKind::misaligned, &self, site.line, "global memory " + hex(source),
                          std::string(site.what) + " of " + std::to_string(sourceBytes) + " of " +
                              std::to_string(bytes) +
                              " bytes; it takes at most all of them, from an address that is a "
                              "multiple of " +
                              std::to_string(bytes));
  if (!machine.checkAddress(*self.cta, shared, bytes, bytes, site.what, site.line))
    return;
  GroupStream &stream = *asyncs(self).asyncs;
  if (sourceBytes > 0) {
    const GlobalRange range = {source, static_cast<uint64_t>(sourceBytes), &self, site.what,
                               site.line};
    GlobalRegion *region = global_.find(range, false);
    if (!region)
      return;
    if (region->writable)
      global_.note(*region, range,
                   machine.log().add(
                       {stream.open(), Proxy::generic, false, true, site.line, site.what, &self}),
                   GlobalUse::read);
  }
  const auto address = static_cast<uint32_t>(shared);
  Transfer &transfer = take();
  transfer.site = site;
  transfer.issuer = &self;
  transfer.cta = self.cta;
  transfer.box.shared = shared;
  transfer.owner = &asyncs(self);
  transfer.source = source;
  transfer.count = static_cast<uint32_t>(bytes);
  transfer.sourceCount = static_cast<uint32_t>(sourceBytes);
  transfer.sharedAccess =
      machine.log().add({stream.open(), Proxy::generic, true, true, site.line, site.what, &self});
  machine.noteWrite(*self.cta, address, transfer.count, transfer.sharedAccess);
  Machine::poison(*self.cta, address, transfer.count);
  transfer.step = stream.issue(site.line);
  machine.schedule({site.what, site.line, &self, {[this, &transfer] { landAsync(transfer); }}});
}

void CopyUnit::landAsync(Transfer &transfer) {
  Machine &machine = Machine::current();
  uint8_t *to = transfer.cta->at(static_cast<uint32_t>(transfer.box.shared));
  std::memset(to, 0, transfer.count);
  if (transfer.sourceCount > 0) // the address may be anything else
    std::memcpy(to, reinterpret_cast<const void *>(transfer.source), transfer.sourceCount);
  machine.completeAccess(transfer.sharedAccess);
  ThreadCopies &copies = *transfer.owner;
  copies.asyncs->complete(transfer.step);
  machine.wake(*copies.asyncs);
  arriveIfDone(copies, *transfer.issuer);
  giveBack(transfer);
}

void CopyUnit::commitAsync() { asyncs(Machine::current().self()).asyncs->commit(); }

void CopyUnit::waitForAsync(int32_t outstanding, CallSite site) {
  Thread &thread = Machine::current().self();
  const auto found = threads_.find(&thread);
  if (found == threads_.end() || !found->second->asyncs)
    return;
  GroupStream &stream = *found->second->asyncs;
  const int32_t step = stream.coveredBy(outstanding);
  if (step == 0)
    return;
  wait(thread, stream, step, site);
  // NOTE: not into what is fenced, as for copies of the async proxy.
  thread.past.seen.raise(stream.epochOf(step));
}

void CopyUnit::arriveAfterAsync(int32_t bar, CallSite site) {
  Machine &machine = Machine::current();
  Thread &self = machine.self();
  Mbarrier *found = machine.mbarrier(self, *self.cta, bar, Proxy::generic, site.what, site.line);
  if (!found)
    return;
  ThreadCopies &copies = asyncs(self);
  const int32_t step = copies.asyncs->endStep();
  copies.asyncs->noteWaited(step);
  copies.arrivals.push_back({found, step, site.line});
  arriveIfDone(copies, self);
  machine.yield();
}

void CopyUnit::arriveIfDone(ThreadCopies &copies, const Thread &thread) {
  while (!copies.arrivals.empty() && copies.asyncs->isDone(copies.arrivals.front().step)) {
    const Arrival arrival = copies.arrivals.front();
    copies.arrivals.erase(copies.arrivals.begin());
    Past &past = arrivalPast_;
    past.clear();
    past.seen.raise(copies.asyncs->epochOf(arrival.step));
    Machine::current().arriveFor(*arrival.bar, past, thread, arrival.line);
  }
}

/// NOTE: the strict reading of the proxy rule asks for a fence of the writer, which is no thread
/// here: any thread's will do that knows of the copy's end.
void CopyUnit::fenceAsync(Thread &thread) {
  for (const auto &[owner, copies] : threads_) {
    if (owner->cta != thread.cta || !copies->asyncs)
      continue;
    const Actor actor = copies->asyncs->open().actor;
    if (const int32_t value = thread.past.seen[actor]; value > 0)
      thread.past.proxied.raise({actor, value});
  }
}

// --- st.async
// -------------------------------------------------------------------------------------

void CopyUnit::storeAsync(int32_t shared, uint32_t bits, int32_t bar, int32_t rank, CallSite site) {
  Machine &machine = Machine::current();
  Thread &self = machine.self();
  Cta *cta = machine.peer(*self.cta, rank, site.what, site.line);
  Mbarrier *found =
      cta ? machine.mbarrier(self, *cta, bar, Proxy::async, site.what, site.line) : nullptr;
  if (!found || !machine.checkAddress(*cta, shared, 4, 4, site.what, site.line))
    return;
  const auto address = static_cast<uint32_t>(shared);
  Transfer &transfer = take();
  transfer.site = site;
  transfer.issuer = &self;
  transfer.cta = cta;
  transfer.box.shared = shared;
  transfer.bits = bits;
  transfer.bar = found;
  transfer.sharedAccess = machine.log().add(
      {found->openPhase(), Proxy::generic, true, true, site.line, site.what, &self});
  machine.noteWrite(*cta, address, 4, transfer.sharedAccess);
  Machine::poison(*cta, address, 4);
  if (cta != self.cta)
    machine.noteRemote(*cta, self, found->openPhase(), {}, site.what, site.line);
  transfer.phase = Machine::issueTx(*found);
  machine.schedule({site.what, site.line, &self, {[this, &transfer] { landStore(transfer); }}});
}

void CopyUnit::landStore(Transfer &transfer) {
  Machine &machine = Machine::current();
  std::memcpy(transfer.cta->at(static_cast<uint32_t>(transfer.box.shared)), &transfer.bits, 4);
  machine.completeAccess(transfer.sharedAccess);
  machine.completeTx(*transfer.bar, 4, transfer.phase, *transfer.issuer, transfer.site.what,
                     transfer.site.line);
  giveBack(transfer);
}

} // namespace tilewright::emulator
