// SPDX-License-Identifier: Apache-2.0
//
// PreparedPlan: a plan bound to a device and to all arguments but the pointers, ready to run. What
// takes time (loading, evaluating expressions, checking) is done by prepare, once.
// Thread-safety: immutable, but for a cache of encoded tensor maps that any thread may use; run may
// be called by several threads at once, on any streams.
#pragma once

#include "runtime/driver/Context.h"
#include "runtime/driver/Module.h"
#include "tilewright/Plan.h"
#include "tilewright/Status.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace tilewright {

/// The value of a scalar argument: int64_t for i32 and i64, float for f32.
using ArgumentValue = std::variant<int64_t, float>;

/// The kernels of a plan on a device. Plans that differ in their scalars only can share them.
class LoadedPlan {
public:
  /// Loads one cubin per kernel of `plan`, in order, made by CUDA `cubinVersion` ({}: not known).
  /// Fails as Module::load and Module::kernel do, naming the kernel.
  static Expected<std::shared_ptr<const LoadedPlan>>
  load(std::shared_ptr<const PrimaryContext> context, const Plan &plan,
       std::span<const std::string> cubins, CudaVersion cubinVersion);

  /// The kernel of that index in the plan.
  [[nodiscard]] const LoadedKernel &kernel(size_t index) const { return kernels_[index]; }
  [[nodiscard]] size_t kernelCount() const { return kernels_.size(); }
  [[nodiscard]] std::shared_ptr<const PrimaryContext> context() const { return context_; }

private:
  LoadedPlan() = default;

  std::shared_ptr<const PrimaryContext> context_;
  std::vector<std::shared_ptr<const Module>> modules_;
  std::vector<LoadedKernel> kernels_;
};

struct PrepareOptions {
  /// Whether launches that know how to wait for the launch before them may start early
  /// (programmatic dependent launch).
  bool pdl = true;
  /// The most SMs that persistent kernels may count on; 0: all of the device.
  int32_t smCap = 0;
  /// The CUDA version of the compiler that made the cubins, for messages; {}: not known.
  CudaVersion cubinVersion = {};
  /// Whether pointers may be to memory of another device, to which the caller has enabled access.
  bool allowPeerMemory = false;
};

/// A launch as it will be made, for reports.
struct PreparedLaunch {
  int32_t kernel = 0;
  std::array<uint32_t, 3> grid = {1, 1, 1};
  friend bool operator==(const PreparedLaunch &, const PreparedLaunch &) = default;
};

/// A plan that can be run.
///
///   auto prepared = PreparedPlan::prepare(context, plan, cubins, scalars, {});
///   …
///   Status status = (*prepared)->run({a, b, d}, workspace, workspaceBytes, stream);
///
/// Keep it until the work that run has put on a stream is done, and as long as a graph that
/// captured a run is launched: with it go the kernels.
class PreparedPlan {
public:
  /// Binds `scalars`, one for each argument of the plan that is no pointer, in order, and evaluates
  /// every expression. invalidArgument: a precondition does not hold, a value is of the wrong type
  /// or range. unsupported: the device lacks what a kernel needs. internal: the plan is
  /// inconsistent.
  static Expected<std::shared_ptr<const PreparedPlan>>
  prepare(std::shared_ptr<const LoadedPlan> loaded, const Plan &plan,
          std::span<const ArgumentValue> scalars, const PrepareOptions &options);

  /// The same, loading the cubins first. If for these scalars there is nothing to launch (an extent
  /// of 0), nothing is loaded, and `cubins` may be empty.
  static Expected<std::shared_ptr<const PreparedPlan>>
  prepare(std::shared_ptr<const PrimaryContext> context, const Plan &plan,
          std::span<const std::string> cubins, std::span<const ArgumentValue> scalars,
          const PrepareOptions &options);

  ~PreparedPlan();
  PreparedPlan(const PreparedPlan &) = delete;
  PreparedPlan &operator=(const PreparedPlan &) = delete;

  /// The kernels that run launches; null if there is nothing to launch.
  [[nodiscard]] std::shared_ptr<const LoadedPlan> loaded() const;
  /// What run needs of workspace; 0: none.
  [[nodiscard]] size_t workspaceBytes() const;
  /// What the workspace's address must be a multiple of.
  [[nodiscard]] int32_t workspaceAlignment() const;
  /// The launches of a run, in order; those of an empty grid are left out.
  [[nodiscard]] const std::vector<PreparedLaunch> &launches() const;
  /// Names of the pointer arguments, in the order of run's `pointers`.
  [[nodiscard]] const std::vector<std::string> &pointerNames() const;

  /// Puts the plan's launches on `stream`, a stream of this context (nullptr: the legacy default
  /// one). `pointers` are device addresses, one for each pointer argument of the plan, in order;
  /// one that no launch uses may be 0. It compiles, loads, allocates and waits for nothing, is
  /// legal under stream capture, and leaves the caller's context current. Two runs at the same time
  /// must not share a workspace.
  ///
  /// invalidArgument names the role whose pointer is null, not aligned, in unregistered host memory
  /// or on another device, or says what the workspace lacks. Memory is looked at when an
  /// address is seen for the first time, not each time. unavailable: forked, or the context is
  /// gone. A fault of an earlier kernel comes back as deviceFault.
  [[nodiscard]] Status run(std::span<const uint64_t> pointers, uint64_t workspace,
                           size_t workspaceBytes, cu::Stream stream) const;

private:
  struct Bound;
  explicit PreparedPlan(std::unique_ptr<Bound> bound);

  std::unique_ptr<Bound> bound_;
};

} // namespace tilewright
