// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/AccumulatorLayout.h"

using namespace mlir;
using namespace tilewright::tile;

namespace tilewright {

/// The load that fills the slot behind a shared-memory tile; null where none is found.
static LoadOp findLoad(Value value) {
  while (true) {
    if (auto load = value.getDefiningOp<LoadOp>())
      return load.getRing() ? load : LoadOp();
    if (auto step = value.getDefiningOp<StepOp>()) {
      unsigned index = cast<OpResult>(value).getResultNumber();
      value = step.getBody().front().getTerminator()->getOperand(index);
      continue;
    }
    auto argument = dyn_cast<BlockArgument>(value);
    auto loop = argument ? dyn_cast<tile::ForOp>(argument.getOwner()->getParentOp()) : nullptr;
    if (!loop || argument.getArgNumber() == 0)
      return {};
    value = loop.getInits()[argument.getArgNumber() - 1];
  }
}

FailureOr<AccAttr> impliedAccumulator(DotOp dot) {
  RingOp ring;
  for (Value operand : {dot.getA(), dot.getB()}) {
    LoadOp load = findLoad(operand);
    auto found = load ? load.getRing().getDefiningOp<RingOp>() : RingOp();
    if (ring && found && ring.getConsumer() != found.getConsumer()) {
      InFlightDiagnostic error =
          dot.emitOpError() << "reads operands that two roles consume, @" << ring.getConsumer()
                            << " and @" << found.getConsumer() << "; give their rings one consumer";
      error.attachNote(ring.getLoc()) << "first ring";
      error.attachNote(found.getLoc()) << "second ring";
      return error;
    }
    ring = found ? found : ring;
  }
  if (!ring)
    return dot.emitOpError() << "has no operand from a ring, so no role computes it; write the "
                                "accumulator's layout in its type";
  RoleAttr role = dot->getParentOfType<KernelOp>().findRole(ring.getConsumer());
  int64_t rows = dot.getType().getDimSize(0);
  if (!role.getWarpgroups())
    return dot.emitOpError() << "kind wgmma needs whole warpgroups, role @" << role.getName()
                             << " has " << role.getWarps() << " warps; state warpgroups";
  int64_t groups = role.getSplit() == Split::Rows ? role.getWarpgroups() : 1;
  if (rows % (64 * groups))
    return dot.emitOpError() << "has " << rows << " rows for " << groups << " warpgroups of role @"
                             << role.getName() << "; each takes a multiple of 64";
  return AccAttr::get(dot.getContext(), groups, 1, rows / (64 * groups));
}

} // namespace tilewright
