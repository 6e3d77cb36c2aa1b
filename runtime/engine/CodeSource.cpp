// SPDX-License-Identifier: Apache-2.0
#include "runtime/engine/CodeSource.h"

#include "runtime/engine/Compile.h"
#include "support/Version.h"

#include <algorithm>
#include <cmath>

namespace tilewright {

namespace {

/// What decides the text of the kernels, and so their code but for the compiler.
std::string codeName(const RequestKey &key, const GemmConfig &config, const DeviceInfo &device) {
  return key.codeText() + " config=" + config.toString() + " arch=" + device.arch +
         " build=" + std::string(buildId());
}

/// The name of what is stored. See docs/decisions/code-cache.md.
std::string storedName(const std::string &name, int32_t cudaMajor) {
  return name + " cuda=" + std::to_string(cudaMajor);
}

StoredPlan toStored(CompiledPlan compiled, NvrtcVersion version) {
  StoredPlan stored{.plan = std::move(compiled.plan),
                    .nvrtcMajor = version.major,
                    .nvrtcMinor = version.minor,
                    .compileMicroseconds =
                        static_cast<int32_t>(std::lround(compiled.split.total() * 1e6))};
  for (size_t i = 0; i < compiled.kernels.size(); ++i) {
    StoredKernel kernel{.cubin = std::move(compiled.kernels[i].cubin)};
    for (const KernelResources &resources : compiled.kernels[i].kernels)
      if (resources.kernel == stored.plan.kernels[i].entry) {
        kernel.registers = resources.registers;
        kernel.spillBytes = resources.spillBytes();
      }
    stored.kernels.push_back(std::move(kernel));
  }
  return stored;
}

} // namespace

std::shared_ptr<KernelCode> CodeSource::findStored(const std::string &name) const {
  if (!settings_.cache)
    return nullptr;
  // Cubins of a newer major version of CUDA than the driver's cannot be loaded.
  const int32_t newest = settings_.newestCuda.value_or(kFirstUnknownNvrtc.major - 1);
  for (int32_t major = std::min(newest, kFirstUnknownNvrtc.major - 1); major >= kOldestNvrtc.major;
       --major)
    if (std::optional<StoredPlan> stored = settings_.cache->find(storedName(name, major)))
      return std::make_shared<KernelCode>(*std::move(stored));
  return nullptr;
}

Expected<std::shared_ptr<const Nvrtc>> CodeSource::nvrtc() {
  const std::lock_guard lock(mutex_);
  if (nvrtc_)
    return nvrtc_;
  Expected<Nvrtc> found = Nvrtc::find(settings_.nvrtc);
  if (!found)
    return found.status();
  nvrtc_ = std::make_shared<const Nvrtc>(*std::move(found));
  return nvrtc_;
}

CodeSource::Codes::Result CodeSource::compile(const GemmProblem &problem, const std::string &name,
                                              const GemmConfig &config, Answer &answer) {
  Expected<std::shared_ptr<const Nvrtc>> compiler = nvrtc();
  if (!compiler)
    return compiler.status();
  answer.mlir = true;
  Expected<CompiledPlan> compiled =
      compileGemm(problem, config, settings_.device, **compiler,
                  {.policy = gemmPolicy(problem, settings_.device, config)});
  if (!compiled)
    return compiled.status().withContext("cannot compile '" + name + "'");
  answer.nvrtcCalls = static_cast<int32_t>(compiled->kernels.size());
  settings_.log.info("compiled {} in {:.0f} ms", name, compiled->split.total() * 1e3);
  if (const Status accepted = compiled->accept(); !accepted.isOk())
    settings_.log.warning("{} is slower than it should be: {}", name, accepted.message());
  StoredPlan stored = toStored(*std::move(compiled), (*compiler)->version());
  if (settings_.cache)
    settings_.cache->store(storedName(name, stored.nvrtcMajor), stored);
  return std::make_shared<KernelCode>(std::move(stored));
}

Expected<CodeSource::Answer> CodeSource::get(const GemmProblem &problem, const RequestKey &key,
                                             const GemmConfig &config, bool mayCompile) {
  const std::string name = codeName(key, config, settings_.device);
  Answer answer;
  if (!mayCompile) {
    // NOTE: does not join a compile of another thread: who must not compile must not wait for one.
    answer.code = codes_.find(name);
    if (answer.code)
      return answer;
    answer.origin = Origin::disk;
    answer.code = findStored(name);
    if (!answer.code)
      return Status::notFound("no compiled plan is stored for " + key.toString() + " with " +
                              config.toString() +
                              "; allow the request to compile, or compile it ahead of time");
    answer.code = codes_.insert(name, std::move(answer.code));
    return answer;
  }

  Codes::Found found = codes_.findOrMake(name, [&]() -> Codes::Result {
    answer.origin = Origin::disk;
    if (std::shared_ptr<KernelCode> stored = findStored(name))
      return stored;
    answer.origin = Origin::compiled;
    return compile(problem, name, config, answer);
  });
  if (!found.result)
    return found.result.status();
  answer.code = *std::move(found.result);
  return answer;
}

} // namespace tilewright
