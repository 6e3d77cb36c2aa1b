// SPDX-License-Identifier: Apache-2.0
//
// GlobalMemory: the buffers that a run may reach. Kernels get the host's addresses; every access is
// checked for bounds and permission, and in buffers that a kernel may write also for order between
// threads and CTAs. Loads and stores take effect at once; only copies (CopyUnit) are late.
// Thread-safety: of the OS thread that made it, which is the one that runs the machine.

#pragma once

#include "runtime/emulator/Api.h"
#include "runtime/emulator/core/Machine.h"
#include "runtime/emulator/global/GlobalShadow.h"

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace tilewright::emulator {

/// One buffer, or several that overlap.
struct GlobalRegion {
  uint64_t address = 0;
  uint64_t bytes = 0;
  /// For people: "d".
  std::string name = {};
  bool readable = false;
  bool writable = false;
  bool holdsData = true;
  /// Made by the first access of a buffer that may be written.
  std::unique_ptr<GlobalShadow> shadow = {};

  [[nodiscard]] bool covers(uint64_t first, uint64_t count) const {
    return first >= address && count <= bytes && first - address <= bytes - count;
  }
};

/// A piece of global memory and who wants it, for checks and findings.
struct GlobalRange {
  uint64_t address = 0;
  uint64_t bytes = 0;
  const Thread *thread = nullptr;
  /// The device function. A literal.
  const char *what = "";
  int32_t line = 0;
};

/// A word that acquires and releases go through.
class Semaphore : public Waitable {
public:
  [[nodiscard]] std::string describe() const override;

  uint64_t address = 0;
  /// Counts what changed it.
  uint64_t version = 0;
  SyncPoint sync;
};

class GlobalMemory : public Extension {
public:
  GlobalMemory();
  ~GlobalMemory() override;
  GlobalMemory(const GlobalMemory &) = delete;
  GlobalMemory &operator=(const GlobalMemory &) = delete;

  /// The one made last on this OS thread.
  static GlobalMemory &current();

  /// Lets kernels reach a buffer. Overlapping buffers become one, with the rights of both.
  /// `holdsData`: reading it before a kernel wrote to it is fine.
  void add(const void *address, size_t bytes, std::string name, bool readable, bool writable,
           bool holdsData = true);
  /// What kernels did so far lies in the past of the next one.
  void newLaunch();

  /// The region around a range that may be accessed so; null after a finding.
  GlobalRegion *find(const GlobalRange &range, bool write);
  /// Checks order and notes the access, which is record `id` of the machine's log. The range is in
  /// bounds.
  void note(GlobalRegion &region, const GlobalRange &range, AccessId id, GlobalUse use);
  /// A write by a copy reached these bytes: spinning threads look again.
  void touch(uint64_t address, uint64_t bytes);

  /// fence.proxy.async of global memory.
  void fence(Thread &thread);

  /// For acquire and release.
  Semaphore &semaphore(uint64_t address);
  /// A plain store: who acquires from it gets nothing.
  void dropSemaphores(uint64_t address, uint64_t bytes);

  /// Whether a thread has asked for an unchanged semaphore so often that it spins.
  bool spins(const Thread &thread, const Semaphore &semaphore);

  void onGridExit(Machine &machine) override;

private:
  [[nodiscard]] std::string describeMiss(const GlobalRange &range) const;

  struct Poll {
    const Semaphore *semaphore = nullptr;
    uint64_t version = 0;
    int32_t times = 0;
  };

  GlobalMemory *outer_;
  std::vector<std::unique_ptr<GlobalRegion>> regions_;
  GlobalRegion *last_ = nullptr;
  GlobalFences fences_;
  std::unordered_map<uint64_t, std::unique_ptr<Semaphore>> semaphores_;
  std::unordered_map<const Thread *, Poll> polls_;
};

/// The part of the table that is about global memory.
void fillGlobalTable(Api &api);

} // namespace tilewright::emulator
