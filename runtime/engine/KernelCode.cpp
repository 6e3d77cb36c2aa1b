// SPDX-License-Identifier: Apache-2.0
#include "runtime/engine/KernelCode.h"

#include <string>
#include <vector>

namespace tilewright {

Expected<std::shared_ptr<const LoadedPlan>>
KernelCode::load(const std::shared_ptr<const PrimaryContext> &context) {
  const std::lock_guard lock(mutex_);
  if (loaded_)
    return loaded_;
  std::vector<std::string> cubins;
  for (const StoredKernel &kernel : stored_.kernels)
    cubins.push_back(kernel.cubin);
  Expected<std::shared_ptr<const LoadedPlan>> loaded =
      LoadedPlan::load(context, plan(), cubins, cubinVersion());
  if (loaded)
    loaded_ = *loaded;
  return loaded;
}

} // namespace tilewright
