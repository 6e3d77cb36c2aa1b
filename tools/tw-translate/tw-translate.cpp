// SPDX-License-Identifier: Apache-2.0
//
// mlir-translate with one translation of ours: a module of EmitC, as emitc-prepare leaves it, to
// the CUDA text of its kernels.

#include "compiler/EmitCuda.h"
#include "compiler/Registration.h"

#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"

static mlir::LogicalResult translate(mlir::Operation *op, llvm::raw_ostream &out) {
  auto module = mlir::dyn_cast<mlir::ModuleOp>(op);
  if (!module)
    return op->emitOpError("expected a module");
  mlir::FailureOr<std::vector<tilewright::PlanKernel>> kernels = tilewright::emitCuda(module);
  if (mlir::failed(kernels))
    return mlir::failure();
  for (const tilewright::PlanKernel &kernel : *kernels)
    out << (&kernel == &kernels->front() ? "" : "\n") << kernel.text;
  return mlir::success();
}

int main(int argc, char **argv) {
  mlir::TranslateFromMLIRRegistration registration("emitc-to-cuda",
                                                   "CUDA text of the kernels in a prepared module",
                                                   translate, tilewright::registerAllDialects);
  return mlir::failed(mlir::mlirTranslateMain(argc, argv, "Tilewright's translation driver\n"));
}
