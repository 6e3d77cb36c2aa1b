// SPDX-License-Identifier: Apache-2.0
//
// mlir-opt with Tilewright's dialects and passes: runs any pass on any module, for tests and for
// people who write tile programs.

#include "compiler/Pipeline.h"
#include "compiler/Registration.h"
#include "compiler/mutation/Mutation.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tilewright::registerAllDialects(registry);
  mlir::registerTransformsPasses();
  tilewright::registerAllPasses();
  tilewright::registerPipelines();
  tilewright::mutation::registerPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Tilewright's optimiser driver\n", registry));
}
