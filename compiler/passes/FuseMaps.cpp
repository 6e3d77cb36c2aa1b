// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/Passes.h"

using namespace mlir;

namespace tilewright {

#define GEN_PASS_DEF_TILEFUSEMAPS
#include "compiler/passes/Passes.h.inc"

namespace {

struct FuseMaps : impl::TileFuseMapsBase<FuseMaps> {
  void runOnOperation() override {}
};

} // namespace

} // namespace tilewright
