// SPDX-License-Identifier: Apache-2.0
#include "runtime/emulator/core/Shadow.h"

#include <algorithm>
#include <array>
#include <bit>

namespace tilewright::emulator {

/// One access against what the cells hold. Tiles have one or two earlier accesses in thousands of
/// cells, so that what passed is remembered.
class Shadow::Check {
public:
  Check(const AccessLog &log, AccessId id, Observers observers)
      : log_(log), id_(id), access_(log[id]), observers_(observers) {}

  /// Compares with an earlier access; 0 passes.
  void against(AccessId earlier, uint32_t cell) {
    if (earlier == 0 || earlier == id_ || passed_[earlier % passed_.size()] == earlier)
      return;
    const Access &before = log_[earlier];
    const bool crossesProxies = access_.proxy == Proxy::async && before.proxy == Proxy::generic;
    bool unfenced = false;
    for (uint32_t i = 0; i < observers_.count; ++i) {
      const Past &past = *observers_.first[i];
      if (!past.seen.covers(before.epoch))
        return note(error_, Conflict::Rule::unordered, earlier, cell);
      unfenced |= crossesProxies && !past.proxied.covers(before.epoch);
    }
    if (unfenced)
      return note(before.write ? error_ : warning_, Conflict::Rule::unfenced, earlier, cell);
    passed_[earlier % passed_.size()] = earlier;
  }
  void fail(Conflict::Rule rule, uint32_t cell) { note(error_, rule, 0, cell); }

  [[nodiscard]] std::optional<Conflict> result() const { return error_ ? error_ : warning_; }

private:
  static void note(std::optional<Conflict> &into, Conflict::Rule rule, AccessId earlier,
                   uint32_t cell) {
    if (!into)
      into = Conflict{rule, earlier, cell * 4};
  }

  const AccessLog &log_;
  AccessId id_;
  const Access &access_;
  Observers observers_;
  std::array<AccessId, 16> passed_ = {};
  std::optional<Conflict> error_;
  std::optional<Conflict> warning_;
};

void Shadow::reset(uint32_t bytes) {
  cells_.assign((bytes + 3) / 4, Cell());
  split_.clear();
  freeSplits_.clear();
}

Shadow::Split &Shadow::split(Cell &cell) {
  if (cell.split != 0)
    return split_[cell.split - 1];
  uint32_t index = 0;
  if (freeSplits_.empty()) {
    index = static_cast<uint32_t>(split_.size());
    split_.emplace_back();
  } else {
    index = freeSplits_.back();
    freeSplits_.pop_back();
  }
  cell.split = index + 1;
  Split &split = split_[index];
  std::fill(std::begin(split.writes), std::end(split.writes), cell.write);
  split.reads.clear();
  for (AccessId &read : cell.reads) {
    if (read != 0)
      split.reads.push_back({read, 0xf});
    read = 0;
  }
  return split;
}

void Shadow::unsplit(Cell &cell) {
  if (cell.split != 0)
    freeSplits_.push_back(cell.split - 1);
  cell.split = 0;
}

/// The bytes of cell `cell` that lie in [offset, end), a bit each.
static uint8_t maskOf(uint32_t cell, uint32_t offset, uint32_t end) {
  const uint32_t first = std::max(cell * 4, offset) - cell * 4;
  const uint32_t last = std::min(cell * 4 + 4, end) - cell * 4;
  return static_cast<uint8_t>((0xfu << first) & (0xfu >> (4 - last)) & 0xf);
}

void Shadow::noteRead(Cell &cell, uint8_t mask, AccessId id) {
  const Actor actor = (*log_)[id].epoch.actor;
  if (cell.split == 0 && mask == 0xf) {
    for (AccessId &read : cell.reads)
      if (read == 0 || read == id || (*log_)[read].epoch.actor == actor) {
        read = id;
        return;
      }
  }
  for (PartialRead &read : split(cell).reads)
    if (read.mask == mask && (read.id == id || (*log_)[read.id].epoch.actor == actor)) {
      read.id = id;
      return;
    }
  split(cell).reads.push_back({id, mask});
}

std::optional<Conflict> Shadow::read(uint32_t offset, uint32_t bytes, AccessId id,
                                     Observers observers) {
  Check check(*log_, id, observers);
  const uint32_t end = offset + bytes;
  for (uint32_t at = offset / 4; at * 4 < end; ++at) {
    Cell &cell = cells_[at];
    const uint8_t mask = maskOf(at, offset, end);
    if (cell.barrier)
      check.fail(Conflict::Rule::barrier, at);
    if ((cell.initialised & mask) != mask)
      check.fail(Conflict::Rule::uninitialised, at);
    if (cell.split == 0) {
      check.against(cell.write, at);
    } else {
      for (uint32_t byte = 0; byte < 4; ++byte)
        if (mask >> byte & 1)
          check.against(split_[cell.split - 1].writes[byte], at);
    }
    noteRead(cell, mask, id);
  }
  return check.result();
}

std::optional<Conflict> Shadow::write(uint32_t offset, uint32_t bytes, AccessId id,
                                      Observers observers) {
  Check check(*log_, id, observers);
  const uint32_t end = offset + bytes;
  for (uint32_t at = offset / 4; at * 4 < end; ++at) {
    Cell &cell = cells_[at];
    const uint8_t mask = maskOf(at, offset, end);
    if (cell.barrier)
      check.fail(Conflict::Rule::barrier, at);
    if (cell.split == 0) {
      check.against(cell.write, at);
      check.against(cell.reads[0], at);
      check.against(cell.reads[1], at);
    } else {
      const Split &parts = split_[cell.split - 1];
      for (uint32_t byte = 0; byte < 4; ++byte)
        if (mask >> byte & 1)
          check.against(parts.writes[byte], at);
      for (const PartialRead &read : parts.reads)
        if (read.mask & mask)
          check.against(read.id, at);
    }
    cell.initialised |= mask;
    if (mask == 0xf) {
      unsplit(cell);
      cell.write = id;
      cell.reads[0] = cell.reads[1] = 0;
      continue;
    }
    Split &parts = split(cell);
    for (uint32_t byte = 0; byte < 4; ++byte)
      if (mask >> byte & 1)
        parts.writes[byte] = id;
    for (PartialRead &read : parts.reads)
      read.mask &= static_cast<uint8_t>(~mask);
    std::erase_if(parts.reads, [](const PartialRead &read) { return read.mask == 0; });
  }
  return check.result();
}

void Shadow::setBarrier(uint32_t offset) {
  for (uint32_t at = offset / 4; at < offset / 4 + 2; ++at) {
    cells_[at].barrier = 1;
    cells_[at].initialised = 0xf;
  }
}

} // namespace tilewright::emulator
