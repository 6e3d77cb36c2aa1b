// SPDX-License-Identifier: Apache-2.0
// The promise on which stored code rests: problems of equal code text get equal plans. A field that
// the template looks at and the key leaves out is found here.
#include "compiler/Compiler.h"
#include "runtime/engine/Key.h"
#include "support/PlanText.h"
#include "templates/gemm/Gemm.h"

#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

#include <map>

using namespace tilewright;

namespace {

std::string planOf(const GemmProblem &problem, const GemmConfig &config) {
  const DeviceInfo device = *DeviceInfo::forTarget("h200");
  const std::unique_ptr<mlir::MLIRContext> context = makeCompilerContext();
  Expected<mlir::OwningOpRef<mlir::ModuleOp>> module = buildGemm(*context, problem, config, device);
  EXPECT_TRUE(module) << module.status().toString();
  if (!module)
    return "";
  Expected<Plan> plan = compileToPlan(**module);
  EXPECT_TRUE(plan) << plan.status().toString();
  Expected<std::string> text = plan ? planToText(*plan) : plan.status();
  return text ? *text : "";
}

TEST(CodeKey, EqualCodeTextMeansEqualPlans) {
  std::map<std::string, std::string> plans;
  size_t shared = 0;
  for (std::string_view ops : {"", "bias,gelu,residual", "scale_row,bias_row,silu,residual:fp32"})
    for (int64_t m : {1, 130, 4096})
      for (int64_t n : {64, 1000, 1001, 4096})
        for (int64_t k : {0, 64, 1000})
          for (float beta : {0.0F, 0.5F}) {
            GemmProblem problem{.m = m, .n = n, .k = k, .beta = beta};
            problem.epilogue = *Epilogue::parse(ops);
            const GemmConfig config{.bm = 128,
                                    .bn = 128,
                                    .stages = 3,
                                    .cluster = GemmCluster::c1x1,
                                    .store = n % 8 == 0 ? GemmStore::tma : GemmStore::direct};
            if (checkConfig(problem, *DeviceInfo::forTarget("h200"), config))
              continue;
            const std::string key =
                RequestKey::of({.problem = problem}).codeText() + " " + config.toString();
            const std::string plan = planOf(problem, config);
            const auto [entry, isNew] = plans.try_emplace(key, plan);
            shared += isNew ? 0 : 1;
            ASSERT_EQ(entry->second, plan)
                << key << ": another plan for m " << m << ", n " << n << ", k " << k;
          }
  EXPECT_GE(plans.size(), 12U);
  EXPECT_GE(shared, 60U);
}

TEST(CodeKey, OtherCodeTextMeansOtherPlans) {
  const GemmConfig config{.store = GemmStore::direct};
  std::map<std::string, std::string> keys;
  const auto add = [&](GemmProblem problem) {
    const std::string key = RequestKey::of({.problem = problem}).codeText();
    const auto [entry, isNew] = keys.try_emplace(planOf(problem, config), key);
    EXPECT_TRUE(isNew) << key << " and " << entry->second << " have one plan";
  };
  const GemmProblem base{.m = 512, .n = 1024, .k = 512};
  add(base);
  GemmProblem problem = base;
  problem.a = problem.b = DType::fp16;
  add(problem);
  problem = base;
  problem.d = DType::fp32;
  add(problem);
  problem = base;
  problem.alpha = 2;
  add(problem);
  problem = base;
  problem.beta = 2;
  add(problem);
  problem.c = DType::fp32;
  add(problem);
  problem = base;
  problem.ldd = 1026;
  add(problem);
  problem = base;
  problem.epilogue.residual();
  add(problem);
  problem.epilogue = {};
  problem.epilogue.residual({}, 1028);
  add(problem);
}

} // namespace
