// SPDX-License-Identifier: Apache-2.0
//
// Runs the roles of a scheduled kernel side by side, one at a time: a role goes on until it has to
// wait for another one. The order is the same in every run.

#pragma once

#include "mlir/IR/Operation.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace tilewright::evaluator {

/// One role: its name, and what it runs.
struct RoleTask {
  std::string name;
  std::function<mlir::LogicalResult()> body;
};

class RoleRunner {
public:
  /// Runs all tasks to their ends; fails as soon as one does. Each has a thread of its own for its
  /// call stack, but a task runs only while all others wait: tasks may share data without locks.
  mlir::LogicalResult run(std::vector<RoleTask> tasks);

  /// Called by a task, or outside of `run`: returns when `ready()` holds and lets other tasks run
  /// until then. Fails if another task failed, and with an error at `op` if nothing that runs can
  /// make `ready()` hold; `what` completes "waits for …".
  mlir::LogicalResult waitUntil(mlir::Operation *op, std::string what,
                                llvm::function_ref<bool()> ready);

private:
  void runTask(size_t index);
  /// Hands control to the next unfinished task.
  void pass();

  struct State {
    bool isFinished = false;
    std::string waitsFor; ///< empty while it does not wait
  };

  std::vector<RoleTask> tasks_;
  std::vector<State> states_;
  std::mutex mutex_; ///< held by the task that runs
  std::condition_variable turnChanged_;
  size_t current_ = 0;
  size_t fruitless_ = 0; ///< waits in a row that found nothing changed
  bool hasFailed_ = false;
};

} // namespace tilewright::evaluator
