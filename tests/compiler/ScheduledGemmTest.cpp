// SPDX-License-Identifier: Apache-2.0
//
// The scheduled form of GEMMs from all over the space computes what the program form computes, on
// shapes whose tiles end outside, and fits the shared memory that the template counted on.

#include "compiler/Pipeline.h"
#include "templates/gemm/Gemm.h"
#include "tests/compiler/PlanFixture.h"
#include "tests/templates/gemm/GemmReference.h"

#include "mlir/Pass/PassManager.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace tilewright {
namespace {

const DeviceInfo kDevice = *DeviceInfo::forTarget("h200");

struct Shape {
  int64_t m, n, k;
};
/// Tiles that end outside, a single row, no depth at all.
constexpr std::array<Shape, 5> kShapes = {
    {{200, 136, 192}, {1, 8, 8}, {150, 264, 72}, {70, 72, 0}, {130, 40, 264}}};

/// Draws that are the same on every machine.
class Draw {
public:
  explicit Draw(uint64_t seed) : engine_(seed) {}
  size_t below(size_t count) { return engine_() % count; }

  GemmProblem problem(Shape shape) {
    GemmProblem problem{.m = shape.m, .n = shape.n, .k = shape.k};
    problem.a = problem.b = below(2) ? DType::bf16 : DType::fp16;
    problem.d = kOutputs[below(3)];
    problem.alpha = below(3) ? 1.0F : -0.5F;
    problem.beta = below(3) ? 0.0F : 0.25F;
    for (size_t length = below(5); length > 0; --length) {
      const EpilogueInfo &info = kEpilogueOps[below(kEpilogueOps.size())];
      EpilogueOp op{info.kind};
      if (!info.supported || (op.hasOperand() && problem.epilogue.has(op.kind)))
        continue;
      if (op.hasOperand() && below(2))
        op.dtype = kOutputs[below(3)];
      problem.epilogue.add(op);
    }
    return problem;
  }

private:
  static constexpr std::array<DType, 3> kOutputs = {DType::bf16, DType::fp16, DType::fp32};
  std::mt19937_64 engine_;
};

std::string describe(const GemmProblem &problem, const GemmConfig &config) {
  return std::to_string(problem.m) + "x" + std::to_string(problem.n) + "x" +
         std::to_string(problem.k) + " " + std::string(dtypeName(problem.d)) + " " +
         problem.epilogue.toString() + ", " + config.toString();
}

class ScheduledGemmTest : public PlanTest {
protected:
  /// D of the program form and of the scheduled form.
  void compareForms(const GemmProblem &problem, const GemmConfig &config, uint64_t seed) {
    SCOPED_TRACE(describe(problem, config));
    auto program = buildGemm(*context_, problem, config, kDevice);
    ASSERT_TRUE(program) << program.status().toString();
    mlir::OwningOpRef<mlir::ModuleOp> scheduled = (*program)->clone();
    mlir::PassManager passes(context_.get());
    addSchedulePasses(passes);
    ASSERT_TRUE(mlir::succeeded(passes.run(*scheduled)));

    Bindings bindings = randomBindings(problem, seed);
    Expected<EvaluationResult> expected = evaluate(**program, bindings);
    Expected<EvaluationResult> found = evaluate(*scheduled, bindings);
    ASSERT_TRUE(expected) << expected.status().toString();
    ASSERT_TRUE(found) << found.status().toString();
    for (const auto &[name, numbers] : expected->arrays) {
      const std::vector<double> &other = found->arrays.at(name);
      ASSERT_EQ(numbers.size(), other.size());
      for (size_t i = 0; i < numbers.size(); ++i)
        ASSERT_TRUE(numbers[i] == other[i] || (std::isnan(numbers[i]) && std::isnan(other[i])))
            << name << "[" << i << "]: " << numbers[i] << " and " << other[i];
    }
  }
};

TEST_F(ScheduledGemmTest, ComputesWhatTheProgramComputes) {
  Draw draw(3);
  size_t compared = 0;
  for (size_t shape = 0; shape < kShapes.size(); ++shape) {
    GemmProblem space{.m = kShapes[shape].m, .n = kShapes[shape].n, .k = kShapes[shape].k};
    Expected<GemmSpace> all = enumerateGemm(space, kDevice);
    ASSERT_TRUE(all) << all.status().toString();
    for (const GemmConfig &config : sampleConfigs(all->legal, 20, shape)) {
      GemmProblem problem = draw.problem(kShapes[shape]);
      if (checkConfig(problem, kDevice, config))
        continue;
      ASSERT_NO_FATAL_FAILURE(compareForms(problem, config, ++compared));
    }
  }
  EXPECT_GE(compared, 40U);
}

TEST_F(ScheduledGemmTest, SplitSumsComputeWhatTheProgramComputes) {
  Draw draw(5);
  for (const char *text : {"bm=64,bn=64,consumers=1,stages=3,cluster=1x1,split=2",
                           "bm=128,bn=96,consumers=2,stages=3,cluster=2x1,split=3",
                           "bm=128,bn=64,consumers=1,stages=3,cluster=1x2,store=direct,split=2"}) {
    GemmProblem problem = draw.problem({200, 136, 192});
    GemmConfig config = *GemmConfig::parse(text);
    ASSERT_FALSE(checkConfig(problem, kDevice, config))
        << checkConfig(problem, kDevice, config)->text;
    ASSERT_NO_FATAL_FAILURE(compareForms(problem, config, 9));
  }
}

// Warpgroups that take tiles in turn: one tile alone, odd and even numbers of them, tiles that end
// outside, loops shorter and longer than the ring, no loop at all.
TEST_F(ScheduledGemmTest, AlternatingTilesComputeWhatTheProgramComputes) {
  Draw draw(11);
  uint64_t seed = 0;
  for (const char *text :
       {"bm=64,bn=64,stages=3,cluster=1x1", "bm=128,bn=64,stages=4,cluster=1x1,group=1",
        "bm=64,bn=96,bk=128,stages=3,cluster=1x1,store=direct"})
    for (Shape shape : {Shape{40, 40, 64}, Shape{64, 128, 200}, Shape{150, 184, 520},
                        Shape{200, 136, 192}, Shape{300, 72, 1000}, Shape{130, 130, 0}}) {
      GemmProblem problem = draw.problem(shape);
      GemmConfig config = *GemmConfig::parse(std::string(text) + ",schedule=pingpong");
      if (shape.n % 8 != 0)
        config.store = GemmStore::direct;
      std::optional<GemmRejection> rejection = checkConfig(problem, kDevice, config);
      ASSERT_FALSE(rejection) << rejection->text;
      ASSERT_NO_FATAL_FAILURE(compareForms(problem, config, ++seed));
    }
}

// The template plans shared memory without the compiler: to choose the stages, to refuse configs.
TEST_F(ScheduledGemmTest, FitsTheSharedMemoryThatTheTemplateCountedOn) {
  GemmProblem problem{.m = 4096, .n = 4096, .k = 4096};
  Draw draw(7);
  Expected<GemmSpace> space = enumerateGemm(problem, kDevice);
  ASSERT_TRUE(space);
  for (const GemmConfig &config : sampleConfigs(space->legal, 40, 1)) {
    GemmProblem drawn = draw.problem({4096, 4096, 4096});
    if (checkConfig(drawn, kDevice, config))
      continue;
    SCOPED_TRACE(describe(drawn, config));
    auto module = buildGemm(*context_, drawn, config, kDevice);
    ASSERT_TRUE(module) << module.status().toString();
    Expected<Plan> plan = compileToPlan(**module);
    ASSERT_TRUE(plan) << plan.status().toString();
    GemmSharedMemory counted = deriveGemm(drawn, kDevice, config).shared;
    EXPECT_LE(plan->kernels[0].sharedBytes, counted.total());
    // Nothing but the slack for alignment may be left over.
    EXPECT_GE(plan->kernels[0].sharedBytes, counted.total() - counted.alignmentBytes);
    expectSound(*plan);
  }
}

} // namespace
} // namespace tilewright
