// SPDX-License-Identifier: Apache-2.0

#include "compiler/passes/tosm90/KernelLowering.h"

using namespace mlir;

namespace tilewright {

#define GEN_PASS_DEF_TILETOSM90
#include "compiler/passes/Passes.h.inc"

namespace {

struct TileToSm90 : impl::TileToSm90Base<TileToSm90> {
  void runOnOperation() override {
    SmallVector<tile::KernelOp> kernels(getOperation().getOps<tile::KernelOp>());
    for (tile::KernelOp kernel : kernels) {
      if (failed(tosm90::KernelLowering(kernel).run()))
        return signalPassFailure();
      kernel.erase();
    }
    // Programs are the host's part: Compiler.cpp reads them before this pass.
    for (auto program : llvm::make_early_inc_range(getOperation().getOps<tile::ProgramOp>()))
      program.erase();
  }
};

} // namespace

} // namespace tilewright
