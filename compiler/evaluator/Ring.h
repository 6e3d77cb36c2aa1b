// SPDX-License-Identifier: Apache-2.0
//
// Shared memory and asynchrony of the scheduled form, as the evaluator sees them: slots, the stages
// of a ring, and dots that are in flight.

#pragma once

#include "compiler/evaluator/Value.h"

#include "mlir/IR/BuiltinTypes.h"

#include <optional>

namespace tilewright::evaluator {

/// The bytes of a slot. They hold nothing before they are written and after they are given back.
struct SlotMemory {
  std::string name; ///< "slot 0 of ring \"ab\""
  std::optional<Tile> contents;
  int64_t version = 0; ///< counts changes of `contents`

  void write(std::optional<Tile> tile) {
    contents = std::move(tile);
    ++version;
  }
};

/// Ring of stages. Position p of a cursor is use p / stages of stage p % stages. A stage is
/// acquired, filled and released once per use, in this order.
struct Ring {
  struct Stage {
    std::vector<std::shared_ptr<SlotMemory>> slots;
    int64_t acquired = 0; ///< uses that have begun
    int64_t filled = 0;   ///< uses whose slots are all filled
    int64_t released = 0; ///< uses that are over
    size_t copies = 0;    ///< slots that copies have filled in the present use
  };

  std::string name;
  bool isPrivate = false; ///< one role at both ends: its slots are free again whenever it asks
  std::vector<Stage> stages;

  Stage &at(int64_t position) { return stages[position % stages.size()]; }
  int64_t useOf(int64_t position) const { return position / int64_t(stages.size()); }
  /// `stage 2 of ring "ab"`.
  std::string stageName(int64_t position) const;
};

/// Whose turn it is among the instances of a role.
struct Turn {
  int64_t holder = 0;
  int64_t instances = 1;
  bool isTaken = false; ///< the holder has waited for it
};

/// An operand of a dot in flight: a register tile, or a slot and the version that it had at the
/// start.
struct DotOperand {
  std::optional<Tile> tile;
  std::shared_ptr<SlotMemory> slot;
  int64_t version = 0;
};

/// A dot that has been issued. It reads its slots when it is waited for, not before: a slot that is
/// given back too early shows.
struct PendingDot {
  mlir::Operation *op = nullptr;
  DotOperand a, b;
  bool transA = false, transB = false;
  std::optional<Tile> acc;                 ///< the accumulator, or
  std::shared_ptr<PendingDot> accumulator; ///< the dot whose result it is
  std::optional<Tile> result;              ///< once it has been waited for
};

} // namespace tilewright::evaluator
