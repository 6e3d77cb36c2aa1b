// SPDX-License-Identifier: Apache-2.0
#include "compiler/EmitCuda.h"

#include "compiler/CudaPrinter.h"
#include "compiler/passes/emission/Attributes.h"

using namespace mlir;

namespace tilewright {

FailureOr<PlanKernel> emitCuda(emitc::FuncOp function) {
  PlanKernel kernel;
  kernel.entry = function.getSymName().str();
  if (auto includes = function->getAttrOfType<ArrayAttr>(emission::kIncludes))
    for (StringRef header : includes.getAsValueRange<StringAttr>())
      kernel.headers.push_back(header.str());
  if (auto threads = function->getAttrOfType<IntegerAttr>(emission::kThreads))
    kernel.threads = static_cast<int32_t>(threads.getInt());
  if (auto bytes = function->getAttrOfType<IntegerAttr>(emission::kSharedBytes))
    kernel.sharedBytes = static_cast<int32_t>(bytes.getInt());
  if (auto cluster = function->getAttrOfType<DenseI32ArrayAttr>(emission::kCluster))
    llvm::copy(cluster.asArrayRef(), kernel.cluster.begin());
  FailureOr<std::string> text = printCuda(function);
  if (failed(text))
    return failure();
  kernel.text = std::move(*text);
  return kernel;
}

FailureOr<std::vector<PlanKernel>> emitCuda(ModuleOp module) {
  std::vector<PlanKernel> kernels;
  for (Operation &op : *module.getBody()) {
    auto function = dyn_cast<emitc::FuncOp>(op);
    if (!function)
      return op.emitOpError("is no emitc.func: run sm90-to-emitc and emitc-prepare first");
    FailureOr<PlanKernel> kernel = emitCuda(function);
    if (failed(kernel))
      return failure();
    kernels.push_back(std::move(*kernel));
  }
  return kernels;
}

} // namespace tilewright
