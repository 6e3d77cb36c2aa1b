// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/Passes.h"

using namespace mlir;

namespace tilewright {

#define GEN_PASS_DEF_TILESPLITEPILOGUE
#include "compiler/passes/Passes.h.inc"

namespace {

struct SplitEpilogue : impl::TileSplitEpilogueBase<SplitEpilogue> {
  void runOnOperation() override {}
};

} // namespace

} // namespace tilewright
