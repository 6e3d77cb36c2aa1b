// SPDX-License-Identifier: Apache-2.0
//
// CopyUnit: the machinery of the emulated machine that moves data on its own: the tensor memory
// accelerator with its bulk copies, cp.async, and st.async. Copies are checked and marked when they
// are issued, and happen at moments that the scheduler picks.
// Thread-safety: of the OS thread that made it, which is the one that runs the machine.

#pragma once

#include "runtime/emulator/Api.h"
#include "runtime/emulator/copies/BoxWalk.h"
#include "runtime/emulator/copies/GroupStream.h"
#include "runtime/emulator/copies/TensorMap.h"
#include "runtime/emulator/core/Machine.h"
#include "runtime/emulator/global/GlobalMemory.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace tilewright::emulator {

/// A place in a kernel's text: the device function (a literal) and its line.
struct CallSite {
  const char *what = "";
  int32_t line = 0;
};

/// What a tensor copy or a bulk copy moves: a box of a tensor. A bulk copy has one row.
struct CopyBox {
  TensorMapFacts map = {};
  std::array<int32_t, kMaxTensorRank> coordinates = {};
  /// Of the tile in shared memory.
  int32_t shared = 0;
  int32_t alignment = 128;

  [[nodiscard]] BoxWalk walk() const { return {map, coordinates.data()}; }
};

class CopyUnit : public Extension {
public:
  explicit CopyUnit(GlobalMemory &global);
  ~CopyUnit() override;
  CopyUnit(const CopyUnit &) = delete;
  CopyUnit &operator=(const CopyUnit &) = delete;

  /// The one made last on this OS thread.
  static CopyUnit &current();

  // Functions of the table, for the present thread.

  /// Reads a tensor map and pairs it with coordinates; nothing after a finding.
  std::optional<CopyBox> box(const tw::tensor_map *map, int32_t rank, const int32_t *coordinates,
                             int32_t shared, CallSite site);
  /// The box of a bulk copy; nothing after a finding.
  std::optional<CopyBox> flatBox(const void *pointer, int32_t bytes, ElementType type,
                                 int32_t shared, CallSite site);
  /// mask < 0: to this CTA; else to each CTA of the mask.
  void load(const CopyBox &box, int32_t bar, int32_t mask, CallSite site);
  void store(const CopyBox &box, bool adds, CallSite site);
  void commitStores();
  void waitForStores(int32_t outstanding, bool read, CallSite site);

  void copyAsync(int32_t bytes, int32_t shared, const void *pointer, int32_t sourceBytes,
                 CallSite site);
  void commitAsync();
  void waitForAsync(int32_t outstanding, CallSite site);
  void arriveAfterAsync(int32_t bar, CallSite site);
  void storeAsync(int32_t shared, uint32_t bits, int32_t bar, int32_t rank, CallSite site);
  /// What cp.async wrote, as far as the thread knows of it, is fenced.
  void fenceAsync(Thread &thread);

  void onCtaStart(Machine &machine, Cta &cta) override;
  void onThreadExit(Machine &machine, Thread &thread) override;

private:
  /// An arrival that waits for cp.async.
  struct Arrival {
    Mbarrier *bar;
    int32_t step;
    int32_t line;
  };
  /// What a thread has under way, from its first copy on.
  struct ThreadCopies {
    /// Of bulk stores: their reads of shared memory, and their writes of global memory.
    std::unique_ptr<GroupStream> reads;
    std::unique_ptr<GroupStream> writes;
    std::unique_ptr<GroupStream> asyncs;
    std::vector<Arrival> arrivals;
  };
  /// A copy under way.
  struct Transfer {
    CopyBox box;
    CallSite site;
    Thread *issuer = nullptr;
    Cta *cta = nullptr;
    AccessId sharedAccess = 0;
    AccessId globalAccess = 0;
    /// Of a load. One that found itself out of bounds lands zeros, so that the run can go on.
    bool isReachable = true;
    Mbarrier *bar = nullptr;
    int32_t phase = 0;
    /// Of a store.
    ThreadCopies *owner = nullptr;
    int32_t step = 0;
    bool adds = false;
    /// The rows that a store has read, whole ones, unswizzled; one row of a load.
    std::vector<uint8_t> bytes;
    /// Of cp.async and st.async.
    uint64_t source = 0;
    uint32_t count = 0;
    uint32_t sourceCount = 0;
    uint32_t bits = 0;
  };

  bool reachGlobal(const CopyBox &box, GlobalUse use, AccessId id, CallSite site);
  void loadTo(Cta &cta, const CopyBox &box, int32_t bar, AccessId globalAccess, bool isReachable,
              CallSite site);
  void land(Transfer &transfer);
  void readTile(Transfer &transfer);
  void writeTensor(Transfer &transfer);
  void landAsync(Transfer &transfer);
  void landStore(Transfer &transfer);
  void arriveIfDone(ThreadCopies &copies, const Thread &thread);

  ThreadCopies &stores(Thread &thread);
  ThreadCopies &asyncs(Thread &thread);
  Transfer &take();
  void giveBack(Transfer &transfer) { free_.push_back(&transfer); }
  static void wait(Thread &thread, GroupStream &stream, int32_t step, CallSite site);

  GlobalMemory &global_;
  CopyUnit *outer_;
  std::unordered_map<const Thread *, std::unique_ptr<ThreadCopies>> threads_;
  std::vector<std::unique_ptr<Transfer>> transfers_;
  std::vector<Transfer *> free_;
  /// What an arrival of cp.async releases; kept for its memory.
  Past arrivalPast_;
};

/// The part of the table that is about copies. After fillCoreTable: it adds to the proxy fence.
void fillCopyTable(Api &api);

} // namespace tilewright::emulator
