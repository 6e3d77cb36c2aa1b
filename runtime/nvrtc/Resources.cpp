// SPDX-License-Identifier: Apache-2.0
#include "runtime/nvrtc/Resources.h"

namespace tilewright {

namespace {

/// The advisories that matter most get a name; the others keep ptxas's words.
std::string describe(const Advisory &advisory) {
  if (advisory.text.find("wgmma") != std::string::npos &&
      advisory.text.find("serialized") != std::string::npos)
    return advisory.code + " wgmma serialized";
  return advisory.code + " " + advisory.text;
}

} // namespace

std::vector<Rejection> rejections(const std::vector<KernelResources> &kernels,
                                  const std::vector<Advisory> &advisories,
                                  const ResourcePolicy &policy) {
  std::vector<Rejection> result;
  for (const KernelResources &kernel : kernels)
    if (kernel.spillBytes() > policy.spillAllowance)
      result.push_back({kernel.kernel, "spills " + std::to_string(kernel.spillBytes()) + " B"});
  if (policy.refuseAdvisories)
    for (const Advisory &advisory : advisories)
      result.push_back({advisory.kernel, describe(advisory)});
  return result;
}

} // namespace tilewright
