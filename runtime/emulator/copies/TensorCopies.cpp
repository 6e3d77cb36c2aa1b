// SPDX-License-Identifier: Apache-2.0
//
// Copies between tensors and tiles: checks at issue, bytes when they land. A bulk copy is a tensor
// of one row.
#include "runtime/emulator/copies/CopyUnit.h"
#include "runtime/emulator/copies/Elements.h"
#include "runtime/emulator/core/Words.h"
#include "runtime/emulator/global/Numbers.h"

#include <cstring>

namespace tilewright::emulator {

namespace {

constexpr uint32_t kChunk = 16;

/// Moves one row between `row` and the tile: `move(in row, in tile, bytes)` for each piece.
template <typename Move>
void forRow(Cta &cta, const CopyBox &box, uint32_t offset, uint32_t bytes, uint8_t *row,
            Move move) {
  const uint32_t address = static_cast<uint32_t>(box.shared) + offset;
  if (box.map.swizzle == 0)
    return move(row, cta.at(address), bytes);
  for (uint32_t at = 0; at < bytes; at += kChunk)
    move(row + at, cta.at(swizzled(address + at, box.map.swizzle)), kChunk);
}

std::string tileName(const CopyBox &box) {
  return "tile at " + hex(static_cast<uint32_t>(box.shared));
}

} // namespace

// --- loads
// ----------------------------------------------------------------------------------------

void CopyUnit::load(const CopyBox &box, int32_t bar, int32_t mask, CallSite site) {
  Machine &machine = Machine::current();
  Thread &self = machine.self();
  if (mask == 0)
    return machine.report(FindingKind::coordinates, &self, site.line, "multicast mask",
                          std::string(site.what) + " to no CTA: the mask is 0");
  Cta &home = *self.cta;
  // The reads end with the first copy that lands; any of the barriers stands for it.
  AccessId globalAccess = 0;
  bool isReachable = true;
  for (int32_t rank = 0; rank < 16; ++rank) {
    if (mask < 0 ? rank != home.rank : (mask >> rank & 1) == 0)
      continue;
    Cta *cta = mask < 0 ? &home : machine.peer(home, rank, site.what, site.line);
    Mbarrier *found =
        cta ? machine.mbarrier(self, *cta, bar, Proxy::async, site.what, site.line) : nullptr;
    if (!found)
      continue;
    if (globalAccess == 0) {
      globalAccess = machine.asyncAccess(self, false, found->openPhase(), site.what, site.line);
      isReachable = reachGlobal(box, GlobalUse::read, globalAccess, site);
    }
    loadTo(*cta, box, bar, globalAccess, isReachable, site);
  }
}

void CopyUnit::loadTo(Cta &cta, const CopyBox &box, int32_t bar, AccessId globalAccess,
                      bool isReachable, CallSite site) {
  Machine &machine = Machine::current();
  Thread &self = machine.self();
  const uint32_t bytes = box.walk().tileBytes();
  if (!machine.checkAddress(cta, box.shared, bytes, box.alignment, site.what, site.line))
    return;
  Mbarrier &barrier = *cta.mbarriers.at(static_cast<uint32_t>(bar));
  const auto address = static_cast<uint32_t>(box.shared);
  Transfer &transfer = take();
  transfer.box = box;
  transfer.site = site;
  transfer.issuer = &self;
  transfer.cta = &cta;
  transfer.bar = &barrier;
  transfer.globalAccess = globalAccess;
  transfer.isReachable = isReachable;
  transfer.sharedAccess =
      machine.asyncAccess(self, true, barrier.openPhase(), site.what, site.line);
  machine.noteWrite(cta, address, bytes, transfer.sharedAccess);
  Machine::poison(cta, address, bytes);
  if (&cta != self.cta)
    machine.noteRemote(cta, self, barrier.openPhase(), {}, site.what, site.line);
  transfer.phase = Machine::issueTx(barrier);
  machine.schedule({site.what, site.line, &self, {[this, &transfer] { land(transfer); }}});
}

void CopyUnit::land(Transfer &transfer) {
  Machine &machine = Machine::current();
  const CopyBox &box = transfer.box;
  const BoxWalk walk = box.walk();
  std::vector<uint8_t> &bytes = transfer.bytes;
  bytes.resize(walk.rowBytes());
  for (uint32_t i = 0; i < walk.rowCount(); ++i) {
    const BoxRow row = walk.row(i);
    if (row.last - row.first != walk.rowBytes() || !transfer.isReachable)
      std::memset(bytes.data(), 0, bytes.size());
    if (row.isInside() && transfer.isReachable)
      std::memcpy(bytes.data() + row.first, reinterpret_cast<const void *>(row.address),
                  row.last - row.first);
    forRow(*transfer.cta, box, row.offset, walk.rowBytes(), bytes.data(),
           [](const uint8_t *from, uint8_t *to, uint32_t count) { std::memcpy(to, from, count); });
  }
  machine.completeAccess(transfer.sharedAccess);
  machine.completeAccess(transfer.globalAccess);
  machine.completeTx(*transfer.bar, static_cast<int32_t>(walk.boxBytes()), transfer.phase,
                     *transfer.issuer, transfer.site.what, transfer.site.line);
  giveBack(transfer);
}

// --- stores
// ---------------------------------------------------------------------------------------

void CopyUnit::store(const CopyBox &box, bool adds, CallSite site) {
  Machine &machine = Machine::current();
  Thread &self = machine.self();
  if (adds && !canAdd(box.map.type))
    return machine.report(FindingKind::tensorMap, &self, site.line, "tensor map",
                          std::string(site.what) + " has no addition for elements of this type");
  const BoxWalk walk = box.walk();
  if (!machine.checkAddress(*self.cta, box.shared, walk.tileBytes(), box.alignment, site.what,
                            site.line))
    return;
  ThreadCopies &owner = stores(self);
  const AccessId globalAccess =
      machine.asyncAccess(self, true, owner.writes->open(), site.what, site.line);
  if (!reachGlobal(box, adds ? GlobalUse::atomicWrite : GlobalUse::write, globalAccess, site))
    return;
  Transfer &transfer = take();
  transfer.box = box;
  transfer.site = site;
  transfer.issuer = &self;
  transfer.cta = self.cta;
  transfer.owner = &owner;
  transfer.adds = adds;
  transfer.globalAccess = globalAccess;
  transfer.sharedAccess =
      machine.asyncAccess(self, false, owner.reads->open(), site.what, site.line);
  for (uint32_t i = 0; i < walk.rowCount(); ++i) {
    const BoxRow row = walk.row(i);
    if (row.isInside())
      machine.noteRead(*self.cta, static_cast<uint32_t>(box.shared) + row.offset, walk.rowBytes(),
                       transfer.sharedAccess);
  }
  owner.reads->issue(site.line);
  transfer.step = owner.writes->issue(site.line);
  machine.schedule(
      {site.what,
       site.line,
       &self,
       {[this, &transfer] { readTile(transfer); }, [this, &transfer] { writeTensor(transfer); }}});
}

void CopyUnit::readTile(Transfer &transfer) {
  Machine &machine = Machine::current();
  const CopyBox &box = transfer.box;
  const BoxWalk walk = box.walk();
  transfer.bytes.resize(walk.boxBytes());
  bool poisoned = false;
  for (uint32_t i = 0; i < walk.rowCount(); ++i) {
    const BoxRow row = walk.row(i);
    if (!row.isInside())
      continue;
    uint8_t *to = transfer.bytes.data() + i * walk.rowBytes();
    forRow(
        *transfer.cta, box, row.offset, walk.rowBytes(), to,
        [](uint8_t *into, const uint8_t *from, uint32_t count) { std::memcpy(into, from, count); });
    poisoned |= holdsPoison(to + row.first, row.last - row.first);
  }
  if (poisoned)
    machine.report(FindingKind::poison, transfer.issuer, transfer.site.line, tileName(box),
                   std::string(transfer.site.what) +
                       " stores the pattern of bytes that never arrived; some load or wgmma has "
                       "not been waited for");
  machine.completeAccess(transfer.sharedAccess);
  transfer.owner->reads->complete(transfer.step);
  machine.wake(*transfer.owner->reads);
}

void CopyUnit::writeTensor(Transfer &transfer) {
  Machine &machine = Machine::current();
  const CopyBox &box = transfer.box;
  const BoxWalk walk = box.walk();
  for (uint32_t i = 0; i < walk.rowCount(); ++i) {
    const BoxRow row = walk.row(i);
    if (!row.isInside())
      continue;
    const uint8_t *from = transfer.bytes.data() + i * walk.rowBytes() + row.first;
    auto *to = reinterpret_cast<uint8_t *>(row.address);
    const uint32_t count = row.last - row.first;
    if (transfer.adds)
      addElements(box.map.type, to, from, count);
    else
      std::memcpy(to, from, count);
    global_.touch(row.address, count);
  }
  machine.completeAccess(transfer.globalAccess);
  transfer.owner->writes->complete(transfer.step);
  machine.wake(*transfer.owner->writes);
  giveBack(transfer);
}

} // namespace tilewright::emulator
