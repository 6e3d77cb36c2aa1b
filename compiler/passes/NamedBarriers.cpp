// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/NamedBarriers.h"

using namespace mlir;

namespace tilewright {

/// Whether the warpgroups of `role` meet at barriers of their own to hand slots to bulk stores.
static bool storesThroughSlots(tile::RoleOp role) {
  WalkResult walk = role.walk([](Operation *op) {
    auto acquire = dyn_cast<tile::AcquireOp>(op);
    auto ring = acquire ? acquire.getRing().getDefiningOp<tile::RingOp>() : tile::RingOp();
    bool meets = isa<tile::CopyOutOp, tile::DrainOp>(op) || (ring && ring.isPrivate());
    return meets ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

NamedBarriers::NamedBarriers(tile::KernelOp kernel) {
  kernel.walk([&](tile::RoleOp role) {
    if (storesThroughSlots(role))
      stores[role.getRole()] = reserve(kernel.findRole(role.getRole()), "stores");
  });
  for (tile::TurnOp turn : kernel.getOps<tile::TurnOp>())
    if (tile::RoleAttr role = kernel.findRole(turn.getAmong()))
      turns[turn] = reserve(role, "a turn");
}

int64_t NamedBarriers::reserve(tile::RoleAttr role, StringRef what) {
  int64_t first = next, barriers = std::max<int64_t>(role.getWarpgroups(), 1);
  next += barriers;
  text += " + " + std::to_string(barriers) + " for " + what.str() + " of @" + role.getName().str();
  return first;
}

} // namespace tilewright
