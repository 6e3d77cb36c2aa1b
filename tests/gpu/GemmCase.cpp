// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/GemmCase.h"

#include "runtime/check/InParallel.h"
#include "templates/gemm/Arguments.h"
#include "tests/gpu/Deadline.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tilewright {

namespace {

constexpr size_t kWorkspaceGuard = 4096;

/// Cases with equal keys have the same kernels: sizes and factors are arguments, only types, ops,
/// the config and the alignment of rows are in the text.
std::string kernelKey(const GemmCase &gemm) {
  const GemmProblem &problem = gemm.problem;
  std::string key = gemm.config.toString() + (problem.usesAlpha() ? " alpha" : "");
  for (const GemmArgument &argument : gemmArguments(problem)) {
    key += " " + argument.name;
    if (argument.kind == ArgumentKind::pointer)
      key += ":" + std::string(dtypeName(argument.dtype));
  }
  for (const EpilogueOp &op : problem.epilogue.ops())
    key += "," + std::string(op.name()) +
           (op.operand() == EpilogueOperand::matrix
                ? std::to_string(
                      rowAlignment(op.ld != 0 ? op.ld : problem.n, op.operandType(problem.d)))
                : "");
  return key + fmt::format(" {} {}", rowAlignment(problem.pitchC(), problem.typeC()),
                           rowAlignment(problem.pitchD(), problem.d));
}

} // namespace

GemmCase heuristicCase(const GemmProblem &problem, uint64_t seed) {
  const Expected<GemmConfig> config = heuristicConfig(problem, gpu()->facts.info);
  if (!config) {
    ADD_FAILURE() << config.status().message();
    return {};
  }
  return {problem, *config, seed};
}

Expected<std::shared_ptr<const CompiledGemm>> compileCase(const GemmCase &gemm) {
  Expected<CompiledPlan> compiled =
      compileGemm(gemm.problem, gemm.config, gpu()->facts.info, *gpu()->nvrtc, {});
  if (!compiled)
    return compiled.status();
  std::vector<std::string> cubins;
  for (NvrtcOutput &kernel : compiled->kernels)
    cubins.push_back(std::move(kernel.cubin));
  Expected<std::shared_ptr<const LoadedPlan>> loaded =
      LoadedPlan::load(gpu()->context, compiled->plan, cubins, gpu()->cubinVersion());
  if (!loaded)
    return loaded.status();
  return std::make_shared<const CompiledGemm>(
      CompiledGemm{std::move(compiled->plan), *std::move(loaded)});
}

std::vector<Expected<std::shared_ptr<const CompiledGemm>>>
compileCases(const std::vector<GemmCase> &cases) {
  std::map<std::string, size_t> numbers;
  std::vector<size_t> numberOf, firstOf;
  for (const GemmCase &gemm : cases) {
    const auto [at, isNew] = numbers.try_emplace(kernelKey(gemm), firstOf.size());
    if (isNew)
      firstOf.push_back(numberOf.size());
    numberOf.push_back(at->second);
  }
  std::vector<Expected<std::shared_ptr<const CompiledGemm>>> kernels(
      firstOf.size(), Status::internal("not compiled"));
  inParallel(kernels.size(), [&](size_t i) { kernels[i] = compileCase(cases[firstOf[i]]); });
  std::vector<Expected<std::shared_ptr<const CompiledGemm>>> compiled;
  for (size_t number : numberOf)
    compiled.push_back(kernels[number]);
  return compiled;
}

Expected<RunnableGemm> RunnableGemm::prepare(const CompiledGemm &compiled,
                                             const GemmProblem &problem,
                                             const PrepareOptions &options) {
  std::vector<ArgumentValue> scalars;
  for (const GemmArgument &argument : gemmArguments(problem)) {
    if (argument.kind == ArgumentKind::f32)
      scalars.emplace_back(argument.number);
    else if (argument.kind != ArgumentKind::pointer)
      scalars.emplace_back(argument.integer);
  }
  Expected<std::shared_ptr<const PreparedPlan>> plan =
      PreparedPlan::prepare(compiled.loaded, compiled.plan, scalars, options);
  if (!plan)
    return plan.status();
  RunnableGemm runnable;
  runnable.plan_ = *std::move(plan);
  Expected<DeviceBuffer> workspace =
      DeviceBuffer::allocate(gpu()->context, runnable.plan_->workspaceBytes() + kWorkspaceGuard);
  if (!workspace)
    return workspace.status();
  runnable.workspace_ = *std::move(workspace);
  if (Status status = runnable.workspace_.fill(kPoisonByte); !status.isOk())
    return status;
  if (Status status = gpu()->context->synchronize(); !status.isOk())
    return status;
  return runnable;
}

Status RunnableGemm::run(const GemmTrial &trial, cu::Stream stream) const {
  std::vector<uint64_t> pointers;
  for (const std::string &name : plan_->pointerNames())
    pointers.push_back(trial.address(name));
  return plan_->run(pointers, workspace_.address(), plan_->workspaceBytes(), stream);
}

Status RunnableGemm::checkWorkspace(cu::Stream stream) const {
  std::vector<uint8_t> guard(kWorkspaceGuard);
  if (Status status =
          workspace_.copyTo(guard.data(), guard.size(), plan_->workspaceBytes(), stream);
      !status.isOk())
    return status;
  const auto bad =
      std::find_if(guard.begin(), guard.end(), [](uint8_t byte) { return byte != kPoisonByte; });
  if (bad == guard.end())
    return Status::ok();
  return Status::checkFailed(fmt::format("byte {} behind a workspace of {} was overwritten",
                                         bad - guard.begin(), plan_->workspaceBytes()));
}

Status runAndJudge(const GemmCase &gemm, const CompiledGemm &compiled,
                   const TrialOptions &options) {
  TrialOptions own = options;
  own.seed = gemm.seed;
  const Deadline deadline(gemm.toString());
  const auto run = [&]() -> Status {
    Expected<GemmTrial> trial = GemmTrial::create(gemm.problem, *gpu()->reference, own);
    if (!trial)
      return trial.status();
    Expected<RunnableGemm> runnable = RunnableGemm::prepare(compiled, gemm.problem);
    if (!runnable)
      return runnable.status();
    if (Status status = runnable->run(*trial); !status.isOk())
      return status;
    Expected<Verdict> verdict = trial->judge();
    if (!verdict)
      return verdict.status();
    if (Status status = verdict->status(); !status.isOk())
      return status;
    return runnable->checkWorkspace();
  };
  return run().withContext(gemm.toString());
}

void expectRight(const std::vector<GemmCase> &cases, const TrialOptions &options) {
  const auto compiled = compileCases(cases);
  for (size_t i = 0; i < cases.size(); ++i) {
    if (!compiled[i]) {
      ADD_FAILURE() << cases[i].toString() << "\n  " << compiled[i].status().toString();
      continue;
    }
    const Status status = runAndJudge(cases[i], **compiled[i], options);
    EXPECT_TRUE(status.isOk()) << status.toString();
    // Nothing on this context works after a fault.
    if (status.code() == StatusCode::deviceFault)
      FAIL() << "the device is lost; what follows would fail too";
  }
}

} // namespace tilewright
