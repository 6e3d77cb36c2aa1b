// SPDX-License-Identifier: Apache-2.0
//
// GroupStream: the copies that one thread has issued and waits for in groups (bulk stores,
// cp.async).

#pragma once

#include "runtime/emulator/core/Clock.h"
#include "runtime/emulator/core/Grid.h"
#include "runtime/emulator/core/Waitable.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::emulator {

/// Copies of one step share an epoch; a commit ends the step and the group.
class GroupStream : public Waitable {
public:
  /// `what`: "bulk store". A literal.
  GroupStream(const Thread &thread, Actor actor, const char *what)
      : thread_(&thread), actor_(actor), what_(what) {}

  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] const char *what() const { return what_; }

  /// The epoch of what is issued now.
  [[nodiscard]] Epoch open() const { return {actor_, step_}; }
  /// Adds a copy to the open step and returns the step.
  int32_t issue(int32_t line);
  /// A copy of that step has ended.
  void complete(int32_t step) { --copies_[static_cast<size_t>(step)]; }
  /// Ends the open step and returns it.
  int32_t endStep();
  /// Ends the open step, and with it the group.
  void commit();

  /// The last step of the groups that a wait covers which lets `outstanding` of them be.
  [[nodiscard]] int32_t coveredBy(int32_t outstanding) const;
  /// Whether the copies of all steps up to that one have ended.
  bool isDone(int32_t step);
  /// The thread knows of the end of all steps up to that one.
  void noteWaited(int32_t step) { waited_ = step > waited_ ? step : waited_; }

  /// Whether copies were issued that no commit or end of a step covers.
  [[nodiscard]] bool isUncommitted() const { return lastIssued_ == step_; }
  /// Whether copies were issued that nobody waited for.
  [[nodiscard]] bool isUnwaited() const { return lastIssued_ > waited_; }
  [[nodiscard]] int32_t lastLine() const { return lastLine_; }
  [[nodiscard]] Epoch epochOf(int32_t step) const { return {actor_, step}; }

private:
  const Thread *thread_;
  Actor actor_;
  const char *what_;
  /// Copies in flight of each step; steps count from 1, the last one is open.
  std::vector<int32_t> copies_ = {0, 0};
  int32_t step_ = 1;
  /// All steps ahead of it are done.
  int32_t firstOpen_ = 1;
  /// The last step of each group.
  std::vector<int32_t> groups_;
  int32_t waited_ = 0;
  int32_t lastIssued_ = 0;
  int32_t lastLine_ = 0;
};

} // namespace tilewright::emulator
