// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/Mutants.h"

#include "compiler/Compiler.h"
#include "compiler/mutation/Mutation.h"
#include "templates/gemm/Gemm.h"
#include "tests/gpu/GemmCase.h"

#include "mlir/IR/MLIRContext.h"

#include <cstdio>
#include <cstdlib>

namespace tilewright {

namespace {

/// Several tiles for each CTA, in clusters, more steps than stages, with a bias.
GemmCase subject() {
  GemmProblem problem{.m = 4000, .n = 4104, .k = 1000};
  problem.epilogue.bias().gelu();
  Expected<GemmConfig> config = GemmConfig::parse(
      "bm=128,bn=256,bk=64,consumers=2,stages=4,cluster=2x1,group=8,along=m,store=tma,split=1,"
      "schedule=cooperative");
  return {problem, config ? *config : GemmConfig{}, 1};
}

Expected<Plan> mutated(const GemmCase &gemm, const std::string &text, std::string &where) {
  const std::unique_ptr<mlir::MLIRContext> context = makeCompilerContext();
  Expected<mlir::OwningOpRef<mlir::ModuleOp>> module =
      buildGemm(*context, gemm.problem, gemm.config, gpu()->facts.info);
  if (!module)
    return module.status();
  if (text == "none")
    return compileToPlan(**module);
  const size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  const unsigned site =
      colon == std::string::npos ? 0 : static_cast<unsigned>(std::atoi(text.c_str() + colon + 1));
  return compileToPlan(**module, [&](mlir::ModuleOp lowered) {
    mlir::FailureOr<std::string> place = mutation::mutate(lowered, kind, site);
    if (mlir::failed(place))
      return Status::invalidArgument("no such mutation: " + text);
    where = *place;
    return Status::ok();
  });
}

int say(const std::string &mutation, const char *outcome, const std::string &detail, int code) {
  std::printf("{\"mutation\": \"%s\", \"outcome\": \"%s\", \"detail\": \"%s\"}\n", mutation.c_str(),
              outcome, detail.c_str());
  return code;
}

} // namespace

int runMutant(const std::string &mutation) {
  if (!gpu())
    return say(mutation, "not run", gpu().status().message(), 2);
  const GemmCase gemm = subject();
  std::string where;
  Expected<Plan> plan = mutated(gemm, mutation, where);
  if (!plan)
    return say(mutation, "not run", plan.status().message(), 2);
  Expected<CompiledPlan> compiled = compilePlan(*plan, *gpu()->nvrtc, {});
  if (!compiled)
    return say(mutation, "not compiled", "", 2);
  std::string advisories;
  std::vector<std::string> cubins;
  for (NvrtcOutput &kernel : compiled->kernels) {
    for (const Advisory &advisory : kernel.advisories)
      advisories += (advisories.empty() ? "" : " ") + advisory.code;
    cubins.push_back(std::move(kernel.cubin));
  }
  Expected<std::shared_ptr<const LoadedPlan>> loaded =
      LoadedPlan::load(gpu()->context, compiled->plan, cubins, gpu()->cubinVersion());
  if (!loaded)
    return say(mutation, "not run", loaded.status().message(), 2);
  Expected<GemmTrial> trial =
      GemmTrial::create(gemm.problem, *gpu()->reference, {.seed = gemm.seed});
  Expected<RunnableGemm> runnable = RunnableGemm::prepare({compiled->plan, *loaded}, gemm.problem);
  if (!trial || !runnable)
    return say(mutation, "not run", "", 2);
  const std::string detail = where + (advisories.empty() ? "" : "; ptxas: " + advisories);
  for (int run = 0; run < 20; ++run) {
    Status status = trial->poison();
    if (status.isOk())
      status = runnable->run(*trial);
    Expected<Verdict> verdict = status.isOk() ? trial->judge() : Expected<Verdict>(status);
    if (!verdict)
      return say(mutation, "fault", detail, 3);
    if (!verdict->isRight())
      return say(mutation, run == 0 ? "wrong" : "wrong in a later run", detail, 1);
  }
  return say(mutation, "right", detail, 0);
}

} // namespace tilewright
