// SPDX-License-Identifier: Apache-2.0
//
// From a problem, or a module of tile programs, to cubins. Each call is a sequence of the rooms'
// own functions; nothing is cached, nothing is shared but NVRTC.
// Thread-safety: calls run in parallel as long as each has an MLIRContext of its own; compileGemm
// makes one.

#pragma once

#include "runtime/nvrtc/Nvrtc.h"
#include "templates/gemm/Config.h"
#include "tilewright/DeviceInfo.h"
#include "tilewright/Plan.h"
#include "tilewright/Problem.h"

#include <span>
#include <string>
#include <vector>

// NOTE: declared, not included, so that those who compile problems need no MLIR headers.
namespace mlir {
class ModuleOp;
}

namespace tilewright {

/// Where the wall time of a compile went, in seconds.
struct CompileSplit {
  /// Making an MLIR context and building the module; 0 where the caller did so.
  double build = 0;
  /// From the module to sm90.
  double passes = 0;
  /// From sm90 to CUDA text.
  double emission = 0;
  /// NVRTC up to PTX. Of kernels that are compiled at once, the longest.
  double frontEnd = 0;
  /// ptxas; 0, and in the front end's share, where NVRTC does not tell (before 12.9).
  double ptxas = 0;

  [[nodiscard]] double total() const { return build + passes + emission + frontEnd + ptxas; }
};

/// What is wanted of a compile.
struct CompileOptions {
  bool wantPtx = false;
  /// What makes a kernel unusable.
  ResourcePolicy policy = {};
};

/// A plan with its cubins.
struct CompiledPlan {
  Plan plan;
  /// One for each kernel of the plan.
  std::vector<NvrtcOutput> kernels;
  /// Reasons not to use it, by the policy: spills, advisories of ptxas. The cubins are there all
  /// the same, for people who look.
  std::vector<Rejection> rejections;
  CompileSplit split;

  /// compileFailed with every rejection, if there is one.
  [[nodiscard]] Status accept() const;
};

/// The device library as NVRTC takes it.
std::span<const NvrtcHeader> nvrtcHeaders();

/// Compiles each kernel of `plan`, several at once. compileFailed with NVRTC's log; unavailable if
/// NVRTC is incomplete.
Expected<CompiledPlan> compilePlan(Plan plan, const Nvrtc &nvrtc,
                                   const CompileOptions &options = {});

/// Compiles a module, which must not be used afterwards. Fails as compileToPlan and compilePlan do.
Expected<CompiledPlan> compileModule(mlir::ModuleOp module, const Nvrtc &nvrtc,
                                     const CompileOptions &options = {});

/// What is accepted of kernels of `config`: no advisory, and no spill but a few bytes where a
/// thread holds 192 accumulators.
ResourcePolicy gemmPolicy(const GemmProblem &problem, const DeviceInfo &device,
                          const GemmConfig &config);

/// Builds and compiles a GEMM, in a context of its own. `options.policy` is the caller's choice:
/// usually gemmPolicy. Fails as buildGemm and compileModule do.
Expected<CompiledPlan> compileGemm(const GemmProblem &problem, const GemmConfig &config,
                                   const DeviceInfo &device, const Nvrtc &nvrtc,
                                   const CompileOptions &options);

} // namespace tilewright
