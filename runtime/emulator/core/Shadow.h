// SPDX-License-Identifier: Apache-2.0
//
// The shadow of a CTA's shared memory: for each 4 bytes who wrote them last, who read them since,
// and which bytes were ever written. Accesses are numbered records in a log that the whole run
// shares, so that a cell is 16 bytes and a conflict can name both sides.

#pragma once

#include "runtime/emulator/core/Clock.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tilewright::emulator {

struct Thread;

/// What destination bytes hold until they are delivered: a signalling NaN of fp32. A quiet one
/// survives arithmetic bit for bit, so that touching an accumulator in flight could go unnoticed.
constexpr uint32_t kPoison = 0x7fa1beef;
/// The same after arithmetic, which sets the quiet bit.
constexpr uint32_t kQuietPoison = 0x7fe1beef;

enum class Proxy : uint8_t { generic, async };

/// One access of memory: an epoch that says when it has certainly happened, and for reports its
/// function, line and thread.
struct Access {
  Epoch epoch = {};
  Proxy proxy = Proxy::generic;
  bool write = false;
  /// An operation that has not completed: its bytes are still to be read or written.
  bool pending = false;
  int32_t line = 0;
  /// The device function: "tma_load". A literal.
  const char *what = "";
  /// The thread that issued it.
  const Thread *thread = nullptr;
};

/// Number of a record in the log; 0 is none.
using AccessId = uint32_t;

/// All accesses of a run that cells may refer to.
class AccessLog {
public:
  AccessId add(const Access &access) {
    records_.push_back(access);
    return static_cast<AccessId>(records_.size() - 1);
  }
  [[nodiscard]] const Access &operator[](AccessId id) const { return records_[id]; }
  /// Says that the operation behind a record is over.
  void complete(AccessId id) { records_[id].pending = false; }

private:
  std::vector<Access> records_ = {{}};
};

/// What two accesses did to each other, before it is put in words.
struct Conflict {
  enum class Rule : uint8_t {
    /// The earlier access does not lie in the past of the later one.
    unordered,
    /// It does, but no proxy fence lies between.
    unfenced,
    /// Nothing has written the bytes.
    uninitialised,
    /// An mbarrier lives there.
    barrier,
  };
  Rule rule = Rule::unordered;
  /// The earlier access; none for `uninitialised` and `barrier`.
  AccessId earlier = 0;
  /// Offset of the first byte of the cell.
  uint32_t offset = 0;
};

/// Who must have the order: one thread, or all those whose instruction it is (wgmma).
struct Observers {
  const Past *const *first = nullptr;
  uint32_t count = 0;
};

/// See the top of the file. Offsets are from the start of the CTA's shared memory and in bounds.
class Shadow {
public:
  explicit Shadow(const AccessLog &log) : log_(&log) {}
  /// Forgets everything and covers `bytes` bytes.
  void reset(uint32_t bytes);

  /// Notes that `id` reads bytes and returns the first conflict, errors before warnings.
  std::optional<Conflict> read(uint32_t offset, uint32_t bytes, AccessId id, Observers observers);
  /// Notes that `id` writes bytes and returns the first conflict, errors before warnings.
  std::optional<Conflict> write(uint32_t offset, uint32_t bytes, AccessId id, Observers observers);

  /// Marks the 8 bytes at offset as an mbarrier.
  void setBarrier(uint32_t offset);
  [[nodiscard]] bool isBarrier(uint32_t offset) const { return cells_[offset / 4].barrier; }
  /// Whether something, delivered or not, was written to the byte.
  [[nodiscard]] bool isInitialised(uint32_t offset) const {
    return cells_[offset / 4].initialised >> offset % 4 & 1;
  }

private:
  struct Cell {
    AccessId write = 0;
    AccessId reads[2] = {0, 0};
    uint32_t initialised : 4 = 0;
    uint32_t barrier : 1 = 0;
    /// Index into split_ plus one: for readers beyond two, and for accesses to parts of a word.
    uint32_t split : 27 = 0;
  };
  struct PartialRead {
    AccessId id;
    uint8_t mask;
  };
  /// What a cell cannot hold: a writer for each byte, and any number of readers with their bytes.
  struct Split {
    AccessId writes[4] = {0, 0, 0, 0};
    std::vector<PartialRead> reads;
  };
  class Check;

  Split &split(Cell &cell);
  void unsplit(Cell &cell);
  void noteRead(Cell &cell, uint8_t mask, AccessId id);

  const AccessLog *log_;
  std::vector<Cell> cells_;
  std::vector<Split> split_;
  std::vector<uint32_t> freeSplits_;
};

} // namespace tilewright::emulator
