// SPDX-License-Identifier: Apache-2.0
//
// Loading the kernels of a plan.
#include "runtime/driver/PreparedPlan.h"

namespace tilewright {

Expected<std::shared_ptr<const LoadedPlan>>
LoadedPlan::load(std::shared_ptr<const PrimaryContext> context, const Plan &plan,
                 std::span<const std::string> cubins, CudaVersion cubinVersion) {
  if (plan.arch != context->device().arch)
    return Status::unsupported("plan '" + plan.name + "' is for " + plan.arch + ", device " +
                               std::to_string(context->ordinal()) + " is " +
                               context->device().name + " (" + context->device().arch + ")");
  if (cubins.size() != plan.kernels.size())
    return Status::invalidArgument("plan '" + plan.name + "' has " +
                                   std::to_string(plan.kernels.size()) + " kernels, found " +
                                   std::to_string(cubins.size()) + " cubins");
  std::shared_ptr<LoadedPlan> loaded(new LoadedPlan);
  for (size_t i = 0; i < cubins.size(); ++i) {
    const PlanKernel &kernel = plan.kernels[i];
    Expected<std::shared_ptr<const Module>> module = Module::load(context, cubins[i], cubinVersion);
    if (!module)
      return module.status().withContext("kernel '" + kernel.entry + "'");
    const auto [x, y, z] = kernel.cluster;
    Expected<LoadedKernel> function = (*module)->kernel(
        kernel.entry, {.dynamicSharedBytes = kernel.sharedBytes, .clusterSize = x * y * z});
    if (!function)
      return function.status();
    if (kernel.threads > function->facts.maxThreads)
      return Status::internal("the kernel '" + kernel.entry + "' is launched with " +
                              std::to_string(kernel.threads) + " threads, its cubin allows " +
                              std::to_string(function->facts.maxThreads));
    loaded->modules_.push_back(*std::move(module));
    loaded->kernels_.push_back(*function);
  }
  loaded->context_ = std::move(context);
  return std::shared_ptr<const LoadedPlan>(std::move(loaded));
}

} // namespace tilewright
