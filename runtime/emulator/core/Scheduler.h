// SPDX-License-Identifier: Apache-2.0
//
// Scheduler: which thread runs next, and when what is in flight lands. All choices come from the
// seed.

#pragma once

#include "runtime/emulator/core/Random.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace tilewright::emulator {

struct Operation;
struct Thread;
struct Warp;

enum class Policy : uint8_t {
  /// Operations land as soon as they are issued; threads take turns.
  earliest,
  /// Operations land when no thread can run, the newest first.
  latest,
  /// Anything that can happen, at random.
  random,
  /// Warps and operations have random priorities that change rarely; the highest goes first. It
  /// starves some for long, which uniform choices do not.
  priority,
};

std::string_view policyName(Policy policy);
/// Nothing for a word that is no policy.
std::optional<Policy> parsePolicy(std::string_view word);

class Scheduler {
public:
  Scheduler(Policy policy, Random &random);
  ~Scheduler();

  void add(Warp &warp);
  void ready(Thread &thread);
  void add(Operation &&operation);
  /// Whether a thread that could go on should make room at this point.
  bool preempts();
  /// Whether operations land at once.
  [[nodiscard]] bool isEager() const { return policy_ == Policy::earliest; }
  [[nodiscard]] size_t operations() const { return operations_.size(); }

  /// What happens next: a thread, or an event of an operation, or nothing.
  struct Step {
    Thread *thread = nullptr;
    std::unique_ptr<Operation> operation;
  };
  Step next();
  /// Puts an operation back whose second event is still to come.
  void putBack(std::unique_ptr<Operation> operation);
  /// Forgets all.
  void clear();

private:
  struct Pending {
    std::unique_ptr<Operation> operation;
    uint64_t priority;
  };
  bool picksOperation();
  std::unique_ptr<Operation> takeOperation();
  Thread *takeThread();
  size_t highestWarp() const;

  Policy policy_;
  Random &random_;
  /// One in how many choices lets an operation land, preempts a thread: drawn once per run.
  uint32_t landsOneIn_;
  uint32_t preemptsOneIn_;
  std::vector<Warp *> queue_;
  size_t head_ = 0;
  Warp *current_ = nullptr;
  std::vector<Pending> operations_;
};

} // namespace tilewright::emulator
