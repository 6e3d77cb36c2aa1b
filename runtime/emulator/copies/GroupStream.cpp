// SPDX-License-Identifier: Apache-2.0
#include "runtime/emulator/copies/GroupStream.h"

#include "runtime/emulator/core/Machine.h"

namespace tilewright::emulator {

std::string GroupStream::describe() const {
  return std::string(what_) + " groups of " + Machine::placeName(*thread_);
}

int32_t GroupStream::issue(int32_t line) {
  ++copies_.back();
  lastIssued_ = step_;
  lastLine_ = line;
  return step_;
}

int32_t GroupStream::endStep() {
  copies_.push_back(0);
  return step_++;
}

void GroupStream::commit() { groups_.push_back(endStep()); }

int32_t GroupStream::coveredBy(int32_t outstanding) const {
  const auto groups = static_cast<int32_t>(groups_.size());
  return groups > outstanding ? groups_[static_cast<size_t>(groups - outstanding - 1)] : 0;
}

bool GroupStream::isDone(int32_t step) {
  while (firstOpen_ < step_ && copies_[static_cast<size_t>(firstOpen_)] == 0)
    ++firstOpen_;
  return firstOpen_ > step;
}

} // namespace tilewright::emulator
