// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/DotGroups.h"

using namespace mlir;

namespace tilewright {

Operation *GroupScan::completion(Operation *op, Operation *end) {
  for (; op && op != end; op = op->getNextNode()) {
    std::optional<int64_t> left;
    if (auto wait = dyn_cast<tile::DotWaitOp>(op))
      left = wait.getOutstanding();
    else if (auto retire = dyn_cast<tile::DotRetireOp>(op))
      left = retire.getOutstanding();
    if (left && *left <= issuedAfter)
      return op;
    issuedAfter += isa<tile::DotStartOp>(op);
  }
  return nullptr;
}

Completion completionIn(Block *block, Operation *reader) {
  Completion completion;
  Operation *done = isa<tile::DotStartOp>(reader) ? nullptr : reader;
  for (Operation *at = reader;; at = at->getParentOp()) {
    if (!done)
      done = completion.scan.completion(at->getNextNode());
    else if (at != reader)
      done = at;
    if (at->getBlock() == block) {
      completion.after = done;
      return completion;
    }
  }
}

} // namespace tilewright
