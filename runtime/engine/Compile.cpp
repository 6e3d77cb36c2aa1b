// SPDX-License-Identifier: Apache-2.0
#include "runtime/engine/Compile.h"

#include "compiler/Compiler.h"
#include "compiler/device/DeviceHeaders.h"
#include "support/PlanCheck.h"
#include "templates/gemm/Gemm.h"
#include "templates/gemm/Space.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <chrono>
#include <future>
#include <optional>

namespace tilewright {

namespace {

double secondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Expected<NvrtcOutput> compileKernel(const PlanKernel &kernel, const std::string &arch,
                                    const Nvrtc &nvrtc, bool wantPtx) {
  return nvrtc.compile({.text = kernel.text,
                        .name = kernel.entry + ".cu",
                        .headers = nvrtcHeaders(),
                        .architecture = arch,
                        .wantPtx = wantPtx});
}

} // namespace

Status CompiledPlan::accept() const {
  if (rejections.empty())
    return Status::ok();
  std::string text;
  for (const Rejection &rejection : rejections)
    text += (text.empty() ? "" : "; ") +
            (rejection.kernel.empty() ? "a kernel" : rejection.kernel) + ": " + rejection.reason;
  return Status::compileFailed(text);
}

std::span<const NvrtcHeader> nvrtcHeaders() {
  static const std::vector<NvrtcHeader> headers = [] {
    std::vector<NvrtcHeader> list;
    for (const DeviceHeader &header : deviceHeaders())
      list.push_back({header.name.data(), header.text.data()});
    return list;
  }();
  return headers;
}

Expected<CompiledPlan> compilePlan(Plan plan, const Nvrtc &nvrtc, const CompileOptions &options) {
  // What the compiler hands over must hold in itself before anything is built on it.
  if (Status status = checkPlan(plan); !status.isOk())
    return status;
  CompiledPlan compiled;
  compiled.plan = std::move(plan);
  const std::vector<PlanKernel> &kernels = compiled.plan.kernels;
  std::vector<std::future<Expected<NvrtcOutput>>> others;
  for (size_t i = 1; i < kernels.size(); ++i)
    others.push_back(std::async(std::launch::async, [&, i] {
      return compileKernel(kernels[i], compiled.plan.arch, nvrtc, options.wantPtx);
    }));
  std::vector<Expected<NvrtcOutput>> outputs;
  if (!kernels.empty())
    outputs.push_back(compileKernel(kernels.front(), compiled.plan.arch, nvrtc, options.wantPtx));
  for (std::future<Expected<NvrtcOutput>> &other : others)
    outputs.push_back(other.get());

  double longest = 0;
  for (Expected<NvrtcOutput> &output : outputs) {
    if (!output)
      return output.status();
    for (Rejection &rejection :
         tilewright::rejections(output->kernels, output->advisories, options.policy))
      compiled.rejections.push_back(std::move(rejection));
    if (output->seconds > longest) {
      longest = output->seconds;
      compiled.split.ptxas = output->ptxasSeconds;
      compiled.split.frontEnd = output->seconds - output->ptxasSeconds;
    }
    compiled.kernels.push_back(*std::move(output));
  }
  return compiled;
}

Expected<CompiledPlan> compileModule(mlir::ModuleOp module, const Nvrtc &nvrtc,
                                     const CompileOptions &options) {
  Expected<TimedPlan> timed = compileToTimedPlan(module);
  if (!timed)
    return timed.status();
  Expected<CompiledPlan> compiled = compilePlan(std::move(timed->plan), nvrtc, options);
  if (compiled) {
    compiled->split.passes = timed->passSeconds;
    compiled->split.emission = timed->emissionSeconds;
  }
  return compiled;
}

ResourcePolicy gemmPolicy(const GemmProblem &problem, const DeviceInfo &device,
                          const GemmConfig &config) {
  // NOTE: with 192 of 240 registers in accumulators ptxas keeps a handful of addresses in local
  // memory, which costs nothing measurable; such tiles win on several shapes.
  const bool isTight = deriveGemm(problem, device, config).accumulators >= 192;
  return {.spillAllowance = isTight ? 12 : 0};
}

Expected<CompiledPlan> compileGemm(const GemmProblem &problem, const GemmConfig &config,
                                   const DeviceInfo &device, const Nvrtc &nvrtc,
                                   const CompileOptions &options) {
  const auto begin = std::chrono::steady_clock::now();
  const std::unique_ptr<mlir::MLIRContext> context = makeCompilerContext();
  Expected<mlir::OwningOpRef<mlir::ModuleOp>> module = buildGemm(*context, problem, config, device);
  if (!module)
    return module.status();
  const double build = secondsSince(begin);
  Expected<CompiledPlan> compiled = compileModule(**module, nvrtc, options);
  if (compiled)
    compiled->split.build = build;
  return compiled;
}

} // namespace tilewright
