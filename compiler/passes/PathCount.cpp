// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/PathCount.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tilewright {

PathCount countOnPaths(Operation *begin, function_ref<bool(Operation *)> counts) {
  constexpr int64_t kMany = 1000;
  PathCount total;
  for (Operation *op = begin; op; op = op->getNextNode()) {
    PathCount here{counts(op), counts(op)};
    SmallVector<PathCount> regions;
    for (Region &region : op->getRegions())
      regions.push_back(region.empty() || region.front().empty()
                            ? PathCount()
                            : countOnPaths(&region.front().front(), counts));
    if (isa<scf::IfOp>(op)) {
      here.least += std::min(regions[0].least, regions[1].least);
      here.most += std::max(regions[0].most, regions[1].most);
    } else {
      for (PathCount region : regions)
        here.most += region.most ? kMany : 0;
    }
    total.least += here.least;
    total.most += here.most;
  }
  return total;
}

bool runsBefore(Operation *first, Operation *second) {
  for (Operation *op = first; op; op = op->getParentOp())
    if (Operation *other =
            op->getBlock() ? op->getBlock()->findAncestorOpInBlock(*second) : nullptr)
      return op != other && op->isBeforeInBlock(other);
  return false;
}

} // namespace tilewright
