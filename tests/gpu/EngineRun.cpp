// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/EngineRun.h"

namespace tilewright {

Expected<Engine> makeEngine(const std::string &cacheFolder) {
  return Engine::create({.device = gpu()->facts.ordinal,
                         .cacheFolder = cacheFolder,
                         .diskCache = !cacheFolder.empty()});
}

Expected<EngineRun> EngineRun::create(const Engine &engine, const GemmProblem &problem,
                                      uint64_t seed, const RequestOptions &options) {
  EngineRun run;
  Expected<Kernel> kernel = engine.request(problem, Policy::heuristic, options);
  if (!kernel)
    return kernel.status();
  run.kernel_ = *std::move(kernel);
  Expected<GemmTrial> trial = GemmTrial::create(problem, *gpu()->reference, {.seed = seed});
  if (!trial)
    return trial.status();
  run.trial_ = *std::move(trial);
  Expected<DeviceBuffer> workspace =
      DeviceBuffer::allocate(gpu()->context, run.kernel_->workspace().bytes);
  if (!workspace)
    return workspace.status();
  run.workspace_ = *std::move(workspace);
  return run;
}

Status EngineRun::launch(cu::Stream stream) const {
  return kernel_->launch(operandsOf(*trial_), stream,
                         {reinterpret_cast<void *>(workspace_.address()), workspace_.size()});
}

Status EngineRun::judge(cu::Stream stream) const {
  const Expected<Verdict> verdict = trial_->judge(stream);
  return (verdict ? verdict->status() : verdict.status())
      .withContext(trial_->problem().epilogue.toString() + " " +
                   std::to_string(trial_->problem().m) + "x" + std::to_string(trial_->problem().n) +
                   "x" + std::to_string(trial_->problem().k) + ", " + kernel_->info().config);
}

Operands operandsOf(const GemmTrial &trial) {
  const auto at = [&](std::string_view role) {
    return reinterpret_cast<void *>(trial.address(role));
  };
  return {.a = at("a"),
          .b = at("b"),
          .c = at("c"),
          .d = at("d"),
          .bias = at("bias"),
          .biasRow = at("bias_row"),
          .residual = at("residual"),
          .scaleRow = at("scale_row"),
          .scaleCol = at("scale_col")};
}

} // namespace tilewright
