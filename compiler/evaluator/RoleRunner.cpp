// SPDX-License-Identifier: Apache-2.0

#include "compiler/evaluator/RoleRunner.h"

#include "mlir/IR/Diagnostics.h"

#include <thread>

using namespace mlir;

namespace tilewright::evaluator {

LogicalResult RoleRunner::run(std::vector<RoleTask> tasks) {
  tasks_ = std::move(tasks);
  states_.assign(tasks_.size(), State());
  current_ = fruitless_ = 0;
  hasFailed_ = false;
  std::vector<std::thread> threads;
  for (size_t index = 0; index < tasks_.size(); ++index)
    threads.emplace_back([this, index] { runTask(index); });
  for (std::thread &thread : threads)
    thread.join();
  tasks_.clear();
  return failure(hasFailed_);
}

void RoleRunner::runTask(size_t index) {
  std::unique_lock lock(mutex_);
  turnChanged_.wait(lock, [&] { return current_ == index; });
  fruitless_ = 0;
  if (!hasFailed_ && failed(tasks_[index].body()))
    hasFailed_ = true;
  states_[index].isFinished = true;
  fruitless_ = 0;
  pass();
}

void RoleRunner::pass() {
  for (size_t step = 1; step <= tasks_.size(); ++step) {
    size_t next = (current_ + step) % tasks_.size();
    if (states_[next].isFinished)
      continue;
    current_ = next;
    break;
  }
  turnChanged_.notify_all();
}

LogicalResult RoleRunner::waitUntil(Operation *op, std::string what,
                                    llvm::function_ref<bool()> ready) {
  if (ready()) {
    fruitless_ = 0;
    return success();
  }
  if (tasks_.empty())
    return op->emitOpError("waits for ") << what << ", which nothing in this kernel brings about";
  size_t self = current_;
  states_[self].waitsFor = std::move(what);
  while (!hasFailed_ && !ready()) {
    size_t unfinished = llvm::count_if(states_, [](const State &s) { return !s.isFinished; });
    if (++fruitless_ > unfinished) {
      hasFailed_ = true;
      InFlightDiagnostic error = op->emitOpError("is part of a deadlock");
      for (auto [task, state] : llvm::zip_equal(tasks_, states_))
        if (!state.isFinished)
          error << "; @" << task.name << " waits for " << state.waitsFor;
      break;
    }
    pass();
    // The lock is the one that runTask holds further up this thread's stack.
    std::unique_lock lock(mutex_, std::adopt_lock);
    turnChanged_.wait(lock, [&] { return current_ == self; });
    lock.release();
  }
  states_[self].waitsFor.clear();
  fruitless_ = 0;
  return failure(hasFailed_);
}

} // namespace tilewright::evaluator
