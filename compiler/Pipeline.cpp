// SPDX-License-Identifier: Apache-2.0

#include "compiler/Pipeline.h"

#include "compiler/passes/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace tilewright {

void addSchedulePasses(OpPassManager &module) {
  OpPassManager &kernel = module.nest<tile::KernelOp>();
  // Every tile gets a layout: from the dots, from what stands in the text.
  kernel.addPass(createTileInferLayouts());
  // Stores with a sub-tile become loops over column slices, with the arithmetic behind them.
  kernel.addPass(createTileSplitEpilogue());
  // Loops with an order are rotated: steps of neighbouring iterations interleave.
  kernel.addPass(createTileRotate());
  // One body per role; rings, cursors, acquire and wait appear. From here on the form is scheduled.
  kernel.addPass(createTileAssignRoles());
  // Dots are issued and awaited where their directives say, slots are given back.
  kernel.addPass(createTilePlaceWaits());
  // Loops with named ranges become one loop for each, without the work that a range may skip.
  kernel.addPass(createTileSplitRanges());
  // Elementwise arithmetic becomes one region per place that needs its result.
  kernel.addPass(createTileFuseMaps());
}

void addLoweringPasses(OpPassManager &module) {
  OpPassManager &kernel = module.nest<tile::KernelOp>();
  // Whoever wrote the schedule, passes or a person: what is waited for and given back fits.
  kernel.addPass(createTileVerifyAsync());
  kernel.addPass(createTilePlanSharedMemory());
  kernel.addPass(createTilePlanRegisters());
  module.addPass(createTileToSm90());
  // What the lowering computed twice is computed once; everything asynchronous has effects that
  // keep it in place.
  module.addPass(createCSEPass());
}

void addEmissionPasses(OpPassManager &module) {
  module.addPass(createSm90ToEmitc());
  module.addPass(createEmitcPrepare());
}

void registerPipelines() {
  PassPipelineRegistration<>("tile-schedule", "Program form to scheduled form", addSchedulePasses);
  PassPipelineRegistration<>("tile-lower", "Scheduled form to sm90", addLoweringPasses);
  PassPipelineRegistration<>("sm90-emit", "sm90 to printable EmitC", addEmissionPasses);
  PassPipelineRegistration<>("tilewright", "All passes of the compiler, in order",
                             [](OpPassManager &module) {
                               addSchedulePasses(module);
                               addLoweringPasses(module);
                               addEmissionPasses(module);
                             });
}

} // namespace tilewright
