// SPDX-License-Identifier: Apache-2.0
#include "runtime/emulator/global/GlobalShadow.h"

#include <array>

namespace tilewright::emulator {

namespace {

/// Set in numbers of atomic accesses.
constexpr AccessId kAtomic = 1u << 31;

constexpr AccessId numberOf(AccessId stored) { return stored & ~kAtomic; }

} // namespace

void GlobalFences::add(Epoch epoch, const Past &past, bool isPermissive) {
  fences_.push_back({epoch, isPermissive ? past.seen : Clock()});
}

bool GlobalFences::lieBetween(Epoch write, const Past &past) const {
  for (const Fence &fence : fences_) {
    const bool isAfter = (fence.epoch.actor == write.actor && fence.epoch.value >= write.value) ||
                         fence.seen.covers(write);
    // What follows a fence is in the next epoch.
    if (isAfter && past.seen.covers({fence.epoch.actor, fence.epoch.value + 1}))
      return true;
  }
  return false;
}

/// One access against what the cells hold. What passed is remembered, for a copy meets the same few
/// records again and again.
class GlobalShadow::Check {
public:
  Check(const AccessLog &log, AccessId id, GlobalUse use, const Past &past,
        const GlobalFences &fences)
      : log_(log), id_(id), isAtomic_(isAtomic(use)), past_(past), fences_(fences),
        isAsync_(log[id].proxy == Proxy::async) {}

  void against(AccessId stored, uint64_t offset) {
    const AccessId earlier = numberOf(stored);
    if (earlier == 0 || earlier == id_ || conflict_ || (isAtomic_ && (stored & kAtomic)) ||
        passed_[earlier % passed_.size()] == earlier)
      return;
    const Access &before = log_[earlier];
    if (!past_.seen.covers(before.epoch))
      conflict_ = Conflict{Conflict::Rule::unordered, earlier, static_cast<uint32_t>(offset)};
    else if (isAsync_ && before.write && before.proxy == Proxy::generic &&
             !fences_.lieBetween(before.epoch, past_))
      conflict_ = Conflict{Conflict::Rule::unfenced, earlier, static_cast<uint32_t>(offset)};
    else
      passed_[earlier % passed_.size()] = earlier;
  }
  void uninitialised(uint64_t offset) {
    if (!conflict_)
      conflict_ = Conflict{Conflict::Rule::uninitialised, 0, static_cast<uint32_t>(offset)};
  }
  [[nodiscard]] const std::optional<Conflict> &result() const { return conflict_; }

private:
  const AccessLog &log_;
  AccessId id_;
  bool isAtomic_;
  const Past &past_;
  const GlobalFences &fences_;
  bool isAsync_;
  std::array<AccessId, 16> passed_ = {};
  std::optional<Conflict> conflict_;
};

GlobalShadow::GlobalShadow(uint64_t bytes, bool holdsData) {
  cells_.resize((bytes + granule_ - 1) / granule_);
  for (Cell &cell : cells_)
    cell.initialised = holdsData;
}

void GlobalShadow::forgetAccesses() {
  for (Cell &cell : cells_)
    cell.write = cell.read = cell.more = 0;
  more_.clear();
}

/// Makes pieces so small that the range is made of whole ones.
void GlobalShadow::refine(uint64_t offset, uint64_t bytes) {
  while (offset % granule_ != 0 || bytes % granule_ != 0) {
    std::vector<Cell> finer;
    finer.reserve(cells_.size() * 2);
    for (const Cell &cell : cells_) {
      finer.push_back(cell);
      finer.push_back(cell);
      if (cell.more == 0)
        continue;
      more_.push_back(std::vector<AccessId>(more_[cell.more - 1]));
      finer.back().more = static_cast<uint32_t>(more_.size());
    }
    cells_ = std::move(finer);
    granule_ /= 2;
  }
}

std::vector<AccessId> &GlobalShadow::moreOf(Cell &cell) {
  if (cell.more == 0) {
    more_.emplace_back();
    cell.more = static_cast<uint32_t>(more_.size());
  }
  return more_[cell.more - 1];
}

/// Puts a record into the cell's place for it; what was there stays known, unless it is an earlier
/// one of the same actor and kind.
void GlobalShadow::addTo(Cell &cell, AccessId &place, AccessId id, const AccessLog &log) {
  const auto replaces = [&](AccessId old) {
    return (old & kAtomic) == (id & kAtomic) &&
           log[numberOf(old)].epoch.actor == log[numberOf(id)].epoch.actor &&
           log[numberOf(old)].write == log[numberOf(id)].write;
  };
  if (place == 0 || place == id || replaces(place)) {
    place = id;
    return;
  }
  std::vector<AccessId> &more = moreOf(cell);
  for (AccessId &old : more)
    if (replaces(old)) {
      old = id;
      return;
    }
  more.push_back(id);
}

std::optional<Conflict> GlobalShadow::note(const AccessLog &log, uint64_t offset, uint64_t bytes,
                                           AccessId id, GlobalUse use, const Past &past,
                                           const GlobalFences &fences) {
  refine(offset, bytes);
  Check check(log, id, use, past, fences);
  const AccessId stored = isAtomic(use) ? id | kAtomic : id;
  for (uint64_t at = offset; at < offset + bytes; at += granule_) {
    Cell &cell = cells_[at / granule_];
    if (use != GlobalUse::write && !cell.initialised)
      check.uninitialised(at);
    check.against(cell.write, at);
    if (isWrite(use))
      check.against(cell.read, at);
    if (cell.more != 0)
      for (const AccessId other : more_[cell.more - 1])
        if (isWrite(use) || log[numberOf(other)].write)
          check.against(other, at);
    switch (use) {
    case GlobalUse::write:
      cell.write = id;
      cell.read = 0;
      if (cell.more != 0)
        more_[cell.more - 1].clear();
      cell.initialised = true;
      break;
    case GlobalUse::atomicWrite:
      addTo(cell, cell.write, stored, log);
      break;
    case GlobalUse::read:
    case GlobalUse::atomicRead:
      addTo(cell, cell.read, stored, log);
      break;
    }
  }
  return check.result();
}

} // namespace tilewright::emulator
