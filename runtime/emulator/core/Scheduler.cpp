// SPDX-License-Identifier: Apache-2.0
#include "runtime/emulator/core/Scheduler.h"

#include "runtime/emulator/core/Grid.h"
#include "runtime/emulator/core/Machine.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace tilewright::emulator {

static constexpr std::string_view kPolicyNames[] = {"earliest", "latest", "random", "priority"};

std::string_view policyName(Policy policy) { return kPolicyNames[static_cast<int>(policy)]; }

std::optional<Policy> parsePolicy(std::string_view word) {
  for (size_t i = 0; i < std::size(kPolicyNames); ++i)
    if (kPolicyNames[i] == word)
      return static_cast<Policy>(i);
  return std::nullopt;
}

Scheduler::Scheduler(Policy policy, Random &random) : policy_(policy), random_(random) {
  constexpr uint32_t kLands[] = {2, 8, 32};
  constexpr uint32_t kPreempts[] = {2, 8, 64};
  landsOneIn_ = kLands[random_.below(3)];
  preemptsOneIn_ = kPreempts[random_.below(3)];
}

Scheduler::~Scheduler() = default;

void Scheduler::clear() {
  queue_.clear();
  head_ = 0;
  current_ = nullptr;
  operations_.clear();
}

void Scheduler::add(Warp &warp) { warp.priority = static_cast<uint32_t>(random_.next()); }

void Scheduler::ready(Thread &thread) {
  Warp &warp = *thread.warp;
  warp.ready |= 1u << thread.lane;
  if (!warp.queued && current_ != &warp) {
    warp.queued = true;
    queue_.push_back(&warp);
  }
}

void Scheduler::add(Operation &&operation) {
  operations_.push_back({std::make_unique<Operation>(std::move(operation)), random_.next()});
}

void Scheduler::putBack(std::unique_ptr<Operation> operation) {
  operations_.push_back({std::move(operation), random_.next()});
}

bool Scheduler::preempts() {
  return policy_ == Policy::random || policy_ == Policy::priority ? random_.oneIn(preemptsOneIn_)
                                                                  : false;
}

size_t Scheduler::highestWarp() const {
  size_t best = head_;
  for (size_t i = head_; i < queue_.size(); ++i)
    if (queue_[i]->priority > queue_[best]->priority)
      best = i;
  return best;
}

bool Scheduler::picksOperation() {
  if (operations_.empty())
    return false;
  const bool threads = current_ || head_ < queue_.size();
  if (!threads || policy_ == Policy::earliest)
    return true;
  if (policy_ == Policy::latest)
    return false;
  if (policy_ == Policy::random)
    return random_.oneIn(landsOneIn_);
  if (current_)
    return false;
  const uint32_t warp = queue_[highestWarp()]->priority;
  return std::any_of(operations_.begin(), operations_.end(), [&](const Pending &pending) {
    return static_cast<uint32_t>(pending.priority) > warp;
  });
}

std::unique_ptr<Operation> Scheduler::takeOperation() {
  size_t pick = 0;
  if (policy_ == Policy::latest)
    pick = operations_.size() - 1;
  else if (policy_ == Policy::random)
    pick = random_.below(static_cast<uint32_t>(operations_.size()));
  else if (policy_ == Policy::priority)
    for (size_t i = 1; i < operations_.size(); ++i)
      if (operations_[i].priority > operations_[pick].priority)
        pick = i;
  std::unique_ptr<Operation> operation = std::move(operations_[pick].operation);
  operations_.erase(operations_.begin() + static_cast<ptrdiff_t>(pick));
  return operation;
}

Thread *Scheduler::takeThread() {
  // One warp goes on until none of its lanes can, unless the policy likes change.
  if (current_ && (current_->ready == 0 || preempts())) {
    Warp *warp = std::exchange(current_, nullptr);
    if (warp->ready != 0) {
      warp->queued = true;
      queue_.push_back(warp);
    }
  }
  if (!current_) {
    if (head_ == queue_.size())
      return nullptr;
    if (policy_ == Policy::priority && random_.oneIn(256))
      queue_[head_ + random_.below(static_cast<uint32_t>(queue_.size() - head_))]->priority =
          static_cast<uint32_t>(random_.next());
    size_t pick = head_;
    if (policy_ == Policy::random)
      pick += random_.below(static_cast<uint32_t>(queue_.size() - head_));
    else if (policy_ == Policy::priority)
      pick = highestWarp();
    current_ = queue_[pick];
    current_->queued = false;
    queue_[pick] = queue_[head_];
    if (++head_ == queue_.size() || head_ > 1024) {
      queue_.erase(queue_.begin(), queue_.begin() + static_cast<ptrdiff_t>(head_));
      head_ = 0;
    }
  }
  // Lanes in turn from one that the elected lane (seeded) names: text that needs lane 0 to go
  // first fails.
  const auto start = static_cast<uint32_t>(current_->electedLane);
  const uint32_t turned = std::rotr(current_->ready, static_cast<int>(start));
  const uint32_t lane = (static_cast<uint32_t>(std::countr_zero(turned)) + start) % kLanes;
  current_->ready &= ~(1u << lane);
  return current_->lanes[lane];
}

Scheduler::Step Scheduler::next() {
  if (current_ && current_->ready == 0)
    current_ = nullptr;
  Step step;
  if (picksOperation())
    step.operation = takeOperation();
  else
    step.thread = takeThread();
  return step;
}

} // namespace tilewright::emulator
