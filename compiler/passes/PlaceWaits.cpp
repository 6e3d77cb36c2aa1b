// SPDX-License-Identifier: Apache-2.0
//
// tile-place-waits: dots become asynchronous (PendingDots), stages are given back (SlotReleases).

#include "compiler/passes/Passes.h"
#include "compiler/passes/PendingDots.h"
#include "compiler/passes/SlotReleases.h"

using namespace mlir;

namespace tilewright {

#define GEN_PASS_DEF_TILEPLACEWAITS
#include "compiler/passes/Passes.h.inc"

namespace {

struct PlaceWaits : impl::TilePlaceWaitsBase<PlaceWaits> {
  void runOnOperation() override {
    tile::KernelOp kernel = getOperation();
    if (kernel.getForm() != tile::Form::Scheduled)
      return;
    SmallVector<Operation *> roots;
    kernel.walk([&](tile::RoleOp role) { roots.push_back(role); });
    if (roots.empty())
      roots.push_back(kernel);
    for (Operation *root : roots)
      if (failed(splitDots(root)) || failed(placeReleases(root)))
        return signalPassFailure();
  }
};

} // namespace

} // namespace tilewright
